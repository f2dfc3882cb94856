import { strict as assert } from 'node:assert';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Keypair, StrKey } from '@stellar/stellar-sdk';
import sodium from 'sodium-native';
import { createSecrets } from './secrets.ts';
import { createVault } from './vault.ts';

const FIXTURE = join(import.meta.dirname, '..', '..', 'test', 'support', 'sign-many.ts');

test('a signature is the one the network expects', () => {
  const vault = createVault(randomBytes(32));
  const { public_key, sealed_seed } = vault.generate('wal_1');
  const hash = randomBytes(32);
  const signature = vault.signWith(sealed_seed, { id: 'wal_1', public_key }, hash);
  const verifier = Keypair.fromPublicKey(StrKey.encodeEd25519PublicKey(public_key));
  assert(verifier.verify(hash, signature));
});

test('every wallet gets another key pair', () => {
  const vault = createVault(randomBytes(32));
  const keys = new Set(Array.from({ length: 100 }, () => vault.generate('wal_1').public_key.toString('hex')));
  assert.equal(keys.size, 100);
});

test('a seed opens only for its own wallet, key pair and master key', () => {
  const master_key = randomBytes(32);
  const vault = createVault(master_key);
  const { public_key, sealed_seed } = vault.generate('wal_1');
  const other = vault.generate('wal_2');
  const hash = randomBytes(32);
  const flipped = Buffer.from(sealed_seed);
  flipped[30] = (flipped[30] ?? 0) ^ 1;
  assert.throws(() => vault.signWith(sealed_seed, { id: 'wal_2', public_key }, hash));
  assert.throws(() => vault.signWith(sealed_seed, { id: 'wal_1', public_key: other.public_key }, hash));
  assert.throws(() => vault.signWith(other.sealed_seed, { id: 'wal_1', public_key }, hash));
  assert.throws(() => vault.signWith(flipped, { id: 'wal_1', public_key }, hash));
  assert.throws(() => vault.signWith(sealed_seed.subarray(0, 20), { id: 'wal_1', public_key }, hash));
  assert.throws(() => createVault(randomBytes(32)).signWith(sealed_seed, { id: 'wal_1', public_key }, hash));
  assert.equal(vault.signWith(sealed_seed, { id: 'wal_1', public_key }, hash).length, 64);
});

test('a webhook secret opens only under its own id and master key', () => {
  const master_key = randomBytes(32);
  const secrets = createSecrets(master_key);
  const sealed = secrets.seal('whe_1', 'whsec_abc');
  assert.equal(secrets.open('whe_1', sealed), 'whsec_abc');
  assert.throws(() => secrets.open('whe_2', sealed));
  assert.throws(() => createSecrets(randomBytes(32)).open('whe_1', sealed));
});

const memory = { skip: process.platform === 'linux' ? false : '/proc/<pid>/mem is Linux’s' };

test('after 200 signatures no seed is anywhere in memory: raw, hex, base64 or S…', memory, async () => {
  const { wallets_found, refused } = await searchMemory('on');
  assert(refused);
  assert.deepEqual(wallets_found, []);
});

test('without the wipe the same search finds a seed', memory, async () => {
  const { wallets_found } = await searchMemory('off');
  assert.notDeepEqual(wallets_found, []);
});

/** Runs the fixture and searches all its readable memory from here, so that the search leaves no seed in it. */
async function searchMemory(wipe: 'on' | 'off'): Promise<{ wallets_found: string[]; refused: boolean }> {
  const master_key = randomBytes(32);
  const child = spawn(process.execPath, [FIXTURE], {
    env: { ...process.env, WIPE: wipe },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  try {
    child.stdin.write(master_key.toString('base64'));
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const { refused, sealed } = JSON.parse(line.toString());
    const needles = sealed.flatMap((wallet: Sealed) => needlesOf(wallet, master_key));
    assert.equal(sealed.length, 5);
    return { refused, wallets_found: findInMemory(child.pid as number, needles) };
  } finally {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
}

type Sealed = { id: string; public_key: string; sealed_seed: string };
type Needle = { name: string; bytes: Buffer };

function needlesOf({ id, public_key, sealed_seed }: Sealed, master_key: Buffer): Needle[] {
  const sealed = Buffer.from(sealed_seed, 'hex');
  const owner = Buffer.concat([Buffer.from(`stellar-teller seed ${id} `), Buffer.from(public_key, 'hex')]);
  const seed = Buffer.alloc(32);
  const [nonce, ciphertext] = [sealed.subarray(1, 25), sealed.subarray(25)];
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

const CHUNK_BYTES = 1 << 24;

function findInMemory(pid: number, needles: Needle[]): string[] {
  const found = new Set<string>();
  const memory = openSync(`/proc/${pid}/mem`, 'r');
  const overlap = Math.max(...needles.map(({ bytes }) => bytes.length));
  const chunk = Buffer.alloc(CHUNK_BYTES + overlap);
  for (const [start, end] of regionsOf(pid)) {
    for (let at = start; at < end; at += CHUNK_BYTES) {
      const length = Math.min(chunk.length, end - at);
      const read = readOrNothing(memory, chunk, length, at);
      const text = chunk.subarray(0, read);
      for (const { name, bytes } of needles) if (text.includes(bytes)) found.add(name);
    }
  }
  closeSync(memory);
  return [...found];
}

function* regionsOf(pid: number): Generator<[number, number]> {
  for (const line of readFileSync(`/proc/${pid}/maps`, 'utf8').split('\n')) {
    const [, start, end, permissions] = /^([0-9a-f]+)-([0-9a-f]+) (\S+)/.exec(line) ?? [];
    // Writable regions only: a secret made at run time cannot be in any other. Beyond 2^53 there is no user memory.
    if (start && end && permissions?.startsWith('rw'))
      yield [Number.parseInt(start, 16), Number.parseInt(end, 16)];
  }
}

/** Regions that the kernel gives away only on paper (reserved, device) cannot be read: nothing is in them. */
function readOrNothing(memory: number, chunk: Buffer, length: number, at: number): number {
  try {
    return readSync(memory, chunk, 0, length, at);
  } catch {
    return 0;
  }
}
