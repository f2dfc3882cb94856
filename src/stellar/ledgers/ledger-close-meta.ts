/** Pure: the header and the transactions in a LedgerCloseMeta. */
import { xdr } from '../protocol/sdk.ts';
import type { LedgerTransaction } from '../stellar.ts';
import { envelopeHash } from '../transactions/envelope.ts';
import { type Header, historyHeader } from './ledger-header.ts';
import { partsOf, type XdrSchema } from './xdr-parts.ts';

const HEADER = xdr.LedgerHeaderHistoryEntry.schema;
const ENVELOPE = xdr.TransactionEnvelope.schema;
/** The signed part of an envelope. That of a fee-bump has another envelope inside. */
const SIGNED = new Set<XdrSchema>([
  xdr.TransactionV0.schema,
  xdr.Transaction.schema,
  xdr.FeeBumpTransaction.schema,
]);
const PAIR = xdr.TransactionResultPair.schema;
const META = xdr.TransactionMeta.schema;
const visitParts = partsOf(xdr.LedgerCloseMeta.schema, [HEADER, ENVELOPE, ...SIGNED, PAIR, META]);

const HASH_BYTES = 32;

/**
 * Splits a LedgerCloseMeta. The transactions are in the order of their results, which is the order of application. The
 * envelopes have another order, so they are found by hash.
 * @throws UnusableAnswer for another ledger; Error for bytes that are no LedgerCloseMeta, or a result without an envelope.
 */
export function readLedgerCloseMeta(
  options: { method: string; passphrase: string; sequence: number },
  bytes: Buffer,
): { header: Header; transactions: LedgerTransaction[] } {
  const { method, passphrase, sequence } = options;
  const headers: Buffer[] = [];
  const envelopes = new Map<string, Buffer>();
  const pairs: Buffer[] = [];
  const metas: Buffer[] = [];
  let signed_end = 0;
  visitParts(bytes, (type, start, end) => {
    if (SIGNED.has(type)) {
      signed_end = end;
      return;
    }
    const part = bytes.subarray(start, end);
    if (type === ENVELOPE) envelopes.set(envelopeHash(passphrase, part, signed_end - start), part);
    else if (type === PAIR) pairs.push(part);
    else if (type === META) metas.push(part);
    else headers.push(part);
  });
  const transactions = pairs.map((pair, index) => {
    const hash = pair.toString('hex', 0, HASH_BYTES);
    const envelope = envelopes.get(hash);
    if (!envelope) throw new Error(`a result without its transaction: ${hash}`);
    const [result, meta] = [pair.subarray(HASH_BYTES), metas[index] ?? null];
    return { ledger: sequence, hash, envelope, result, meta };
  });
  return { header: historyHeader(method, sequence, headers[0] ?? Buffer.alloc(0)), transactions };
}
