/** RFC 3339 in whole seconds, as close times are. */
export function timeText(epoch_s: bigint): string {
  return new Date(Number(epoch_s) * 1000).toISOString().replace('.000Z', 'Z');
}
