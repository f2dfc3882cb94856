import { xdr } from '@stellar/stellar-sdk/base';
import { base64 } from '../ledger/bytes.ts';
import type { EventTexts } from '../store/event-texts.ts';
import type { StoredTransaction } from '../store/ledger-store.ts';
import type { RpcMethod } from './context.ts';
import { ledgerRange } from './context.ts';
import { invalidParams } from './errors.ts';
import { checkPage, getTransactionParams, pagedParams, parseParams } from './params.ts';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;

export const getTransaction: RpcMethod = (params, context) => {
  const { hash } = parseParams(getTransactionParams, params);
  if (hash.length !== 64) throw invalidParams(`unexpected hash length (${hash.length})`);
  const wrong = /[^0-9a-f]/iu.exec(hash);
  if (wrong) throw invalidParams(`incorrect hash: encoding/hex: invalid byte: ${unicodeOf(wrong[0])}`);
  const row = context.node.transaction(Buffer.from(hash, 'hex'));
  const range = ledgerRange(context);
  if (row === undefined) {
    const nothing = { applicationOrder: 0, feeBump: false, events: {}, ledger: 0, createdAt: '0' };
    return { ...range, status: 'NOT_FOUND', txHash: hash, ...nothing };
  }
  return {
    ...range,
    ...transactionFields(row),
    txHash: hash,
    createdAt: row.close_time.toString(),
  };
};

/** A character as Go's `%#U` writes it. */
function unicodeOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')} '${character}'`;
}

/** A place in history: the TOID of the SDK and of Horizon, `ledger << 32 | application order << 12 | 1`. */
type TransactionCursor = { ledger: number; order: number };

export const getTransactions: RpcMethod = (params, { node }) => {
  const { startLedger, pagination } = parseParams(pagedParams, params);
  const cursor = pagination?.cursor || '';
  const limit = pagination?.limit || DEFAULT_LIMIT;
  checkPage({ startLedger: startLedger || 0, cursor, limit, maxLimit: MAX_LIMIT }, node.range);

  const after =
    cursor === '' ? { ledger: startLedger || 0, order: 0 } : keptCursor(cursor, node.range.oldest);
  const from = { ledger: after.ledger, application_order: after.order + 1 };
  const rows = node.transactions({ from, order: 'asc', limit, include_failed: true, account: null }, null);
  const { oldest, latest } = node;
  const { header } = latest;
  return {
    transactions: rows.map((row) => ({ ...transactionFields(row), createdAt: Number(row.close_time) })),
    latestLedger: header.ledgerSeq,
    latestLedgerCloseTimestamp: Number(header.scpValue.closeTime),
    oldestLedger: oldest.sequence,
    oldestLedgerCloseTimestamp: Number(oldest.close_time),
    // stellar-rpc's cursor when no ledger was searched: after a network reset, or at a node that lags.
    cursor: after.ledger > header.ledgerSeq ? '0' : toToid(nextCursor(after, rows, limit, header.ledgerSeq)),
  };
};

function keptCursor(cursor: string, oldest: number): TransactionCursor {
  const start = fromToid(cursor);
  if (start.ledger < oldest) {
    throw invalidParams(`database does not contain metadata for ledger: ${start.ledger}`);
  }
  return start;
}

/**
 * The last transaction of the page, or the latest ledger when there are no more. Never before the cursor of the
 * client.
 */
function nextCursor(
  after: TransactionCursor,
  rows: StoredTransaction[],
  limit: number,
  latest: number,
): TransactionCursor {
  const last = rows.at(-1);
  const read = last === undefined ? after : { ledger: last.ledger, order: last.application_order };
  if (rows.length === limit || read.ledger >= latest) return read;
  return { ledger: latest, order: 0 };
}

function toToid({ ledger, order }: TransactionCursor): string {
  return ((BigInt(ledger) << 32n) | (BigInt(order) << 12n) | 1n).toString();
}

function fromToid(cursor: string): TransactionCursor {
  if (!/^\d{1,19}$/.test(cursor) || BigInt(cursor) >= 1n << 63n) {
    const problem = /^\d+$/.test(cursor) ? 'value out of range' : 'invalid syntax';
    throw invalidParams(`strconv.ParseInt: parsing ${JSON.stringify(cursor)}: ${problem}`);
  }
  const toid = BigInt(cursor);
  return { ledger: Number(toid >> 32n), order: Number((toid >> 12n) & 0xfffffn) };
}

function transactionFields(row: StoredTransaction) {
  return {
    status: row.successful === 1 ? 'SUCCESS' : 'FAILED',
    txHash: Buffer.from(row.hash).toString('hex'),
    applicationOrder: row.application_order,
    feeBump: row.inner_hash !== null,
    envelopeXdr: base64(row.envelope),
    resultXdr: base64(row.result),
    resultMetaXdr: base64(row.meta),
    events: withoutEmpty(JSON.parse(row.events) as EventTexts),
    ...diagnosticEvents(row),
    ledger: row.ledger,
  };
}

/** Why a contract transaction failed. */
function diagnosticEvents({ resource_fee_charged, successful, meta }: StoredTransaction) {
  if (resource_fee_charged === null || successful === 1) return {};
  const decoded = xdr.TransactionMeta.schema.decode(meta);
  const events = decoded.v === 4 ? decoded.v4.diagnosticEvents : [];
  if (events.length === 0) return {};
  return { diagnosticEventsXdr: events.map((event) => base64(xdr.DiagnosticEvent.schema.encode(event))) };
}

/** stellar-rpc leaves empty lists out, so a failed transaction has no `contractEventsXdr`. */
function withoutEmpty(events: EventTexts): Partial<EventTexts> {
  return Object.fromEntries(Object.entries(events).filter(([, list]) => list.length > 0));
}
