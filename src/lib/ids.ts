import { randomBytes } from 'node:crypto';

/** What a prefix stands for: users, sessions, wallets, deposit addresses, deposits, withdrawals, webhook endpoints, events, deliveries. */
export type IdPrefix = 'usr' | 'ses' | 'wal' | 'adr' | 'dep' | 'wd' | 'whe' | 'evt' | 'dlv';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'; // Crockford base32: its order is the order of the bytes
const TIME_CHARS = 10;
const RANDOM_BYTES = 10;

/** `wal_01k…`: 48 bits of Unix milliseconds, then 80 random bits, so that ids sort by time and cannot be guessed. */
export function newId(prefix: IdPrefix, now: Date): string {
  let time = now.getTime();
  let head = '';
  for (let i = 0; i < TIME_CHARS; i++) {
    head = ALPHABET.charAt(time % 32) + head;
    time = Math.floor(time / 32);
  }
  return `${prefix}_${head}${base32(randomBytes(RANDOM_BYTES))}`;
}

function base32(bytes: Buffer): string {
  let bits = BigInt(`0x${bytes.toString('hex')}`);
  let text = '';
  for (let i = 0; i < (bytes.length * 8) / 5; i++) {
    text = ALPHABET.charAt(Number(bits & 31n)) + text;
    bits >>= 5n;
  }
  return text;
}

/** 1 … 2^53−1: exact for receivers that read JSON numbers as doubles, and not guessable from another one. */
export function randomMemoId(): bigint {
  const id = randomBytes(8).readBigUInt64BE() & (2n ** 53n - 1n);
  return id === 0n ? randomMemoId() : id;
}
