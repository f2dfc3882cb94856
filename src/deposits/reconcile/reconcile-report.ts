/** The texts of `teller reconcile`: the comparison of books, and the acceptance of a difference. */
import type { Deps } from '../../deps.ts';
import { OperatorError } from '../../lib/errors.ts';
import { stroopsInWords } from '../../lib/stroops.ts';
import { type CompareBooksDeps, compareBooks } from './compare-books.ts';
import {
  acceptDifferenceOf,
  lastComparisons,
  type Reconciliation,
  type WalletAccount,
  walletAccounts,
} from './reconcile-store.ts';

export type Report = { text: string; different: number; uncompared: number };

/** Each comparison waits for the next ledger, so there are few of them. */
const WALLETS_AT_ONCE = 2_000;

/**
 * Compares all wallets now, or one, and describes the result. `all`: lists wallets that agree too.
 * @throws OperatorError when there is no such wallet; NetworkUnavailable.
 */
export async function reportReconciliation(
  deps: CompareBooksDeps,
  { wallet_id, all }: { wallet_id: string | undefined; all: boolean },
): Promise<Report> {
  const wallets = await requireWallets(deps, wallet_id);
  const lines: string[] = [];
  const counts = { different: 0, uncompared: 0 };
  for (let start = 0; start < wallets.length; start += WALLETS_AT_ONCE) {
    const some = wallets.slice(start, start + WALLETS_AT_ONCE);
    const compared = await compareBooks(deps, some);
    for (const wallet of some) {
      const rows = compared.get(wallet.id);
      const agrees = rows?.every(({ difference_stroops }) => difference_stroops === 0n);
      if (!rows) counts.uncompared++;
      else if (!agrees) counts.different++;
      if (!rows) lines.push(await describeUncompared(deps, wallet));
      else if (!agrees || all || wallet_id !== undefined) lines.push(describeWallet(wallet, rows));
    }
  }
  const { different, uncompared } = counts;
  const agree = wallets.length - different - uncompared;
  const sum = `${agree} of ${wallets.length} wallets agree with the ledger, ${different} differ.\n`;
  const unread = uncompared === 0 ? '' : `${uncompared} could not be compared: ${UNREAD}\n`;
  return { text: `${lines.join('')}${sum}${unread}`, ...counts };
}

const UNREAD = 'the ledgers are not read far enough. Check that the service runs, and its /readyz.';

/**
 * Adds a wallet's difference to its opening balance, when a person knows its cause. The person must name the exact amount:
 * accepting a difference that has grown unseen would hide a theft for ever. `asset`: `native` or `code:issuer`.
 * @throws OperatorError when there is no such wallet, or the difference is another one.
 */
export async function acceptDifference(
  { db, log }: Pick<Deps, 'db' | 'log'>,
  order: { wallet_id: string; asset: string; difference_stroops: bigint | null; reason: string },
): Promise<string> {
  const { wallet_id, asset, difference_stroops, reason } = order;
  await requireWallets({ db }, wallet_id);
  const rows = await lastComparisons(db, [wallet_id]);
  const row = rows.find((each) => assetName(each) === asset);
  if (!row?.difference_stroops)
    throw new OperatorError(`The books of ${wallet_id} agree with the ledger in ${asset}.`);
  const accepted =
    difference_stroops === row.difference_stroops && (await acceptDifferenceOf(db, row, reason));
  if (!accepted) {
    throw new OperatorError(
      `${wallet_id} differs by ${stroopsInWords(row.difference_stroops)} (${asset}), at ledger ${row.ledger}. If you know the cause ` +
        `of exactly this difference, name it: --difference-stroops ${row.difference_stroops}`,
    );
  }
  const opening_stroops = row.opening_stroops + difference_stroops;
  const what = { wallet_id, asset, difference_stroops: `${difference_stroops}`, reason };
  log.warn({ ...what, opening_stroops: `${opening_stroops}` }, 'a difference was accepted');
  return `Accepted ${difference_stroops}: the opening balance of ${wallet_id} is ${opening_stroops} (${asset}) now.\n`;
}

async function requireWallets(
  { db }: Pick<Deps, 'db'>,
  wallet_id: string | undefined,
): Promise<WalletAccount[]> {
  const wallets = await walletAccounts(db, wallet_id);
  if (wallet_id !== undefined && wallets.length === 0)
    throw new OperatorError(`There is no wallet ${wallet_id}.`);
  return wallets;
}

const COLUMNS = [
  ['opening', 'opening_stroops'],
  ['deposits', 'deposits_stroops'],
  ['withdrawals', 'withdrawals_stroops'],
  ['adjustments', 'adjustments_stroops'],
  ['fees', 'fees_stroops'],
  ['balance', 'balance_stroops'],
  ['difference', 'difference_stroops'],
] as const;

async function describeUncompared({ db }: CompareBooksDeps, { id, account }: WalletAccount): Promise<string> {
  const [last] = await lastComparisons(db, [id]);
  const before = last ? `since ${last.checked_at.toISOString()} (ledger ${last.ledger})` : 'ever';
  return `${id} ${account}: not compared, nor ${before}\n\n`;
}

function describeWallet({ id, account }: WalletAccount, rows: Reconciliation[]): string {
  const heading = `${id} ${account}, at ledger ${rows[0]?.ledger}, in stroops\n`;
  const table = [
    ['asset', ...COLUMNS.map(([title]) => title)],
    ...rows.map((row) => [assetName(row), ...COLUMNS.map(([, column]) => `${row[column]}`)]),
  ];
  return `${heading}${inColumns(table)}${rows.map(describeDifference).join('')}\n`;
}

/** Writes an asset in the form of the option `--asset`. */
function assetName({ asset_code, asset_issuer }: Reconciliation): string {
  return asset_issuer === '' ? asset_code : `${asset_code}:${asset_issuer}`;
}

/** Aligns the first column left, the others right. */
function inColumns(table: string[][]): string {
  const widths = (table[0] ?? []).map((_, column) =>
    Math.max(...table.map((row) => row[column]?.length ?? 0)),
  );
  const cell = (text: string, column: number) =>
    column === 0 ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0);
  return table.map((row) => `  ${row.map(cell).join('  ')}\n`).join('');
}

function describeDifference(row: Reconciliation): string {
  if (row.difference_stroops === 0n) return '';
  const agreed = row.agreed_ledger === null ? 'It never agreed' : `It agreed at ledger ${row.agreed_ledger}`;
  const found = row.may_explain ?? [];
  const reasons = found.map(
    ({ stellar_tx_hash, ledger, reason }) => `    ledger ${ledger}: ${stellar_tx_hash ?? '-'} ${reason}\n`,
  );
  const unknown = '    no explanation was found\n';
  return `  ${assetName(row)}: ${agreed}. What may explain the difference:\n${reasons.join('') || unknown}`;
}
