/** Tables that people read at a terminal. */

/** Returns aligned columns, one line for each row. An empty cell is shown as a dash. */
export function textTable(titles: string[], rows: string[][]): string {
  const table = [titles, ...rows.map((row) => row.map((cell) => printable(cell) || '-'))];
  const widths = titles.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  const line = (row: string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
  return table.map((row) => `${line(row).trimEnd()}\n`).join('');
}

/** Replaces control characters: the name of a wallet must not control the operator's terminal, or make a line look like two. */
function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\u{fffd}');
}

/** Returns a time to the second, in UTC; an empty text for no time. */
export function timeText(time: Date | null): string {
  return time === null ? '' : `${time.toISOString().slice(0, 19)}Z`;
}
