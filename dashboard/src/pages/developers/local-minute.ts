/** Pure: the local time as `2026-11-21T13:05`, the format of a datetime-local field. */
export function localMinute(at: Date): string {
  const shifted = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 16);
}
