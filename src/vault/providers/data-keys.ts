/**
 * The keys that seal seeds where a provider is used: one a seed, mixed from two halves.
 *
 * | half                                     | where it is                                                        |
 * |------------------------------------------|--------------------------------------------------------------------|
 * | the data key, which the provider unwraps | wrapped beside the seed; in clear here, and in what Node and the   |
 * |                                          | provider have received, which may leave copies                     |
 * | a secret of the master key               | locked memory, derived                                             |
 *
 * Neither opens a seed alone: not the data keys of a stolen memory image, and not a stolen master key with a stolen database.
 * The mixed key is in locked memory only, and is wiped when the signatures are made, or when its time in the cache is over.
 */
import { strict as assert } from 'node:assert';
import sodium from 'sodium-native';
import type { Clock } from '../../lib/clock.ts';
import { deriveKey } from '../master-keys/derive-key.ts';
import type { RingKey } from '../master-keys/key-ring.ts';
import { createKeyCache, type KeyCache } from './key-cache.ts';
import { type KeyContext, KeyProviderError } from './key-provider.ts';
import { createKeySlots } from './key-slots.ts';
import type { WatchedProvider } from './watched-provider.ts';

/** A wrapped data key, whose it is, and the master key that it is mixed with. */
export type WrappedKey = { wrapped: Buffer; owner: KeyContext; master: RingKey };

export type OpenKeys = {
  /** Returns the mixed key, which `end` wipes. @throws KeyProviderError why it could not be unwrapped */
  of(key: WrappedKey): Buffer;
  /** Returns why the key could not be unwrapped; null when it is there. */
  failureOf(key: WrappedKey): KeyProviderError | null;
  /** Wipes all of them. */
  end(): void;
};

export type DataKeys = {
  provider: WatchedProvider;
  /**
   * Makes a data key, and calls `use` with the mixed key and the wrapped data key. `mixed` is wiped when `use` returns.
   * @throws KeyProviderError
   */
  make<T>(owner: KeyContext, master: RingKey, use: (mixed: Buffer, wrapped: Buffer) => T): Promise<T>;
  /**
   * Unwraps each once, many at a time. Never rejects because of the provider: ask `failureOf`. A key that finds no place in
   * locked memory counts as away.
   */
  open(keys: WrappedKey[]): Promise<OpenKeys>;
  close(): Promise<void>;
};

/** Room for the keys of one signing round, and of other signatures at the same time: 128 KiB of locked memory. */
const OPEN_MAX = 4_096;
/** Bytes that the provider has refused are not sent again at once: an operator must mend their row first. */
const REFUSED_AGAIN_MS = 60_000;
const REFUSED_MAX = 1_000;

export function createDataKeys(
  provider: WatchedProvider,
  { clock, cache_seconds }: { clock: Clock; cache_seconds: number },
): DataKeys {
  const slots = createKeySlots(OPEN_MAX);
  const cache: KeyCache | null = createKeyCache(cache_seconds, clock);
  const refused = new Map<string, { error: KeyProviderError; until_ms: number }>();
  const mix = createMixer();

  async function openInto(slot: Buffer, { wrapped, owner, master }: WrappedKey): Promise<void> {
    const name = nameOf({ wrapped, owner, master });
    if (cache?.read(name, slot)) return;
    const before = refused.get(name);
    if (before && before.until_ms > clock.now().getTime()) throw before.error;
    try {
      await provider.unwrapDataKey(wrapped, owner, (data_key) => mix(slot, data_key, master));
    } catch (error) {
      if (error instanceof KeyProviderError && error.fault === 'refused') {
        if (refused.size >= REFUSED_MAX) refused.clear();
        refused.set(name, { error, until_ms: clock.now().getTime() + REFUSED_AGAIN_MS });
      }
      throw error;
    }
    cache?.keep(name, slot);
  }

  return {
    provider,
    make: (owner, master, use) =>
      provider.makeDataKey(owner, (data_key, wrapped) => {
        const slot = slots.take();
        if (!slot) throw noPlace();
        try {
          mix(slot, data_key, master);
          return use(slot, wrapped);
        } finally {
          slots.giveBack(slot);
        }
      }),
    async open(keys) {
      const opened = new Map<string, Buffer | KeyProviderError>();
      const unique = new Map(keys.map((key) => [nameOf(key), key]));
      const end = () => {
        for (const each of opened.values()) if (Buffer.isBuffer(each)) slots.giveBack(each);
        opened.clear();
      };
      const results = await Promise.allSettled(
        [...unique].map(async ([name, key]) => {
          const slot = slots.take();
          if (!slot) return opened.set(name, noPlace());
          opened.set(name, slot);
          try {
            await openInto(slot, key);
          } catch (error) {
            slots.giveBack(slot);
            opened.delete(name);
            if (!(error instanceof KeyProviderError)) throw error;
            opened.set(name, error);
          }
        }),
      );
      const fault = results.find((result) => result.status === 'rejected');
      if (fault) {
        end();
        throw fault.reason;
      }
      return {
        of(key) {
          const found = opened.get(nameOf(key));
          assert(found, 'a key that was not unwrapped');
          if (found instanceof KeyProviderError) throw found;
          return found;
        },
        failureOf(key) {
          const found = opened.get(nameOf(key));
          return found instanceof KeyProviderError ? found : null;
        },
        end,
      };
    },
    async close() {
      cache?.close();
      await provider.close();
    },
  };
}

/** Makes a function that writes a keyed hash of the data key into `into`. The key of the hash is derived from the master key. */
function createMixer(): (into: Buffer, data_key: Buffer, master: RingKey) => void {
  const secrets = new Map<RingKey, Buffer>();
  return (into, data_key, master) => {
    const secret = secrets.get(master) ?? deriveKey(master.key, 'data keys');
    secrets.set(master, secret);
    sodium.crypto_generichash(into, data_key, secret);
  };
}

/** Returns the name of a key in the maps. The owner is a part of it: somebody may have copied the bytes to another row. */
function nameOf({ wrapped, owner: { id, public_key }, master }: WrappedKey): string {
  return [master.id, id, public_key.toString('latin1'), wrapped.toString('latin1')].join(' ');
}

function noPlace(): KeyProviderError {
  return new KeyProviderError('away', 'there is no place for another key in locked memory');
}
