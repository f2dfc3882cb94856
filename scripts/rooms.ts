/**
 * Part of `npm run check`: refuses two rooms (folders of src/) whose files import each other. A reader of one of them would
 * have to read both. Rules of dependency-cruiser name folders one by one, or find cycles of any length; this one is about
 * every pair.
 */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { cruise, type ICruiseResult } from 'dependency-cruiser';

type Import = { from: string; to: string };

/** Pairs that still import each other. The list only shrinks: a pair that is not mutual any more must be deleted here. */
const STILL_MUTUAL = [
  // errors.ts, config.ts and deps.ts lie side by side: what the floor throws, and types of what stands on the floor.
  'src <-> src/db',
  'src <-> src/outgoing',
  'src <-> src/vault',
  'src <-> src/vault/master-keys',
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

/** Returns what is wrong: a pair that is not in the list, with its imports, or a pair of the list that is not mutual. */
export function compareWithList(mutual: Map<string, Import[]>, list: string[]): string[] {
  const added = [...mutual].filter(([pair]) => !list.includes(pair));
  const gone = list.filter((pair) => !mutual.has(pair));
  return [
    ...added.map(([pair, imports]) => `${pair}: these rooms import each other\n${linesOf(imports)}`),
    ...gone.map((pair) => `${pair}: not mutual any more; delete it from STILL_MUTUAL in scripts/rooms.ts`),
  ];
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
  const wrong = compareWithList(findMutualPairs(await readImports()), STILL_MUTUAL);
  for (const line of wrong) console.error(line);
  if (wrong.length > 0) process.exitCode = 1;
}
