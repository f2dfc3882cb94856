import type { IssuedAsset } from './ledger/asset.ts';
import { sameBytes } from './ledger/bytes.ts';
import type { Previous } from './ledger/close.ts';
import type { Entry, EntryKey } from './ledger/entry.ts';
import { ownerOf } from './ledger/entry.ts';
import type { AssetContracts } from './ledger/events.ts';
import type { LedgerView } from './ledger/ledger-txn.ts';
import { encodeResult } from './ledger/result.ts';
import type { Transaction } from './ledger/transaction.ts';
import type { Network, NetworkOptions, Submission } from './network.ts';
import { previousOf } from './network.ts';
import { NEWEST_RPC_VERSION, type RpcVersion } from './rpc/versions.ts';
import type { FeeRow, LedgerCounts, LedgerRange, Order, TransactionQuery } from './store/history-query.ts';
import type { StoredLedger, StoredTransaction, TransactionEvents } from './store/ledger-store.ts';

/** How a node differs from a sound one that knows every ledger. */
export type NodeCondition = {
  /** Closed ledgers that this node has not seen; at most as many as the network keeps the changes of. */
  lag_ledgers: number;
  /** Ledgers before this one are not in its history. */
  oldest_ledger: number;
  /** The passphrase that the node reports; null = the true one. */
  passphrase: string | null;
  /** Whether it answers every submission with TRY_AGAIN_LATER, and whether it then accepts the transaction. */
  try_again_later: 'taken' | 'not_taken' | null;
  /** The version of stellar-rpc that it answers like; null = that of the sandbox. */
  rpc_like: RpcVersion | null;
};

export const UP_TO_DATE: NodeCondition = {
  lag_ledgers: 0,
  oldest_ledger: 1,
  passphrase: null,
  try_again_later: null,
  rpc_like: null,
};

/**
 * The network as clients of one node see it: nothing after its latest ledger, no history before its oldest. RPC and
 * Horizon read everything through this class, so a node that lags or was pruned is consistent in itself.
 */
export class StellarNode {
  readonly #network: Network;
  readonly #condition: () => NodeCondition;

  constructor(network: Network, condition: () => NodeCondition = () => UP_TO_DATE) {
    this.#network = network;
    this.#condition = condition;
  }

