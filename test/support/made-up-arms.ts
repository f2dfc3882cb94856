/** Recorded ledgers with arms that no version knows, as a network would have closed them, and servers that give them. */
import { strict as assert } from 'node:assert';
import { hash as digest } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { framesOf } from '../../sandbox/replay/frames.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createLog } from '../../src/lib/log.ts';
import { createMetrics } from '../../src/lib/metrics.ts';
import type { HttpRequest, HttpResponse } from '../../src/stellar/answers/transport.ts';
import { readLedgerCloseMeta } from '../../src/stellar/ledgers/ledger-close-meta.ts';
import { partsOf, type XdrSchema } from '../../src/stellar/ledgers/xdr-parts.ts';
import { xdr } from '../../src/stellar/protocol/sdk.ts';
import { createStellar } from '../../src/stellar/sources/create-stellar.ts';
import type { LedgerTransaction } from '../../src/stellar/stellar.ts';
import { envelopeHash, signaturesEnd } from '../../src/stellar/transactions/envelope.ts';
import { PASSPHRASE } from './ledger-xdr.ts';

export const UNKNOWN = 77;

/** A ledger by parts. `set`: the transaction set. `meta`: the LedgerCloseMeta. */
export type MadeUp = {
  sequence: number;
  close_time: bigint;
  entry: Buffer;
  set: Buffer;
  meta: Buffer;
  transactions: LedgerTransaction[];
};

const RECORDINGS = join(import.meta.dirname, '../../sandbox/testing/recordings');

/** The metas of all ledgers of a recorded stellar-core. */
export function recordedMetas(): Buffer[] {
  const file = gunzipSync(readFileSync(join(RECORDINGS, 'replay-core-27/meta.xdr.gz')));
  return [...framesOf(file)].map((frame) => Buffer.from(frame));
}

export function ledgerOf(meta: Buffer): MadeUp {
  const { ledgerHeader, txSet } = xdr.LedgerCloseMeta.fromXdr(meta).value as xdr.LedgerCloseMetaV2;
  const { ledgerSeq: sequence, scpValue } = ledgerHeader.header;
  const entry = Buffer.from(ledgerHeader.toXdr());
  const set = Buffer.from((txSet as unknown as xdr.GeneralizedTransactionSet).toXdr());
  const options = { method: 'test', passphrase: PASSPHRASE, sequence };
  const { transactions } = readLedgerCloseMeta(options, meta);
  return { sequence, close_time: scpValue.closeTime, entry, set, meta, transactions };
}

/** A place of a discriminant or an enum in a ledger. */
type Place = { at: number; type: XdrSchema };

/** Every place where the ledger has a union or an enum. */
export function placesIn(meta: Buffer): Place[] {
  const places: Place[] = [];
  const schemas = [...schemasIn(xdr.LedgerCloseMeta.schema)];
  const parts = schemas.filter(({ kind }) => kind === 'union' || kind === 'enum');
  partsOf(xdr.LedgerCloseMeta.schema, parts)(meta, (type, at) => places.push({ at, type }));
  return places;
}

function schemasIn(type: XdrSchema, seen = new Set<XdrSchema>()): Set<XdrSchema> {
  if (seen.has(type)) return seen;
  seen.add(type);
  const schema = type as XdrSchema & {
    entries?: [string, XdrSchema][];
    cases?: { arm: { schema?: XdrSchema } }[];
    element?: XdrSchema;
    getSchema?: () => XdrSchema;
  };
  const inner = [
    ...(schema.entries ?? []).map(([, each]) => each),
    ...(schema.cases ?? []).map(({ arm }) => arm.schema),
    schema.element,
    schema.getSchema?.(),
  ];
  for (const each of inner) if (each) schemasIn(each, seen);
  return seen;
}

/** The first place of a type in the result of a transaction. */
export function placeInResult(
  { meta, transactions }: MadeUp,
  index: number,
  name: string = 'OperationResultTr',
): number {
  const result = (transactions[index] as LedgerTransaction).result;
  const start = result.byteOffset - meta.byteOffset;
  const places = placesIn(meta).filter(({ at }) => at >= start && at < start + result.length);
  const place = places.filter(({ type }) => type.name === name).toSorted((a, b) => a.at - b.at)[0];
  assert.ok(place);
  return place.at;
}

/** The ledger with an unknown arm at this place, with the hashes that a network would have given it. */
export function withArmAt(ledger: MadeUp, at: number): MadeUp {
  const meta = Buffer.from(ledger.meta);
  meta.writeUInt32BE(UNKNOWN, at);
  const entry_at = meta.indexOf(ledger.entry.subarray(0, 32));
  const entry = meta.subarray(entry_at, entry_at + ledger.entry.length);
  const set_at = entry_at + entry.length;
  const set = meta.subarray(set_at, set_at + ledger.set.length);
  const transactions = ledger.transactions.map((each) => {
    const partAt = (part: Buffer) => {
      const start = part.byteOffset - ledger.meta.byteOffset;
      return meta.subarray(start, start + part.length);
    };
    const [envelope, result] = [partAt(each.envelope), partAt(each.result)];
    const hash = envelopeHash(PASSPHRASE, envelope, signedEnd(each.envelope, each.hash));
    meta.write(hash, result.byteOffset - meta.byteOffset - 32, 'hex');
    return { ledger: each.ledger, hash, envelope, result, meta: each.meta && partAt(each.meta) };
  });
  return rehashed({ ...ledger, entry, set, meta, transactions });
}

