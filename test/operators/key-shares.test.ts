/** The master key as shares, as people use the commands. */
import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { teller, temporaryDirectory } from '../support/service.ts';
import { runOnSmallDisk } from '../support/small-disk.ts';

const folder = temporaryDirectory();
const MASTER_KEY_FILE = join(folder, 'key');
const text = `${randomBytes(32).toString('base64')}\n`;
writeFileSync(MASTER_KEY_FILE, text, { mode: 0o600 });
const shares = join(folder, 'shares');
const share = (number: number) => join(shares, `share-${number}.txt`);
const split = (out: string, DATA_DIR = folder, env: Record<string, string> = { MASTER_KEY_FILE }) =>
  teller(['keys', 'split', '--shares', '3', '--threshold', '2', '--out', out], { DATA_DIR, ...env });
const combine = (files: string[], out: string) => teller(['keys', 'combine', ...files, '--out', out]);

it('splits the key into files of their owner, and any two of three give the same key file', async () => {
  const { code, output } = await split(shares);
  assert.equal(code, 0, output);
  assert(!output.includes(text.trim()));
  assert.deepEqual(readdirSync(shares), ['share-1.txt', 'share-2.txt', 'share-3.txt']);
  assert.equal(statSync(shares).mode & 0o777, 0o700);
  for (const [one, other] of [
    [1, 2],
    [1, 3],
    [3, 2],
  ] as const) {
    const out = join(folder, `key-${one}-${other}`);
    assert.equal(statSync(share(one)).mode & 0o777, 0o600);
    const combined = await combine([share(one), share(other)], out);
    assert.equal(combined.code, 0, combined.output);
    assert.equal(readFileSync(out, 'utf8'), text);
    assert.equal(statSync(out).mode & 0o777, 0o600);
  }
});

it('splits a key that a pipe gives, and leaves no file of it', async () => {
  const out = join(folder, 'of-a-pipe');
  const split_it =
    'MASTER_KEY_FILE=<(printf %s "$TEXT") "$NODE" bin/teller.js keys split --shares 2 --threshold 2 --out "$OUT"';
  const env = { ...process.env, NODE: process.execPath, DATA_DIR: folder, TEXT: text, OUT: out };
  execFileSync('bash', ['-c', split_it], { env, cwd: join(import.meta.dirname, '..', '..') });
  const file = join(folder, 'key-of-a-pipe');
  assert.equal((await combine([join(out, 'share-1.txt'), join(out, 'share-2.txt')], file)).code, 0);
  assert.equal(readFileSync(file, 'utf8'), text);
});

it('on a full disk writes nothing, neither shares nor the key', (t) => {
  const target = temporaryDirectory();
  const filled = 'head -c 8192 /dev/zero > "$0/other"; exec "$@"';
  const run = (size: string, ...args: string[]) =>
    runOnSmallDisk(['sh', '-c', filled, target, process.execPath, 'bin/teller.js', 'keys', ...args], {
      size,
      target,
      cwd: join(import.meta.dirname, '..', '..'),
      env: { MASTER_KEY_FILE, DATA_DIR: folder },
    });
  const out = join(target, 'out');
  const divided = run('12k', 'split', '--shares', '3', '--threshold', '2', '--out', out);
  if (divided === null) return t.skip('needs the right to mount a small file system');
  assert.equal(divided.stderr, `Cannot write the shares into ${out}: the disk is full. None was kept.\n`);
  const combined = run('8k', 'combine', share(1), share(2), '--out', out);
  assert.equal(combined?.stderr, `Cannot write ${out}: the disk is full.\n`);
  assert.deepEqual([divided.stdout, combined?.stdout], ['other\n', 'other\n'], 'nothing is left');
  assert.deepEqual([divided.status, combined?.status], [1, 1]);
});

it('writes over nothing, and makes no key that was not there', async () => {
  assert.match((await split(shares)).output, /shares exists already\. Nothing was written\.\n$/);
  const taken = await combine([share(1), share(2)], MASTER_KEY_FILE);
  assert.match(taken.output, /key exists already\. Nothing was written\.\n$/);
  assert.equal(readFileSync(MASTER_KEY_FILE, 'utf8'), text);
  const empty = temporaryDirectory();
  assert.match((await split(join(empty, 'shares'), empty, {})).output, /^There is no .*master-key/);
  assert.deepEqual(readdirSync(empty), []);
});

it('refuses too few shares and a damaged one, and writes no file', async () => {
  const out = join(folder, 'none');
  const damaged = join(folder, 'damaged');
  writeFileSync(damaged, readFileSync(share(2), 'utf8').replace(/share: ../, 'share: 00'));
  assert.match((await combine([share(1)], out)).output, /^2 shares are needed, and 1 were given\./);
  assert.match((await combine([share(1), damaged], out)).output, /^Share 2 is mistyped/);
  assert.match((await combine([share(1), join(folder, 'no')], out)).output, /^The share cannot be read/);
  assert(!existsSync(out));
});
