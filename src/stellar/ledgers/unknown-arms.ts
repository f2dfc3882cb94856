/** Pure: the arms of later protocols in a transaction, which this version cannot decode. */
import { KNOWN_PROTOCOL } from '../protocol/known-protocol.ts';
import { xdr } from '../protocol/sdk.ts';
import type { LedgerTransaction, UnknownMet } from '../stellar.ts';
import type { Header } from './ledger-header.ts';
import type { WholeLedger } from './ledger-range.ts';
import { partsOf, UnknownArm } from './xdr-parts.ts';

const WALKS = {
  envelope: partsOf(xdr.TransactionEnvelope.schema, []),
  result: partsOf(xdr.TransactionResult.schema, []),
  meta: partsOf(xdr.TransactionMeta.schema, []),
};

/** Says why the bytes are not one value of this type, as far as arms and lengths show it; null when they are one. */
export function whyNot(part: keyof typeof WALKS, bytes: Buffer): Error | null {
  try {
    WALKS[part](bytes, () => undefined);
    return null;
  } catch (error) {
    return error as Error;
  }
}

/**
 * Says why envelope or result cannot be decoded, in words; null when both can. A meta is not looked at: where envelope and result
 * are known, the envelope names every account that the transaction pays.
 */
export function whyUnknown(transaction: Pick<LedgerTransaction, 'envelope' | 'result'>): string | null {
  return inWords(whyNot('envelope', transaction.envelope) ?? whyNot('result', transaction.result));
}

function inWords(fault: Error | null): string | null {
  return fault && `${fault.message}; this version knows protocol ${KNOWN_PROTOCOL}`;
}

/** Returns the transaction, and in `unknown` why it cannot be decoded. */
export function marked(transaction: LedgerTransaction, unknown = whyUnknown(transaction)): LedgerTransaction {
  return unknown === null ? transaction : { ...transaction, unknown };
}

/** Returns the ledger with its transactions marked, and the unknown arms that it has. Each part is walked once. */
export function wholeLedger(header: Header, transactions: LedgerTransaction[]): WholeLedger {
  const faults: (Error | null)[] = [header.unknown];
  const all = transactions.map((transaction) => {
    const envelope = whyNot('envelope', transaction.envelope);
    const result = whyNot('result', transaction.result);
    faults.push(envelope, result, transaction.meta && whyNot('meta', transaction.meta));
    return marked(transaction, inWords(envelope ?? result));
  });
  const unknown = faults.flatMap((fault) => (fault instanceof UnknownArm ? [metIn(header, fault)] : []));
  return { header, transactions: all, ...(unknown.length > 0 && { unknown }) };
}

export function metIn({ protocol_version }: Header, { type, discriminant }: UnknownArm): UnknownMet {
  return { type, discriminant, protocol_version };
}
