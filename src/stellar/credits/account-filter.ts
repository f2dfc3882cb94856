/**
 * Pure: whether the raw bytes of a transaction contain one of our accounts. Only such transactions are decoded.
 *
 * | why no credit is missed (why no loss is: adjustments.ts)                                                            |
 * |--------------------------------------------------------------------------------------------------------------------|
 * | A classic operation names its destination.                                                                         |
 * | A contract writes only entries in the transaction's footprint, whose keys contain the account.                     |
 * | XDR fields begin at multiples of four bytes (RFC 4506 §3): searching for the 32-byte key at these places is enough. |
 *
 * A key in another field, like a memo, only causes one unnecessary decoding.
 */
import { publicKeyOf } from '../address.ts';
import { uint32 } from '../ledgers/xdr-parts.ts';

export type AccountFilter = {
  /** @param account valid G…. Adding it twice has no effect. */
  add(account: string): void;
  has(account: string): boolean;
  /**
   * Takes the same time for one account as for ten thousand. @param envelope XDR TransactionEnvelope; of a transaction of a
   * later protocol its result and its meta are searched too
   */
  mentionedIn(envelope: Uint8Array): boolean;
  size(): number;
};

const KEY_BYTES = 32;
const WORD_BYTES = 4;
/**
 * One bit per prefix of a word: set if a key begins with the prefix. With 10,000 keys, 1 of 420 random words passes.
 * First bits, because most words of an envelope are small numbers and then share one prefix.
 */
const PREFIX_BITS = 22;

export function createAccountFilter(): AccountFilter {
  const accounts = new Set<string>();
  const prefixes = new Uint8Array(2 ** PREFIX_BITS / 8);
  /** Keys by their first word. */
  const keys = new Map<number, Buffer[]>();

  const isKeyAt = (bytes: Uint8Array, at: number): boolean => {
    const candidates = keys.get(uint32(bytes, at));
    return candidates?.some((key) => key.equals(bytes.subarray(at, at + KEY_BYTES))) ?? false;
  };

  return {
    add(account) {
      if (accounts.has(account)) return;
      accounts.add(account);
      const key = publicKeyOf(account);
      const word = uint32(key, 0);
      const prefix = word >>> (32 - PREFIX_BITS);
      prefixes[prefix >>> 3] = byteOf(prefixes, prefix >>> 3) | (1 << (prefix & 7));
      const before = keys.get(word);
      if (before) before.push(key);
      else keys.set(word, [key]);
    },
    has: (account) => accounts.has(account),
    mentionedIn(envelope) {
      const last = envelope.length - KEY_BYTES;
      for (let at = 0; at <= last; at += WORD_BYTES) {
        const prefix = uint32(envelope, at) >>> (32 - PREFIX_BITS);
        const marked = (byteOf(prefixes, prefix >>> 3) >>> (prefix & 7)) & 1;
        if (marked && isKeyAt(envelope, at)) return true;
      }
      return false;
    },
    size: () => accounts.size,
  };
}

function byteOf(bytes: Uint8Array, at: number): number {
  return bytes[at] as number;
}
