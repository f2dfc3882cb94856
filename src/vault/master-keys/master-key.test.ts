import { strict as assert } from 'node:assert';
import { execFileSync, spawn } from 'node:child_process';
import { hkdfSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { searchMemory, spellingsOf } from '../../../test/support/memory.ts';
import { decodeBase64, encodeBase64 } from './base64.ts';
import { deriveKey } from './derive-key.ts';
import { findMasterKey, loadMasterKey } from './master-key.ts';

const folder = mkdtempSync(join(tmpdir(), 'master-key-'));
after(() => rmSync(folder, { recursive: true }));
const KEY = randomBytes(32).toString('base64');

function keyFile(text: string, mode = 0o600): string {
  const path = join(folder, randomBytes(4).toString('hex'));
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

test('property: base64 is what Node writes, and every other text is refused', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 70 }), (array) => {
      const bytes = Buffer.from(array);
      const text = bytes.length > 0 ? encodeBase64(bytes).toString() : '';
      assert.equal(text, bytes.toString('base64'));
      assert(bytes.length === 0 || decodeBase64(Buffer.from(text))?.equals(bytes));
      assert(bytes.length === 0 || decodeBase64(Buffer.from(text.replace(/=+$/, '')))?.equals(bytes));
    }),
  );
  for (const text of ['A', 'AB', 'AAB', 'AAA=A', 'AA=', 'A===', 'AAA-', 'AAA_', 'AAA\u00e9', 'AA A', '=AAA'])
    assert.equal(decodeBase64(Buffer.from(text)), null, text);
});

test('property: a derived key is the one of RFC 5869 as OpenSSL makes it', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.string(), (key, purpose) => {
      const expected = hkdfSync('sha256', key, Buffer.alloc(0), `stellar-teller ${purpose}`, 32);
      assert(deriveKey(Buffer.from(key), purpose).equals(Buffer.from(expected)));
    }),
  );
});

test('a key is found in a file of its owner, with spaces and line ends around it', () => {
  for (const text of [KEY, `${KEY}\n`, ` ${KEY}\r\n`, KEY.replace(/=+$/, '')]) {
    const file = keyFile(text);
    assert.deepEqual(findMasterKey({ MASTER_KEY_FILE: file }, 'MASTER_KEY'), {
      source: { file },
      faults: [],
    });
    const { key, generated_file, exposed } = loadMasterKey({
      master_key: { file },
      data_dir: folder,
      may_create: false,
    });
    assert.deepEqual([key.toString('base64'), generated_file, exposed], [KEY, null, false]);
  }
});

const onLinux = { skip: process.platform === 'linux' ? false : '/proc is Linux’s' };

/** Finds the key as the configuration does, loads it as a start does, and keeps it. No garbage is collected in the process. */
const LOADS_ITS_KEY = `
  import { findMasterKey, loadKey } from '${new URL('./master-key.ts', import.meta.url)}';
  const { source, faults } = findMasterKey(process.env, 'MASTER_KEY');
  const { key } = loadKey(source);
  console.log(JSON.stringify({ length: key.length, faults }));
  setInterval(() => key.length, 1_000);`;

