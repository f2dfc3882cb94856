/**
 * A Stellar RPC server for the catch-up bench, in its own process. It serves `count` ledgers from `first` on. It uses little
 * CPU, because it prepares the bytes of all answers at the start.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { xdr } from '@stellar/stellar-sdk/base';
import { eventsOf } from '../sandbox/store/event-texts.ts';
import { ledgersLike, type ServedLedger, type ServedTransaction, templates } from './catch-up-ledgers.ts';
import { madeLedgers, type PaidAsset } from './catch-up-made.ts';

/** `made`: ledgers of the sandbox with such payments, also where recordings are. */
export type NodeOrder = { first: number; count: number; made?: PaidAsset };
export type NodeReady = { url: string; ledger_bytes: number; transaction_bytes: number };

const { first, count, made } = JSON.parse(process.argv[2] ?? '{}') as NodeOrder;
const last = first + count - 1;
const MAX_TRANSACTIONS = 200;

const template = made ? madeLedgers(made) : templates();
const known = new Map<string, object>();
const ledgers: Buffer[] = [];
const transactions: { cursor: bigint; text: Buffer }[] = [];
/** Index in `transactions` of each ledger's first transaction. */
const begins: number[] = [];
let close_time = 0;
/** Close times in the future: if the ledgers became stale, a reader would ask other sources. */
const AHEAD_SECONDS = 3_600;
const now = Math.floor(Date.now() / 1000) + AHEAD_SECONDS;
for (const ledger of ledgersLike(template, { first, count, now })) {
  begins.push(transactions.length);
  ledgers.push(ledgerText(ledger));
  for (const [index, transaction] of ledger.transactions.entries()) {
    const cursor = (BigInt(ledger.sequence) << 32n) | (BigInt(index + 1) << 12n);
    transactions.push({ cursor, text: transactionText(ledger, index, transaction) });
  }
  close_time = ledger.close_time;
}

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { id, method, params } = JSON.parse((await buffer(request)).toString());
  const result = METHODS[method]?.(params ?? {}) ?? [Buffer.from('null')];
  const body = Buffer.concat([
    Buffer.from(`{"jsonrpc":"2.0","id":${id},"result":`),
    ...result,
    Buffer.from('}'),
  ]);
  response.setHeader('content-type', 'application/json');
  response.end(body);
}
const server = createServer((request, response) => void handle(request, response)); // a failure ends the benchmark
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const bytes = (texts: Buffer[]) => texts.reduce((sum, { length }) => sum + length, 0);
const ready: NodeReady = {
  url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
  ledger_bytes: bytes(ledgers) / count,
  transaction_bytes: bytes(transactions.map(({ text }) => text)) / count,
};
process.send?.(ready);

type Params = { startLedger?: number; pagination?: { limit?: number; cursor?: string } };

const METHODS: Record<string, (params: Params) => Buffer[]> = {
  getNetwork: () => [json({ passphrase: template.passphrase, protocolVersion: 23 })],
  getHealth: () => [json({ status: 'healthy', ...range('latestLedgerCloseTime') })],
  getLatestLedger: () => [json({ sequence: last, headerXdr: headerXdr() })],
  getLedgers({ startLedger = first, pagination }) {
    const from = startLedger - first;
    const page = ledgers.slice(from, from + (pagination?.limit ?? 5));
    const cursor = `${startLedger + page.length - 1}`;
    return pageOf('ledgers', page, { ...range('latestLedgerCloseTime'), cursor });
  },
  getTransactions({ startLedger = first, pagination }) {
    const { cursor, limit = 50 } = pagination ?? {};
    const from = cursor === undefined ? (begins[startLedger - first] ?? 0) : after(BigInt(cursor));
    const page = transactions.slice(from, from + Math.min(limit, MAX_TRANSACTIONS));
    const next = page.at(-1)?.cursor ?? BigInt(cursor ?? 0);
    const texts = page.map(({ text }) => text);
    return pageOf('transactions', texts, { ...range('latestLedgerCloseTimestamp'), cursor: `${next}` });
  },
};

function range(close_time_name: string): object {
  return { latestLedger: last, oldestLedger: first, [close_time_name]: close_time };
}

function pageOf(name: string, texts: Buffer[], rest: object): Buffer[] {
  const commas = texts.flatMap((text, index) => (index === 0 ? [text] : [Buffer.from(','), text]));
  return [Buffer.from(`{"${name}":[`), ...commas, Buffer.from('],'), json(rest).subarray(1)];
}

/** Index of the first transaction after this cursor. */
function after(cursor: bigint): number {
  let [low, high] = [begins[Number(cursor >> 32n) - first] ?? 0, transactions.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((transactions[middle]?.cursor ?? 0n) <= cursor) low = middle + 1;
    else high = middle;
  }
  return low;
}

function json(value: object): Buffer {
  return Buffer.from(JSON.stringify(value));
}

function ledgerText({ sequence, close_time: closed, hash, meta }: ServedLedger): Buffer {
  const fields = { hash: hash.toString('hex'), sequence, ledgerCloseTime: `${closed}` };
  return json({ ...fields, metadataXdr: meta.toString('base64') });
}

function transactionText(ledger: ServedLedger, index: number, transaction: ServedTransaction): Buffer {
  const { hash, successful, envelope, result, meta } = transaction;
  const [envelopeXdr, resultXdr] = [envelope.toString('base64'), result.toString('base64')];
  return json({
    status: successful ? 'SUCCESS' : 'FAILED',
    txHash: hash,
    applicationOrder: index + 1,
    feeBump: envelope.readUInt32BE(0) === 5,
    envelopeXdr,
    resultXdr,
    resultMetaXdr: meta.toString('base64'),
    events: eventTexts(ledger, index, meta),
    ledger: ledger.sequence,
    createdAt: ledger.close_time,
  });
}

/** Cached: ledgers of the same template have the same bytes here. */
function eventTexts({ sequence }: ServedLedger, index: number, meta: Buffer): object {
  const key = `${(sequence - first) % template.metas.length}/${index}`;
  const texts = known.get(key) ?? eventsOf(xdr.TransactionMeta.schema.decode(meta));
  known.set(key, texts);
  return texts;
}

function headerXdr(): string {
  const { ledgerHeader } = headerOf(Buffer.from(JSON.parse(`${ledgers.at(-1)}`).metadataXdr, 'base64'));
  return Buffer.from(xdr.LedgerHeader.schema.encode(ledgerHeader.header)).toString('base64');
}

function headerOf(meta: Buffer) {
  const decoded = xdr.LedgerCloseMeta.schema.decode(meta);
  return decoded.v === 0 ? decoded.v0 : decoded.v === 1 ? decoded.v1 : decoded.v2;
}
