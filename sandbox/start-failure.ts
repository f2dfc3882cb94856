/**
 * Why the sandbox could not start, for the person who started it.
 * @param error what `startSandbox` threw: an error of the operating system with a code, or one with a message for people
 */
export function startFailure(
  error: Error & { code?: string },
  { port, dir }: { port: number; dir: string | null },
): string {
  if (error.code === 'EADDRINUSE')
    return `Port ${port} is taken. Choose another with --port, or 0 for any free one.`;
  if (error.code === 'EACCES' && dir === null) return `This user may not listen on port ${port}.`;
  if (error.code === undefined) return error.message;
  return `The sandbox cannot start: ${error.message}`;
}
