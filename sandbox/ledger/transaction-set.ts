import { hex, sha256 } from './bytes.ts';
import type { Transaction } from './transaction.ts';
import { isContractTransaction } from './transaction.ts';
import { int64, uint32 } from './wire.ts';

/** The properties of a transaction that a transaction set uses. */
export type SetMember = { envelope: Uint8Array; contract: boolean };

export function setMember(tx: Transaction): SetMember {
  return { envelope: tx.envelopeXdr, contract: isContractTransaction(tx) };
}

/**
 * A GeneralizedTransactionSet as since protocol 23: a classic phase with one component at the base fee, and a
 * parallel phase for contract transactions, all in one cluster of one stage. Sorted by full hash (stellar-core,
 * TxSetFrame.cpp).
 */
export function transactionSetXdr(previousHash: Uint8Array, baseFee: bigint, members: SetMember[]): Buffer {
  const fee = [uint32(1), int64(baseFee)];
  const classic = sortedEnvelopes(members.filter(({ contract }) => !contract));
  const component = [uint32(0), ...fee, uint32(classic.length), ...classic];
  const classicPhase = [uint32(0), ...(classic.length > 0 ? [uint32(1), ...component] : [uint32(0)])];
  const contract = sortedEnvelopes(members.filter((member) => member.contract));
  const stage = [...fee, uint32(1), uint32(1), uint32(contract.length), ...contract];
  const parallelPhase = [uint32(1), ...(contract.length > 0 ? stage : [uint32(0), uint32(0)])];
  return Buffer.concat([uint32(1), previousHash, uint32(2), ...classicPhase, ...parallelPhase]);
}

function sortedEnvelopes(members: SetMember[]): Uint8Array[] {
  const hashed = members.map(({ envelope }) => ({ envelope, fullHash: sha256(envelope) }));
  hashed.sort((a, b) => Buffer.compare(a.fullHash, b.fullHash));
  return hashed.map(({ envelope }) => envelope);
}

/** The order of application: contract transactions after all others. */
export function applicationOrder(transactions: Transaction[], setHash: Uint8Array): Transaction[] {
  const contract = transactions.filter(isContractTransaction);
  const classic = transactions.filter((tx) => !isContractTransaction(tx));
  return [...phaseOrder(classic, setHash), ...phaseOrder(contract, setHash)];
}

/**
 * The order within a phase, as in stellar-core: rounds of at most one transaction for each source account, by
 * sequence number. Within a round: by full hash xor the hash of the set, so that nobody can choose a place.
 */
function phaseOrder(transactions: Transaction[], setHash: Uint8Array): Transaction[] {
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
