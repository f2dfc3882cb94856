import type { xdr } from '@stellar/stellar-sdk/base';
import { hex } from './ledger/bytes.ts';
import { minimumFee, replacementShortfall } from './ledger/fees.ts';
import { TX } from './ledger/result.ts';
import type { Transaction } from './ledger/transaction.ts';
import { QueueLimit } from './queue-limit.ts';
import type { LedgerChoice } from './surge-pricing.ts';
import { chooseForLedger } from './surge-pricing.ts';

/** Ledgers that a transaction may wait (Q7; stellar-core, TRANSACTION_QUEUE_TIMEOUT_LEDGERS). */
const TIMEOUT_LEDGERS = 4;

/**
 * Ledgers for which the hash of an applied, dropped or refused transaction is banned (Q7, Q8;
 * TRANSACTION_QUEUE_BAN_LEDGERS).
 */
const BAN_LEDGERS = 10;

export type Admission =
  | { status: 'PENDING' | 'DUPLICATE' | 'TRY_AGAIN_LATER' }
  | { status: 'ERROR'; result: xdr.TransactionResultWire };

/**
 * What the queue asks about the next ledger. The rules are the ledger's; the queue decides only in which order they
 * are asked.
 */
export type NextLedger = {
  /** The result to refuse the transaction with, or null when the next ledger could take it. */
  problem(tx: Transaction): xdr.TransactionResultWire | null;
  /** What the account can spend, in stroops. */
  available(ed25519: Uint8Array): bigint;
  /** Operations that fit into the next ledger. */
  maxOperations: number;
  /** Lowest fee for each operation, in stroops. */
  baseFee: bigint;
};

type Queued = { tx: Transaction; ageLedgers: number };

/**
 * Transactions that wait for a ledger, as one stellar-core node keeps them (herder/TransactionQueue.cpp): in memory
 * only, one for each source account.
 */
export class TransactionQueue {
  readonly #bySource = new Map<string, Queued>();
  readonly #limit = new QueueLimit();
  /** Total bids of queued transactions by fee source, in stroops. */
  readonly #bids = new Map<string, bigint>();
  /** Banned hashes by ledger, newest first. */
  readonly #banned = Array.from({ length: BAN_LEDGERS }, () => new Set<string>());

  get size(): number {
    return this.#bySource.size;
  }

  has(tx: Transaction): boolean {
    return this.#bySource.get(hex(tx.source))?.tx === tx;
  }

