/** Pure: when an envelope that no ledger has shown yet is sent again, and when with a higher fee. */
import type { SubmitHint } from '../../stellar/stellar.ts';
import { FEE_BUMP_OPERATIONS } from './sign-payment.ts';

export type Sending = {
  /** Newest ledger known when it was last sent, and how often it was. */
  at_ledger: number;
  times: number;
  /** Null while the answer is outstanding. */
  hint: SubmitHint | null;
  /** How many ledgers at least have closed without it since a node has it in its queue. */
  waited_ledgers: number;
  /** All of the newest envelope's fee, and whether that is a fee-bump. */
  fee_bid_stroops: bigint;
  is_fee_bump: boolean;
};

/** stellar-core drops what waited for four ledgers and refuses it for ten (TransactionQueue): act before that. */
const PATIENCE_LEDGERS = 3;
const MOST_BETWEEN_LEDGERS = 8;
/** stellar-core FEE_MULTIPLIER: what replaces a queued transaction must bid ten times as much. */
const REPLACEMENT_FACTOR = 10n;

/**
 * To be called before new ledgers are read; what it gives, once they reach to the newest and those that they have are out of
 * the way. However many were read at once, they count as one, and only for what was in the queue before: the others may
 * have closed before the node had the envelope, and are no sign that a ledger had no room for it.
 */
export function countLedger(all: Iterable<Sending>): () => void {
  const queued = [...all].filter(({ hint }) => isQueued(hint));
  return () => {
    for (const sent of queued) sent.waited_ledgers++;
  };
}

/** Whether it is due to be sent again at `ledger`, where it still is not. */
export function isDue(sent: Sending, ledger: number): boolean {
  if (sent.hint === null) return false;
  if (isQueued(sent.hint)) return sent.waited_ledgers >= PATIENCE_LEDGERS;
  return ledger - sent.at_ledger >= Math.min(2 ** (sent.times - 1), MOST_BETWEEN_LEDGERS);
}

/** The node has it, or so it says. */
export function isQueued(hint: SubmitHint | null): boolean {
  return hint?.answer === 'pending' || hint?.answer === 'duplicate';
}

/** Whether the network asks for more: it waited in the queue for too long, or was refused for its fee. */
export function wantsHigherBid({ hint }: Sending): boolean {
  return isQueued(hint) || hint?.code === 'tx_insufficient_fee';
}

/**
 * The fee to bid from now on, for a fee-bump of the same transaction; null to go on with the present one. Higher only
 * when the network asks for it, and never above the ceiling.
 */
export function nextBid(
  sent: Sending,
  network: { fee_rate_stroops: bigint; fee_max_stroops: bigint },
): bigint | null {
  const operations = sent.is_fee_bump ? FEE_BUMP_OPERATIONS : 1n;
  const rate = sent.fee_bid_stroops / operations;
  if (!wantsHigherBid(sent)) return null;
  const higher = max(wantedRate(sent, rate, operations), network.fee_rate_stroops);
  const bid = min(higher * FEE_BUMP_OPERATIONS, network.fee_max_stroops);
  return bid > rate * FEE_BUMP_OPERATIONS ? bid : null;
}

/**
 * A node bans an envelope for ten ledgers when it refuses it for its fee (TransactionQueue::canAdd): only another one, which a
 * fee-bump is, gets in before. It bids what was asked for, and a quarter more than before at least: less would
 * run after a price that rises. Should our own crowd have filled the queue, it costs nothing: a ledger charges all alike.
 */
function wantedRate({ hint }: Sending, rate: bigint, operations: bigint): bigint {
  if (isQueued(hint)) return rate * REPLACEMENT_FACTOR;
  const needed = hint?.fee_needed_stroops ?? 0n;
  return max((needed + operations - 1n) / operations, (rate * 5n + 3n) / 4n);
}

const max = (a: bigint, b: bigint) => (a > b ? a : b);
const min = (a: bigint, b: bigint) => (a < b ? a : b);
