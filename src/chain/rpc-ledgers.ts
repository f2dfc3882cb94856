import { xdr } from '@stellar/stellar-sdk';
import { z } from 'zod';
import type { LedgerPosition, LedgerRange, LedgerTransaction } from './chain.ts';
import { decoding, NoAnswer, RpcError, type RpcSource } from './rpc-source.ts';

const PAGE_LIMIT = 200;
/** A node may be so far behind another and still be a node of the same network that lags. */
const LAG_LEDGERS = 100;
/** Close times beyond the year 9999 are no times. */
const LATEST_TIME = 253_402_300_799n;

const toid = z
  .string()
  .regex(/^\d{1,20}$/)
  .transform(BigInt);
const LatestLedger = z.object({ sequence: z.int(), headerXdr: z.string() });
const Transactions = z.object({
  transactions: z.array(
    z.object({
      ledger: z.int(),
      createdAt: z.int().min(0),
      envelopeXdr: z.string(),
      resultXdr: z.string(),
    }),
  ),
  latestLedger: z.int(),
  latestLedgerCloseTimestamp: z.int().min(0),
  oldestLedger: z.int(),
  cursor: toid,
});
type Page = z.output<typeof Transactions>;

/** The newest ledger of a source, by its header: whatever else the answer says must agree with that. */
export async function latestLedger(source: RpcSource): Promise<LedgerPosition> {
  const latest = await source.call('getLatestLedger', undefined, LatestLedger);
  const header = decoding('getLatestLedger', () => xdr.LedgerHeader.fromXdr(latest.headerXdr, 'base64'));
  const close_time = header.scpValue.closeTime;
  if (header.ledgerSeq !== latest.sequence || close_time > LATEST_TIME) {
    throw new NoAnswer('getLatestLedger: the header is not one of that ledger');
  }
  return { sequence: latest.sequence, close_time, base_reserve_stroops: BigInt(header.baseReserve) };
}

/** The whole ledgers after `after_ledger` that a source has, and its newest ledger. */
export async function readLedgersAfter(
  source: RpcSource,
  after_ledger: number,
): Promise<{ range: LedgerRange; latest: LedgerPosition }> {
  const latest = await latestLedger(source);
  if (latest.sequence <= after_ledger) {
    const lagging = after_ledger - latest.sequence <= LAG_LEDGERS;
    const range: LedgerRange = lagging
      ? { read: 'nothing_new' }
      : { read: 'reset', latest_ledger: latest.sequence };
    return { range, latest };
  }
  const first = await firstPage(source, after_ledger + 1);
  if ('gap' in first) return { range: { read: 'gap', oldest_ledger: first.gap }, latest };
  return { range: await readWhole(source, after_ledger, first.page), latest };
}

async function firstPage(source: RpcSource, startLedger: number): Promise<{ page: Page } | { gap: number }> {
  try {
    const page = await source.call(
      'getTransactions',
      { startLedger, pagination: { limit: PAGE_LIMIT } },
      Transactions,
    );
    // A history that begins later would answer with what it has: that is not the ledger we asked for.
    return page.oldestLedger > startLedger ? { gap: page.oldestLedger } : { page };
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    const { oldestLedger } = await source.call('getHealth', undefined, z.object({ oldestLedger: z.int() }));
    if (oldestLedger > startLedger) return { gap: oldestLedger };
    throw error;
  }
}

/**
 * Reads on until at least one ledger is whole. A page that is merely short may have been cut by a gateway: the end is an
 * empty page, or one whose cursor (a TOID: ledger << 32 | …) has come to the newest ledger though its last transaction
 * is of an earlier one.
 */
async function readWhole(source: RpcSource, after_ledger: number, first: Page): Promise<LedgerRange> {
  const transactions: LedgerTransaction[] = [];
  const closeTimes = new Map<number, number>();
  let page = first;
  for (;;) {
    for (const { ledger, createdAt, envelopeXdr, resultXdr } of page.transactions) {
      if (ledger < (transactions.at(-1)?.ledger ?? after_ledger + 1))
        throw new NoAnswer('getTransactions: out of order');
      transactions.push({ ledger, envelope_xdr: envelopeXdr, result_xdr: resultXdr });
      closeTimes.set(ledger, createdAt);
    }
    const last = transactions.at(-1)?.ledger ?? after_ledger;
    if (last > page.latestLedger) throw new NoAnswer('getTransactions: beyond its own newest ledger');
    const beyond = last < page.latestLedger && page.cursor >> 32n >= BigInt(page.latestLedger);
    if (page.transactions.length === 0 || beyond)
      return upTo(transactions, page.latestLedger, page.latestLedgerCloseTimestamp);
    // The last ledger may go on in the next page: keep the whole ones before it, or read on until there is one.
    const whole = [...closeTimes.keys()].findLast((ledger) => ledger < last);
    if (whole !== undefined) return upTo(transactions, whole, closeTimes.get(whole) as number);
    const pagination = { limit: PAGE_LIMIT, cursor: page.cursor.toString() };
    const next = await source.call('getTransactions', { pagination }, Transactions);
    if (next.transactions.length > 0 && next.cursor <= page.cursor)
      throw new NoAnswer('getTransactions: stands still');
    page = next;
  }
}

function upTo(transactions: LedgerTransaction[], through_ledger: number, close_time: number): LedgerRange {
  const whole = transactions.filter(({ ledger }) => ledger <= through_ledger);
  return { read: 'ledgers', transactions: whole, through_ledger, through_close_time: BigInt(close_time) };
}
