/** Pure: when an envelope that is in no ledger yet is sent again, and when its fee is raised. */
import type { SubmitHint } from '../../stellar/stellar.ts';
import { feeOperations } from './fee-bid.ts';

export type Sending = {
  /** The newest ledger known when it was last sent, and how many times this envelope was sent. */
  at_ledger: number;
  times: number;
  /** What a node answered to the last sending; null while there is no answer. */
  hint: SubmitHint | null;
  /** How many ledgers closed without it since a node queued it; a lower bound. */
  waited_ledgers: number;
  /** The whole fee of the newest envelope, and whether that is a fee-bump. */
  fee_bid_stroops: bigint;
  is_fee_bump: boolean;
  /** The part of the fee that a contract transfer declares for its resources; 0 for all others. It is no part of the bid. */
  resource_fee_stroops: bigint;
  /** Operations in the transaction itself. */
  operations: bigint;
};

/** stellar-core drops a transaction after four ledgers and refuses it for ten more (TransactionQueue): act before. */
const PATIENCE_LEDGERS = 3;
const MOST_BETWEEN_LEDGERS = 8;
/** stellar-core FEE_MULTIPLIER: the replacement of a queued transaction must bid ten times as much. */
const REPLACEMENT_FACTOR = 10n;

/**
 * Counts a ledger. Call it before reading ledgers, and the returned function once the newest ledger is processed and its transactions are
 * removed. Ledgers read together count as one, and only for envelopes that were queued before: a ledger that closed
 * before a node had the envelope does not show that it had no room.
 */
export function countLedger(all: Iterable<Sending>): () => void {
  const queued = [...all].filter(({ hint }) => isQueued(hint));
  return () => {
    for (const sent of queued) sent.waited_ledgers++;
  };
}

/** Returns true when the envelope must be sent again at `ledger`, which does not have it either. */
export function isDue(sent: Sending, ledger: number): boolean {
  if (sent.hint === null) return false;
  if (isQueued(sent.hint)) return sent.waited_ledgers >= PATIENCE_LEDGERS;
  return ledger - sent.at_ledger >= Math.min(2 ** (sent.times - 1), MOST_BETWEEN_LEDGERS);
}

/** Returns true when the node says that it has the envelope in its queue. */
export function isQueued(hint: SubmitHint | null): boolean {
  return hint?.answer === 'pending' || hint?.answer === 'duplicate';
}

/** Returns true when the network asks for a higher fee: the envelope waits in a queue, or was refused for its fee. */
export function wantsHigherBid({ hint }: Sending): boolean {
  return isQueued(hint) || hint?.code === 'tx_insufficient_fee';
}

/**
 * Returns the fee of the next fee-bump of the same transaction, in stroops; null to keep the present envelope. It is higher only
 * when the network asks for that, and never above `fee_max_stroops`.
 */
export function nextBid(
  sent: Sending,
  network: { fee_rate_stroops: bigint; fee_max_stroops: bigint },
): bigint | null {
  const { resource_fee_stroops } = sent;
  const operations = feeOperations(sent.operations, sent.is_fee_bump);
  const bumped = feeOperations(sent.operations, true);
  const rate = (sent.fee_bid_stroops - resource_fee_stroops) / operations;
  if (!wantsHigherBid(sent)) return null;
  const higher = max(wantedRate(sent, rate, operations), network.fee_rate_stroops);
  const bid = min(higher * bumped + resource_fee_stroops, network.fee_max_stroops);
  return bid > rate * bumped + resource_fee_stroops ? bid : null;
}

/** Returns the bid of a fee-bump at the rate of the present envelope, for another payer. */
export function sameBid({ fee_bid_stroops, resource_fee_stroops, operations, is_fee_bump }: Sending): bigint {
  const rate = (fee_bid_stroops - resource_fee_stroops) / feeOperations(operations, is_fee_bump);
  return rate * feeOperations(operations, true) + resource_fee_stroops;
}

/**
 * Returns the rate to bid.
 *
 * A node that refuses an envelope for its fee bans it for ten ledgers (TransactionQueue::canAdd); a fee-bump is another
 * envelope. The fee-bump bids the fee that the node requires, and at least a quarter more than before, because the price may
 * still rise. A high bid is not paid in full: a ledger charges all transactions alike.
 */
function wantedRate({ hint, resource_fee_stroops }: Sending, rate: bigint, operations: bigint): bigint {
  if (isQueued(hint)) return rate * REPLACEMENT_FACTOR;
  const needed = (hint?.fee_needed_stroops ?? 0n) - resource_fee_stroops;
  return max((needed + operations - 1n) / operations, (rate * 5n + 3n) / 4n);
}

const max = (a: bigint, b: bigint) => (a > b ? a : b);
const min = (a: bigint, b: bigint) => (a < b ? a : b);
