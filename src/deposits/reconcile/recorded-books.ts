/** Compares books with balances that the network has shown before. For a database whose network cannot be asked: a backup. */
import type { Db } from '../../db/database.ts';
import { assetOf, type Book, booksAt } from './books-store.ts';
import { lastComparisons, type Reconciliation, walletAccounts } from './reconcile-store.ts';

export type RecordedBooks = {
  /** Wallets whose rows were summed again. */
  compared: number;
  /** Wallets that were never compared, or whose last ledger a cursor has not passed. */
  uncompared: number;
  /** Differences that the last comparison had as well. */
  known: number;
  /** Differences that it did not have: rows are missing, changed or too much since. */
  found: { wallet_id: string; asset: string; difference_stroops: bigint }[];
};

const WALLETS_AT_ONCE = 500;

/** Sums the rows of each wallet up to its last comparison, and compares them with the balance of then. */
export async function compareRecordedBooks(db: Db): Promise<RecordedBooks> {
  const result: RecordedBooks = { compared: 0, uncompared: 0, known: 0, found: [] };
  const wallets = await walletAccounts(db);
  for (let start = 0; start < wallets.length; start += WALLETS_AT_ONCE) {
    const some = wallets.slice(start, start + WALLETS_AT_ONCE).map(({ id }) => id);
    const rows = await lastComparisons(db, some);
    const asked = rows.filter(isNative).map(({ wallet_id, ledger }) => ({ wallet_id, ledger }));
    const books = Map.groupBy(await booksAt(db, asked), ({ wallet_id }) => wallet_id);
    result.compared += books.size;
    result.uncompared += some.length - books.size;
    for (const row of rows) addDifference(result, row, books.get(row.wallet_id));
  }
  return result;
}

/** Returns true for the native asset. All assets of a wallet are compared at one ledger, that of the native one. */
function isNative({ asset_code, asset_issuer }: Reconciliation): boolean {
  return asset_code === 'native' && asset_issuer === '';
}

function addDifference(result: RecordedBooks, row: Reconciliation, books: Book[] | undefined): void {
  const book = books?.find((each) => assetOf(each) === assetOf(row) && each.ledger === row.ledger);
  if (book === undefined) return;
  const booked =
    book.deposits_stroops - book.withdrawals_stroops - book.adjustments_stroops - book.fees_stroops;
  const difference_stroops = row.balance_stroops - booked - row.opening_stroops;
  if (difference_stroops === 0n) return;
  if (difference_stroops === row.difference_stroops) result.known++;
  else result.found.push({ wallet_id: row.wallet_id, asset: assetOf(row), difference_stroops });
}
