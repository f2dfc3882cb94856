/** The modules of this checkout and what each imports, as dependency-cruiser reads them for the module rules. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import type { Modules } from './selection.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const FOLDERS = [
  'src',
  'sandbox',
  'test',
  'clients/typescript/src',
  'dashboard/src',
  'scripts',
  'bench',
  'bin',
];

/** Reads every module of the checkout. Imports of types are no imports here: they are gone when a module runs. */
export async function readModules(): Promise<Modules> {
  const { options } = createRequire(import.meta.url)('../../.dependency-cruiser.cjs');
  const { output } = await cruise(FOLDERS, { ...options, baseDir: ROOT });
  const own = (output as ICruiseResult).modules.filter(({ source }) => !source.includes('node_modules'));
  return new Map(
    own
      .filter(({ coreModule, couldNotResolve }) => !coreModule && !couldNotResolve)
      .map(({ source, dependencies }) => [
        source,
        {
          imports: dependencies
            .filter(({ dependencyTypes }) => !dependencyTypes.includes('type-only'))
            .map(({ resolved }) => resolved),
          text: readFileSync(join(ROOT, source), 'utf8'),
        },
      ]),
  );
}
