/** Pure: ledgers whose proof was checked, put together as one answer of a source. */
import { OtherChain, UnusableAnswer } from '../answers/answers.ts';
import type { Newest, SourceRange } from '../answers/source.ts';
import type { LedgerTransaction, UnknownMet } from '../stellar.ts';
import type { Header } from './ledger-header.ts';

/** A ledger whose transactions are proven to be complete. `unknown`: what it has of a later protocol. */
export type WholeLedger = { header: Header; transactions: LedgerTransaction[]; unknown?: UnknownMet[] };

/** Returns what these ledgers have of later protocols, as a part of an answer. */
export function unknownIn(ledgers: WholeLedger[]): { unknown?: UnknownMet[] } {
  const unknown = ledgers.flatMap((ledger) => ledger.unknown ?? []);
  return unknown.length > 0 ? { unknown } : {};
}

/**
 * Where the ledgers must begin. `after_hash` null: the hash of `after_ledger` is not known. `method`: the request, for
 * the message of an error.
 */
export type RangeStart = { method: string; after_ledger: number; after_hash: string | null };

/** A source of the same network that closes ledgers now may be this far behind another one. */
const LAG_LEDGERS = 100;

/** Returns the answer of a source without a ledger after `after_ledger`. */
export function nothingAfter(after_ledger: number, newest: Newest): SourceRange['range'] {
  const lagging = after_ledger - newest.sequence <= LAG_LEDGERS;
  return lagging ? { read: 'nothing_new' } : { read: 'reset', latest_ledger: newest.sequence };
}

/**
 * Returns the answer of a source with these ledgers.
 * @throws UnusableAnswer when there are none or they are not one chain; OtherChain when `after_hash` does not match.
 */
export function rangeOf(start: RangeStart, ledgers: WholeLedger[], newest: Newest): SourceRange['range'] {
  const headers = ledgers.map(({ header }) => header);
  const [first, last] = checkChain(start, headers);
  const isNewest = last.sequence === newest.sequence;
  if (!isNewest && (last.sequence > newest.sequence || last.close_time > newest.close_time))
    throw new UnusableAnswer(start.method, 'a ledger newer than the newest');
  return {
    read: 'ledgers',
    transactions: ledgers.flatMap(({ transactions }) => transactions),
    hashes: [first.previous_hash, ...headers.map(({ hash }) => hash)],
    close_times: headers.map(({ close_time }) => close_time),
    through_ledger: last.sequence,
    through_hash: last.hash,
    through_close_time: last.close_time,
    newest_close_time: isNewest ? last.close_time : newest.close_time,
    newest_ledger: newest.sequence,
  };
}

/** Checks that each header names the hash of the one before it. Returns the first and the last. @throws like `rangeOf` */
export function checkChain(
  { method, after_ledger, after_hash }: RangeStart,
  headers: Header[],
): [first: Header, last: Header] {
  const inOrder = headers.every((header, index) => {
    const before = headers[index - 1];
    const follows = !before || before.hash === header.previous_hash;
    return header.sequence === after_ledger + 1 + index && follows;
  });
  const [first, last] = [headers[0], headers.at(-1)];
  if (!inOrder || !first || !last) throw new UnusableAnswer(method, 'not the ledgers asked for');
  const backward = headers.find(
    (header, index) => index > 0 && isEarlier(header, headers[index - 1] as Header),
  );
  if (backward) throw new UnusableAnswer(method, `ledger ${backward.sequence} goes back in time`);
  if (after_hash !== null && first.previous_hash !== after_hash)
    throw new OtherChain(
      method,
      `ledger ${first.sequence} does not follow the ledger ${after_ledger} we know`,
    );
  return [first, last];
}

/** Returns true for a header that closed earlier. From protocol 30 on several ledgers may close in one second; their milliseconds rise (CAP-88). */
function isEarlier(header: Header, before: Header): boolean {
  if (header.close_time_ms !== null && before.close_time_ms !== null)
    return header.close_time_ms <= before.close_time_ms;
  return header.close_time < before.close_time;
}
