/**
 * Pure: whether a transaction mentions one of our accounts, asked of its raw bytes before anything is decoded.
 *
 * No credit can be missed by it. A classic operation names its destination. A contract can write only what the
 * transaction's footprint lists, and the key of an account's entry or trust line there has the account in it. Every field
 * of XDR begins at a multiple of four bytes (RFC 4506 §3), so that the 32 bytes of a key are looked for at those alone.
 * Bytes that happen to be a key, as in a memo, cost a decoding and nothing else.
 */
import { publicKeyOf } from '../address.ts';
import { uint32 } from '../ledgers/xdr-parts.ts';

export type AccountFilter = {
  /** @param account G…, valid; one that is in it already changes nothing. */
  add(account: string): void;
  has(account: string): boolean;
  /** Takes the same time whether there is one account or ten thousand. @param envelope XDR TransactionEnvelope */
  mentionedIn(envelope: Uint8Array): boolean;
  size(): number;
};

const KEY_BYTES = 32;
const WORD_BYTES = 4;
/**
 * For every value of a word's first bits, one bit says whether a key begins so: with 10,000 keys, 1 of 420 words of other
 * keys passes. They are the first bits because most words of an envelope are small numbers, which then share a bit.
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
