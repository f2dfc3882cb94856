import { xdr } from '@stellar/stellar-sdk/base';
import type { Header } from '../ledger/account.ts';
import type { LedgerContext } from '../ledger/apply.ts';
import { applyTransaction, chargeFee, highestSequences } from '../ledger/apply.ts';
import { base64, hex } from '../ledger/bytes.ts';
import type { Entry, EntryKey } from '../ledger/entry.ts';
import { AssetContracts } from '../ledger/events.ts';
import { genesis } from '../ledger/genesis.ts';
import { LedgerTxn } from '../ledger/ledger-txn.ts';
import { isCovered } from '../ledger/operations/registry.ts';
import { operationTexts, resultText } from '../ledger/result-text.ts';
import { State } from '../ledger/state.ts';
import type { Transaction } from '../ledger/transaction.ts';
import { networkId, parseTransaction } from '../ledger/transaction.ts';
import { upgraded } from '../ledger/upgrades.ts';
import { countOne, Findings } from './findings.ts';
import type { Phase } from './meta-phases.ts';
import { phasesOf } from './meta-phases.ts';
import { outcomesOf, sameChanges, sameChangesInAnyOrder } from './recorded-changes.ts';
import type { RecordedLedger, RecordedTransaction } from './recorded-ledger.ts';
import { setBaseFee } from './set-base-fee.ts';
import { changesText, describeResult, entryText, eventTexts, resultXdr } from './texts.ts';

type Changes = xdr.LedgerEntryChangeWire[];
/** A transaction of a ledger. `baseFee`: what it pays for an operation at most, in stroops. */
type Member = { tx: Transaction; baseFee: bigint; recorded: RecordedTransaction };

/** The header parameters of a stellar-core that was never upgraded. */
const CORE_GENESIS = { ledgerVersion: 0, baseFee: 100, baseReserve: 100_000_000, maxTxSetSize: 100 };

/**
 * Closes recorded ledgers again with our own rules on our own state, and compares. After a difference, the recorded
 * entries replace ours, so that one difference neither hides nor causes another.
 */
export class Replay {
  readonly findings = new Findings();
  readonly state: State;
  readonly network: Buffer;
  readonly #contracts: AssetContracts;
  /** Every entry as recorded. */
  readonly #recorded = new Map<EntryKey, Entry>();
  #header: Header;

  constructor(passphrase: string) {
    const { header, changes } = genesis(passphrase, CORE_GENESIS);
    const entries = changes.flatMap(({ key, after }): [EntryKey, Entry][] => (after ? [[key, after]] : []));
    this.state = new State(entries);
    for (const [key, entry] of entries) this.#recorded.set(key, entry);
    this.network = networkId(passphrase);
    this.#contracts = new AssetContracts(passphrase);
    this.#header = header;
  }

  get header(): Header {
    return this.#header;
  }

  /** @returns the transactions of the ledger, in the order of application */
  close(recorded: RecordedLedger): Transaction[] {
    const theirs = recorded.header;
    const ledgerSeq = this.#header.ledgerSeq + 1;
    this.#header = { ...this.#header, ledgerSeq, scpValue: theirs.scpValue };
    const members = this.#membersOf(recorded);
    this.#applyAll(recorded, members);
    this.#upgrade(recorded);
    this.#compareHeader(theirs);
    this.findings.ledgers += 1;
    return members.map(({ tx }) => tx);
  }

