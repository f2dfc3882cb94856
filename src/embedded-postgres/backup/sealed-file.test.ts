import { strict as assert } from 'node:assert';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { generateIdentity, identityToRecipient } from 'age-encryption';
import { openSealed, readIdentities, requireRecipients, writeSealed } from './sealed-file.ts';

const root = mkdtempSync(join(tmpdir(), 'sealed-'));
after(() => rmSync(root, { recursive: true }));

/** More than several chunks of age, of 64 KiB. */
const content = randomBytes(1_000_000);
const chunks = () => Readable.from([content.subarray(0, 300_001), content.subarray(300_001)]);
const [one, other, stranger] = [await generateIdentity(), await generateIdentity(), await generateIdentity()];
const recipients = [await identityToRecipient(one), await identityToRecipient(other)];

let made = 0;
async function written(to: string[]): Promise<string> {
  const path = join(root, `${++made}`);
  const { bytes, sha256 } = await writeSealed(path, chunks(), to);
  const stored = readFileSync(path);
  assert.deepEqual([bytes, sha256], [stored.length, createHash('sha256').update(stored).digest('hex')]);
  return path;
}

async function readBack(path: string, identities: string[] | null): Promise<Buffer> {
  const { content: found } = await openSealed(path, identities);
  return buffer(found);
}

test('a file comes back as it was, without encryption and with it, by each identity', async () => {
  assert.deepEqual(await readBack(await written([]), null), content);
  const sealed = await written(recipients);
  assert.equal(statSync(sealed).mode & 0o777, 0o600);
  for (const identity of [one, other])
    assert.deepEqual(await readBack(sealed, [stranger, identity]), content);
});

test('another identity does not open it', async () => {
  await assert.rejects(readBack(await written(recipients), [stranger]), /this identity does not open it/);
});

test('a file that is cut short or changed is an error, and never a shorter content', async () => {
  for (const [to, identities] of [
    [[], null],
    [recipients, [one]],
  ] as const) {
    const path = await written([...to]);
    const stored = readFileSync(path);
    writeFileSync(path, stored.subarray(0, -100_000));
    await assert.rejects(readBack(path, identities && [...identities]));
    const at = stored.length - 70_000;
    writeFileSync(path, stored.fill((stored[at] ?? 0) ^ 1, at, at + 1));
    await assert.rejects(readBack(path, identities && [...identities]));
  }
});

test('an error of the content is the error of the write', async () => {
  async function* failing() {
    yield content;
    throw new Error('the server has ended');
  }
  for (const to of [[], recipients])
    await assert.rejects(
      writeSealed(join(root, `${++made}`), Readable.from(failing()), to),
      /the server has ended/,
    );
});

test('a recipient and an identity must be ones of age', () => {
  requireRecipients(recipients);
  for (const wrong of ['', 'age1', 'somebody', one])
    assert.throws(() => requireRecipients([wrong]), /is no recipient of age/);
  const path = join(root, 'identities');
  writeFileSync(path, `# created: 2026-01-01\n# public key: ${recipients[0]}\n${one}\n${other}\n`);
  assert.deepEqual(readIdentities(path), [one, other]);
  writeFileSync(path, recipients.join('\n'));
  assert.throws(() => readIdentities(path), /has no line that begins with AGE-SECRET-KEY-/);
  assert.throws(() => readIdentities(join(root, 'nowhere')), /cannot be read: ENOENT/);
});
