/**
 * The only code that handles secret seeds (with seed-file.ts, which reads the operator's seed file).
 *
 * | state of a seed         | where it is                            | what remains after a crash            |
 * |-------------------------|----------------------------------------|---------------------------------------|
 * | read from a file        | locked buffers of one call             | only the operator's file              |
 * | generated or used       | the vault's two locked buffers         | nothing: not swapped, not in core dumps |
 * | waits for a provider    | sealed for this wait, with a key of    | nothing                               |
 * |                         | its own in locked memory               |                                       |
 * | stored                  | a row, sealed with XChaCha20-Poly1305  | the sealed bytes                      |
 *
 * Every use is synchronous from unsealing to wiping. So the same buffers are enough for all calls, and no other code runs while
 * a seed is unsealed. Where a key provider has wrapped the key of a seed, that key is unwrapped before: `withSigner`.
 */
import { strict as assert } from 'node:assert';
import sodium from 'sodium-native';
import { AppError } from '../lib/errors.ts';
import {
  type KeyRing,
  type ProviderSealed,
  providerSealedStart,
  type RingKey,
  readProviderSealed,
} from './master-keys/key-ring.ts';
import { secureBytes, wipe } from './master-keys/secure-bytes.ts';
import type { DataKeys, OpenKeys, WrappedKey } from './providers/data-keys.ts';
import { KeyProviderError } from './providers/key-provider.ts';
import { createKeySlots } from './providers/key-slots.ts';
import { decrypt, encrypt, openBytes, sealBytes } from './sealed-bytes.ts';
import { withSeedFile } from './seed-file.ts';

const SEED_BYTES = sodium.crypto_sign_SEEDBYTES;

/** The owner of a seed. Both fields are authenticated: a sealed seed that is moved to another row cannot be opened. */
export type SeedOwner = { id: string; public_key: Buffer };

export type SealedKey = { public_key: Buffer; sealed_seed: Buffer };

/** A seed that somebody wants to use. */
export type OwnedSeed = { sealed_seed: Buffer; owner: SeedOwner };

/** Signs with the seeds that `withSigner` was given. */
export type Signer = {
  /**
   * Signs a 32-byte transaction hash. Returns the Ed25519 signature (64 bytes).
   * @throws Error when the sealed bytes belong to another owner, or to a master key that the ring lacks, or the provider has
   * refused them; AppError 503 `key_provider_unavailable` when the key of the seed `isAway`
   */
  signWith(sealed_seed: Buffer, owner: SeedOwner, hash: Buffer): Buffer;
  /** Returns true when the key provider has not given the key of this seed, and may give it later. */
  isAway(seed: OwnedSeed): boolean;
};

export type Vault = {
  /**
   * Generates a key pair from the system's random source. The seed leaves the vault only sealed.
   * @throws AppError 503 `key_provider_unavailable`
   */
  generate(id: string): Promise<SealedKey>;
  /**
   * Reads the secret seed (S…) in a file, and returns its key pair. The seed leaves the vault only sealed.
   * @throws SeedFileError when the file cannot be read or has other content. The message contains nothing of it. AppError 503
   * `key_provider_unavailable`
   */
  importSeedFile(path: string, id: string): Promise<SealedKey>;
  /** Returns the public key of the secret seed in a file. @throws SeedFileError as `importSeedFile` */
  publicKeyOfSeedFile(path: string): Buffer;
  /**
   * Unwraps the keys of these seeds where a provider has wrapped them, and calls `use`. When `use` ends, they are wiped. It never
   * rejects because of the provider: `isAway` tells of each seed. Without a provider, nothing waits.
   */
  withSigner<T>(seeds: OwnedSeed[], use: (signer: Signer) => Promise<T>): Promise<T>;
  /**
   * Returns true when the sealed bytes are the seed of this public key, sealed for this owner with a master key of the ring.
   * @throws AppError 503 `key_provider_unavailable`
   */
  opens(sealed_seed: Buffer, owner: SeedOwner): Promise<boolean>;
  /**
   * Returns the same seed, sealed as new seeds are sealed now. Bytes that are sealed so already are returned as they are. Bytes are
   * returned only after they were opened and gave the public key.
   * @throws Error as `signWith`, and when the seed is not that of the public key; AppError 503 `key_provider_unavailable`
   */
  reseal(sealed_seed: Buffer, owner: SeedOwner): Promise<Buffer>;
};

const RETRY_AFTER_SECONDS = 5;
/** Seeds that wait for a provider at once: 32 KiB of locked memory. */
const WAITING_MAX = 1_024;

/**
 * Makes a vault that seals with the sealing key of the ring, and opens what any key of the ring has sealed. The ring may be told
 * another sealing key later (`follow`). `data_keys`: of the key provider; null without one.
 */