  /** stellar-core, TransactionQueue::canAdd. The order of the checks decides which answer is given. */
  add(tx: Transaction, nextLedger: NextLedger): Admission {
    const hash = hex(tx.fullHash);
    if (this.#banned.some((hashes) => hashes.has(hash))) return { status: 'TRY_AGAIN_LATER' };
    const queued = this.#bySource.get(hex(tx.source));
    const conflict = queued === undefined ? null : conflictOf(tx, queued.tx);
    if (conflict !== null) return conflict;
    const room = this.#limit.roomFor(tx, queued?.tx, nextLedger.maxOperations);
    if ('neededFee' in room) {
      this.#ban(tx);
      return room.neededFee === null
        ? { status: 'TRY_AGAIN_LATER' }
        : refuse(TX.insufficientFee, room.neededFee);
    }
    const problem = nextLedger.problem(tx);
    if (problem !== null) return { status: 'ERROR', result: problem };
    // The transaction is valid apart from this, so the result names the minimum fee.
    if (!this.#canPay(tx, queued?.tx, nextLedger))
      return refuse(TX.insufficientBalance, minimumFee(nextLedger, tx));

    if (queued !== undefined) this.#remove(queued.tx);
    for (const evicted of room.evict) {
      this.#limit.wasEvicted(evicted);
      this.#drop(evicted);
    }
    this.#insert(tx, queued?.ageLedgers ?? 0);
    return { status: 'PENDING' };
  }

  /**
   * Chooses the transactions of the next ledger. Transactions that it could not take any more are dropped and
   * banned.
   */
  take(nextLedger: NextLedger): LedgerChoice {
    this.#dropInvalid(nextLedger);
    return chooseForLedger(this.#limit.order, nextLedger.maxOperations, nextLedger.baseFee);
  }

  /**
   * Updates the queue after a ledger, in the order of stellar-core (HerderImpl::updateTransactionQueue): bans
   * applied transactions, removes obsolete ones, ages bans and transactions by one ledger, and drops invalid ones.
   */
  ledgerClosed(applied: Transaction[], nextLedger: NextLedger): void {
    for (const tx of applied) {
      const queued = this.#bySource.get(hex(tx.source));
      if (queued !== undefined && queued.tx.tx.seqNum <= tx.tx.seqNum) this.#remove(queued.tx);
      this.#ban(tx);
    }
    this.#banned.pop();
    this.#banned.unshift(new Set());
    for (const queued of [...this.#bySource.values()]) {
      queued.ageLedgers++;
      if (queued.ageLedgers === TIMEOUT_LEDGERS) this.#drop(queued.tx);
    }
    this.#limit.ledgerClosed();
    this.#dropInvalid(nextLedger);
  }

  /** stellar-core, TxSetUtils::getInvalidTxList: if a payer cannot pay for all its transactions, it pays for none. */
  #dropInvalid(nextLedger: NextLedger): void {
    for (const { tx } of [...this.#bySource.values()]) if (nextLedger.problem(tx) !== null) this.#drop(tx);
    const unpaid = [...this.#bySource.values()].filter(
      ({ tx }) => nextLedger.available(tx.feeSource) < this.#bidsOf(tx.feeSource),
    );
    for (const { tx } of unpaid) this.#drop(tx);
  }

  #canPay(tx: Transaction, replaced: Transaction | undefined, nextLedger: NextLedger): boolean {
    const samePayer = replaced !== undefined && hex(replaced.feeSource) === hex(tx.feeSource);
    const promised = this.#bidsOf(tx.feeSource) - (samePayer ? replaced.feeBid : 0n);
    return nextLedger.available(tx.feeSource) - tx.feeBid >= promised;
  }

  #ban(tx: Transaction): void {
    this.#banned[0]?.add(hex(tx.fullHash));
  }

  #drop(tx: Transaction): void {
    this.#remove(tx);
    this.#ban(tx);
  }

  #insert(tx: Transaction, ageLedgers: number): void {
    this.#bySource.set(hex(tx.source), { tx, ageLedgers });
    this.#limit.order.add(tx);
    this.#bids.set(hex(tx.feeSource), this.#bidsOf(tx.feeSource) + tx.feeBid);
  }

  #remove(tx: Transaction): void {
    this.#bySource.delete(hex(tx.source));
    this.#limit.order.delete(tx);
    const bids = this.#bidsOf(tx.feeSource) - tx.feeBid;
    if (bids > 0n) this.#bids.set(hex(tx.feeSource), bids);
    else this.#bids.delete(hex(tx.feeSource));
  }

  #bidsOf(feeSource: Uint8Array): bigint {
    return this.#bids.get(hex(feeSource)) ?? 0n;
  }
}

/**
 * Q1, Q3, Q4, Q6: the answer that the queued transaction of the same source causes, or null when `tx` replaces it.
 */
function conflictOf(tx: Transaction, queued: Transaction): Admission | null {
  const sameEnvelope = tx.fullHash.equals(queued.fullHash);
  const innerOfQueued = queued.inner?.fullHash.equals(tx.fullHash) ?? false;
  if (sameEnvelope || innerOfQueued) return { status: 'DUPLICATE' };
  if (tx.tx.seqNum < queued.tx.seqNum) return refuse(TX.badSeq, 0n);
  if (tx.inner === null || tx.tx.seqNum !== queued.tx.seqNum) return { status: 'TRY_AGAIN_LATER' };
  const neededFee = replacementShortfall(tx, queued);
  return neededFee === null ? null : refuse(TX.insufficientFee, neededFee);
}

function refuse(code: -5 | -7 | -9, feeCharged: bigint): Admission {
  return { status: 'ERROR', result: { feeCharged, result: { code }, ext: { v: 0 } } };
}
