/**
 * Reads whole ledgers from a source that is not believed: a node, or a gateway before it, may leave transactions out, cut
 * a page short, give one twice, or call an empty page the end.
 *
 * | a ledger                                             | what happens                                             |
 * |------------------------------------------------------|----------------------------------------------------------|
 * | its transactions hash to what its header says        | it is given, with all before it                          |
 * | the pages end, or go on to the next ledger, before   | the ledgers before it are given; without any: no answer  |
 * | it is older than the source's history                | `gap`                                                    |
 * | it is newer than all that the source knows           | `nothing_new`, or `reset` when it is far beyond          |
 */
import { UnusableAnswer } from './answers.ts';
import type { LedgerRange } from './chain.ts';
import type { Header } from './ledger-header.ts';
import { isSound, isWhole, type NamedTransaction } from './ledger-proof.ts';

/** What is asked of a source. */
export type History = {
  /** How its requests for pages and headers are called. */
  names: { page: string; headers: string };
  newest(): Promise<Header>;
  /** Headers from ledger `first` on, at most `count`; or where the history begins, when that is later. */
  headers(first: number, count: number): Promise<Header[] | { oldest_ledger: number }>;
  /** The next transactions, in order, failed ones too: from a ledger's first, or after a cursor. */
  page(from: { ledger: number } | { cursor: string }): Promise<Page>;
};

export type Page = { transactions: NamedTransaction[]; cursor: string };

/** A source may be so far behind another and still be one of the same network that lags. */
const LAG_LEDGERS = 100;
/** More than this in one answer would be long to read and to account for. */
const MAX_LEDGERS = 10;
/** Ten times what a ledger of the public network holds. */
const MAX_TRANSACTIONS = 10_000;

/** The whole ledgers after `after_ledger` that a source has, at least one and at most ten, and its newest ledger. */
export async function readLedgersAfter(
  history: History,
  passphrase: string,
  after_ledger: number,
): Promise<{ range: LedgerRange; newest: Header }> {
  const newest = await history.newest();
  if (newest.sequence <= after_ledger) {
    const lagging = after_ledger - newest.sequence <= LAG_LEDGERS;
    const range: LedgerRange = lagging
      ? { read: 'nothing_new' }
      : { read: 'reset', latest_ledger: newest.sequence };
    return { range, newest };
  }
  const headers = await headersAfter(history, after_ledger, newest);
  if ('oldest_ledger' in headers) return { range: { read: 'gap', ...headers }, newest };
  const whole = await readWhole(history, passphrase, headers);
  return {
    range: { ...whole, newest_close_time: newest.close_time, newest_ledger: newest.sequence },
    newest,
  };
}

async function headersAfter(
  history: History,
  after_ledger: number,
  newest: Header,
): Promise<Header[] | { oldest_ledger: number }> {
  const first = after_ledger + 1;
  if (first === newest.sequence) return [newest];
  const headers = await history.headers(first, Math.min(newest.sequence - after_ledger, MAX_LEDGERS));
  if ('oldest_ledger' in headers) return headers;
  const inOrder = headers.every(({ sequence, close_time }, index) => {
    const before = headers[index - 1];
    return sequence === first + index && (!before || before.close_time < close_time);
  });
  if (headers.length === 0 || !inOrder)
    throw new UnusableAnswer(history.names.headers, 'not the ledgers asked for');
  return headers;
}

async function readWhole(history: History, passphrase: string, headers: Header[]) {
  const whole: NamedTransaction[] = [];
  let open: NamedTransaction[] = []; // of ledgers that are not proven yet
  let page: Page | null = null;
  let proven = 0;
  for (;;) {
    for (let header = headers[proven]; header; header = headers[++proven]) {
      const { sequence } = header;
      const own = open.filter(({ ledger }) => ledger === sequence);
      if (!isWhole(header, own)) break;
      const false_one = own.find((transaction) => !isSound(passphrase, transaction));
      if (false_one) throw new UnusableAnswer(history.names.page, `not the XDR of ${false_one.hash}`);
      whole.push(...own);
      open = open.slice(own.length);
    }
    const next = headers[proven];
    if (!next || page?.transactions.length === 0 || open.some(({ ledger }) => ledger > next.sequence)) break;
    page = await nextPage(history, page, next.sequence);
    open.push(...page.transactions);
    if (open.length > MAX_TRANSACTIONS) throw new UnusableAnswer(history.names.page, 'a ledger without end');
  }
  const last = headers[proven - 1];
  if (!last) throw new UnusableAnswer(history.names.page, `ledger ${headers[0]?.sequence} is not whole`);
  const { sequence: through_ledger, close_time: through_close_time } = last;
  const transactions = whole.map(({ hash: _, ...transaction }) => transaction);
  return { read: 'ledgers' as const, transactions, through_ledger, through_close_time };
}

async function nextPage(history: History, before: Page | null, first_ledger: number): Promise<Page> {
  const page = await history.page(before ? { cursor: before.cursor } : { ledger: first_ledger });
  let least = before?.transactions.at(-1)?.ledger ?? first_ledger;
  for (const { ledger } of page.transactions) {
    if (ledger < least) throw new UnusableAnswer(history.names.page, 'out of order');
    least = ledger;
  }
  // Cursors are numbers that rise: the same page again would be read for ever.
  const moved = !before || BigInt(page.cursor) > BigInt(before.cursor);
  if (page.transactions.length > 0 && !moved)
    throw new UnusableAnswer(history.names.page, 'the pages stand still');
  return page;
}