function signedEnd(envelope: Buffer, hash: string): number {
  for (let end = 4; end < envelope.length; end += 4)
    if (signaturesEnd(envelope, end) === envelope.length && envelopeHash(PASSPHRASE, envelope, end) === hash)
      return end;
  throw new Error('no envelope');
}

/** Writes the hashes of set, results and header into the header, in place. */
function rehashed(ledger: MadeUp): MadeUp {
  const { entry, set, transactions } = ledger;
  const header = entry.subarray(32, -4);
  const results = header.length - 4 - 236; // the recorded headers end with a known ext
  digest('sha256', set, 'buffer').copy(header, 36);
  const count = Buffer.alloc(4);
  count.writeUInt32BE(transactions.length);
  const pairs = transactions.flatMap(({ hash, result }) => [Buffer.from(hash, 'hex'), result]);
  digest('sha256', Buffer.concat([count, ...pairs]), 'buffer').copy(header, results);
  digest('sha256', header, 'buffer').copy(entry);
  return ledger;
}

/** What a server says: of the ledger, and of its transactions one by one. A lying one says other transactions. */
export type Said = MadeUp & { said?: LedgerTransaction[] };

const json = (value: unknown): HttpResponse => ({ status: 200, text: JSON.stringify(value) });
const base64 = (bytes: Buffer | null) => bytes?.toString('base64');

function rpcAnswer({ sequence, close_time, ...ledger }: Said, body: HttpRequest['body']): HttpResponse {
  const { method, params } = JSON.parse(body?.text ?? '');
  const result = (value: unknown) => json({ result: value });
  const latestLedgerCloseTime = Number(close_time);
  const range = { oldestLedger: 2, latestLedger: sequence, latestLedgerCloseTime };
  if (method === 'getNetwork') return result({ passphrase: PASSPHRASE });
  if (method === 'getHealth') return result(range);
  const [headerXdr, metadataXdr] = [base64(ledger.entry), base64(ledger.meta)];
  if (method === 'getLedgers') return result({ ...range, ledgers: [{ sequence, headerXdr, metadataXdr }] });
  if (method !== 'getTransactions') return json({ error: { code: -32601, message: method } });
  // Two on a page: a page may end anywhere.
  const from = params.startLedger ? 0 : Number(params.pagination.cursor);
  const transactions = (ledger.said ?? ledger.transactions).slice(from, from + 2).map((each) => ({
    txHash: each.hash,
    ledger: each.ledger,
    envelopeXdr: base64(each.envelope),
    resultXdr: base64(each.result),
    resultMetaXdr: base64(each.meta),
  }));
  return result({ transactions, cursor: `${from + transactions.length}` });
}

function horizonAnswer({ sequence, ...ledger }: Said, url: URL): HttpResponse {
  const page = (records: unknown[]) => json({ _embedded: { records } });
  if (url.pathname === '/ledgers')
    return page([{ sequence, header_xdr: base64(ledger.entry.subarray(32, -4)) }]);
  if (url.pathname !== '/transactions')
    return json({
      network_passphrase: PASSPHRASE,
      history_latest_ledger: sequence,
      history_elder_ledger: 2,
      _links: {},
    });
  const cursor = BigInt(url.searchParams.get('cursor') ?? 0);
  const from = cursor < 1n << 62n ? 0 : Number(cursor - (1n << 62n));
  const said = ledger.said ?? ledger.transactions;
  return page(
    said.slice(from, from + 2).map((each, index) => ({
      hash: each.hash,
      ledger: each.ledger,
      paging_token: `${(1n << 62n) + BigInt(from + index + 1)}`,
      envelope_xdr: base64(each.envelope),
      result_xdr: base64(each.result),
      result_meta_xdr: base64(each.meta),
    })),
  );
}

/** Our chain over one server of this kind, which says this. `lines`: what is logged. */
export function chainThatSays(kind: 'rpc' | 'horizon', said: Said) {
  const metrics = createMetrics();
  const lines: { details: Record<string, unknown>; message: string }[] = [];
  const log = createLog('silent', false);
  log.warn = ((details: Record<string, unknown>, message: string) =>
    lines.push({ details, message })) as unknown as typeof log.warn;
  const send = async ({ url, body }: HttpRequest) =>
    kind === 'rpc' ? rpcAnswer(said, body) : horizonAnswer(said, new URL(url));
  const urls = { rpc_urls: [] as string[], horizon_urls: [] as string[] };
  urls[`${kind}_urls`].push('http://node');
  const stellar = createStellar({
    ...urls,
    passphrase: PASSPHRASE,
    clock: systemClock,
    log,
    metrics,
    transport: { send, close: async () => undefined },
  });
  const read = () => stellar.readLedgersAfter(said.sequence - 1, null);
  return { stellar, read, metrics, lines };
}
