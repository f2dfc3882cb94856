/** Pure: what is said of many lines of a file, each thing once. */

/** `line`: of the CSV; `row`: counted without the header. Both null: it is about the file. */
type Said = { line: number | null; row: number | null };

export type LineGroup<T> = { first: T; count: number; lines: string };

/** The groups in the order of their first lines. `sameOf`: equal for what is said once. */
export function groupedByLine<T extends Said>(said: T[], sameOf: (one: T) => string): LineGroup<T>[] {
  return [...Map.groupBy(said, sameOf).values()].map((same) => ({
    first: same[0] as T,
    count: same.length,
    lines: linesInWords(same.map(({ line, row }) => line ?? row).filter((line) => line !== null)),
  }));
}

const MOST_RANGES = 4;

/** `Line 2`, `Lines 2–31`, `Lines 2, 4–9 and 12`; `The file` without lines. */
function linesInWords(lines: number[]): string {
  const sorted = [...new Set(lines)].toSorted((a, b) => a - b);
  if (sorted.length === 0) return 'The file';
  const ranges: [first: number, last: number][] = [];
  for (const line of sorted) {
    const range = ranges.at(-1);
    if (range && range[1] === line - 1) range[1] = line;
    else ranges.push([line, line]);
  }
  const shown = ranges
    .slice(0, MOST_RANGES)
    .map(([first, last]) => (first === last ? `${first}` : `${first}–${last}`));
  const more = ranges.slice(MOST_RANGES).reduce((sum, [first, last]) => sum + last - first + 1, 0);
  if (more > 0) shown.push(`${more} more`);
  const end = shown.length > 1 ? ` and ${shown.pop()}` : '';
  return `${sorted.length === 1 ? 'Line' : 'Lines'} ${shown.join(', ')}${end}`;
}
