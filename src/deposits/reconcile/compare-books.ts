/**
 * Compares the books of wallets with their accounts at one ledger, per asset, exactly:
 *
 *   opening + deposits − withdrawals − adjustments − fees = balance
 *
 * | step                                        | after a crash here                                               |
 * |---------------------------------------------|------------------------------------------------------------------|
 * | read the balances, each at one ledger       | nothing has changed; the wallet is compared again                |
 * | wait until the books reach that ledger      | the same                                                         |
 * | sum the books through it, in one snapshot   | the same                                                         |
 * | one transaction: the rows of the comparison | all of them are committed, or none                               |
 * | search explanations of a new difference     | the difference has no explanation; the next comparison searches  |
 *
 * | difference | meaning                                                                                             |
 * |------------|-----------------------------------------------------------------------------------------------------|
 * | positive   | the account has more than the books: a credit is not booked, or a booked withdrawal never happened  |
 * | negative   | it has less: a transaction is no withdrawal, a deposit is false, or a fee is missing                |
 *
 * | case                                             | what happens                                                  |
 * |--------------------------------------------------|---------------------------------------------------------------|
 * | the books do not reach the balance's ledger      | the wallet is not compared                                    |
 * | reading has stopped (the network was reset)      | the same                                                      |
 * | the balance is older than the last comparison    | the same (a source lags)                                      |
 * | the same, and another process made the last one  | that comparison is returned                                   |
 * | a new difference                                 | recorded only if a second read shows it too: one faulty node  |
 * |                                                  | raises no alarm                                               |
 * | the opening balance                              | 0, because every key is created here; plus accepted differences |
 */

import { type Act, actAlone } from '../../db/leadership.ts';
import type { Deps } from '../../deps.ts';
import { readBothCursors } from '../../ledgers/both-cursors.ts';
import type { Asset, Balances } from '../../stellar/stellar.ts';
import {
  assetOf,
  type Book,
  booksAt,
  booksContinued,
  issuedAssetsIn,
  type WalletAtLedger,
} from './books-store.ts';
import { explainDifferences } from './explain-difference.ts';
import {
  type Comparison,
  lastComparisons,
  type Reconciliation,
  recordComparisons,
  recordExplanation,
  type WalletAccount,
} from './reconcile-store.ts';

/** The books are about a second behind the network. If they are not there after this time, no process reads ledgers. */
const PATIENCE_MS = 10_000;
const LOOK_MS = 100;
/** Ledgers are searched for this many wallets per run; for the others, in their next comparison. */
const EXPLAINED_AT_ONCE = 20;

export type CompareBooksDeps = Pick<Deps, 'db' | 'stellar' | 'clock' | 'log'>;

/**
 * Compares these wallets now. Wallets that cannot be compared now are not in the map. A wallet that another process compares
 * at the same time, at a later ledger, is in the map with that comparison. `continued`: their books are the sums of the last comparison and
 * the rows since, where that is enough (see mustSum). `act`: of the leader; when another process leads by now, nothing is
 * recorded and the map is empty.
 * @throws NetworkUnavailable, and errors of the database.
 */
export async function compareBooks(
  deps: CompareBooksDeps,
  wallets: WalletAccount[],
  { continued, act = actAlone }: { continued: boolean; act?: Act } = { continued: false },
): Promise<Map<string, Reconciliation[]>> {
  if (wallets.length === 0) return new Map();
  const known = groupBy(
    await lastComparisons(
      deps.db,
      wallets.map(({ id }) => id),
    ),
  );
  const now = deps.clock.now();
  const toSum = wallets.filter(({ id }) => !continued || mustSum(known.get(id) ?? [], now));
  const compared = await compareTwice(deps, wallets, {
    last: known,
    toSum: new Set(toSum.map(({ id }) => id)),
  });
  const recorded = await act(deps.db, (trx) => recordComparisons(trx, compared, deps.clock.now()));
  if (recorded === null) return new Map();
  const { before, after } = recorded;
  const accounts = new Map(wallets.map(({ id, account }) => [id, account]));
  announce(deps, accounts, groupBy(before), after);
  await explainNew({ ...deps, act }, accounts, groupBy(before), after);
  const made = new Set(after.map(({ wallet_id }) => wallet_id));
  const newest = groupBy(await lastComparisons(deps.db, [...accounts.keys()]));
  return new Map(
    [...newest].filter(([id, rows]) => made.has(id) || ledgerOf(rows) > ledgerOf(known.get(id))),
  );
}

/** Returns the ledger of a wallet's last comparison; 0 when there is none. */
function ledgerOf(rows: Reconciliation[] | undefined): number {
  return rows?.[0]?.ledger ?? 0;
}

/** Each wallet's books are summed from all rows within an hour: SUM_MS, at most SPREAD_MS, and the loop's slow interval. */
const SUM_MS = 1_800_000;
/** By the end of its id, each wallet has a time of its own, so that the sums of all wallets are spread. */
const SPREAD_MS = 1_200_000;

