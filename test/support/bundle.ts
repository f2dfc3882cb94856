/**
 * A run of all tests starts hundreds of processes. Half of the time of each went into loading: the Stellar SDK, Kysely,
 * zod and jose are a thousand small files. So a run packs each of these packages into a few files, and tells every
 * process to load those. Our own files are loaded as they are.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

const ROOT = join(import.meta.dirname, '..', '..');

/** Name of the bundle → what is imported. One build for all: the entries of a package share their classes. */
const ENTRIES = {
  'stellar-sdk': '@stellar/stellar-sdk',
  'stellar-sdk-base': '@stellar/stellar-sdk/base',
  'stellar-sdk-rpc': '@stellar/stellar-sdk/rpc',
  kysely: 'kysely',
  zod: 'zod',
  jose: 'jose',
};

/** What a service imports in all. */
const SERVICE = ['src/cli/serve.ts', 'src/cli/sandbox-network.ts'];

/**
 * Gives the environment in which Node loads bundles from `folder`, and keeps there what it has compiled. `services`: whether
 * the tests start services.
 */
export async function bundlePackages(
  folder: string,
  { services }: { services: boolean },
): Promise<Record<string, string>> {
  const build = await rolldown({
    input: ENTRIES,
    platform: 'node',
    resolve: { conditionNames: ['node', 'import'] },
    cwd: ROOT,
    logLevel: 'silent', // advice about the packages' own code
  });
  await build.write({ dir: folder, entryFileNames: '[name].mjs', chunkFileNames: 'shared-[hash].mjs' });
  await build.close();
  const bundles = Object.entries(ENTRIES).map(([name, specifier]) => [
    specifier,
    pathToFileURL(join(folder, `${name}.mjs`)).href,
  ]);
  const hook = pathToFileURL(join(import.meta.dirname, 'use-bundles.mjs')).href;
  const environment = {
    NODE_COMPILE_CACHE: join(folder, 'compiled'),
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${hook}`.trim(),
    TEST_BUNDLES: JSON.stringify(Object.fromEntries(bundles)),
  };
  if (services) await compileService(environment);
  return environment;
}

/** Once and to its end: a service that is killed keeps nothing of what it has compiled. */
async function compileService(environment: Record<string, string>): Promise<void> {
  const imports = SERVICE.map((file) => `import ${JSON.stringify(pathToFileURL(join(ROOT, file)).href)};`);
  const args = ['--input-type=module', '--eval', imports.join('')];
  const child = spawn(process.execPath, args, { env: { ...process.env, ...environment }, stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  assert.equal(code, 0, 'the service can be loaded');
}
