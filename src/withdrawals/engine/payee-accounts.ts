/**
 * Whether a payment creates its payee's account. That is decided when its envelope is built, from the ledger and from the signed rows
 * of all wallets: an order that waited may find another ledger than it was claimed on.
 *
 * | the payee's account                            | the row                                                          |
 * |------------------------------------------------|------------------------------------------------------------------|
 * | is on the network                              | is a payment                                                     |
 * | is not, and a signed row creates it            | waits for the outcome of that row, and leaves its transaction    |
 * |                                                | source to others                                                 |
 * | is not, and an earlier row of this round       | waits                                                            |
 * | creates it                                     |                                                                  |
 * | is not yet at the source that was asked, and a | waits, until the source has that ledger                          |
 * | row has created it in a later ledger           |                                                                  |
 * | is not, and nothing creates it                 | creates it, if the amount is enough; else it is a payment, which |
 * |                                                | the network refuses                                              |
 *
 * Two processes that decide at once: the unique index `withdrawals_creating` lets one of them commit (`recordSigned`). A crash
 * leaves rows that are signed, and rows that are not: the next round decides about those again.
 */
import type { Deps } from '../../deps.ts';
import { type Address, parseAddress } from '../../stellar/address.ts';
import type { LedgerPosition } from '../../stellar/stellar.ts';
import { creationsOf, withoutUnmatched } from './queries.ts';
import type { Withdrawal } from './store.ts';
import { type AssignedWithdrawal, releaseTxSource } from './tx-source-store.ts';

type Order = Pick<Withdrawal, 'amount_stroops' | 'memo_return'>;

/**
 * Returns the least amount that creates an account which is not on the network: a new account keeps two base reserves. Null
 * where no amount does: a muxed payee must exist, and nobody may hold the key of an account that a refund would create again.
 */
export function leastThatCreates(
  { config }: Pick<Deps, 'config'>,
  { muxed_id }: Pick<Address, 'muxed_id'>,
  { memo_return }: Pick<Order, 'memo_return'>,
  { base_reserve_stroops }: Pick<LedgerPosition, 'base_reserve_stroops'>,
): bigint | null {
  const mayCreate = config.create_missing_accounts && muxed_id === null && memo_return === null;
  return mayCreate ? 2n * base_reserve_stroops : null;
}

/** Returns the accounts (G…) that the rows pay in the native asset: those that a payment might create. */
export function payeesOf(rows: AssignedWithdrawal[]): string[] {
  return rows.flatMap((row) => payeeOf(row)?.account ?? []);
}

/** `existing`: the payees that the network had at `latest`. `isHeldBack`: the row could not be signed when it was tried. */
type Known = {
  latest: LedgerPosition;
  existing: Pick<Set<string>, 'has'>;
  isHeldBack(row: AssignedWithdrawal): boolean;
};

/** Returns the rows that may be signed now, in their order, each with its operation. */
export async function withOperations(
  deps: Pick<Deps, 'config' | 'db'>,
  rows: AssignedWithdrawal[],
  known: Known,
): Promise<AssignedWithdrawal[]> {
  const absent = [...new Set(payeesOf(rows))].filter((account) => !known.existing.has(account));
  if (absent.length === 0) return rows.map(asPayment);
  const { in_flight, done } = await creationsOf(deps.db, absent, known.latest.sequence);
  const able = ableToCreate(deps, rows, known);
  const creators = await creatorsAmong(deps, able, known);
  const isAble = new Set(able.map(({ account }) => account));
  const decided: AssignedWithdrawal[] = [];
  for (const row of rows) {
    const account = payeeOf(row)?.account;
    if (account === undefined || known.existing.has(account)) decided.push(asPayment(row));
    else if (in_flight.has(account)) await leaveTxSource(deps, row);
    else if (done.has(account)) continue;
    else if (creators.get(account) === row.id) decided.push({ ...row, operation: 'create_account' });
    else if (!isAble.has(account)) decided.push(asPayment(row));
  }
  return decided;
}

type Able = { row: AssignedWithdrawal; account: string };

function ableToCreate(
  deps: Pick<Deps, 'config'>,
  rows: AssignedWithdrawal[],
  { latest, existing }: Known,
): Able[] {
  return rows.flatMap((row) => {
    const payee = payeeOf(row);
    if (payee === null || existing.has(payee.account)) return [];
    const least = leastThatCreates(deps, payee, row, latest);
    return least !== null && row.amount_stroops >= least ? [{ row, account: payee.account }] : [];
  });
}

/** Chooses for each account the row that creates it. The others wait for that row, so one that would not be signed now comes last, or not at all. */
async function creatorsAmong(
  { db }: Pick<Deps, 'db'>,
  able: Able[],
  { isHeldBack }: Known,
): Promise<Map<string, string>> {
  const ids = able.map(({ row }) => row.id);
  const signable = await withoutUnmatched(db, ids);
  const [heldBack, others] = [
    able.filter(({ row }) => isHeldBack(row)),
    able.filter(({ row }) => !isHeldBack(row)),
  ];
  const creators = new Map<string, string>();
  for (const { row, account } of [...others, ...heldBack])
    if (signable.has(row.id) && !creators.has(account)) creators.set(account, row.id);
  return creators;
}

/** Returns the account that the row pays; null for an issued asset, and for a row that pays no account. */
function payeeOf({ operation, destination }: AssignedWithdrawal): Address | null {
  return operation === 'payment' || operation === 'create_account' ? parseAddress(destination) : null;
}

function asPayment(row: AssignedWithdrawal): AssignedWithdrawal {
  return row.operation === 'create_account' ? { ...row, operation: 'payment' } : row;
}

/**
 * Takes the transaction source from a row. `assignTxSources` gives the row no other one until the creation has its outcome. It does not know the account in a muxed
 * address: such a row keeps its transaction source. So does a row whose transaction source is blocked: only the signing of that row
 * ends the block, and nobody else could use the account.
 */
async function leaveTxSource({ db }: Pick<Deps, 'db'>, row: AssignedWithdrawal): Promise<void> {
  if (row.blocked_reason === null && parseAddress(row.destination)?.muxed_id === null)
    await releaseTxSource(db, row);
}
