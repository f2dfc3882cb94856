/** `bin/teller.js` and `sandbox/bin/stellar-sandbox.js`: what they give to the programs that they run, and how these end. */
import { strict as assert } from 'node:assert';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { eventually } from './support/eventually.ts';
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

it('prints the version at once, also where nothing is installed', () => {
  const root = temporaryDirectory();
  cpSync(BIN, join(root, 'bin'), { recursive: true });
  writeFileSync(join(root, 'package.json'), '{"type":"module","version":"9.9.9"}');
  writeFileSync(join(root, 'package-lock.json'), '{}');
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'bin/teller.js'), '--version'], {
    env: { ...process.env, npm_execpath: join(root, 'no-npm.js') },
    encoding: 'utf8',
  });
  assert.deepEqual({ status, stdout, stderr }, { status: 0, stdout: '9.9.9\n', stderr: '' });
});

/** As on a Node that cannot replace itself by another program, like Node 20. */
const WRAPS = '--import=data:text/javascript,delete process.execve';

/** The program tells its process id and waits; as a command, it ends by itself with code 7. */
const PROGRAM = `if (process.argv[2] === 'command') process.exitCode = 7;
  else { console.log('pid', process.pid, process.env.TELLER_LAUNCHER, process.env.SANDBOX_LAUNCHER);
    setInterval(() => {}, 1000); }`;

for (const [launcher, program] of [
  ['bin/teller.js', 'src/main.ts'],
  ['bin/stellar-sandbox.js', 'main.ts'],
] as const) {
  const install = () => {
    const root = temporaryDirectory();
    const from = launcher === 'bin/teller.js' ? BIN : join(BIN, '..', 'sandbox', 'bin');
    cpSync(from, join(root, 'bin'), { recursive: true });
    mkdirSync(join(root, 'src'));
    writeFileSync(join(root, 'package.json'), '{"type":"module"}');
    writeFileSync(join(root, program), PROGRAM);
    return [WRAPS, join(root, launcher)];
  };

  it(`${launcher} on an older Node: the program ends when its launcher is killed`, async () => {
    const child = spawn(process.execPath, [...install(), 'wait'], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [text] = (await once(child.stdout, 'data')) as [Buffer];
    const [, pid] = /^pid (\d+) undefined undefined$/m.exec(`${text}`) ?? [];
    assert.ok(Number(pid) > 0 && Number(pid) !== child.pid, `${text}`);
    child.kill('SIGKILL');
    await eventually('the end of the program', async () => isGone(Number(pid)));
  });

  it(`${launcher} on an older Node: a program that is done ends with its own exit code`, () => {
    const { status, stderr } = spawnSync(process.execPath, [...install(), 'command'], { encoding: 'utf8' });
    assert.equal(status, 7, stderr);
  });
}

function isGone(pid: number): boolean {
  try {
    return /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return true;
  }
}
