/**
 * Searches for transactions that may explain a difference between a wallet's books and its account. It compares the
 * ledgers in which the difference arose with the rows of the database. The reasons: difference-reasons.ts.
 */
import { readStart } from '../../db/installation.ts';
import type { Deps } from '../../deps.ts';
import { newestQuarantined } from '../../ledgers/quarantine-store.ts';
import { unmatchedWithoutWithdrawal } from '../../ledgers/unmatched-store.ts';
import { publicKeyOf } from '../../stellar/address.ts';
import { type BalanceChange, balanceChange } from '../../stellar/credits/balance-changes.ts';
import { NetworkUnavailable } from '../../stellar/network-unavailable.ts';
import type { Anchor, LedgerTransaction, Stellar } from '../../stellar/stellar.ts';
import { type BookedChange, bookedBetween } from './books-store.ts';
import type { MayExplain } from './difference-reasons.ts';

/** A wallet that differs from its books at `ledger`, and agreed with them at `agreed_ledger` (0: it never agreed). */
export type Question = {
  wallet_id: string;
  account: string;
  ledger: number;
  agreed_ledger: number;
  /** Ledger of the last comparison, if the books through that ledger have changed since. */
  books_changed_ledger: number | null;
};

/** What an explanation may cost: a number of ledgers, not a time. */
const MAX_LEDGERS = 500;
const MAX_EXPLANATIONS = 100;

/** Returns for each wallet a function from an asset (`assetOf`) to its explanations. Ledgers are read once for all wallets. */
export async function explainDifferences(
  deps: Pick<Deps, 'db' | 'stellar'>,
  questions: Question[],
): Promise<Map<string, (asset: string) => MayExplain[]>> {
  const { ledger: start_ledger } = await readStart(deps.db);
  const wanted = questions.map((question) => searchedBy(question, start_ledger));
  const found = await search(deps.stellar, wanted);
  const quarantined = await newestQuarantined(deps.db);
  const answers = new Map<string, (asset: string) => MayExplain[]>();
  for (const want of wanted) {
    const { wallet_id, key, suspect, after, ledger } = want;
    const searched = { wallet_id, ledger: Math.min(ledger, found.through) };
    const booked = await bookedBetween(deps.db, searched, Math.max(after, found.after));
    const moved = found.moved.get(wallet_id) ?? [];
    const unmatched = (await unmatchedWithoutWithdrawal(deps.db, wallet_id)).filter(
      (unmatched) => unmatched.ledger > suspect,
    );
    const mentioned = quarantined.filter(({ envelope_xdr, result_xdr, meta_xdr }) =>
      [envelope_xdr, result_xdr, meta_xdr ?? ''].some((xdr) => Buffer.from(xdr, 'base64').includes(key)),
    );
    const known = [
      ...unmatched.map(named('unmatched')),
      ...mentioned.map(named('quarantined')),
      ...notes(want, found),
    ];
    answers.set(wallet_id, (asset) => merged(known, compareEach(asset, moved, booked)));
  }
  return answers;
}

/** `suspect`: the explanation is in the ledgers after this one. `after`: the search begins after this ledger. */
type Wanted = Question & { key: Buffer; suspect: number; after: number };

function searchedBy(question: Question, start_ledger: number): Wanted {
  const { account, ledger, agreed_ledger, books_changed_ledger } = question;
  // If old rows have changed, the explanation is in older ledgers.
  const suspect = books_changed_ledger === null ? Math.max(agreed_ledger, start_ledger) : start_ledger;
  return { ...question, key: publicKeyOf(account), suspect, after: Math.max(suspect, ledger - MAX_LEDGERS) };
}

type Moved = { stellar_tx_hash: string; ledger: number; change: BalanceChange | null };
/** The ledgers after `after` through `through` were read. */
type SearchResult = { moved: Map<string, Moved[]>; after: number; through: number };

