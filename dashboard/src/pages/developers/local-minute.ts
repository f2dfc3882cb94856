/** Pure: `2026-11-21T13:05` of a moment by the reader's clock, as a field of type datetime-local takes it. */
export function localMinute(at: Date): string {
  const shifted = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 16);
}
