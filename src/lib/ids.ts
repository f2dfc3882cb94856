import { strict as assert } from 'node:assert';
import { hash } from 'node:crypto';
import { randomBytes } from './random.ts';

/** In this order: users, sessions, wallets, deposit addresses, deposits, withdrawals, webhook endpoints, events, deliveries, channels, treasuries, policy changes, adjustments, invitations, audit entries, second factors, service users, their secrets and their tokens, API keys, payouts, payees. */
export type IdPrefix =
  | 'usr'
  | 'ses'
  | 'wal'
  | 'adr'
  | 'dep'
  | 'wd'
  | 'whe'
  | 'evt'
  | 'dlv'
  | 'chn'
  | 'trs'
  | 'pch'
  | 'ach'
  | 'adj'
  | 'inv'
  | 'aud'
  | 'fac'
  | 'svu'
  | 'sec'
  | 'svt'
  | 'key'
  | 'pay'
  | 'pye';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'; // Crockford base32: its texts sort like the numbers
const TIME_CHARS = 10;
const RANDOM_CHARS = 16;
const RANDOM_BITS = 80n;

let last = { time_ms: 0, random: 0n };

/**
 * Makes an id like `wal_01k…`: 48 bits of Unix milliseconds, then 80 random bits. Ids sort by time. Ids that one process
 * makes within a millisecond sort in the order in which they were made.
 */
export function newId(prefix: IdPrefix, now: Date): string {
  const time_ms = now.getTime();
  const random = time_ms === last.time_ms ? last.random + randomBits(32) + 1n : randomBits(79);
  assert(random < 1n << RANDOM_BITS); // room for 2^47 more ids of the same millisecond
  last = { time_ms, random };
  return `${prefix}_${base32(BigInt(time_ms), TIME_CHARS)}${base32(random, RANDOM_CHARS)}`;
}

/** Returns the lowest possible id of this prefix at `time`: ids made before `time` sort before it, all others do not. */
export function firstId(prefix: IdPrefix, time: Date): string {
  return `${prefix}_${base32(BigInt(Math.max(time.getTime(), 0)), TIME_CHARS)}${base32(0n, RANDOM_CHARS)}`;
}

/**
 * Derives an id from a name: the same in every database that records it. It has 130 bits of the name's SHA-256, so that
 * nobody can find two names with one id. It does not sort by time.
 */
export function derivedId(prefix: IdPrefix, name: string): string {
  const digest = BigInt(`0x${hash('sha256', name)}`);
  return `${prefix}_${base32(digest, TIME_CHARS + RANDOM_CHARS)}`;
}

function randomBits(bits: number): bigint {
  return BigInt(`0x${randomBytes(Math.ceil(bits / 8)).toString('hex')}`) & ((1n << BigInt(bits)) - 1n);
}

function base32(value: bigint, chars: number): string {
  let rest = value;
  let text = '';
  for (let i = 0; i < chars; i++) {
    text = ALPHABET.charAt(Number(rest & 31n)) + text;
    rest >>= 5n;
  }
  return text;
}

/** Returns a random number from 1 to 2^53−1: exact for receivers that read JSON numbers as doubles. */
export function randomMemoId(): bigint {
  const id = randomBytes(8).readBigUInt64BE() & (2n ** 53n - 1n);
  return id === 0n ? randomMemoId() : id;
}