/** Returns true when all rows must be summed. A wallet that differs is always summed from all rows, so that a repair of old rows ends its alarm. */
function mustSum(last: Reconciliation[], now: Date): boolean {
  return last.length === 0 || last.some((row) => row.difference_stroops !== 0n || !isSummed(row, now));
}

function isSummed({ wallet_id, summed_at }: Reconciliation, now: Date): boolean {
  if (!summed_at) return false;
  const age_ms = now.getTime() - summed_at.getTime();
  const share = Number.parseInt(wallet_id.slice(-2), 36) / 36 ** 2;
  return age_ms >= 0 && age_ms < SUM_MS + share * SPREAD_MS;
}

// comparing

type Rows = Map<string, Reconciliation[]>;

/** Compares, and compares a new difference again with sums of all rows: rows of old ledgers may have been added since the last sums. */
async function compareTwice(
  deps: CompareBooksDeps,
  wallets: WalletAccount[],
  { last, toSum }: { last: Rows; toSum: Set<string> },
): Promise<Comparison[]> {
  const first = await compare(deps, wallets, { assets: assetsOf(last), toSum });
  const own = groupBy(first);
  const toRepeat = wallets.filter(({ id }) => own.get(id)?.some((each) => isNew(each, last.get(id) ?? [])));
  if (toRepeat.length === 0) return onlyComplete(first);
  const ids = new Set(toRepeat.map(({ id }) => id));
  const assets = assetsOf(groupBy([...last.values(), first].flat()));
  const again = await compare(deps, toRepeat, { assets, toSum: ids });
  return onlyComplete([...first.filter(({ wallet_id }) => !ids.has(wallet_id)), ...again]);
}

/** `balance_stroops` is null for an asset whose balance was not read, because no comparison had it so far. */
type Compared = Omit<Comparison, 'balance_stroops'> & { balance_stroops: bigint | null };

async function compare(
  deps: CompareBooksDeps,
  wallets: WalletAccount[],
  { assets, toSum }: { assets: Map<string, Asset[]>; toSum: Set<string> },
): Promise<Compared[]> {
  const holders = wallets.map(({ id, account }) => ({ account, assets: assets.get(id) ?? [] }));
  const balances = await deps.stellar.readBalances(holders);
  const byWallet = new Map(wallets.map(({ id, account }) => [id, balances.get(account) as Balances]));
  const asked = [...byWallet].map(([wallet_id, { ledger }]): WalletAtLedger => ({ wallet_id, ledger }));
  await untilBooked(deps, Math.max(...asked.map(({ ledger }) => ledger)));
  const { whole = [], rest = [] } = Object.groupBy(asked, ({ wallet_id }) =>
    toSum.has(wallet_id) ? 'whole' : 'rest',
  );
  const books = groupBy([...(await booksAt(deps.db, whole)), ...(await booksContinued(deps.db, rest))]);
  return [...books].flatMap(([wallet_id, own]) => {
    const summed = toSum.has(wallet_id);
    const { ledger, native, issued } = byWallet.get(wallet_id) as Balances;
    const wanted = (assets.get(wallet_id) ?? []).map((asset) => emptyBook({ wallet_id, ledger }, asset));
    const inBooks = new Set(own.map(assetOf));
    const askedFor = new Set(wanted.map(assetOf));
    return [...own, ...wanted.filter((book) => !inBooks.has(assetOf(book)))].map((book) => {
      const asset = assetOf(book);
      if (asset === 'native:') return { ...book, summed, balance_stroops: native ?? 0n };
      return { ...book, summed, balance_stroops: askedFor.has(asset) ? (issued.get(asset) ?? 0n) : null };
    });
  });
}

/** Waits at most PATIENCE_MS. Wallets whose ledger is not booked then are left out by `booksAt`. */
async function untilBooked({ db, clock }: CompareBooksDeps, ledger: number): Promise<void> {
  for (let waited_ms = 0; waited_ms < PATIENCE_MS; waited_ms += LOOK_MS) {
    const through = await readBothCursors(db);
    if (!through || through.stop_reason !== null || through.ledger >= ledger) return;
    await clock.sleep(LOOK_MS);
  }
}

function emptyBook(at: WalletAtLedger, { code, issuer }: Asset): Book {
  const nothing = {
    deposits_stroops: 0n,
    withdrawals_stroops: 0n,
    adjustments_stroops: 0n,
    fees_stroops: 0n,
  };
  return { ...at, asset_code: code, asset_issuer: issuer, ...nothing };
}

/** Returns true for an asset without a balance yet, or a difference that the last comparison did not have. */
function isNew(compared: Compared, last: Reconciliation[]): boolean {
  if (compared.balance_stroops === null) return true;
  const row = last.find((each) => assetOf(each) === assetOf(compared));
  const booked = (row?.opening_stroops ?? 0n) + bookedSum(compared);
  return compared.balance_stroops - booked !== (row?.difference_stroops ?? 0n);
}

