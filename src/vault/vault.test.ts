import { strict as assert } from 'node:assert';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { inspect } from 'node:util';
import { Keypair, StrKey } from '@stellar/stellar-sdk';
import fc from 'fast-check';
import sodium from 'sodium-native';
import { type Needle, searchMemory as searchMemoryOf } from '../../test/support/memory.ts';
import { signWith } from '../../test/support/sign.ts';
import { createKeyRing } from './master-keys/key-ring.ts';
import { createSecrets } from './secrets.ts';
import { SeedFileError } from './seed-file.ts';
import { createVault } from './vault.ts';

const FIXTURE = join(import.meta.dirname, '..', '..', 'test', 'support', 'sign-many.ts');

test('a signature is the one the network expects', async () => {
  const vault = createVault(createKeyRing([randomBytes(32)]));
  const { public_key, sealed_seed } = await vault.generate('wal_1');
  const hash = randomBytes(32);
  const signature = await signWith(vault, sealed_seed, { id: 'wal_1', public_key }, hash);
  const verifier = Keypair.fromPublicKey(StrKey.encodeEd25519PublicKey(public_key));
  assert(verifier.verify(hash, signature));
});

test('every wallet gets a different key pair', async () => {
  const vault = createVault(createKeyRing([randomBytes(32)]));
  const made = await Promise.all(Array.from({ length: 100 }, () => vault.generate('wal_1')));
  const keys = new Set(made.map(({ public_key }) => public_key.toString('hex')));
  assert.equal(keys.size, 100);
});

test('a seed opens only for its own wallet, key pair and master key', async () => {
  const master_key = randomBytes(32);
  const vault = createVault(createKeyRing([master_key]));
  const { public_key, sealed_seed } = await vault.generate('wal_1');
  const other = await vault.generate('wal_2');
  const hash = randomBytes(32);
  const flipped = Buffer.from(sealed_seed);
  flipped[30] = (flipped[30] ?? 0) ^ 1;
  await assert.rejects(signWith(vault, sealed_seed, { id: 'wal_2', public_key }, hash));
  await assert.rejects(signWith(vault, sealed_seed, { id: 'wal_1', public_key: other.public_key }, hash));
  await assert.rejects(signWith(vault, other.sealed_seed, { id: 'wal_1', public_key }, hash));
  await assert.rejects(signWith(vault, flipped, { id: 'wal_1', public_key }, hash));
  await assert.rejects(signWith(vault, sealed_seed.subarray(0, 20), { id: 'wal_1', public_key }, hash));
  await assert.rejects(
    signWith(createVault(createKeyRing([randomBytes(32)])), sealed_seed, { id: 'wal_1', public_key }, hash),
  );
  assert.equal((await signWith(vault, sealed_seed, { id: 'wal_1', public_key }, hash)).length, 64);
});

test('a webhook secret opens only under its own id and master key', () => {
  const master_key = randomBytes(32);
  const secrets = createSecrets(createKeyRing([master_key]));
  const sealed = secrets.seal('whe_1', 'whsec_abc');
  assert.equal(secrets.open('whe_1', sealed), 'whsec_abc');
  assert.throws(() => secrets.open('whe_2', sealed));
  assert.throws(() => createSecrets(createKeyRing([randomBytes(32)])).open('whe_1', sealed));
});

const seedFiles = mkdtempSync(join(tmpdir(), 'seed-file-'));
after(() => rmSync(seedFiles, { recursive: true }));

function seedFile(name: string, content: string): string {
  const path = join(seedFiles, name);
  writeFileSync(path, content);
  return path;
}

test('property: a seed file gives the key pair that the SDK reads from it, sealed like any other', async () => {
  const vault = createVault(createKeyRing([randomBytes(32)]));
  const seeds = fc.uint8Array({ minLength: 32, maxLength: 32 });
  const lineEnds = fc.constantFrom('', '\n', '\r\n');
  await fc.assert(
    fc.asyncProperty(seeds, lineEnds, async (seed, lineEnd) => {
      const strkey = StrKey.encodeEd25519SecretSeed(Buffer.from(seed));
      const imported = await vault.importSeedFile(seedFile('treasury', strkey + lineEnd), 'treasury');
      const owner = Keypair.fromSecret(strkey);
      assert(imported.public_key.equals(owner.rawPublicKey()));
      const hash = randomBytes(32);
      const signature = await signWith(vault, imported.sealed_seed, { id: 'treasury', ...imported }, hash);
      assert(signature.equals(owner.sign(hash)));
      await assert.rejects(signWith(vault, imported.sealed_seed, { id: 'wal_1', ...imported }, hash));
    }),
  );
});

