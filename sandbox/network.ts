import { xdr } from '@stellar/stellar-sdk/base';
import type { Clock } from './clock.ts';
import { availableBalance } from './ledger/account.ts';
import { hex, sha256 } from './ledger/bytes.ts';
import type { ClosedLedger, Previous } from './ledger/close.ts';
import { closeLedger, encodeHeader } from './ledger/close.ts';
import { STATE_BYTES } from './ledger/contract/settings.ts';
import type { Entry, EntryKey } from './ledger/entry.ts';
import { AssetContracts } from './ledger/events.ts';
import { genesis, MAX_OPERATIONS_PER_LEDGER, parametersAt, validatorOf } from './ledger/genesis.ts';
import type { LedgerView } from './ledger/ledger-txn.ts';
import { loadAccount } from './ledger/ledger-txn.ts';
import { encodeResult } from './ledger/result.ts';
import { State } from './ledger/state.ts';
import type { ValueSigner } from './ledger/stellar-value.ts';
import type { Transaction } from './ledger/transaction.ts';
import { mustBeKnownAt, networkId, parseTransaction } from './ledger/transaction.ts';
import { applicationOrder, setMember, transactionSetXdr } from './ledger/transaction-set.ts';
import { protocolUpgrade } from './ledger/upgrades.ts';
import type { CloseTimeOffsets } from './ledger/validity.ts';
import { checkValid, NO_OFFSETS } from './ledger/validity.ts';
import { LedgerClock } from './ledger-clock.ts';
import type { NextLedger } from './queue.ts';
import { TransactionQueue } from './queue.ts';
import type { RpcVersion } from './rpc/versions.ts';
import type { LedgerStore, StoredLedger } from './store/ledger-store.ts';
import { issuedTestAssets } from './test-assets.ts';

export type Submission = {
  status: 'PENDING' | 'DUPLICATE' | 'TRY_AGAIN_LATER' | 'ERROR';
  transaction: Transaction;
  error_result_xdr: Uint8Array | null;
};

export type NetworkOptions = {
  passphrase: string;
  clock: Clock;
  /** Expected seconds between ledgers; may have a fraction. */
  close_seconds: number;
  /** Least ledger time between two ledgers, in milliseconds; 1 when absent. Below protocol 30 rounded up to seconds. */
  step_ms?: number;
  retention_ledgers: number;
  /**
   * Operations that fit into a ledger. When more wait, the higher bids go first. 1,000 when absent, as on the
   * public network.
   */
  max_operations?: number;
  /**
   * Whether meta has the events of classic operations (CAP-67), as on a node with EMIT_CLASSIC_EVENTS; true when
   * absent.
   */
  emit_classic_events?: boolean;
  /** The protocol at genesis. */
  protocol?: number;
  /** The version of stellar-rpc that nodes answer like; the newest when absent. */
  rpc_like?: RpcVersion;
};

/** A transaction must not expire within two expected closes (Q10; stellar-core, EXPECTED_CLOSE_TIME_MULT). */
const EXPECTED_CLOSE_TIME_MULT = 2;

/** Ledger time between ledgers that somebody closes one by one. */
export const CLOSED_BY_HAND_STEP_MS = 1000;

/** Newest ledgers whose changes are kept, so that a node that lags can answer with its older state. */
export const MAX_LAG_LEDGERS = 100;

/**
 * One node that is the whole network: the state in memory, the queue, and the closing of ledgers. No function here
 * pauses, so every request sees the state of exactly one closed ledger.
 */
export class Network {
  readonly options: NetworkOptions;
  readonly store: LedgerStore;
  readonly clock: LedgerClock;
  /** While true, no ledger closes, as when validators cannot agree. Submissions are still accepted. */
  halted = false;
  /** Operations that fit into a ledger, from the next one on. */
  maxOperations: number;
  /** The protocol to which the next ledger upgrades the network; null = none. */
  upgradeTo: number | null = null;
  /** Of the next transaction sets that are not empty, the network drops so many (CAP-83). */
  setsToDrop = 0;
  /**
   * Accounts and trust lines that no transaction may name (CAP-77). What waits in the queue goes with the next ledger
   * still, as when validators vote.
   */
  readonly frozen = new Set<EntryKey>();
  /** Bytes that contracts keep in the ledger: rent grows with them. */
  stateBytes = STATE_BYTES;
  queue = new TransactionQueue();
  readonly #networkId: Buffer;
  readonly contracts: AssetContracts;
  readonly sign: ValueSigner;
  #state: State;
  /** The entries that the newest ledgers replaced, newest last. */
  #replaced: Map<EntryKey, Entry | undefined>[] = [];
  readonly #beforeClose: (() => void)[] = [];
  readonly #afterClose: ((ledger: ClosedLedger) => void)[] = [];
  #last: Previous;
  #oldest: StoredLedger;

