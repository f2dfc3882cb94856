/** Pure: moments as the reader writes them. */

// In digits 0 to 9, as amounts: see money.ts.
const exact = new Intl.DateTimeFormat(undefined, {
  dateStyle: 'medium',
  timeStyle: 'medium',
  numberingSystem: 'latn',
});
const short = new Intl.DateTimeFormat(undefined, {
  dateStyle: 'medium',
  timeStyle: 'short',
  numberingSystem: 'latn',
});

/** In the reader's time zone and language. */
export function formatMoment(at: string, seconds = false): string {
  return (seconds ? exact : short).format(new Date(at));
}
