/** Pure: the arms of later protocols in a transaction, which this version cannot decode. */
import { KNOWN_PROTOCOL } from '../protocol/known-protocol.ts';
import { xdr } from '../protocol/sdk.ts';
import type { LedgerTransaction, UnknownMet } from '../stellar.ts';
import type { Header } from './ledger-header.ts';
import { partsOf, UnknownArm } from './xdr-parts.ts';

const WALKS = {
  envelope: partsOf(xdr.TransactionEnvelope.schema, []),
  result: partsOf(xdr.TransactionResult.schema, []),
  meta: partsOf(xdr.TransactionMeta.schema, []),
};

/** Why the bytes are not one value of this type, as far as arms and lengths show it; null when they are one. */
export function whyNot(part: keyof typeof WALKS, bytes: Buffer): Error | null {
  try {
    WALKS[part](bytes, () => undefined);
    return null;
  } catch (error) {
    return error as Error;
  }
}

/**
 * Why envelope or result cannot be decoded, in words; null when both can. A meta is not looked at: where envelope and result
 * are known, the envelope names every account that the transaction pays.
 */
export function whyUnknown(transaction: Pick<LedgerTransaction, 'envelope' | 'result'>): string | null {
  const fault = whyNot('envelope', transaction.envelope) ?? whyNot('result', transaction.result);
  return fault && `${fault.message}; this version knows protocol ${KNOWN_PROTOCOL}`;
}

/** The transaction, and in `unknown` why it cannot be decoded. */
export function marked(transaction: LedgerTransaction): LedgerTransaction {
  const unknown = whyUnknown(transaction);
  return unknown === null ? transaction : { ...transaction, unknown };
}

/** The unknown arms of a ledger. `beside`: one that stands in none of these parts. */
export function armsMet(
  header: Header,
  transactions: LedgerTransaction[],
  beside: UnknownArm | null = null,
): UnknownMet[] {
  const faults = transactions.flatMap(({ envelope, result, meta }) => [
    whyNot('envelope', envelope),
    whyNot('result', result),
    meta && whyNot('meta', meta),
  ]);
  return [beside, header.unknown, ...faults].flatMap((fault) => {
    if (!(fault instanceof UnknownArm)) return [];
    const { type, discriminant } = fault;
    return [{ type, discriminant, protocol_version: header.protocol_version }];
  });
}
