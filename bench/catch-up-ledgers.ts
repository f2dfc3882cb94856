/** Ledgers of the public network, or as large: recorded ledgers with changed transactions, results and headers. */
import { hash as digest } from 'node:crypto';
import { xdr } from '@stellar/stellar-sdk/base';
import { bytesIn, missing } from '../sandbox/testing/recorded-ledgers.ts';
import { partsOf } from '../src/stellar/ledgers/xdr-parts.ts';
import { envelopeHash, networkId } from '../src/stellar/transactions/envelope.ts';
import { madeLedgers } from './catch-up-made.ts';

/** LedgerCloseMetas of one network, in XDR. */
export type Templates = { name: string; passphrase: string; metas: Buffer[] };

export type ServedTransaction = {
  hash: string;
  successful: boolean;
  envelope: Buffer;
  result: Buffer;
  meta: Buffer;
};
export type ServedLedger = {
  sequence: number;
  close_time: number;
  hash: Buffer;
  meta: Buffer;
  transactions: ServedTransaction[];
};

const RECORDED = ['51000294', '63092990', '63092996'].map((name) => `wallet-backend/ledger-${name}.xdr.gz`);

/** Recordings of the public network if they are on this machine; else ledgers made by the sandbox. */
export function templates(): Templates {
  if (RECORDED.some(missing)) return madeLedgers();
  return {
    name: 'recorded on the public network',
    passphrase: 'Public Global Stellar Network ; September 2015',
    metas: RECORDED.map(bytesIn),
  };
}

const HEADER = xdr.LedgerHeaderHistoryEntry.schema;
const [V0, V1, BUMP] = [xdr.TransactionV0.schema, xdr.Transaction.schema, xdr.FeeBumpTransaction.schema];
const ENVELOPE = xdr.TransactionEnvelope.schema;
const PAIR = xdr.TransactionResultPair.schema;
const META = xdr.TransactionMeta.schema;
const visitParts = partsOf(xdr.LedgerCloseMeta.schema, [HEADER, V0, V1, BUMP, ENVELOPE, PAIR, META]);

type Part = { start: number; end: number };
type Renamed = { envelope: Part; hash: string; inner_hash: string };

/** Successive ledgers, five seconds apart up to `now`. No two of them share a transaction. */
export function* ledgersLike(
  { passphrase, metas }: Templates,
  { first, count, now }: { first: number; count: number; now: number },
): Generator<ServedLedger> {
  let previous: Buffer = Buffer.alloc(32);
  for (let index = 0; index < count; index++) {
    const template = metas[index % metas.length] as Buffer;
    const at = { sequence: first + index, close_time: now - (count - index) * 5, previous };
    const ledger = remade(passphrase, template, at);
    previous = ledger.hash;
    yield ledger;
  }
}

/** A copy of the ledger with other sequence numbers, so that every transaction has another hash. */
function remade(
  passphrase: string,
  template: Buffer,
  at: { sequence: number; close_time: number; previous: Buffer },
): ServedLedger {
  const bytes = Buffer.from(template);
  const parts = partsIn(template);
  const renamed = new Map(
    parts.envelopes.map((envelope) => {
      addToSequence(bytes, envelope.tx, at.sequence);
      const own = (from: Buffer) =>
        envelopeHash(passphrase, part(from, envelope), envelope.signed_end - envelope.start);
      return [
        own(template),
        { envelope, hash: own(bytes), inner_hash: innerHash(passphrase, part(bytes, envelope.tx)) },
      ];
    }),
  );
  const transactions = parts.pairs.map((pair, index) => {
    const names = renamed.get(template.toString('hex', pair.start, pair.start + 32)) as Renamed;
    return rename(bytes, pair, names, parts.metas[index] as Part);
  });
  const count = Buffer.alloc(4);
  count.writeUInt32BE(transactions.length);
  const results = Buffer.concat([count, ...parts.pairs.map((pair) => part(bytes, pair))]);
  const { header } = HEADER.decode(part(template, parts.header));
  Object.assign(header, {
    ledgerSeq: at.sequence,
    previousLedgerHash: at.previous,
    txSetResultHash: sha256(results),
  });
  setCloseTime(header.scpValue, BigInt(at.close_time));
  const encoded = Buffer.from(xdr.LedgerHeader.schema.encode(header));
  const hash = sha256(encoded);
  bytes.set(Buffer.concat([hash, encoded]), parts.header.start);
  return { sequence: at.sequence, close_time: at.close_time, hash, meta: bytes, transactions };
}

/** From protocol 30 on the header's arm has the time in milliseconds too (CAP-88). */
function setCloseTime(value: xdr.StellarValueWire, close_time: bigint): void {
  value.closeTime = close_time;
  for (const part of Object.values(value.ext))
    if (typeof part === 'object' && 'closeTimeMs' in part) part.closeTimeMs = close_time * 1000n;
}

function partsIn(bytes: Buffer) {
  const envelopes: (Part & { tx: Part; signed_end: number })[] = [];
  const [pairs, metas]: [Part[], Part[]] = [[], []];
  let header: Part = { start: 0, end: 0 };
  let tx: Part = header;
  let signed_end = 0;
  visitParts(bytes, (type, start, end) => {
    if (type === HEADER) header = { start, end };
    else if (type === PAIR) pairs.push({ start, end });
    else if (type === META) metas.push({ start, end });
    else if (type === ENVELOPE) envelopes.push({ start, end, tx, signed_end });
    else {
      signed_end = end;
      if (type !== BUMP) tx = { start, end };
    }
  });
  return { header, envelopes, pairs, metas };
}

/** A transaction begins with source account, fee and sequence number. A V0 transaction has the bare key as its source. */
function addToSequence(bytes: Buffer, { start }: Part, more: number): void {
  const key_type = bytes.readUInt32BE(start);
  const source_bytes = key_type === 0 ? 36 : key_type === 0x100 ? 44 : 32;
  const at = start + source_bytes + 4;
  bytes.writeBigInt64BE(bytes.readBigInt64BE(at) + BigInt(more), at);
}

function innerHash(passphrase: string, transaction: Buffer): string {
  const TX = Buffer.from([0, 0, 0, 2]);
  return sha256(Buffer.concat([networkId(passphrase), TX, transaction])).toString('hex');
}

/** The TransactionResultCodes whose results name the inner transaction. */
const FEE_BUMP_CODES = [1, -13];

function rename(
  bytes: Buffer,
  pair: Part,
  { hash, inner_hash, envelope }: Renamed,
  meta: Part,
): ServedTransaction {
  bytes.write(hash, pair.start, 'hex');
  const [fee_bytes, code_at] = [8, pair.start + 32 + 8];
  const code = bytes.readInt32BE(code_at);
  if (FEE_BUMP_CODES.includes(code)) bytes.write(inner_hash, code_at + 4, 'hex');
  return {
    hash,
    successful: code === 0 || code === 1,
    envelope: part(bytes, envelope),
    result: bytes.subarray(code_at - fee_bytes, pair.end),
    meta: part(bytes, meta),
  };
}

const part = (bytes: Buffer, { start, end }: Part) => bytes.subarray(start, end);
const sha256 = (bytes: Uint8Array) => digest('sha256', bytes, 'buffer');
