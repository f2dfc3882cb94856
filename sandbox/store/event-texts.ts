import type { xdr } from '@stellar/stellar-sdk/base';
import { base64 } from '../ledger/bytes.ts';
import { contractEventXdr, transactionEventXdr } from '../ledger/encoded.ts';

/** RPC's `events` object: base64 XDR of the events of the transaction and of each operation. */
export type EventTexts = { transactionEventsXdr: string[]; contractEventsXdr: string[][] };

export function eventsOf(meta: xdr.TransactionMetaWire): EventTexts {
  if (meta.v !== 4) return { transactionEventsXdr: [], contractEventsXdr: [] };
  return {
    transactionEventsXdr: meta.v4.events.map((event) => base64(transactionEventXdr(event))),
    contractEventsXdr: meta.v4.operations.map(({ events }) =>
      events.map((event) => base64(contractEventXdr(event))),
    ),
  };
}
