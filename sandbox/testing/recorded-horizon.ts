import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { xdr } from '@stellar/stellar-sdk/base';
import type { Header } from '../ledger/account.ts';
import type { ClosedLedger, ClosedTransaction } from '../ledger/close.ts';
import { encodeHeader } from '../ledger/close.ts';
import type { Entry } from '../ledger/entry.ts';
import { keyOf } from '../ledger/entry.ts';
import { genesis } from '../ledger/genesis.ts';
import type { EntryChange } from '../ledger/ledger-txn.ts';
import { networkId, parseTransaction } from '../ledger/transaction.ts';
import { SANDBOX_PASSPHRASE } from '../passphrase.ts';

/** Answers of a real Horizon 2.26.1 over a real stellar-core 19. */
const FOLDER = join(import.meta.dirname, 'recordings/horizon-2.26.1-live');

export function recordedText(file: string): string {
  return readFileSync(join(FOLDER, file), 'utf8');
}

/** @returns the answer; the caller knows its fields */
export function recorded<Answer = Record<string, unknown>>(file: string): Answer {
  return JSON.parse(recordedText(file)) as Answer;
}

type Page<Item> = { _embedded: { records: Item[] } };
type RecordedLedger = { sequence: number; hash: string; header_xdr: string };
type RecordedTransaction = {
  [Text in 'hash' | 'paging_token' | 'created_at' | 'fee_charged']: string;
} & { [Xdr in 'envelope_xdr' | 'result_xdr' | 'result_meta_xdr' | 'fee_meta_xdr']: string } & {
  ledger: number;
  successful: boolean;
};

type Manifest = {
  accounts: Record<string, string>;
  files: { file: string; method: string; path: string; status: number; contentType: string }[];
};

/** The recorded requests, without files that are absent. */
export function manifest(): Manifest {
  const { accounts, files } = recorded('manifest.json') as Manifest;
  return { accounts, files: files.filter(({ file }) => existsSync(join(FOLDER, file))) };
}

/**
 * The ledgers behind the recorded answers, as far as the answers show them: every recorded transaction with its
 * changes, in ledgers with their numbers and close times. Headers are Horizon's where recorded, else invented.
 */
export function recordedLedgers(): ClosedLedger[] {
  const submitted = manifest().files.filter(({ file }) => file.startsWith('submit_ok_'));
  const records = [
    ...recorded<Page<RecordedTransaction>>('transactions_B.json')._embedded.records,
    ...submitted.map(({ file }) => recorded<RecordedTransaction>(file)),
  ];
  const unique = new Map(records.map((record) => [record.hash, record]));
  const byLedger = Map.groupBy(unique.values(), ({ ledger }) => ledger);
  const { records: ledgers } = recorded<Page<RecordedLedger>>('ledgers.json')._embedded;
  const headers = new Map(ledgers.map((ledger) => [ledger.sequence, ledger]));
  const sequences = [...new Set([...byLedger.keys(), ...headers.keys()])].toSorted((a, b) => a - b);
  return sequences.map((sequence) => ledgerOf(sequence, byLedger.get(sequence) ?? [], headers.get(sequence)));
}

function ledgerOf(sequence: number, records: RecordedTransaction[], known?: RecordedLedger): ClosedLedger {
  const transactions = records.map(transactionOf);
  const changes = transactions.flatMap(({ fees, closed }) => [...fees, ...operationChanges(closed.meta)]);
  const closed = transactions.map((transaction) => transaction.closed);
  const base = { transactions: closed, changes: changes.flatMap(changeOf), baseFee: 100n };
  if (known !== undefined) {
    const headerXdr = Buffer.from(known.header_xdr, 'base64');
    const hash = Buffer.from(known.hash, 'hex');
    return { ...base, headerXdr, hash, header: xdr.LedgerHeader.schema.decode(headerXdr) };
  }
  const closeTime = BigInt(Date.parse(records[0]?.created_at ?? '') / 1000);
  const { header: first } = genesis(SANDBOX_PASSPHRASE);
  const header: Header = { ...first, ledgerSeq: sequence, scpValue: { ...first.scpValue, closeTime } };
  return { ...base, header, headerXdr: encodeHeader(header), hash: Buffer.alloc(32, sequence) };
}

type Changes = xdr.LedgerEntryChangeWire[];

function transactionOf(record: RecordedTransaction): { closed: ClosedTransaction; fees: Changes } {
  const feeChangesXdr = Buffer.from(record.fee_meta_xdr, 'base64');
  const meta = asVersion4(Buffer.from(record.result_meta_xdr, 'base64'));
  const closed = {
    tx: parseTransaction(Buffer.from(record.envelope_xdr, 'base64'), networkId(SANDBOX_PASSPHRASE)),
    applicationOrder: Number((BigInt(record.paging_token) >> 12n) & 0xfffffn),
    successful: record.successful,
    feeCharged: BigInt(record.fee_charged),
    resultXdr: Buffer.from(record.result_xdr, 'base64'),
    feeChangesXdr,
    refundChangesXdr: NO_CHANGES,
    meta,
    metaXdr: xdr.TransactionMeta.schema.encode(meta),
  };
  // An OperationMeta is only a list of changes.
  return { closed, fees: xdr.OperationMeta.schema.decode(feeChangesXdr).changes };
}

/** An empty list in XDR. */
const NO_CHANGES = Buffer.alloc(4);

/** Protocol 19 had version 2: the same changes as in ledgers since protocol 23, without the events. */
function asVersion4(metaXdr: Uint8Array): xdr.TransactionMetaWire {
  const meta = xdr.TransactionMeta.schema.decode(metaXdr);
  if (meta.v !== 2) throw new Error('not a recording of protocol 19');
  const { txChangesBefore, operations, txChangesAfter } = meta.v2;
  const ext = { v: 0 } as const;
  return {
    v: 4,
    v4: {
      ext,
      txChangesBefore,
      txChangesAfter,
      sorobanMeta: null,
      events: [],
      diagnosticEvents: [],
      operations: operations.map(({ changes }) => ({ ext, changes, events: [] })),
    },
  };
}

function operationChanges(meta: xdr.TransactionMetaWire): Changes {
  if (meta.v !== 4) return [];
  const { txChangesBefore, operations, txChangesAfter } = meta.v4;
  return [...txChangesBefore, ...operations.flatMap(({ changes }) => changes), ...txChangesAfter];
}

function changeOf(change: xdr.LedgerEntryChangeWire): EntryChange[] {
  const written = (after: Entry) => [{ key: keyOf(after), before: undefined, after }];
  if (change.type === 0) return written(change.created);
  if (change.type === 1) return written(change.updated);
  if (change.type !== 2) return [];
  const key = Buffer.from(xdr.LedgerKey.schema.encode(change.removed)).toString('base64');
  return [{ key, before: undefined, after: undefined }];
}