export function createVault(ring: KeyRing, data_keys: DataKeys | null = null): Vault {
  /** libsodium's layout of a secret key: the seed, then its public key. */
  const secretKey = secureBytes(sodium.crypto_sign_SECRETKEYBYTES);
  const seed = secretKey.subarray(0, SEED_BYTES);
  /** For a derivation that must leave the seed as it is: libsodium would overwrite a seed that is in its target. */
  const derived = secureBytes(sodium.crypto_sign_SECRETKEYBYTES);

  const waiting_keys = createKeySlots(WAITING_MAX);

  function withWipe<T>(use: () => T): T {
    try {
      return use();
    } finally {
      wipe(secretKey);
      wipe(derived);
    }
  }

  /** Seals a new seed. `fill` leaves the seed in the buffer, and writes its public key into its argument. */
  async function sealNew(id: string, fill: (public_key: Buffer) => void): Promise<SealedKey> {
    const public_key = Buffer.alloc(sodium.crypto_sign_PUBLICKEYBYTES);
    const sealed_seed = await sealAsNow({ id, public_key }, () => fill(public_key));
    return { public_key, sealed_seed };
  }

  /** Seals the seed that `fill` leaves in the buffer. While a key provider works, the seed is not in clear. */
  async function sealAsNow(owner: SeedOwner, fill: () => void): Promise<Buffer> {
    if (!ring.usesProvider())
      return withWipe(() => {
        fill();
        return sealBytes(ring, masterKey, seed, associatedData(owner));
      });
    assert(data_keys, 'the ring names a provider, and this process has none');
    const waiting_key = waiting_keys.take();
    if (!waiting_key) throw unavailable(new KeyProviderError('away', 'too many seeds wait for it'));
    sodium.randombytes_buf(waiting_key);
    // Both are taken before the provider is asked: another key may seal when it answers, and the bytes must name the key that is in
    // the mix. The database refuses bytes that are too late, and the caller seals again.
    const [master, seed_prefix] = [ring.sealing(), ring.seedPrefix()];
    try {
      const waiting = withWipe(() => {
        fill();
        return encrypt(waiting_key, seed, associatedData(owner));
      });
      return await data_keys.make(owner, master, (mixed, wrapped) =>
        withWipe(() => {
          decrypt(waiting_key, seed, waiting, associatedData(owner));
          const start = providerSealedStart(seed_prefix, wrapped);
          const sealed_seed = Buffer.concat([start, encrypt(mixed, seed, associatedData(owner))]);
          assert.equal(
            readProviderSealed(ring, sealed_seed)?.key,
            master,
            'they name another key than sealed them',
          );
          unsealAs(sealed_seed, owner, { of: () => mixed });
          return sealed_seed;
        }),
      );
    } catch (error) {
      throw error instanceof KeyProviderError ? unavailable(error) : error;
    } finally {
      waiting_keys.giveBack(waiting_key);
    }
  }

  /** Leaves the seed in the buffer. `keys`: has the key of this seed when a provider has wrapped it. */
  function unseal(sealed_seed: Buffer, owner: SeedOwner, keys: Pick<OpenKeys, 'of'> | null): void {
    const by_provider = readProviderSealed(ring, sealed_seed);
    if (by_provider) {
      assert(keys, 'sealed with the help of a key provider, and this process has none');
      const { wrapped, key: master } = by_provider;
      decrypt(keys.of({ wrapped, owner, master }), seed, by_provider.body, associatedData(owner));
    } else openBytes(ring, masterKey, seed, sealed_seed, associatedData(owner));
  }

  /** Leaves the seed in the buffer. */
  function unsealAs(sealed_seed: Buffer, owner: SeedOwner, keys: Pick<OpenKeys, 'of'> | null): void {
    unseal(sealed_seed, owner, keys);
    const public_key = Buffer.alloc(sodium.crypto_sign_PUBLICKEYBYTES);
    sodium.crypto_sign_seed_keypair(public_key, derived, seed);
    assert(public_key.equals(owner.public_key), 'the seed of another public key');
  }

  /**
   * Reads the parts of a seed whose data key a provider has wrapped. Returns null when no provider has a part in the bytes, and
   * when they cannot be read: then `unseal` tells why.
   */
  function byProvider(sealed_seed: Buffer): ProviderSealed | null {
    try {
      return readProviderSealed(ring, sealed_seed);
    } catch {
      return null;
    }
  }

  function wrappedKeyOf({ sealed_seed, owner }: OwnedSeed): WrappedKey | null {
    const found = byProvider(sealed_seed);
    return found && { wrapped: found.wrapped, owner, master: found.key };
  }

  async function withKeys<T>(seeds: OwnedSeed[], use: (keys: OpenKeys | null) => Promise<T> | T): Promise<T> {
    const wrapped = seeds.map(wrappedKeyOf).filter((each) => each !== null);
    if (!data_keys || wrapped.length === 0) return use(null);
    const keys = await data_keys.open(wrapped);
    try {
      return await use(keys);
    } finally {
      keys.end();
    }
  }

  /**
   * Returns why the provider has not given the key, when it may give it later; else null. For bytes that are refused, or that
   * cannot be read, it returns null: no later answer mends them.
   */
  function failureOf(seed: OwnedSeed, keys: OpenKeys | null): KeyProviderError | null {
    const wrapped = keys && wrappedKeyOf(seed);
    const failure = wrapped && keys.failureOf(wrapped);
    return failure && failure.fault !== 'refused' ? failure : null;
  }

  /** @throws AppError when the provider may give the key later */
  function requireKey(seed: OwnedSeed, keys: OpenKeys | null): void {
    const failure = failureOf(seed, keys);
    if (failure) throw unavailable(failure);
  }

  function sign(sealed_seed: Buffer, owner: SeedOwner, hash: Buffer, keys: OpenKeys | null): Buffer {
    assert.equal(hash.length, 32);
    assert.equal(owner.public_key.length, sodium.crypto_sign_PUBLICKEYBYTES);
    return withWipe(() => {
      unseal(sealed_seed, owner, keys);
      // A signature with the public key of another seed would reveal the seed. This is the right key: it was derived
      // before sealing and is authenticated. Deriving it again would double the time of a signature.
      owner.public_key.copy(secretKey, SEED_BYTES);
      const signature = Buffer.alloc(sodium.crypto_sign_BYTES);
      sodium.crypto_sign_detached(signature, hash, secretKey);
      return signature;
    });
  }

  function opensWith(sealed_seed: Buffer, owner: SeedOwner, keys: OpenKeys | null): boolean {
    return withWipe(() => {
      try {
        unsealAs(sealed_seed, owner, keys);
        return true;
      } catch {
        return false; // another owner, a key that this process lacks, other bytes, or the seed of another account
      }
    });
  }

  async function opens(sealed_seed: Buffer, owner: SeedOwner): Promise<boolean> {
    return withKeys([{ sealed_seed, owner }], (keys) => {
      requireKey({ sealed_seed, owner }, keys);
      return opensWith(sealed_seed, owner, keys);
    });
  }

  return {
    generate: (id) => sealNew(id, (public_key) => sodium.crypto_sign_keypair(public_key, secretKey)),
    importSeedFile: (path, id) =>
      sealNew(id, (public_key) =>
        withSeedFile(path, (read) => sodium.crypto_sign_seed_keypair(public_key, secretKey, read)),
      ),
    publicKeyOfSeedFile(path) {
      const public_key = Buffer.alloc(sodium.crypto_sign_PUBLICKEYBYTES);
      withWipe(() =>
        withSeedFile(path, (read) => sodium.crypto_sign_seed_keypair(public_key, secretKey, read)),
      );
      return public_key;
    },
    withSigner: (seeds, use) =>
      withKeys(seeds, async (keys) =>
        use({
          signWith(sealed_seed, owner, hash) {
            requireKey({ sealed_seed, owner }, keys);
            return sign(sealed_seed, owner, hash, keys);
          },
          isAway: (seed) => failureOf(seed, keys) !== null,
        }),
      ),
    opens,
    async reseal(sealed_seed, owner) {
      return withKeys([{ sealed_seed, owner }], async (keys) => {
        requireKey({ sealed_seed, owner }, keys);
        if (ring.hasSealedSeed(sealed_seed)) {
          withWipe(() => unsealAs(sealed_seed, owner, keys));
          return sealed_seed;
        }
        const resealed = await sealAsNow(owner, () => unsealAs(sealed_seed, owner, keys));
        assert(await opens(resealed, owner), 'a seed that was sealed again does not open');
        return resealed;
      });
    },
  };
}

/** Makes the error for the caller. `cause` is for the log: it may name the key. */
function unavailable(cause: KeyProviderError): AppError {
  return new AppError(
    'key_provider_unavailable',
    'The key provider of the service gives no keys at present.',
    {
      retry_after_seconds: RETRY_AFTER_SECONDS,
      cause,
    },
  );
}

const masterKey = ({ key }: RingKey) => key;

function associatedData(owner: SeedOwner): Buffer {
  return Buffer.concat([Buffer.from(`stellar-teller seed ${owner.id} `), owner.public_key]);
}
