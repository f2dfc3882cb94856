import { hex, sha256 } from './bytes.ts';
import type { Transaction } from './transaction.ts';
import { int64, uint32 } from './wire.ts';

/**
 * A GeneralizedTransactionSet: one classic phase with one component at the base fee, and an empty parallel
 * phase, as ledgers have them since protocol 23. Transactions are sorted by their full hash (stellar-core, TxSetFrame.cpp).
 */
export function transactionSetXdr(
  previousHash: Uint8Array,
  baseFee: bigint,
  envelopes: Uint8Array[],
): Buffer {
  const sorted = envelopes
    .map((envelope) => ({ envelope, fullHash: sha256(envelope) }))
    .sort((a, b) => Buffer.compare(a.fullHash, b.fullHash));
  const txs = sorted.map(({ envelope }) => envelope);
  const component = [uint32(0), uint32(1), int64(baseFee), uint32(txs.length), ...txs];
  const classicPhase = [uint32(0), uint32(txs.length > 0 ? 1 : 0), ...(txs.length > 0 ? component : [])];
  const parallelPhase = [uint32(1), uint32(0), uint32(0)];
  return Buffer.concat([uint32(1), previousHash, uint32(2), ...classicPhase, ...parallelPhase]);
}

/**
 * The order of application, as stellar-core has it: rounds of at most one transaction for each source account, by
 * sequence number; within a round by full hash xor the hash of the set, so that nobody can choose a place.
 */
export function applicationOrder(transactions: Transaction[], setHash: Uint8Array): Transaction[] {
  const bySource = new Map<string, Transaction[]>();
  for (const tx of transactions.toSorted((a, b) => (a.tx.seqNum < b.tx.seqNum ? -1 : 1))) {
    const source = hex(tx.source);
    bySource.set(source, [...(bySource.get(source) ?? []), tx]);
  }
  const ordered: Transaction[] = [];
  for (let round = 0; ordered.length < transactions.length; round++) {
    const candidates = [...bySource.values()].flatMap((own) => own[round] ?? []);
    const keyed = candidates.map((tx) => ({ tx, key: xor(tx.fullHash, setHash) }));
    keyed.sort((a, b) => Buffer.compare(a.key, b.key));
    ordered.push(...keyed.map(({ tx }) => tx));
  }
  return ordered;
}

function xor(a: Uint8Array, b: Uint8Array): Uint8Array {
  return a.map((byte, index) => byte ^ (b[index] ?? 0));
}
