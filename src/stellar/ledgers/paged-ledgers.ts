/**
 * Builds whole ledgers from pages of transactions, which Horizon gives. The pages are not trusted: a node or a gateway may
 * leave out transactions, shorten or repeat a page, or give an empty page before the end.
 *
 * | case                                                         | result                                               |
 * |--------------------------------------------------------------|------------------------------------------------------|
 * | the first ledger names another hash of the ledger before it  | no answer: the source is on another chain            |
 * | the transactions of a ledger match the hash in its header    | the ledger is given, with all before it              |
 * | the pages end, or go on, before the ledger matches           | only the ledgers before it; if there are none, no answer |
 * | the ledger matches, and a result of a later protocol shows   | the same: its borders need more proof                |
 * | no border                                                    |                                                      |
 * | the ledger is older than the source's history                | `gap`                                                |
 * | the ledger is newer than the source's newest                 | `nothing_new`; far above it `reset`                  |
 */

import { UnusableAnswer } from '../answers/answers.ts';
import type { SourceRange } from '../answers/source.ts';
import { KNOWN_PROTOCOL } from '../protocol/known-protocol.ts';
import type { LedgerTransaction } from '../stellar.ts';
import type { Header } from './ledger-header.ts';
import { isHashOf, mayHide, proofOf } from './ledger-proof.ts';
import { checkChain, nothingAfter, rangeOf, unknownIn, type WholeLedger } from './ledger-range.ts';
import { wholeLedger } from './unknown-arms.ts';

/** A source that gives transactions in pages. */
export type PagedHistory = {
  /** Names of its requests, for the messages of errors. */
  names: { page: string; headers: string };
  newest(): Promise<Header>;
  /** Reads at most `count` headers from ledger `first` on; or the oldest ledger, when the history begins later. */
  headers(first: number, count: number): Promise<Header[] | { oldest_ledger: number }>;
  /** Reads the next transactions in order, failed ones too: from the first of a ledger, or after a cursor. */
  page(from: { ledger: number } | { cursor: string }): Promise<Page>;
};

export type Page = { transactions: LedgerTransaction[]; cursor: string };

/** More ledgers in one answer would take too long to read and to process. */
const MAX_LEDGERS = 10;
/** Ten times as many as a ledger of the public network has. */
const MAX_TRANSACTIONS = 10_000;

/** Reads the next whole ledgers after `after_ledger`, at most MAX_LEDGERS, and the newest ledger of the source. */
export async function readPagedLedgers(
  history: PagedHistory,
  passphrase: string,
  after_ledger: number,
  after_hash: string | null,
): Promise<SourceRange> {
  const newest = await history.newest();
  if (newest.sequence <= after_ledger) return { range: nothingAfter(after_ledger, newest), newest };
  const headers = await headersAfter(history, after_ledger, newest);
  if ('oldest_ledger' in headers) return { range: { read: 'gap', ...headers }, newest };
  const start = { method: history.names.headers, after_ledger, after_hash };
  checkChain(start, headers);
  const whole = await readWhole(history, passphrase, headers, (_, own) => {
    const hiding = own.find((each) => mayHide(passphrase, each));
    return hiding ? { unproven: `the result of ${hiding.hash} may hold another one` } : own;
  });
  return { range: rangeOf(start, whole, newest), newest, ...unknownIn(whole) };
}

async function headersAfter(
  history: PagedHistory,
  after_ledger: number,
  newest: Header,
): Promise<Header[] | { oldest_ledger: number }> {
  const first = after_ledger + 1;
  if (first === newest.sequence) return [newest];
  return history.headers(first, Math.min(newest.sequence - after_ledger, MAX_LEDGERS));
}

/**
 * What proves the borders of transactions when their bytes are the ledger's and a result is of a later protocol. Gives the
 * transactions, or why they are not proven.
 */
type ProveBorders = (
  header: Header,
  transactions: LedgerTransaction[],
) => LedgerTransaction[] | { unproven: string };

/** Reads the ledgers of these headers, as far as the pages prove them. @throws UnusableAnswer when they prove no ledger */
export async function readWhole(
  history: Pick<PagedHistory, 'names' | 'page'>,
  passphrase: string,
  headers: Header[],
  proveBorders: ProveBorders,
): Promise<WholeLedger[]> {
  const { page: method } = history.names;
  const whole: WholeLedger[] = [];
  let open: LedgerTransaction[] = []; // their ledgers are not proven yet
  let page: Page | null = null;
  let why = '';
  for (;;) {
    for (let header = headers[whole.length]; header; header = headers[whole.length]) {
      const { sequence } = header;
      const own = open.filter(({ ledger }) => ledger === sequence);
      const proven = proofWith({ method, passphrase, proveBorders }, header, own);
      if (proven && 'unproven' in proven) why = ` (${proven.unproven})`;
      if (!proven || 'unproven' in proven) break;
      whole.push(proven);
      open = open.slice(own.length);
    }
    const next = headers[whole.length];
    if (!next || why || page?.transactions.length === 0) break;
    if (open.some(({ ledger }) => ledger > next.sequence)) break;
    page = await nextPage(history, page, next.sequence);
    open.push(...page.transactions);
    if (open.length > MAX_TRANSACTIONS)
      throw new UnusableAnswer(method, 'a ledger with too many transactions');
  }
  if (whole.length === 0)
    throw new UnusableAnswer(method, `ledger ${headers[0]?.sequence} is not whole${why}`);
  return whole;
}

/** Returns the proof; null while the transactions are not those of the header. @throws UnusableAnswer for a false envelope */
function proofWith(
  { method, passphrase, proveBorders }: { method: string; passphrase: string; proveBorders: ProveBorders },
  header: Header,
  own: LedgerTransaction[],
): WholeLedger | { unproven: string } | null {
  const proof = proofOf(header, own);
  if (proof === 'none') return null;
  const mismatch = own.find(({ envelope, hash }) => !isHashOf(passphrase, envelope, hash));
  if (mismatch) throw new UnusableAnswer(method, `not the XDR of ${mismatch.hash}`);
  const transactions = proof === 'whole' ? own : proveBorders(header, own);
  if ('unproven' in transactions) {
    const versions = `of protocol ${header.protocol_version}, this version knows ${KNOWN_PROTOCOL}`;
    return { unproven: `${versions}; ${transactions.unproven}` };
  }
  return wholeLedger(header, transactions);
}

async function nextPage(
  history: Pick<PagedHistory, 'names' | 'page'>,
  before: Page | null,
  first_ledger: number,
): Promise<Page> {
  const page = await history.page(before ? { cursor: before.cursor } : { ledger: first_ledger });
  let least = before?.transactions.at(-1)?.ledger ?? first_ledger;
  for (const { ledger } of page.transactions) {
    if (ledger < least) throw new UnusableAnswer(history.names.page, 'out of order');
    least = ledger;
  }
  // Cursors are rising numbers. Without this check a repeated page would be read for ever.
  const moved = !before || BigInt(page.cursor) > BigInt(before.cursor);
  if (page.transactions.length > 0 && !moved)
    throw new UnusableAnswer(history.names.page, 'the cursor of the pages does not rise');
  return page;
}