  /** Continues at the latest ledger of the store. An empty store starts with the genesis ledger. */
  constructor(store: LedgerStore, options: NetworkOptions) {
    this.store = store;
    this.options = options;
    this.clock = new LedgerClock(options.clock);
    this.maxOperations = options.max_operations ?? MAX_OPERATIONS_PER_LEDGER;
    this.#networkId = networkId(options.passphrase);
    this.contracts = new AssetContracts(options.passphrase, issuedTestAssets(options.passphrase));
    this.sign = validatorOf(options.passphrase);
    const latest = store.latest() ?? beginNetwork(store, options);
    this.#last = previousOf(latest);
    this.#oldest = store.oldest() ?? latest;
    this.#state = new State(store.entries());
  }

  get latest(): Previous {
    return this.#last;
  }

  get oldest(): StoredLedger {
    return this.#oldest;
  }

  /** The state at the latest ledger. Only the closing of a ledger may change it. */
  get state(): LedgerView {
    return this.#state;
  }

  entry(key: EntryKey): Entry | undefined {
    return this.#state.get(key);
  }

  /** Keys of the trust lines, offers and data that the account owns, in no fixed order. */
  keysOwnedBy(ed25519: Uint8Array): Iterable<EntryKey> {
    return this.#state.ownedBy(ed25519);
  }

  /**
   * The entries that each of the newest ledgers replaced, newest last: up to MAX_LAG_LEDGERS since this process
   * started.
   */
  get replaced(): readonly ReadonlyMap<EntryKey, Entry | undefined>[] {
    return this.#replaced;
  }

