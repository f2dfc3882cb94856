/**
 * Pure: which Idempotency-Key a transaction pays, written into the transaction itself. A database that has forgotten the
 * withdrawal (restored from a backup, promoted without the newest commits) reads it from the ledger.
 *
 * A transaction has few fields that are ours: the memo belongs to the customer. `timeBounds.minTime` may be any time in
 * the past, so it carries the fingerprint: a number from 1 to 2^30, which is a time before 2004-01-11. The network only
 * requires that minTime is not after the close time (stellar-core TransactionFrame::isTooEarly).
 *
 * The wallet's id is in it, not its owner's: a wallet may come back under another owner (teller keys recover --owner).
 *
 * 30 bits alone prove nothing. A transaction is taken for the payment of a key only if wallet, destination, amount and memo
 * are equal too (forgotten-payments.ts). docs/decisions/0014-key-fingerprints.md weighs what a collision does.
 */
import { hash } from 'node:crypto';
import { minTimeIn } from '../../stellar/transactions/envelope.ts';

const BITS = 30;
const LARGEST = 2 ** BITS;

/** Returns a number from 1 to 2^30. The function `key_fingerprint` of the database gives the same. */
export function keyFingerprint(wallet_id: string, idempotency_key: string): number {
  const digest = hash('sha256', `withdrawal ${wallet_id} ${idempotency_key}`, 'buffer');
  return 1 + (digest.readUInt32BE(0) >>> (32 - BITS));
}

/** Reads the fingerprint in a transaction; null without one. `envelope_xdr`: base64. */
export function fingerprintIn(envelope_xdr: string): number | null {
  const min_time = minTimeIn(envelope_xdr);
  return min_time !== null && isFingerprint(min_time) ? Number(min_time) : null;
}

export function isFingerprint(min_time: bigint): boolean {
  return min_time >= 1n && min_time <= BigInt(LARGEST);
}
