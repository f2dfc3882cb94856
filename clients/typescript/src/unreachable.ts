/**
 * Pure: whether a request never left for the service, read from what `fetch` throws. Node, Bun and Deno each say it in their own
 * words: by a `code` of the error or of one of its causes, or in its message.
 */

/** `certificate`: of the service, or no TLS at all where `base_url` says https. `blocked port`: fetch uses some ports never. */
export type Unreachable = 'unknown name' | 'refused connection' | 'certificate' | 'blocked port';

const SIGNS: readonly [Unreachable, RegExp][] = [
  ['certificate', /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_SSL_WRONG_VERSION_NUMBER|invalid peer certificate/],
  ['blocked port', /\bbad port\b/],
  ['unknown name', /\bENOTFOUND\b|dns error/], // not EAI_AGAIN: that one ends by itself
  ['refused connection', /\bECONNREFUSED\b|ConnectionRefused|Connection refused/],
];
const MAX_CAUSES = 5;

/** Returns why nothing was sent; null where something may have been sent. */
export function whyUnreachable(error: unknown): Unreachable | null {
  const text = causesOf(error)
    .map(({ code, message }) => `${code ?? ''} ${message}`)
    .join(' ');
  return SIGNS.find(([, sign]) => sign.test(text))?.[0] ?? null;
}

/** Returns the message of the last cause that has one: `fetch failed` alone helps nobody. */
export function reasonOf(error: unknown): string {
  const causes = causesOf(error);
  const last = causes.reverse().find(({ message, code }) => message || code);
  return last?.message || last?.code || 'no reason was given';
}

type Cause = { message: string; code?: string };

function causesOf(error: unknown): Cause[] {
  const causes: Cause[] = [];
  for (let cause = error; cause instanceof Error && causes.length < MAX_CAUSES; cause = cause.cause) {
    const { message, code } = cause as Error & { code?: unknown };
    causes.push({ message, ...(typeof code === 'string' && { code }) });
  }
  return causes;
}

/** Returns whether another try fails the same way, unless somebody mends something: a service that starts again listens soon. */
export function isLastingAlways(why: Unreachable): boolean {
  return why === 'certificate' || why === 'blocked port';
}
