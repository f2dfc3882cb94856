/** Pure: when an envelope that no ledger has shown yet is sent again, and when with a higher fee. */
import type { SubmitHint } from '../chain/chain.ts';
import { FEE_BUMP_OPERATIONS } from './sign.ts';

export type Sent = {
  /** Newest ledger known when it was last sent, and how often it was. */
  at_ledger: number;
  times: number;
  /** Null while the answer is outstanding. */
  hint: SubmitHint | null;
  /** All of the newest envelope's fee, and whether that is a fee-bump. */
  fee_bid_stroops: bigint;
  is_fee_bump: boolean;
};

/** stellar-core drops what waited for four ledgers and refuses it for ten (TransactionQueue): act before that. */
const PATIENCE_LEDGERS = 3;
const MOST_BETWEEN_LEDGERS = 8;
/** stellar-core FEE_MULTIPLIER: what replaces a queued transaction must bid ten times as much. */
const REPLACEMENT_FACTOR = 10n;

/** Whether it is due to be sent again at `ledger`, where it still is not. */
export function isDue(sent: Sent, ledger: number): boolean {
  const waited = ledger - sent.at_ledger;
  switch (sent.hint?.answer) {
    case undefined:
      return false;
    case 'pending':
    case 'duplicate':
      return waited >= PATIENCE_LEDGERS;
    default:
      return waited >= Math.min(2 ** (sent.times - 1), MOST_BETWEEN_LEDGERS);
  }
}

/**
 * The fee to bid from now on, for a fee-bump of the same transaction; null to go on with the present one. Higher only
 * when the network asks for it: it waited in the queue for too long, or was refused for its fee. Never above the ceiling.
 */
export function nextBid(
  sent: Sent,
  network: { fee_rate_stroops: bigint; fee_max_stroops: bigint },
): bigint | null {
  const operations = sent.is_fee_bump ? FEE_BUMP_OPERATIONS : 1n;
  const rate = sent.fee_bid_stroops / operations;
  const wanted = wantedRate(sent, rate, operations);
  if (wanted === null) return null;
  const higher = max(wanted, network.fee_rate_stroops);
  const bid = min(higher * FEE_BUMP_OPERATIONS, network.fee_max_stroops);
  return bid > rate * FEE_BUMP_OPERATIONS ? bid : null;
}

/**
 * A node bans an envelope for ten ledgers when it refuses it for its fee (TransactionQueue::canAdd): only another one, which a
 * fee-bump is, gets in before. It bids what was asked for, and a quarter more than before at least: less would
 * run after a price that rises. Should our own crowd have filled the queue, it costs nothing: a ledger charges all alike.
 */
function wantedRate({ hint }: Sent, rate: bigint, operations: bigint): bigint | null {
  if (hint?.answer === 'pending' || hint?.answer === 'duplicate') return rate * REPLACEMENT_FACTOR;
  if (hint?.code !== 'tx_insufficient_fee') return null;
  const needed = hint.fee_needed_stroops ?? 0n;
  return max((needed + operations - 1n) / operations, (rate * 5n + 3n) / 4n);
}

const max = (a: bigint, b: bigint) => (a > b ? a : b);
const min = (a: bigint, b: bigint) => (a < b ? a : b);
