import { xdr } from '@stellar/stellar-sdk/base';
import { contractEventXdr, entryXdr, transactionEventXdr } from './encoded.ts';
import { uint32 } from './wire.ts';

/** Parts of one encoding in their order, in one flat list, so that the bytes are copied once. */
type Parts = Uint8Array[];

const VERSION_4 = uint32(4);
const NO_EXTENSION = uint32(0);
const ABSENT = uint32(0);
const PRESENT = uint32(1);

/** LedgerEntryChanges. */
export function changesXdr(changes: xdr.LedgerEntryChangeWire[]): Buffer {
  return Buffer.concat(changesParts(changes));
}

/** TransactionMeta of version 4, equal to the encoding by its schema, built from encoded entries and events. */
export function metaXdr(meta: xdr.TransactionMetaV4Wire): Buffer {
  const { sorobanMeta } = meta;
  return Buffer.concat([
    VERSION_4,
    NO_EXTENSION,
    ...changesParts(meta.txChangesBefore),
    ...arrayParts(meta.operations, operationParts),
    ...changesParts(meta.txChangesAfter),
    ...(sorobanMeta === null ? [ABSENT] : [PRESENT, xdr.SorobanTransactionMetaV2.schema.encode(sorobanMeta)]),
    ...arrayParts(meta.events, (event) => [transactionEventXdr(event)]),
    ...arrayParts(meta.diagnosticEvents, (event) => [xdr.DiagnosticEvent.schema.encode(event)]),
  ]);
}

function operationParts({ changes, events }: xdr.OperationMetaV2Wire): Parts {
  return [
    NO_EXTENSION,
    ...changesParts(changes),
    ...arrayParts(events, (event) => [contractEventXdr(event)]),
  ];
}

function changesParts(changes: xdr.LedgerEntryChangeWire[]): Parts {
  return arrayParts(changes, (change) => [uint32(change.type), changedXdr(change)]);
}

function changedXdr(change: xdr.LedgerEntryChangeWire): Uint8Array {
  if (change.type === 2) return xdr.LedgerKey.schema.encode(change.removed);
  if (change.type === 0) return entryXdr(change.created);
  if (change.type === 1) return entryXdr(change.updated);
  return entryXdr(change.type === 3 ? change.state : change.restored);
}

function arrayParts<T>(elements: T[], parts: (element: T) => Parts): Parts {
  return [uint32(elements.length), ...elements.flatMap(parts)];
}
