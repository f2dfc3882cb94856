/** The random sources of ids and of the vault's key pairs, made to repeat themselves; the keys are known to the simulation. */
import { createHash } from 'node:crypto';
import { Keypair } from '@stellar/stellar-sdk/base';
import sodium from 'sodium-native';
import { useRandomness } from '../../src/lib/random.ts';

const SEED_BYTES = 32;

/** Bytes that follow from the seed, as many as wanted. */
export function seededBytes(seed: string): (length: number) => Buffer {
  let block = 0;
  let rest = Buffer.alloc(0);
  return (length) => {
    while (rest.length < length) {
      rest = Buffer.concat([rest, createHash('sha256').update(`${seed}/${block++}`).digest()]);
    }
    const bytes = rest.subarray(0, length);
    rest = rest.subarray(length);
    return Buffer.from(bytes);
  };
}

/** Ids and keys of everything that is made from here on, in this process of Node. */
export function useSeed(seed: string): { keyOf(account: string): Keypair | undefined } {
  const keys = new Map<string, Keypair>();
  useRandomness(seededBytes(`${seed}/ids`));
  const bytes = seededBytes(`${seed}/keys`);
  sodium.crypto_sign_keypair = (public_key, secret_key) => {
    const drawn = bytes(SEED_BYTES);
    sodium.crypto_sign_seed_keypair(public_key, secret_key, drawn);
    const key = Keypair.fromRawEd25519Seed(drawn);
    keys.set(key.publicKey(), key);
  };
  return { keyOf: (account) => keys.get(account) };
}
