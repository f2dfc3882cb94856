/**
 * Whole ledgers out of pages of transactions, as Horizon gives them. It is not believed: a node, or a gateway before it, may
 * leave transactions out, cut a page short, give one twice, or call an empty page the end.
 *
 * | a ledger                                             | what happens                                             |
 * |------------------------------------------------------|----------------------------------------------------------|
 * | the first does not name the one before it as we do   | no answer: it is of another chain                        |
 * | its transactions hash to what its header says        | it is given, with all before it                          |
 * | the pages end, or go on to the next ledger, before   | the ledgers before it are given; without any: no answer  |
 * | it is older than the source's history                | `gap`                                                    |
 * | it is newer than all that the source knows           | `nothing_new`, or `reset` when it is far beyond          |
 */
import { OtherChain, UnusableAnswer } from '../sources/answers.ts';
import type { Newest, SourceRange } from '../sources/source.ts';
import type { LedgerTransaction } from '../stellar.ts';
import type { Header } from './ledger-header.ts';
import { isHashOf, isWhole } from './ledger-proof.ts';

/** What is asked of a source that gives transactions in pages. */
export type History = {
  /** How its requests for pages and headers are called. */
  names: { page: string; headers: string };
  newest(): Promise<Header>;
  /** Headers from ledger `first` on, at most `count`; or where the history begins, when that is later. */
  headers(first: number, count: number): Promise<Header[] | { oldest_ledger: number }>;
  /** The next transactions, in order, failed ones too: from a ledger's first, or after a cursor. */
  page(from: { ledger: number } | { cursor: string }): Promise<Page>;
};

export type Page = { transactions: LedgerTransaction[]; cursor: string };

/** A ledger whose transactions are proven to be all of it. */
export type WholeLedger = { header: Header; transactions: LedgerTransaction[] };

/** A source may be so far behind another and still be one of the same network that lags. */
const LAG_LEDGERS = 100;
/** More than this in one answer would be long to read and to process. */
const MAX_LEDGERS = 10;
/** Ten times what a ledger of the public network holds. */
const MAX_TRANSACTIONS = 10_000;

/** The whole ledgers after `after_ledger` that a source has, at least one and at most ten, and its newest ledger. */
export async function readLedgersAfter(
  history: History,
  passphrase: string,
  after_ledger: number,
  after_hash: string | null,
): Promise<SourceRange> {
  const newest = await history.newest();
  if (newest.sequence <= after_ledger) return { range: nothingAfter(after_ledger, newest), newest };
  const headers = await headersAfter(history, after_ledger, newest);
  if ('oldest_ledger' in headers) return { range: { read: 'gap', ...headers }, newest };
  const from = { method: history.names.headers, after_ledger, after_hash };
  checkOrder(from, headers);
  const whole = await readWhole(history, passphrase, headers);
  return { range: rangeOf(from, whole, newest), newest };
}

/** For a source that has nothing newer. */
export function nothingAfter(after_ledger: number, newest: Newest): SourceRange['range'] {
  const lagging = after_ledger - newest.sequence <= LAG_LEDGERS;
  return lagging ? { read: 'nothing_new' } : { read: 'reset', latest_ledger: newest.sequence };
}

/** Where ledgers have to begin; `after_hash` null: whatever the ledger before them is. `method`: how it was asked for. */
type From = { method: string; after_ledger: number; after_hash: string | null };

/**
 * Ledgers that are whole, as one answer.
 * @throws UnusableAnswer when they do not follow each other, or there are none; OtherChain when they begin elsewhere.
 */
export function rangeOf(from: From, ledgers: WholeLedger[], newest: Newest): SourceRange['range'] {
  const headers = ledgers.map(({ header }) => header);
  const [first, last] = checkOrder(from, headers);
  const isNewest = last.sequence === newest.sequence;
  if (!isNewest && (last.sequence > newest.sequence || last.close_time >= newest.close_time))
    throw new UnusableAnswer(from.method, 'a ledger newer than the newest');
  return {
    read: 'ledgers',
    transactions: ledgers.flatMap(({ transactions }) => transactions),
    hashes: [first.previous_hash, ...headers.map(({ hash }) => hash)],
    through_ledger: last.sequence,
    through_hash: last.hash,
    through_close_time: last.close_time,
    newest_close_time: isNewest ? last.close_time : newest.close_time,
    newest_ledger: newest.sequence,
  };
}

/** Each ledger names the one before it by its hash. */
function checkOrder({ method, after_ledger, after_hash }: From, headers: Header[]): [Header, Header] {
  const inOrder = headers.every(({ sequence, close_time, previous_hash }, index) => {
    const before = headers[index - 1];
    const follows = !before || (before.close_time < close_time && before.hash === previous_hash);
    return sequence === after_ledger + 1 + index && follows;
  });
  const [first, last] = [headers[0], headers.at(-1)];
  if (!inOrder || !first || !last) throw new UnusableAnswer(method, 'not the ledgers asked for');
  if (after_hash !== null && first.previous_hash !== after_hash)
    throw new OtherChain(
      method,
      `ledger ${first.sequence} does not follow the ledger ${after_ledger} we know`,
    );
  return [first, last];
}

async function headersAfter(
  history: History,
  after_ledger: number,
  newest: Header,
): Promise<Header[] | { oldest_ledger: number }> {
  const first = after_ledger + 1;
  if (first === newest.sequence) return [newest];
  return history.headers(first, Math.min(newest.sequence - after_ledger, MAX_LEDGERS));
}

async function readWhole(history: History, passphrase: string, headers: Header[]): Promise<WholeLedger[]> {
  const whole: WholeLedger[] = [];
  let open: LedgerTransaction[] = []; // of ledgers that are not proven yet
  let page: Page | null = null;
  for (;;) {
    for (let header = headers[whole.length]; header; header = headers[whole.length]) {
      const { sequence } = header;
      const own = open.filter(({ ledger }) => ledger === sequence);
      if (!isWhole(header, own)) break;
      const false_one = own.find(({ envelope, hash }) => !isHashOf(passphrase, envelope, hash));
      if (false_one) throw new UnusableAnswer(history.names.page, `not the XDR of ${false_one.hash}`);
      whole.push({ header, transactions: own });
      open = open.slice(own.length);
    }
    const next = headers[whole.length];
    if (!next || page?.transactions.length === 0 || open.some(({ ledger }) => ledger > next.sequence)) break;
    page = await nextPage(history, page, next.sequence);
    open.push(...page.transactions);
    if (open.length > MAX_TRANSACTIONS) throw new UnusableAnswer(history.names.page, 'a ledger without end');
  }
  if (whole.length === 0)
    throw new UnusableAnswer(history.names.page, `ledger ${headers[0]?.sequence} is not whole`);
  return whole;
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
