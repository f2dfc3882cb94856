import type { xdr } from '@stellar/stellar-sdk/base';
import { hex } from './ledger/bytes.ts';
import { replacementShortfall } from './ledger/fees.ts';
import { TX } from './ledger/result.ts';
import type { Transaction } from './ledger/transaction.ts';

/** Ledgers for which an applied or refused transaction's hash is banned (Q8; stellar-core, TRANSACTION_QUEUE_BAN_LEDGERS). */
const BAN_LEDGERS = 10;

export type Admission =
  | { status: 'PENDING' | 'DUPLICATE' | 'TRY_AGAIN_LATER' }
  | { status: 'ERROR'; result: xdr.TransactionResultWire };

/** What the queue must ask the ledger: the rules live there, only their order is the queue's. */
export type Judge = {
  /** The result to refuse the transaction with, or null when the next ledger could take it. */
  problem(tx: Transaction): xdr.TransactionResultWire | null;
  /** What the account can pay away, in stroops. */
  available(ed25519: Uint8Array): bigint;
};

/**
 * Transactions waiting for a ledger, as one stellar-core node keeps them (herder/TransactionQueue.cpp): in memory
 * only, one for each source account. Surge pricing and dropping after four ledgers are not modelled: what does not
 * fit into a ledger waits, first come, first served.
 */
export class TransactionQueue {
  readonly #bySource = new Map<string, Transaction>();
  /** Full bids of queued transactions by fee source, in stroops. */
  readonly #bids = new Map<string, bigint>();
  /** The newest ledger's bans first. */
  readonly #banned = Array.from({ length: BAN_LEDGERS }, () => new Set<string>());

  get size(): number {
    return this.#bySource.size;
  }

  has(tx: Transaction): boolean {
    return this.#bySource.get(hex(tx.source)) === tx;
  }

  /** stellar-core, TransactionQueue::canAdd: the order of the checks decides which answer is given. */
  add(tx: Transaction, judge: Judge): Admission {
    if (this.#banned.some((hashes) => hashes.has(hex(tx.fullHash)))) return { status: 'TRY_AGAIN_LATER' };
    const queued = this.#bySource.get(hex(tx.source));
    const conflict = queued === undefined ? null : conflictOf(tx, queued);
    if (conflict !== null) return conflict;
    const problem = judge.problem(tx);
    if (problem !== null) return { status: 'ERROR', result: problem };

    const replaced = queued !== undefined && hex(queued.feeSource) === hex(tx.feeSource) ? queued.feeBid : 0n;
    const promised = this.#bidsOf(tx.feeSource) - replaced;
    if (judge.available(tx.feeSource) - tx.feeBid < promised) {
      return refuse(TX.insufficientBalance, 0n);
    }
    if (queued !== undefined) this.#remove(queued);
    this.#bySource.set(hex(tx.source), tx);
    this.#bids.set(hex(tx.feeSource), this.#bidsOf(tx.feeSource) + tx.feeBid);
    return { status: 'PENDING' };
  }

  /**
   * The transactions for the next ledger, up to `maxOperations` operations, oldest first. Those that have become
   * invalid, or whose fee source cannot pay for all of them, are dropped and banned (stellar-core, trimInvalid).
   */
  take(maxOperations: number, judge: Judge): Transaction[] {
    const taken: Transaction[] = [];
    const spent = new Map<string, bigint>();
    let operations = 0;
    for (const tx of [...this.#bySource.values()]) {
      const payer = hex(tx.feeSource);
      const total = (spent.get(payer) ?? 0n) + tx.feeBid;
      if (judge.problem(tx) !== null || judge.available(tx.feeSource) < total) {
        this.#remove(tx);
        this.#ban(tx);
        continue;
      }
      if (operations + tx.operationCount > maxOperations) break;
      operations += tx.operationCount;
      spent.set(payer, total);
      taken.push(tx);
    }
    return taken;
  }

  /** After a ledger: what it applied is banned, what it made obsolete is dropped, and bans get one ledger older. */
  ledgerClosed(applied: Transaction[]): void {
    for (const tx of applied) {
      this.#ban(tx);
      const queued = this.#bySource.get(hex(tx.source));
      if (queued !== undefined && queued.tx.seqNum <= tx.tx.seqNum) this.#remove(queued);
    }
    this.#banned.pop();
    this.#banned.unshift(new Set());
  }

  #ban(tx: Transaction): void {
    this.#banned[0]?.add(hex(tx.fullHash));
  }

  #remove(tx: Transaction): void {
    this.#bySource.delete(hex(tx.source));
    const bids = this.#bidsOf(tx.feeSource) - tx.feeBid;
    if (bids > 0n) this.#bids.set(hex(tx.feeSource), bids);
    else this.#bids.delete(hex(tx.feeSource));
  }

  #bidsOf(feeSource: Uint8Array): bigint {
    return this.#bids.get(hex(feeSource)) ?? 0n;
  }
}

/** Q1, Q3, Q4, Q6: the answer that the source account's queued transaction leads to, or null when `tx` replaces it. */
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
