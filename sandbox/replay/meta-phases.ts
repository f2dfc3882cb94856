import type { xdr } from '@stellar/stellar-sdk/base';

export type Phase = { what: string; changes: xdr.LedgerEntryChangeWire[] };

/** The changes of a transaction, by the parts of its meta. */
export function phasesOf(meta: xdr.TransactionMetaWire): Phase[] {
  if (meta.v !== 2 && meta.v !== 4) throw new Error(`TransactionMeta v${meta.v} cannot be compared`);
  const parts = meta.v === 2 ? meta.v2 : meta.v4;
  return [
    { what: 'before', changes: parts.txChangesBefore },
    ...parts.operations.map(({ changes }, index) => ({ what: `of operation ${index}`, changes })),
    { what: 'after', changes: parts.txChangesAfter },
  ];
}
