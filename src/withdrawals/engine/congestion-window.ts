import type { Config } from '../../config.ts';
import type { LedgerRoom } from '../../stellar/stellar.ts';
import { FEE_BUMP_OPERATIONS } from './fee-bid.ts';
import type { Withdrawal } from './store.ts';

/**
 * Returns how many transactions to have in the network's queue at once. A ledger takes a limited number; the others outbid each
 * other, wait, and are dropped after four ledgers (stellar-core TRANSACTION_QUEUE_TIMEOUT_LEDGERS).
 *
 * This is a congestion window, but its steps are not AIMD (additive increase, multiplicative decrease). When a ledger
 * left some of ours over, the window drops to the number that the ledger took plus an eighth; otherwise it grows by a
 * quarter. A ledger that took none of ours does not change the window: the network may stand still.
 */
export function nextCongestionWindow(window: number, ledger: { taken: number; left_over: number }): number {
  const { taken, left_over } = ledger;
  if (left_over > 0 && taken === 0) return window;
  if (left_over > 0) return Math.max(SMALLEST, taken + Math.ceil(taken / 8));
  return Math.min(window + Math.ceil(window / 4), LARGEST_WINDOW);
}

/**
 * Payments and contract transfers have places of their own in a ledger, and queues of their own in a node: a rush of one kind
 * says nothing of the other.
 */
export type Phase = 'payments' | 'contracts';
export type InPhases = Record<Phase, number>;
export const PHASES: Phase[] = ['payments', 'contracts'];

export function phaseOf({ operation }: Pick<Withdrawal, 'operation'>): Phase {
  return operation === 'contract_transfer' ? 'contracts' : 'payments';
}

export function countPhases(rows: Pick<Withdrawal, 'operation'>[]): InPhases {
  const contracts = rows.filter((row) => phaseOf(row) === 'contracts').length;
  return { payments: rows.length - contracts, contracts };
}

/** What is in the network's queue by us, all processes together. */
export type InQueue = { operations: number; contract_calls: number };

/**
 * Returns how many more transactions fit into one ledger. What waits for a later ledger is dropped after four, unless it bids ten times as
 * much: then our own transactions would outbid each other. A new one may need a fee-bump, so it counts as one; but not where channels
 * pay their fees. If many need one all the same, one batch is too large, and the window becomes smaller.
 */
export function freePlaces(
  { operations, contract_calls }: LedgerRoom,
  in_queue: InQueue,
  channel_fees: Config['channel_fees'],
): InPhases {
  const of_payment = channel_fees === 'channel' ? 1 : Number(FEE_BUMP_OPERATIONS);
  const free = Math.floor((operations - in_queue.operations) / of_payment);
  return {
    payments: in_queue.operations === 0 ? Math.max(1, free) : Math.max(0, free),
    contracts:
      contract_calls === null ? LARGEST_WINDOW : Math.max(0, contract_calls - in_queue.contract_calls),
  };
}

const SMALLEST = 4;
/** More than the channels of any installation: no limit. */
export const LARGEST_WINDOW = 10_000;
