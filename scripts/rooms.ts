/**
 * Part of `npm run check`: refuses a cycle of rooms (folders of src/). A reader of one room of a cycle would have to read all of
 * them. Rules of dependency-cruiser name folders one by one, or find cycles of files; this one is about every room.
 */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { cruise, type ICruiseResult } from 'dependency-cruiser';

type Import = { from: string; to: string };

/** Returns the imports between rooms that are on a cycle of rooms, or on the way from one cycle to another; none without a cycle. */
export function findCycles(imports: Import[]): Import[] {
  let left = imports.filter(({ from, to }) => dirname(from) !== dirname(to));
  for (;;) {
    const importers = new Set(left.map(({ from }) => dirname(from)));
    const imported = new Set(left.map(({ to }) => dirname(to)));
    const inner = left.filter(({ from, to }) => imported.has(dirname(from)) && importers.has(dirname(to)));
    if (inner.length === left.length) return left;
    left = inner;
  }
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
  const cycle = findCycles(await readImports());
  if (cycle.length > 0) {
    console.error('These imports make a cycle of rooms, or lead from one cycle to another:');
    for (const { from, to } of cycle) console.error(`  ${from} → ${to}`);
    process.exitCode = 1;
  }
}
