/** `bin/teller.js` in a checkout: what the programs get that it runs before the service. */
import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { temporaryDirectory } from './support/service.ts';

const BIN = join(import.meta.dirname, '..', 'bin');
const KEYS = { MASTER_KEY: 'new', MASTER_KEY_PREVIOUS: 'old' };

it('gives the master key to the service alone, and not to npm or to what builds the dashboard', () => {
  const root = temporaryDirectory();
  cpSync(BIN, join(root, 'bin'), { recursive: true });
  for (const folder of ['src', 'dashboard', 'node_modules/vite/bin'])
    mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, 'package.json'), '{"type":"module"}');
  writeFileSync(join(root, 'package-lock.json'), '{}');
  const told = (name: string) => join(root, `${name}.json`);
  const tells = (name: string) =>
    `import { writeFileSync } from 'node:fs'; writeFileSync('${told(name)}', JSON.stringify(process.env));`;
  for (const [file, name] of [
    ['npm.js', 'npm'],
    ['node_modules/vite/bin/vite.js', 'vite'],
    ['src/main.ts', 'service'],
  ] as const)
    writeFileSync(join(root, file), tells(name));
  writeFileSync(join(root, 'node_modules/vite/package.json'), '{"type":"module"}');
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'bin/teller.js'), 'serve'], {
    env: { ...process.env, ...KEYS, npm_execpath: join(root, 'npm.js') },
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
  const keysOf = (name: string) => {
    const { MASTER_KEY, MASTER_KEY_PREVIOUS } = JSON.parse(readFileSync(told(name), 'utf8'));
    return { MASTER_KEY, MASTER_KEY_PREVIOUS };
  };
  const none = { MASTER_KEY: undefined, MASTER_KEY_PREVIOUS: undefined };
  assert.deepEqual([keysOf('npm'), keysOf('vite'), keysOf('service')], [none, none, KEYS]);
});