  /** Compares all entries, after the last ledger. */
  compareEntries(): void {
    const keys = new Set([...this.#recorded.keys(), ...this.state.keys()]);
    this.findings.entriesAtTheEnd = keys.size;
    for (const key of keys) {
      const [ours, theirs] = [this.state.get(key), this.#recorded.get(key)].map(entryText);
      if (ours !== theirs) this.#note(null, `entry ${key} at the end`, ours, theirs);
    }
  }

  /** In the order of application. */
  #membersOf({ set, processed }: RecordedLedger): Member[] {
    const sent = set.map(({ envelope, baseFee }) => ({
      tx: parseTransaction(xdr.TransactionEnvelope.schema.encode(envelope), this.network),
      baseFee,
    }));
    const ofWholeSet = setBaseFee(
      this.#header,
      sent.map(({ tx }) => tx),
    );
    const byHash = new Map(sent.map((member) => [hex(member.tx.hash), member]));
    return processed.map((recorded) => {
      const member = byHash.get(hex(recorded.result.transactionHash));
      if (member === undefined) throw new Error('a recorded result is of no transaction of its ledger');
      const { tx, baseFee = ofWholeSet } = member;
      return { tx, baseFee: baseFee ?? tx.feeBid, recorded };
    });
  }

  #applyAll({ processed }: RecordedLedger, members: Member[]): void {
    const header = { ...this.#header };
    const ofLedger = {
      contracts: this.#contracts,
      highestSequences: highestSequences(members.map(({ tx }) => tx)),
    };
    const charged = members.map(({ tx, baseFee, recorded }) =>
      this.#chargeFee(baseFee, tx, recorded.feeProcessing),
    );
    for (const [index, { tx, baseFee, recorded }] of members.entries()) {
      const fee = { charged: charged[index] ?? 0n, changes: [] };
      header.idPool += this.#apply(header, tx, fee, { ...ofLedger, baseFee }, recorded);
    }
    for (const { afterAll } of processed) this.#follow(new LedgerTxn(this.state, header.ledgerSeq), afterAll);
    this.#header = { ...this.#header, idPool: header.idPool };
  }

  #chargeFee(baseFee: bigint, tx: Transaction, theirs: Changes): bigint {
    const ours = new LedgerTxn(this.state, this.#header.ledgerSeq);
    const { charged, changes } = chargeFee(ours, this.#header, tx, baseFee);
    this.#show(ours);
    if (!sameChanges(changes, theirs)) this.#note(tx, 'fee', changesText(changes), changesText(theirs));
    this.#follow(ours, theirs);
    this.#header = { ...this.#header, feePool: this.#header.feePool + charged };
    return charged;
  }

  /** @returns how many ids it took from the id pool of the ledger */
  #apply(
    header: Header,
    tx: Transaction,
    fee: { charged: bigint; changes: Changes },
    context: LedgerContext,
    { result: { result: theirs }, meta: recordedMeta }: RecordedTransaction,
  ): bigint {
    const { findings } = this;
    findings.transactions += 1;
    const phases = phasesOf(recordedMeta);
    const ours = new LedgerTxn(this.state, header.ledgerSeq);
    if (tx.tx.operations.some(({ body }) => !isCovered(body))) {
      findings.unsupported += 1;
      countOne(findings.transactionKinds, 'not supported here');
    } else {
      this.#count(theirs);
      try {
        const { result, meta } = applyTransaction(ours, header, tx, fee, context);
        this.#compareResult(tx, result, theirs);
        this.#comparePhases(tx, phasesOf({ v: 4, v4: meta }), phases);
        this.#compareEvents(tx, meta, recordedMeta);
      } catch (error) {
        this.#note(tx, 'thrown', String(error), describeResult(theirs));
      }
    }
    this.#show(ours);
    this.#follow(
      ours,
      phases.flatMap(({ changes }) => changes),
    );
    return ours.idsTaken;
  }

  #count(result: xdr.TransactionResultWire): void {
    const decoded = xdr.TransactionResult.fromXdrObject(result);
    countOne(this.findings.transactionKinds, resultText(decoded).replace(/txFailed\(.*?\)/, 'txFailed'));
    for (const kind of operationTexts(decoded)) countOne(this.findings.operationKinds, kind);
  }

