import { xdr } from '@stellar/stellar-sdk/base';

/**
 * Encodes each object once. The bytes of an entry are needed in fee changes, meta, the digest of the state and the
 * store, those of an event in meta and in RPC's answers. Neither object is ever changed.
 */
function encodedOnce<T extends object>(schema: { encode(value: T): Uint8Array }): (value: T) => Uint8Array {
  const known = new WeakMap<T, Uint8Array>();
  return (value) => {
    const before = known.get(value);
    if (before !== undefined) return before;
    const encoded = schema.encode(value);
    known.set(value, encoded);
    return encoded;
  };
}

export const entryXdr = encodedOnce<xdr.LedgerEntryWire>(xdr.LedgerEntry.schema);
export const contractEventXdr = encodedOnce<xdr.ContractEventWire>(xdr.ContractEvent.schema);
export const transactionEventXdr = encodedOnce<xdr.TransactionEventWire>(xdr.TransactionEvent.schema);
