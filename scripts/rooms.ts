/**
 * Part of `npm run check`: refuses two rooms (folders of src/) whose files import each other. A reader of one of them would
 * have to read both. Rules of dependency-cruiser name folders one by one, or find cycles of any length; this one is about
 * every pair.
 */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import { compareWithList, type Fault } from './shrinking-list.ts';

type Import = { from: string; to: string };

/** Pairs that still import each other. */
const STILL_MUTUAL = [
  // The look-up of every credential is in the folder itself, and the rooms both use it and are used by it.
  'src/auth <-> src/auth/factors',
  'src/auth <-> src/auth/named-keys',
  'src/auth <-> src/auth/service-users',
  'src/auth <-> src/auth/teams',
  'src/auth/approvals <-> src/auth/teams',
  'src/auth/factors <-> src/auth/teams',
];

/** Returns each pair of rooms that import each other, sorted, with the imports of both directions. */
export function findMutualPairs(imports: Import[]): Map<string, Import[]> {
  const pairs = Map.groupBy(imports.filter(betweenRooms), ({ from, to }) =>
    [dirname(from), dirname(to)].sort().join(' <-> '),
  );
  const mutual = [...pairs].filter(([, all]) => new Set(all.map(({ from }) => dirname(from))).size === 2);
  return new Map(mutual.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Returns a fault for each mutual pair; its message has the imports of both directions. */
export function describePairs(mutual: Map<string, Import[]>): Fault[] {
  return [...mutual].map(([pair, imports]) => ({
    entry: pair,
    message: `${pair}: these rooms import each other\n${linesOf(imports)}`,
  }));
}

function betweenRooms({ from, to }: Import): boolean {
  return dirname(from) !== dirname(to);
}

function linesOf(imports: Import[]): string {
  return imports.map(({ from, to }) => `  ${from} → ${to}`).join('\n');
}

/** Reads the imports inside src/, those of types too. main.ts starts all of it and nothing imports it, so it is in no room. */
async function readImports(): Promise<Import[]> {
  const { options } = createRequire(import.meta.url)('../.dependency-cruiser.cjs');
  const { output } = await cruise(['src'], { ...options, baseDir: join(import.meta.dirname, '..') });
  const outside = /[.]test[.]ts$|^src\/main[.]ts$|^(?!src\/)/;
  return (output as ICruiseResult).modules
    .flatMap(({ source, dependencies }) =>
      dependencies.map(({ resolved }) => ({ from: source, to: resolved })),
    )
    .filter(({ from, to }) => !outside.test(from) && !outside.test(to));
}

if (import.meta.main) {
  const faults = describePairs(findMutualPairs(await readImports()));
  const wrong = compareWithList(faults, STILL_MUTUAL, 'STILL_MUTUAL in scripts/rooms.ts');
  for (const line of wrong) console.error(line);
  if (wrong.length > 0) process.exitCode = 1;
}
