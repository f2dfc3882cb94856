/** Pure: days as a date field has them, `2026-11-21`. */

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/**
 * A day of the calendar: `Date` turns 30 February into 2 March. The first and last day of four-digit years are
 * refused: in some time zones they reach a year that the API rejects.
 */
export function isDay(text: string): boolean {
  if (!DAY.test(text) || text <= '0000-01-01' || text >= '9999-12-31') return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** By the calendar, because a day is not always 24 hours. */
export function startOfDay(day: string, days_later = 0): Date {
  const date = new Date(`${day}T00:00:00`);
  date.setDate(date.getDate() + days_later);
  return date;
}
