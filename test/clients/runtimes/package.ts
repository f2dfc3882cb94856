/** The package as it is published: built, packed, and installed into a folder of its own. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const PACKAGE = join(ROOT, 'clients', 'typescript');

/** This Node first, whichever one npm was started with; then the tools of this checkout. */
const environment = {
  ...process.env,
  PATH: [dirname(process.execPath), join(ROOT, 'node_modules', '.bin'), process.env.PATH].join(delimiter),
};

/** Runs a tool of this checkout. @throws AssertionError with what it has printed, when it fails */
export function run(command: string, args: string[], cwd: string, env: NodeJS.ProcessEnv = {}): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    env: { ...environment, ...env },
  });
  assert.equal(status, 0, `${command} ${args.join(' ')}: ${error ?? ''}${stdout}${stderr}`);
  return stdout;
}

/** A folder with the package in node_modules, and beside it the tables and what runs them. It goes with the process. */
export function installPackage(): { folder: string; files: string[] } {
  const folder = mkdtempSync(join(tmpdir(), 'teller-client-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  run('tsc', ['-p', 'tsconfig.build.json', '--outDir', join(folder, 'dist')], PACKAGE);
  for (const file of ['package.json', 'README.md', 'LICENSE'])
    cpSync(join(PACKAGE, file), join(folder, file));
  const packed = run('npm', ['pack', '--json', '--ignore-scripts'], folder);
  const [{ filename, files }] = JSON.parse(packed);
  const user = join(folder, 'user');
  cpSync(import.meta.dirname, user, { recursive: true });
  cpSync(join(ROOT, 'clients', 'cases'), user, { recursive: true });
  writeFileSync(join(user, 'package.json'), '{"type":"module","private":true}');
  run('npm', ['install', '--offline', '--no-audit', '--no-fund', join('..', filename)], user);
  return { folder: user, files: files.map(({ path }: { path: string }) => path) };
}