/** Returns the balance of a wallet by its books, without its opening balance. */
export function bookedSum({
  deposits_stroops,
  withdrawals_stroops,
  adjustments_stroops,
  fees_stroops,
}: Pick<Book, 'deposits_stroops' | 'withdrawals_stroops' | 'adjustments_stroops' | 'fees_stroops'>): bigint {
  return deposits_stroops - withdrawals_stroops - adjustments_stroops - fees_stroops;
}

/** Drops a wallet if the balance of an asset was not read: a wallet is compared completely or not at all. */
function onlyComplete(compared: Compared[]): Comparison[] {
  const incomplete = new Set(
    compared.filter(({ balance_stroops }) => balance_stroops === null).map(({ wallet_id }) => wallet_id),
  );
  return compared.flatMap(({ balance_stroops, ...rest }) =>
    balance_stroops === null || incomplete.has(rest.wallet_id) ? [] : [{ ...rest, balance_stroops }],
  );
}

function assetsOf(rows: Map<string, Pick<Book, 'asset_code' | 'asset_issuer'>[]>): Map<string, Asset[]> {
  return new Map([...rows].map(([wallet_id, own]) => [wallet_id, issuedAssetsIn(own)]));
}

function groupBy<T extends { wallet_id: string }>(rows: T[]): Map<string, T[]> {
  return Map.groupBy(rows, ({ wallet_id }) => wallet_id);
}

// differences

function announce(
  { log }: CompareBooksDeps,
  accounts: Map<string, string>,
  before: Rows,
  after: Reconciliation[],
): void {
  for (const row of after) {
    const { wallet_id, asset_code, asset_issuer, ledger, difference_stroops, agreed_ledger } = row;
    const previous = previousOf(before, row)?.difference_stroops ?? 0n;
    if (difference_stroops === previous) continue;
    const account = accounts.get(wallet_id);
    const what = {
      wallet_id,
      account,
      asset_code,
      asset_issuer,
      ledger,
      agreed_ledger,
      difference_stroops: `${difference_stroops}`,
    };
    if (difference_stroops === 0n) log.warn(what, 'the books of a wallet agree with the ledger again');
    else log.error(what, DIFFERENCE);
  }
}

const DIFFERENCE =
  'The balance of a wallet on the ledger differs from its deposits and withdrawals. See "teller reconcile" and the runbook.';

function previousOf(before: Rows, row: Reconciliation): Reconciliation | undefined {
  return before.get(row.wallet_id)?.find((each) => assetOf(each) === assetOf(row));
}

async function explainNew(
  deps: CompareBooksDeps & { act: Act },
  accounts: Map<string, string>,
  before: Rows,
  after: Reconciliation[],
): Promise<void> {
  const open = groupBy(after.filter((row) => row.difference_stroops !== 0n && row.may_explain === null));
  const chosen = [...open].slice(0, EXPLAINED_AT_ONCE);
  if (chosen.length === 0) return;
  const changed = await changedBooks(
    deps,
    chosen.flatMap(([id]) => before.get(id) ?? []),
  );
  const questions = chosen.map(([wallet_id, rows]) => ({
    wallet_id,
    account: accounts.get(wallet_id) as string,
    ledger: Math.max(...rows.map(({ ledger }) => ledger)),
    agreed_ledger: Math.min(...rows.map(({ agreed_ledger }) => agreed_ledger ?? 0)),
    books_changed_ledger: changed.get(wallet_id) ?? null,
  }));
  const answers = await explainDifferences(deps, questions);
  for (const row of chosen.flatMap(([, rows]) => rows)) {
    const may_explain = answers.get(row.wallet_id)?.(assetOf(row)) ?? [];
    await deps.act(deps.db, (trx) => recordExplanation(trx, row, may_explain));
    const { wallet_id, asset_code, asset_issuer } = row;
    deps.log.warn(
      { wallet_id, asset_code, asset_issuer, may_explain },
      'these transactions or ledgers may explain the difference',
    );
  }
}

/** Finds wallets whose books through the ledger of their last comparison have changed since. Returns that ledger by wallet. */
async function changedBooks(
  { db }: CompareBooksDeps,
  before: Reconciliation[],
): Promise<Map<string, number>> {
  const native = before.filter(({ asset_issuer }) => asset_issuer === '');
  const now = groupBy(await booksAt(db, native));
  const changed = before.filter((row) => {
    if (!now.has(row.wallet_id)) return false; // reading has stopped since
    const book = now.get(row.wallet_id)?.find((each) => assetOf(each) === assetOf(row));
    return (
      (book?.deposits_stroops ?? 0n) !== row.deposits_stroops ||
      (book?.withdrawals_stroops ?? 0n) !== row.withdrawals_stroops ||
      (book?.adjustments_stroops ?? 0n) !== row.adjustments_stroops ||
      (book?.fees_stroops ?? 0n) !== row.fees_stroops
    );
  });
  return new Map(changed.map(({ wallet_id, ledger }) => [wallet_id, ledger]));
}