/** Finds the transactions of the ledgers that mention a wallet. */
async function search(stellar: Pick<Stellar, 'readLedgersAfter'>, wanted: Wanted[]): Promise<SearchResult> {
  const moved = new Map<string, Moved[]>(wanted.map(({ wallet_id }) => [wallet_id, []]));
  const last = Math.max(...wanted.map(({ ledger }) => ledger));
  let after = Math.min(...wanted.map((want) => want.after));
  let through = after;
  let anchor: Anchor | null = null;
  while (through < last) {
    const range = await readOn(stellar, through, anchor);
    if (range?.read === 'gap' && through === after && range.oldest_ledger > after + 1) {
      // The source's history begins later. Search the ledgers that it has.
      after = range.oldest_ledger - 1;
      through = after;
      continue;
    }
    if (range?.read !== 'ledgers') break;
    for (const transaction of range.transactions) {
      for (const want of wanted) {
        if (isMentioned(want, transaction))
          moved.get(want.wallet_id)?.push(movedBy(transaction, want.account));
      }
    }
    through = range.through_ledger;
    anchor = { ledger: through, hash: range.through_hash };
  }
  return { moved, after, through };
}

/** Reads ledgers; null when no source answers. That is no failure: the difference is reported already, and a note says what is missing. */
async function readOn(
  stellar: Pick<Stellar, 'readLedgersAfter'>,
  after_ledger: number,
  anchor: Anchor | null,
) {
  try {
    return await stellar.readLedgersAfter(after_ledger, anchor);
  } catch (error) {
    if (error instanceof NetworkUnavailable) return null;
    throw error;
  }
}

/** Returns true when the transaction has the key of the account. A transaction that credits an account has it in its envelope; one that changes it has the key in its meta. */
function isMentioned({ key, after, ledger }: Wanted, transaction: LedgerTransaction): boolean {
  if (transaction.ledger <= after || transaction.ledger > ledger) return false;
  return transaction.envelope.includes(key) || transaction.meta?.includes(key) === true;
}

function movedBy(transaction: LedgerTransaction, account: string): Moved {
  const { hash: stellar_tx_hash, ledger } = transaction;
  return { stellar_tx_hash, ledger, change: balanceChange(transaction, account) };
}

function compareEach(asset: string, moved: Moved[], booked: BookedChange[]): MayExplain[] {
  const books = new Map(
    booked.filter((each) => each.asset === asset).map((each) => [each.stellar_tx_hash, each]),
  );
  const onLedger = moved.flatMap(({ stellar_tx_hash, ledger, change }) => {
    const inBooks = books.get(stellar_tx_hash);
    books.delete(stellar_tx_hash);
    const reason = reasonOf(change && changeOf(change, asset), inBooks?.stroops);
    return reason ? [{ stellar_tx_hash, ledger, reason }] : [];
  });
  const notOnLedger = [...books.values()].map(({ stellar_tx_hash, ledger }) => ({
    stellar_tx_hash,
    ledger,
    reason: 'not_on_ledger' as const,
  }));
  return [...onLedger, ...notOnLedger];
}

function changeOf(change: BalanceChange, asset: string): bigint {
  return asset === 'native:' ? change.native : (change.issued.get(asset) ?? 0n);
}

function reasonOf(changed: bigint | null, booked: bigint | undefined): MayExplain['reason'] | null {
  if (changed === null) return booked === undefined ? 'mentions_wallet' : null;
  if (changed === (booked ?? 0n)) return null;
  return booked === undefined ? 'not_booked' : 'booked_differently';
}

function named(reason: MayExplain['reason']) {
  return ({ hash, ledger }: { hash: string; ledger: number }): MayExplain => ({
    stellar_tx_hash: hash,
    ledger,
    reason,
  });
}

/** Returns the reasons that concern ledgers, not transactions. */
function notes(
  { suspect, ledger, books_changed_ledger, ...wanted }: Wanted,
  found: SearchResult,
): MayExplain[] {
  const after = Math.max(wanted.after, found.after);
  const note = (at: number, reason: MayExplain['reason']) => ({ stellar_tx_hash: null, ledger: at, reason });
  return [
    ...(books_changed_ledger === null ? [] : [note(books_changed_ledger, 'books_changed')]),
    ...(after > suspect ? [note(suspect + 1, 'ledgers_not_searched')] : []),
    ...(found.through < ledger ? [note(found.through + 1, 'ledgers_not_searched')] : []),
  ];
}

/** Merges both lists, each transaction once. A known reason comes first: it says more than the change of the balance. */
function merged(known: MayExplain[], compared: MayExplain[]): MayExplain[] {
  const hashes = new Set(known.map(({ stellar_tx_hash }) => stellar_tx_hash));
  const others = compared.filter(({ stellar_tx_hash }) => !hashes.has(stellar_tx_hash));
  return [...known, ...others].slice(0, MAX_EXPLANATIONS);
}
