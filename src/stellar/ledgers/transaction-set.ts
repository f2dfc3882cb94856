/**
 * Pure: proves the borders of transactions whose results hold an arm that we do not know. The header covers count, hashes and
 * results in one row of bytes, and nobody can see where a result of an unknown form ends. A source that lies could put one
 * transaction into the unknown result of another, and take two out of a third (a fee-bump's result has two hashes).
 *
 * | what a lying source could do                          | what it meets                                               |
 * |-------------------------------------------------------|-------------------------------------------------------------|
 * | leave out the envelope of a transaction               | the header has the hash of the transaction set: from its    |
 * |                                                       | first byte to its last, the set must be these envelopes     |
 * | give the transaction inside a fee-bump as its own     | it is no part of the set, only of another envelope          |
 * | cut an envelope of an unknown form in two, or join    | all bytes stay in envelopes, and are searched for our keys. |
 * | it with its neighbour                                 | `doubtsOf` finds another end of the same envelope whose hash |
 * |                                                       | the results have: such a transaction is quarantined          |
 */
import { createHash, hash as digest } from 'node:crypto';
import { xdr } from '../protocol/sdk.ts';
import type { LedgerTransaction } from '../stellar.ts';
import { signaturesEnd, signedPrefix } from '../transactions/envelope.ts';
import type { Header } from './ledger-header.ts';
import { whyNot } from './unknown-arms.ts';
import { endOf, UnknownArm, type XdrSchema } from './xdr-parts.ts';

/** An envelope, and where it begins in the transaction set. */
export type Placed = { transaction: LedgerTransaction; at: number };
export type TransactionSet = { bytes: Buffer; placed: Placed[] };

const ENVELOPE: XdrSchema = xdr.TransactionEnvelope.schema;
/** Two envelopes hardly ever have these first bytes in common: type, source, fee and sequence number. */
const FIRST_BYTES = 52;

/**
 * Reads the transaction set at the beginning of these bytes. Null when it has other envelopes than these transactions, or the
 * header has another hash.
 */
export function transactionSet(
  header: Pick<Header, 'tx_set_hash'>,
  bytes: Buffer,
  transactions: readonly LedgerTransaction[],
): TransactionSet | null {
  const first = (envelope: Buffer) => envelope.toString('hex', 0, FIRST_BYTES);
  const left = Map.groupBy(transactions, ({ envelope }) => first(envelope));
  const placed: Placed[] = [];
  const walkEnvelope = (_: Uint8Array, at: number): number => {
    const candidates = left.get(first(bytes.subarray(at))) ?? [];
    const index = candidates.findIndex(({ envelope }) =>
      envelope.equals(bytes.subarray(at, at + envelope.length)),
    );
    const [transaction] = index < 0 ? [] : candidates.splice(index, 1);
    if (!transaction) throw new Error('an envelope that the source does not give');
    placed.push({ transaction, at });
    return at + transaction.envelope.length;
  };
  try {
    const end = endOf(xdr.GeneralizedTransactionSet.schema, new Map([[ENVELOPE, walkEnvelope]]))(bytes, 0);
    const set = bytes.subarray(0, end);
    const isProven = placed.length === transactions.length && header.tx_set_hash.equals(sha256(set));
    return isProven ? { bytes: set, placed } : null;
  } catch {
    return null; // not the bytes of such a set
  }
}

/**
 * Tells which transactions may be cut out of others: those whose hash the results have twice, and those behind an envelope of
 * an unknown form that could end elsewhere. It takes some time, so it is done when the first transaction is asked for.
 */
export function doubtsOf(
  passphrase: string,
  { bytes, placed }: TransactionSet,
  transactions: readonly LedgerTransaction[],
): (transaction: LedgerTransaction) => boolean {
  let doubtful: Set<LedgerTransaction> | null = null;
  const find = () => {
    const first = transactions.findIndex(({ result }) => whyNot('result', result) instanceof UnknownArm);
    const loose = new Set(transactions.slice(first + 1)); // the bytes before prove their own borders
    const others = otherHashes(transactions.slice(first));
    const cut = placed.findIndex(({ transaction: { envelope }, at }) => {
      const isKnown = whyNot('envelope', envelope) === null;
      return !isKnown && endsElsewhere(passphrase, bytes.subarray(at), envelope.length, others);
    });
    const behind = cut < 0 ? [] : placed.slice(cut).map(({ transaction }) => transaction);
    const twice = transactions.filter(({ hash }) => others.has(hash));
    return new Set([...behind, ...twice].filter((transaction) => loose.has(transaction)));
  };
  return (transaction) => {
    doubtful ??= find();
    return doubtful.has(transaction);
  };
}

const HASH_BYTES = 32;

/** Returns every row of 32 bytes in these pairs that could be a hash, without the hashes of the transactions. */
function otherHashes(transactions: readonly LedgerTransaction[]): Set<string> {
  const pairs = Buffer.concat(transactions.flatMap(({ hash, result }) => [Buffer.from(hash, 'hex'), result]));
  const own = new Set<number>();
  let at = 0;
  for (const { result } of transactions) {
    own.add(at);
    at += HASH_BYTES + result.length;
  }
  const others = new Set<string>();
  for (let place = 0; place + HASH_BYTES <= pairs.length; place += 4)
    if (!own.has(place)) others.add(pairs.toString('hex', place, place + HASH_BYTES));
  return others;
}

/** Returns true when an envelope that begins here could end at another place than `length`, with one of these hashes. */
function endsElsewhere(passphrase: string, bytes: Buffer, length: number, hashes: Set<string>): boolean {
  const { prefix, from } = signedPrefix(passphrase, bytes);
  const hashed = createHash('sha256').update(prefix);
  let hashed_to = from;
  for (let end = from; end + 4 <= bytes.length; end += 4) {
    const whole = signaturesEnd(bytes, end);
    if (whole === null || whole === length) continue;
    hashed.update(bytes.subarray(hashed_to, end));
    hashed_to = end;
    if (hashes.has(hashed.copy().digest('hex'))) return true;
  }
  return false;
}

function sha256(bytes: Buffer): Buffer {
  return digest('sha256', bytes, 'buffer');
}
