const UNITS: [unit: string, seconds: number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
];

/** `24 hours`, `90 minutes`: in the largest unit without a remainder. One day is 24 hours. */
export function durationWords(seconds: number): string {
  const [unit, length] = UNITS.find(
    ([name, size]) => seconds % size === 0 && seconds >= (name === 'day' ? 2 * size : size),
  ) ?? ['second', 1];
  return new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay: 'long' }).format(seconds / length);
}