  #compareResult(tx: Transaction, ours: xdr.TransactionResultWire, theirs: xdr.TransactionResultWire): void {
    if (ours.feeCharged !== theirs.feeCharged) {
      this.#note(tx, 'fee charged', `${ours.feeCharged}`, `${theirs.feeCharged}`);
    }
    if (resultXdr(ours) !== resultXdr(theirs)) {
      this.#note(tx, 'result', describeResult(ours), describeResult(theirs));
    }
  }

  #comparePhases(tx: Transaction, ours: Phase[], theirs: Phase[]): void {
    const same = ours.every(({ changes }, at) => sameChanges(changes, theirs[at]?.changes ?? []));
    if (same && ours.length === theirs.length) this.findings.sameMeta += 1;
    if (ours.length !== theirs.length) {
      this.#note(tx, 'operations in meta', `${ours.length - 2}`, `${theirs.length - 2}`);
      return;
    }
    for (const [at, { what, changes }] of ours.entries()) {
      const recorded = theirs[at]?.changes ?? [];
      if (!sameChangesInAnyOrder(changes, recorded)) {
        this.#note(tx, `changes ${what}`, changesText(changes), changesText(recorded));
      }
    }
  }

  /** Of metas that have events: stellar-core wrote none before protocol 23. */
  #compareEvents(tx: Transaction, ours: xdr.TransactionMetaV4Wire, recorded: xdr.TransactionMetaWire): void {
    if (recorded.v !== 4) return;
    const [own, theirs] = [eventTexts(ours), eventTexts(recorded.v4)];
    if (own.join() === theirs.join()) this.findings.sameEvents += 1;
    else this.#note(tx, 'events', own.join('\n'), theirs.join('\n'));
  }

  /** The settings of contracts are followed: nothing here depends on them. */
  #upgrade({ upgrades, header }: RecordedLedger): void {
    this.#header = upgraded(this.#header, header.scpValue.upgrades);
    for (const { changes } of upgrades) {
      const ofLedger = outcomesOf(changes).filter(({ after }) => after?.data.type !== 8);
      if (ofLedger.length > 0) this.#note(null, 'entries changed by an upgrade', '', changesText(changes));
      this.#follow(new LedgerTxn(this.state, this.#header.ledgerSeq), changes);
    }
  }

  #compareHeader(theirs: Header): void {
    for (const field of HEADER_FIELDS) {
      if (this.#header[field] !== theirs[field]) {
        this.#note(null, `header ${field}`, `${this.#header[field]}`, `${theirs[field]}`);
        this.#header = { ...this.#header, [field]: theirs[field] };
      }
    }
  }

  /** Makes the changes of our rules visible to the next transactions. */
  #show(ours: LedgerTxn): void {
    for (const change of ours.changes()) this.state.apply(change);
  }

  /** Takes over the recorded outcome, and corrects our version of the entries that either side changed. */
  #follow(ours: LedgerTxn, changes: Changes): void {
    const outcomes = outcomesOf(changes);
    for (const { key, after } of outcomes) {
      if (after === undefined) this.#recorded.delete(key);
      else this.#recorded.set(key, after);
    }
    const changed = [...ours.changes(), ...outcomes].map(({ key }) => key);
    for (const key of new Set(changed)) {
      const before = this.state.get(key);
      const after = this.#recorded.get(key);
      if (entryText(before) !== entryText(after)) this.state.apply({ key, before, after });
    }
  }

  #note(tx: Transaction | null, what: string, ours = '', theirs = ''): void {
    const hash = tx === null ? null : hex(tx.hash);
    const envelope = tx === null ? null : base64(tx.envelopeXdr);
    this.findings.differences.push({ ledger: this.#header.ledgerSeq, hash, what, ours, theirs, envelope });
  }
}

const HEADER_FIELDS = [
  ...(['ledgerVersion', 'ledgerSeq', 'totalCoins', 'feePool', 'inflationSeq', 'idPool'] as const),
  ...(['baseFee', 'baseReserve', 'maxTxSetSize'] as const),
];
