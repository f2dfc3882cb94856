/** What a selection runs and leaves out, in lines for a person. */
import type { SelectionSince } from './select-since.ts';

/** So many changed files are named. */
const NAMED = 8;

/** `all`: every test file of the checkout. `whole`: name each file, and not only how many there are. */
export function describeSelection(
  base: string,
  { everything, files, reasons }: SelectionSince,
  all: string[],
  whole: boolean,
): string[] {
  if (everything) return [`All test files run. ${everything}`];
  const out = all.filter((file) => !reasons.has(file));
  const chosen = counted(files.map((file) => reasons.get(file) ?? ''));
  const more = chosen.length > NAMED ? [`  ${chosen.length - NAMED} other changes`] : [];
  const places = counted(out.map(placeOf)).map(([place, count]) => `${place} ${count}`);
  return [
    `${files.length} of ${all.length} test files run: the changes since ${base} can break them.`,
    ...(whole
      ? files.map((file) => `  ${file}: ${reasons.get(file)}`)
      : [...chosen.slice(0, NAMED).map(([change, count]) => `  ${change}: ${count}`), ...more]),
    `${out.length} are left out, because they neither import, start nor read what has changed: ${places.join(', ')}.`,
    ...(whole ? out.map((file) => `  ${file}`) : []),
  ];
}

/** Each name with how often it is there, the most frequent first. */
function counted(names: string[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort(([one, many], [other, count]) => count - many || (one < other ? -1 : 1));
}

/** `test/spec` of `test/spec/withdraw.test.ts`. */
function placeOf(file: string): string {
  return file.split('/').slice(0, -1).slice(0, 2).join('/') || file;
}