  get options(): NetworkOptions {
    const { options } = this.#network;
    return { ...options, passphrase: this.#condition().passphrase ?? options.passphrase };
  }

  get rpcVersion(): RpcVersion {
    return this.#condition().rpc_like ?? this.#network.options.rpc_like ?? NEWEST_RPC_VERSION;
  }

  get latest(): Previous {
    const lag = this.#lag;
    if (lag === 0) return this.#network.latest;
    return previousOf(this.#mustHave(this.#network.latest.header.ledgerSeq - lag));
  }

  get oldest(): StoredLedger {
    const { oldest } = this.#network;
    const wanted = this.#condition().oldest_ledger;
    const latest = this.#network.latest.header.ledgerSeq - this.#lag;
    return wanted <= oldest.sequence ? oldest : this.#mustHave(Math.min(wanted, latest));
  }

  get range(): LedgerRange {
    return { oldest: this.oldest.sequence, latest: this.#network.latest.header.ledgerSeq - this.#lag };
  }

  /** The entry at the latest ledger that this node knows. */
  entry(key: EntryKey): Entry | undefined {
    for (const replaced of this.#unseen) {
      if (replaced.has(key)) return replaced.get(key);
    }
    return this.#network.entry(key);
  }

  /** The state at the latest ledger that this node knows. */
  get view(): LedgerView {
    return { get: (key) => this.entry(key), offers: () => this.#offers(), assets: () => this.#assets() };
  }

  get contracts(): AssetContracts {
    return this.#network.contracts;
  }

  /** Bytes that contracts keep in the ledger. */
  get stateBytes(): bigint {
    return this.#network.stateBytes;
  }

  /** Operations that a ledger takes. */
  get maxOperations(): number {
    return this.#network.maxOperations;
  }

  get frozen(): ReadonlySet<EntryKey> {
    return this.#network.frozen;
  }

  /** The account's trust lines, offers and data. */
  entriesOwnedBy(ed25519: Uint8Array): Entry[] {
    const keys = new Set(this.#network.keysOwnedBy(ed25519));
    for (const replaced of this.#unseen) {
      for (const [key, entry] of replaced)
        if (entry !== undefined && isOwnedBy(entry, ed25519)) keys.add(key);
    }
    return [...keys].flatMap((key) => this.entry(key) ?? []);
  }

  ledger(sequence: number): StoredLedger | undefined {
    const { oldest, latest } = this.range;
    return sequence < oldest || sequence > latest ? undefined : this.#network.store.ledger(sequence);
  }

  transaction(hash: Buffer): StoredTransaction | undefined {
    return this.#network.store.transaction(this.range, hash);
  }

  transactionsOf(ledger: number): StoredTransaction[] {
    return this.#network.store.transactionsOf(ledger);
  }

  /** The events of the first ledger from `first` to `last` that has transactions; empty when none has. */
  nextEvents(first: number, last: number): TransactionEvents[] {
    const { oldest, latest } = this.range;
    return this.#network.store.nextEvents({
      oldest: Math.max(first, oldest),
      latest: Math.min(last, latest),
    });
  }

  /** @param ledger search this ledger only; null = all */
  transactions(query: TransactionQuery, ledger: number | null): StoredTransaction[] {
    const { oldest, latest } = this.range;
    const range = { oldest: Math.max(oldest, ledger ?? oldest), latest: Math.min(latest, ledger ?? latest) };
    return this.#network.store.transactions(range, query);
  }

  /** Whether any transaction that this node knows concerns the account. */
  hasTransactionsOf(ed25519: Uint8Array): boolean {
    return this.#network.store.hasTransactionsOf(this.range, ed25519);
  }

  ledgers(from: number, order: Order, limit: number): StoredLedger[] {
    return this.#network.store.ledgers(this.range, from, order, limit);
  }

  /** Counts of a ledger that this node has shown. */
  counts({ sequence }: StoredLedger): LedgerCounts {
    return this.#network.store.counts(sequence);
  }

  /** What the transactions of the newest ledgers paid and offered. */
  feeRows(ledgerCount: number): FeeRow[] {
    const { latest } = this.range;
    return this.#network.store.feeRows({ oldest: latest - ledgerCount + 1, latest });
  }

  /** Fee per operation in stroops of the transactions in the newest ledgers. */
  fees(ledgerCount: number, phase: 'classic' | 'contract'): bigint[] {
    const { latest } = this.range;
    return this.#network.store.fees({ oldest: latest - ledgerCount + 1, latest }, phase);
  }

  /** @throws XdrError when the bytes are not a transaction envelope */
  parse(envelopeXdr: Uint8Array): Transaction {
    return this.#network.parse(envelopeXdr);
  }

  /**
   * A node that lags checks a submission on its older state, so it may refuse a transaction that the network would
   * take (txBAD_SEQ, txNO_ACCOUNT). If it accepts, it forwards the transaction and answers PENDING, whatever the
   * other nodes do with it.
   * @throws XdrError when the bytes are not a transaction envelope
   */
  submit(envelopeXdr: Uint8Array): Submission {
    const { try_again_later } = this.#condition();
    if (try_again_later === 'not_taken') {
      return {
        status: 'TRY_AGAIN_LATER',
        transaction: this.#network.parse(envelopeXdr),
        error_result_xdr: null,
      };
    }
    const submission = this.#lag === 0 ? this.#network.submit(envelopeXdr) : this.#submitBehind(envelopeXdr);
    if (try_again_later === null) return submission;
    return { ...submission, status: 'TRY_AGAIN_LATER', error_result_xdr: null };
  }

  #submitBehind(envelopeXdr: Uint8Array): Submission {
    const transaction = this.#network.parse(envelopeXdr);
    const problem = this.#network.problemAt(this.view, this.latest, transaction);
    if (problem !== null) return { status: 'ERROR', transaction, error_result_xdr: encodeResult(problem) };
    this.#network.submit(envelopeXdr);
    return { status: 'PENDING', transaction, error_result_xdr: null };
  }

  *#offers(): Generator<[EntryKey, Entry]> {
    const keys = new Set([...this.#network.state.offers()].map(([key]) => key));
    for (const replaced of this.#unseen) {
      for (const [key, entry] of replaced) if (entry?.data.type === 2) keys.add(key);
    }
    for (const key of keys) {
      const entry = this.entry(key);
      if (entry !== undefined) yield [key, entry];
    }
  }

  /** Those of the network, and those whose last trust line this node still has. */
  *#assets(): Generator<IssuedAsset> {
    yield* this.#network.state.assets();
    for (const replaced of this.#unseen) {
      for (const entry of replaced.values()) {
        const asset = entry?.data.type === 1 ? entry.data.trustLine.asset : undefined;
        if (asset?.type === 1 || asset?.type === 2) yield asset;
      }
    }
  }

  /** Not before the oldest ledger of the history: there would be no latest ledger. */
  get #lag(): number {
    const { latest, oldest, replaced } = this.#network;
    const known = Math.min(replaced.length, latest.header.ledgerSeq - oldest.sequence);
    return Math.min(this.#condition().lag_ledgers, known);
  }

  /** The entries replaced by the ledgers that this node has not seen, oldest first. */
  get #unseen(): readonly ReadonlyMap<EntryKey, Entry | undefined>[] {
    const { replaced } = this.#network;
    return this.#lag === 0 ? [] : replaced.slice(-this.#lag);
  }

  #mustHave(sequence: number): StoredLedger {
    const ledger = this.#network.store.ledger(sequence);
    if (ledger === undefined) throw new Error(`ledger ${sequence} is not in the store`);
    return ledger;
  }
}

function isOwnedBy(entry: Entry, ed25519: Uint8Array): boolean {
  const owner = ownerOf(entry);
  return owner !== undefined && sameBytes(owner, ed25519);
}