for (const place of ['MASTER_KEY', 'MASTER_KEY_FILE'])
  test(
    `nothing but the key is in memory as soon as ${place} is loaded, nor its text in locked memory`,
    onLinux,
    async () => {
      const env = { ...process.env, [place]: place === 'MASTER_KEY' ? KEY : keyFile(KEY) };
      const args = ['--input-type=module', '-e', LOADS_ITS_KEY];
      const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
      try {
        const [line] = (await once(child.stdout, 'data')) as [Buffer];
        assert.deepEqual(JSON.parse(line.toString()), { length: 32, faults: [] });
        const found = searchMemory(child.pid as number, spellingsOf('key', Buffer.from(KEY, 'base64')));
        assert.deepEqual(found, [{ name: 'key raw', isLocked: true }]);
      } finally {
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
    },
  );

test('a pipe is read once, when the key is loaded', async () => {
  const file = join(folder, 'pipe');
  execFileSync('mkfifo', ['-m', '600', file]);
  const writer = spawn('sh', ['-c', 'printf %s "$KEY" > "$PIPE"'], {
    env: { ...process.env, KEY, PIPE: file },
  });
  const written = once(writer, 'exit');
  const { source, faults } = findMasterKey({ MASTER_KEY_FILE: file }, 'MASTER_KEY');
  assert.deepEqual([source, faults], [{ file }, []]);
  const { key } = loadMasterKey({ master_key: source, data_dir: folder, may_create: false });
  assert.equal(key.toString('base64'), KEY);
  await written;
});

test('a pipe without a key is refused when it is read', () => {
  const file = join(folder, 'other-pipe');
  execFileSync('mkfifo', ['-m', '600', file]);
  spawn('sh', ['-c', 'printf hello > "$PIPE"'], { env: { ...process.env, PIPE: file } });
  const load = () => loadMasterKey({ master_key: { file }, data_dir: folder, may_create: false });
  assert.throws(load, /other-pipe must be 32 bytes in base64\./);
});

test('the key before is found in its own variable, in the same ways', () => {
  const environment = { MASTER_KEY: KEY, MASTER_KEY_PREVIOUS_FILE: keyFile(KEY.slice(4)) };
  assert.deepEqual(findMasterKey(environment, 'MASTER_KEY').faults, []);
  assert.deepEqual(findMasterKey(environment, 'MASTER_KEY_PREVIOUS').faults, [
    'MASTER_KEY_PREVIOUS_FILE must be 32 bytes in base64',
  ]);
});

test('a key file is refused when others can read it, or anybody but its owner can change it', () => {
  for (const mode of [0o601, 0o602, 0o604, 0o620, 0o644, 0o666]) {
    const { faults } = findMasterKey({ MASTER_KEY_FILE: keyFile(KEY, mode) }, 'MASTER_KEY');
    assert.match(faults.join(), /^MASTER_KEY_FILE can be read or changed by other users/, mode.toString(8));
  }
});

test('no key is refused with its reason, from a variable and from a file, and no fault shows it', () => {
  const refused: [string, RegExp][] = [
    [Buffer.alloc(32).toString('base64'), /must not be a key of zeros$/],
    [KEY.slice(0, 40), /must be 32 bytes in base64$/],
    [`${KEY.slice(0, 43)}${KEY}`, /must be 32 bytes in base64$/],
    [`${KEY.slice(0, 20)} ${KEY.slice(20)}`, /must be 32 bytes in base64$/],
    [`"${KEY}"`, /must be 32 bytes in base64$/],
    [randomBytes(32).toString('hex'), /must be 32 bytes in base64$/],
  ];
  for (const [text, reason] of refused)
    for (const environment of [{ MASTER_KEY: text }, { MASTER_KEY_FILE: keyFile(text) }]) {
      const { faults } = findMasterKey(environment, 'MASTER_KEY');
      assert.equal(faults.length, 1);
      assert.match(faults.join(), reason);
      assert(!faults.join().includes(text));
    }
  assert.match(
    findMasterKey({ MASTER_KEY_FILE: keyFile('x'.repeat(300)) }, 'MASTER_KEY').faults.join(),
    /has more text than a key/,
  );
  assert.match(
    findMasterKey({ MASTER_KEY_FILE: folder }, 'MASTER_KEY').faults.join(),
    /cannot be read: EISDIR/,
  );
});

test('a key that is made is 32 random bytes in a file of mode 0600, whatever the umask is', () => {
  const data_dir = mkdtempSync(join(folder, 'data-'));
  assert.throws(
    () => loadMasterKey({ master_key: null, data_dir, may_create: false }),
    /There is no .*master-key, and the wallets of this database are sealed with its key/,
  );
  const before = process.umask(0);
  const made = loadMasterKey({ master_key: null, data_dir, may_create: true });
  process.umask(before);
  const file = join(data_dir, 'master-key');
  assert.equal(made.generated_file, file);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.equal(readFileSync(file, 'utf8'), `${made.key.toString('base64')}\n`);
  const again = loadMasterKey({ master_key: null, data_dir, may_create: true });
  assert.deepEqual([again.key.equals(made.key), again.generated_file], [true, null]);
});