  accountExists(ed25519: Uint8Array): boolean {
    return loadAccount(this.#state, ed25519) !== undefined;
  }

  sequenceOf(ed25519: Uint8Array): bigint | undefined {
    return loadAccount(this.#state, ed25519)?.seqNum;
  }

  /**
   * `before` runs before a ledger closes and may still submit. `after` runs when the ledger is on disk and visible.
   */
  onClose(hooks: { before?: () => void; after?: (ledger: ClosedLedger) => void }): void {
    if (hooks.before !== undefined) this.#beforeClose.push(hooks.before);
    if (hooks.after !== undefined) this.#afterClose.push(hooks.after);
  }

  /** @throws XdrError when the bytes are not a transaction envelope of the network's protocol */
  parse(envelopeXdr: Uint8Array): Transaction {
    const transaction = parseTransaction(envelopeXdr, this.#networkId);
    mustBeKnownAt(this.#last.header.ledgerVersion, transaction);
    return transaction;
  }

  /**
   * The result with which a node that knows only these entries, at the ledger `latest`, refuses the transaction; or
   * null.
   */
  problemAt(view: LedgerView, latest: Previous, tx: Transaction): xdr.TransactionResultWire | null {
    const next = { ...latest.header, ledgerSeq: latest.header.ledgerSeq + 1 };
    return checkValid(view, next, tx, this.#submissionOffsets(latest), this.frozen);
  }

  /** @throws XdrError when the bytes are not a transaction envelope */
  submit(envelopeXdr: Uint8Array): Submission {
    const transaction = this.parse(envelopeXdr);
    const admission = this.queue.add(
      transaction,
      this.#nextLedger(this.#last, this.#submissionOffsets(this.#last)),
    );
    const error = admission.status === 'ERROR' ? encodeResult(admission.result) : null;
    return { status: admission.status, transaction, error_result_xdr: error };
  }

  /**
   * Closes the next ledger with transactions of the queue. It is on disk before anybody can see it. If writing
   * fails, nothing has changed and the next call tries again.
   * @param step_ms least ledger time since the ledger before; by default that of the options
   * @throws Error while the network is halted
   */
  close(step_ms = this.options.step_ms ?? 1): ClosedLedger {
    if (this.halted) throw new Error('The network is halted: no ledger closes before it resumes.');
    for (const hook of this.#beforeClose) hook();
    const { hash } = this.#last;
    const header = { ...this.#last.header, maxTxSetSize: this.maxOperations };
    const closeTimeMs = this.clock.closeTimeMsAfter(header, step_ms);
    const closeTime = closeTimeMs / 1000n;
    const nextLedger = this.#nextLedger(
      { header: { ...header, scpValue: { ...header.scpValue, closeTime } }, hash },
      NO_OFFSETS,
    );
    const { transactions, baseFee } = this.queue.take(nextLedger);
    const members = transactions.map(setMember);
    const setHash = sha256(transactionSetXdr(hash, baseFee, members));
    const dropped = this.setsToDrop > 0 && transactions.length > 0;
    const ordered = dropped ? [] : applicationOrder(transactions, setHash);
    const ledger = closeLedger(this.#state, { header, hash }, ordered, {
      closeTimeMs,
      sign: this.sign,
      upgrades: this.upgradeTo === null ? [] : [protocolUpgrade(this.upgradeTo)],
      droppedSet: dropped ? setHash : null,
      baseFee,
      contracts: this.contracts,
      stateBytes: this.stateBytes,
      maxOperations: this.maxOperations,
      classicEvents: this.options.emit_classic_events ?? true,
    });

    this.store.append(ledger, ledger.header.ledgerSeq - this.options.retention_ledgers + 1);
    this.clock.next_lag_seconds = 0;
    this.upgradeTo = null;
    if (dropped) this.setsToDrop -= 1;
    this.#show(ledger);
    return ledger;
  }

  /** Restarts the node. Queue and bans are lost, because they are in memory only (Q8). */
  restart(): void {
    this.queue = new TransactionQueue();
  }

  /**
   * Upgrades the network with the next ledger, whose header still has the arm of the protocol before.
   * @returns why not, in words, or null
   */
  upgrade(protocol: number): string | null {
    const { ledgerVersion } = this.#last.header;
    if (protocol <= ledgerVersion)
      return `The network is at protocol ${ledgerVersion}: there is no way back.`;
    this.upgradeTo = protocol;
    return null;
  }

  /**
   * Starts a new network with the same passphrase, as the test network does from time to time. Everything else is
   * deleted.
   */
  reset(): void {
    const first = beginNetwork(this.store, this.options);
    this.#last = previousOf(first);
    this.#oldest = first;
    this.#state = new State(this.store.entries());
    this.#replaced = [];
    this.upgradeTo = null;
    this.setsToDrop = 0;
    this.frozen.clear();
    this.stateBytes = STATE_BYTES;
    this.restart();
  }

  /** Deletes the history before a ledger, which must not be above the latest one. The state stays complete. */
  prune(oldestKept: number): void {
    this.store.prune(oldestKept);
    this.#oldest = this.store.oldest() ?? this.#oldest;
  }

  #show(ledger: ClosedLedger): void {
    for (const change of ledger.changes) this.#state.apply(change);
    this.#replaced.push(new Map(ledger.changes.map(({ key, before }) => [key, before])));
    if (this.#replaced.length > MAX_LAG_LEDGERS) this.#replaced.shift();
    this.#last = { header: ledger.header, hash: ledger.hash };
    this.#oldest = this.store.oldest() ?? this.#oldest;
    const applied = ledger.transactions.map(({ tx }) => tx);
    this.queue.ledgerClosed(applied, this.#nextLedger(this.#last, this.#submissionOffsets(this.#last)));
    for (const hook of this.#afterClose) hook(ledger);
  }

  /** The rules of the ledger after `previous`, on the present state. */
  #nextLedger({ header }: Previous, offsets: CloseTimeOffsets): NextLedger {
    const next = { ...header, ledgerSeq: header.ledgerSeq + 1 };
    return {
      problem: (tx) => checkValid(this.#state, next, tx, offsets, this.frozen),
      available: (ed25519) => {
        const account = loadAccount(this.#state, ed25519);
        return account === undefined ? 0n : availableBalance(next, account);
      },
      maxOperations: header.maxTxSetSize,
      baseFee: BigInt(header.baseFee),
    };
  }

  /** stellar-core, getUpperBoundCloseTimeOffset, with this network's own expected close time. */
  #submissionOffsets(latest: Previous): CloseTimeOffsets {
    const sinceLast = this.clock.now() - latest.header.scpValue.closeTime;
    const margin = BigInt(Math.ceil(this.options.close_seconds) * EXPECTED_CLOSE_TIME_MULT);
    return { lower: 0n, upper: margin + (sinceLast > 0n ? sinceLast : 0n) };
  }
}

function beginNetwork(store: LedgerStore, { passphrase, protocol }: NetworkOptions): StoredLedger {
  const { header, changes } = genesis(passphrase, parametersAt(protocol));
  const headerXdr = encodeHeader(header);
  const hash = sha256(headerXdr);
  store.begin(header, headerXdr, hash, changes);
  const { ledgerSeq: sequence, scpValue, baseFee } = header;
  return { sequence, hash, close_time: scpValue.closeTime, header: headerXdr, base_fee: BigInt(baseFee) };
}

export function previousOf({ header, hash }: StoredLedger): Previous {
  return { header: xdr.LedgerHeader.schema.decode(header), hash };
}

/** The public hash of the submitted transaction. */
export function hashOf(submission: Submission): string {
  return hex(submission.transaction.hash);
}