test('a seed file without exactly one secret seed is refused, and the error contains nothing of it', async () => {
  const vault = createVault(createKeyRing([randomBytes(32)]));
  const key = Keypair.random();
  const strkey = key.secret();
  const refused: Record<string, string> = {
    empty: '',
    'only a line end': '\n',
    short: strkey.slice(0, 55),
    'two line ends': `${strkey}\n\n`,
    'space before': ` ${strkey}`,
    'byte order mark': `\uFEFF${strkey}`,
    'two seeds': `${strkey}\n${strkey}\n`,
    'lower case': strkey.toLowerCase(),
    'not base32': `${strkey.slice(0, 55)}1`,
    'a character before A': `${strkey.slice(0, 30)}@${strkey.slice(31)}`,
    'a name before it': `SEED=${strkey}`,
    'public key': key.publicKey(),
    'hash of a pre-image': StrKey.encodePreAuthTx(randomBytes(32)),
  };
  for (const [name, content] of Object.entries(refused))
    await assert.rejects(
      vault.importSeedFile(seedFile('refused', content), 'treasury'),
      { message: 'The seed file must hold one secret seed (S and 55 more characters) and nothing else.' },
      name,
    );
  for (let at = 1; at < 56; at++) {
    const other = strkey[at] === 'B' ? 'C' : 'B';
    // The second character has bits of the version byte.
    await assert.rejects(
      vault.importSeedFile(seedFile('mistyped', replaced(strkey, at, other)), 'treasury'),
      at === 1 ? SeedFileError : { message: /mistyped: its checksum is wrong/ },
    );
  }
});

test('a seed file that cannot be read is refused; a seed given as the path is not in the error', async () => {
  const vault = createVault(createKeyRing([randomBytes(32)]));
  const secret = Keypair.random().secret();
  const messageOf = async (path: string): Promise<string> => {
    try {
      await vault.importSeedFile(path, 'treasury');
    } catch (error) {
      return inspect(error);
    }
    return 'read';
  };
  assert.match(await messageOf(secret), /The seed file cannot be read \(ENOENT\)/);
  assert.equal((await messageOf(secret)).includes(secret), false);
  assert.match(await messageOf(seedFiles), /The seed file cannot be read \(EISDIR\)/);
});

const replaced = (text: string, at: number, by: string) => text.slice(0, at) + by + text.slice(at + 1);

const memory = { skip: process.platform === 'linux' ? false : '/proc/<pid>/mem is Linux’s' };

test(
  'after 200 signed withdrawals and two seed files no seed is in memory: raw, hex, base64 or S…',
  memory,
  async () => {
    const { found, refusals } = await searchMemory('on');
    assert.equal(refusals, 2);
    assert.deepEqual(found, []);
  },
);

test(
  'without the wipe the same search finds seeds: the one last used, and those of both files',
  memory,
  async () => {
    const { found } = await searchMemory('off');
    assert(found.includes('treasury raw'));
    assert(found.includes('treasury strkey'));
    assert(found.includes('mistyped strkey'));
  },
);

/** Runs the fixture and searches its readable memory from this process, so that the search itself leaves no seed there. */
async function searchMemory(wipe: 'on' | 'off'): Promise<{ found: string[]; refusals: number }> {
  const master_key = randomBytes(32);
  const treasury = Keypair.random().secret();
  const other = Keypair.random().secret();
  const mistyped = replaced(other, 55, other[55] === 'A' ? 'B' : 'A');
  const child = spawn(
    process.execPath,
    [FIXTURE, seedFile('treasury', `${treasury}\n`), seedFile('mistyped', `${mistyped}\n`)],
    { env: { ...process.env, WIPE: wipe }, stdio: ['pipe', 'pipe', 'inherit'] },
  );
  try {
    child.stdin.write(master_key.toString('base64'));
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const { refusals, sealed } = JSON.parse(line.toString());
    assert.equal(sealed.length, 6);
    const needles = sealed.flatMap((key: Sealed) => needlesOf(key, master_key));
    needles.push(
      { name: 'mistyped strkey', bytes: Buffer.from(mistyped) },
      { name: 'mistyped raw', bytes: Buffer.from(StrKey.decodeEd25519SecretSeed(other)) },
    );
    return {
      refusals,
      found: [...new Set(searchMemoryOf(child.pid as number, needles).map(({ name }) => name))],
    };
  } finally {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
}

type Sealed = { id: string; public_key: string; sealed_seed: string };

function needlesOf({ id, public_key, sealed_seed }: Sealed, master_key: Buffer): Needle[] {
  const sealed = Buffer.from(sealed_seed, 'hex');
  const owner = Buffer.concat([Buffer.from(`stellar-teller seed ${id} `), Buffer.from(public_key, 'hex')]);
  const seed = Buffer.alloc(32);
  const [nonce, ciphertext] = [sealed.subarray(5, 29), sealed.subarray(29)];
  sodium.crypto_aead_xchacha20poly1305_ietf_decrypt(seed, null, ciphertext, owner, nonce, master_key);
  const strkey = StrKey.encodeEd25519SecretSeed(seed);
  assert.equal(Keypair.fromSecret(strkey).rawPublicKey().length, 32);
  return [
    { name: `${id} raw`, bytes: seed },
    { name: `${id} hex`, bytes: Buffer.from(seed.toString('hex')) },
    { name: `${id} base64`, bytes: Buffer.from(seed.toString('base64')) },
    { name: `${id} strkey`, bytes: Buffer.from(strkey) },
    { name: `${id} strkey in UTF-16`, bytes: Buffer.from(strkey, 'utf16le') },
  ];
}
