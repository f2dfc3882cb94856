import { xdr } from '@stellar/stellar-sdk/base';
import { base64 } from '../ledger/bytes.ts';
import type { Entry } from '../ledger/entry.ts';
import { resultText } from '../ledger/result-text.ts';

export function entryText(entry: Entry | undefined): string {
  return entry === undefined ? 'none' : base64(xdr.LedgerEntry.schema.encode(entry));
}

export function changesText(changes: xdr.LedgerEntryChangeWire[]): string {
  return changes.map((change) => JSON.stringify(xdr.LedgerEntryChange.fromXdrObject(change))).join('\n');
}

/** The events of a transaction in base64: those of its fee, then those of each operation. */
export function eventTexts({ events, operations }: xdr.TransactionMetaV4Wire): string[] {
  return [
    ...events.map((event) => `of the fee ${base64(xdr.TransactionEvent.schema.encode(event))}`),
    ...operations.flatMap(({ events: own }, index) =>
      own.map((event) => `of operation ${index} ${base64(xdr.ContractEvent.schema.encode(event))}`),
    ),
  ];
}

/** In base64. */
export function resultXdr(result: xdr.TransactionResultWire): string {
  return base64(xdr.TransactionResult.schema.encode(result));
}

/** In words, followed by base64. */
export function describeResult(result: xdr.TransactionResultWire): string {
  return `${resultText(xdr.TransactionResult.fromXdrObject(result))} ${resultXdr(result)}`;
}
