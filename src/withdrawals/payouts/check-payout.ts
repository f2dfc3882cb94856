/**
 * Checks a whole payout before anything is kept, and finds everything at once. The preview of a payout and its making are this
 * one function.
 *
 * | what                          | an error refuses the payout                       | a warning does not              |
 * |-------------------------------|---------------------------------------------------|---------------------------------|
 * | form of rows, count and total | each mistake                                      |                                 |
 * | keys                          | twice in the file, or used by the team            |                                 |
 * | payees                        |                                                   | the same payment twice: must be |
 * |                               |                                                   | confirmed                       |
 * | network                       | what a withdrawal would be refused for            | what the network would fail now |
 * | funds                         |                                                   | too little now                  |
 * | policy                        | what it refuses of a row                          | more than its limit of 24 hours |
 *
 * What is checked here may be different once a row begins, so it is checked again then (claim-rows.ts).
 */
import { strict as assert } from 'node:assert';
import type { Deps } from '../../deps.ts';
import { stroopsInWords } from '../../lib/stroops.ts';
import { type AssetFields, assetText, issuedAsset, NATIVE } from '../../stellar/asset.ts';
import { type AccountsAnswer, lineKey } from '../../stellar/stellar.ts';
import { failureMessage } from '../../stellar/transactions/result-codes.ts';
import { inFlightStroops, type Wallet } from '../../wallets/access.ts';
import { feeOfWallet, refusalOfTreasury } from '../channels/treasury-pays.ts';
import { feeRate } from '../engine/fee-rate.ts';
import { foreseePayout } from '../policies/policy-check.ts';
import { type Inspection, inspectionOf, refusals } from '../preflight.ts';
import { atLeastZero } from '../preview-answer.ts';
import type { PayoutReport, Total } from './payout-report.ts';
import { keysInUse } from './payout-row-store.ts';
import { inFileOrder, MOST_NAMED, type Problem } from './problems.ts';
import { type GivenPayout, readGiven } from './read-given.ts';
import type { ReadRow } from './read-rows.ts';

const SAMPLE_ROWS = 50;
/** Accounts that one question to the network names: two keys each, and a trust line, in requests of 200 keys. */
const READ_AT_ONCE = 1_000;

type Found = { errors: Problem[]; warnings: Problem[] };

/** Keeps nothing. @throws NetworkUnavailable */
export async function checkPayout(
  deps: Deps,
  wallet: Wallet,
  given: GivenPayout,
): Promise<{ rows: ReadRow[]; report: PayoutReport }> {
  const { rows, problems, count } = await readGiven(given);
  const found: Found = { errors: [...problems, ...wrongCount(given, count)], warnings: [] };
  // The amounts of rows that cannot be read are not in the sum: it would say something wrong of a right file.
  if (problems.length === 0) found.errors.push(...wrongTotal(given, rows));
  found.errors.push(...doubledKeys(rows));
  found.warnings.push(...doubledPayees(rows));
  const needs_confirmation = found.warnings.length > 0;
  const totals = totalsOf(rows);
  const { fee_stroops, approvals_required } = await checkOutside(deps, wallet, { rows, totals, found });
  const report = {
    ...{ rows: count, totals, fee_stroops, approvals_required, needs_confirmation },
    fee_paid_by: deps.config.treasury_pays.fees ? ('treasury' as const) : ('wallet' as const),
    errors: inFileOrder(found.errors).slice(0, MOST_NAMED),
    error_count: found.errors.length,
    warnings: inFileOrder(found.warnings).slice(0, MOST_NAMED),
    warning_count: found.warnings.length,
    sample: rows.slice(0, SAMPLE_ROWS),
  };
  return { rows, report };
}

function wrongCount({ expected_count }: GivenPayout, count: number): Problem[] {
  if (expected_count === undefined || expected_count === BigInt(count)) return [];
  return [ofFile('count_differs', `there are ${count} rows, and ${expected_count} were expected`)];
}

function wrongTotal({ expected_total_stroops }: GivenPayout, rows: ReadRow[]): Problem[] {
  const total = rows.reduce((sum, { amount_stroops }) => sum + amount_stroops, 0n);
  if (expected_total_stroops === undefined || expected_total_stroops === total) return [];
  const message = `the amounts are ${total} stroops, and ${expected_total_stroops} were expected`;
  return [ofFile('total_differs', message)];
}

function ofFile(code: string, message: string): Problem {
  return { row: null, line: null, field: null, code, message };
}

function at({ number, line }: ReadRow, field: string | null, code: string, message: string): Problem {
  return { row: number, line, field, code, message };
}

/** Where a row is: its line in a CSV, else its number. */
function placeOf({ number, line }: ReadRow): string {
  return line === null ? `row ${number}` : `line ${line}`;
}

function doubledKeys(rows: ReadRow[]): Problem[] {
  return again(rows, ({ idempotency_key }) => idempotency_key).map(({ row, first }) =>
    at(row, 'idempotency_key', 'invalid_request', `is that of ${placeOf(first)} too`),
  );
}

function doubledPayees(rows: ReadRow[]): Problem[] {
  const payment = (row: ReadRow) =>
    [row.address.account, row.memo_id ?? row.address.muxed_id, assetText(row), row.amount_stroops].join(' ');
  return again(rows, payment).map(({ row, first }) =>
    at(row, 'destination', 'duplicate_payment', `gets the same amount as in ${placeOf(first)}`),
  );
}

/** Rows with a key that an earlier row has, each with the first one. */
function again(rows: ReadRow[], keyOf: (row: ReadRow) => string): { row: ReadRow; first: ReadRow }[] {
  const seen = new Map<string, ReadRow>();
  return rows.flatMap((row) => {
    const first = seen.get(keyOf(row));
    if (first) return [{ row, first }];
    seen.set(keyOf(row), row);
    return [];
  });
}

function totalsOf(rows: (AssetFields & { amount_stroops: bigint })[]): Total[] {
  return [...Map.groupBy(rows, assetText).values()].map((same) => {
    const [first] = same;
    assert(first);
    const { asset_code, asset_issuer } = first;
    const amount_stroops = same.reduce((sum, row) => sum + row.amount_stroops, 0n);
    return { asset_code, asset_issuer, rows: same.length, amount_stroops, available_stroops: null };
  });
}

type Sides = { rows: ReadRow[]; totals: Total[]; found: Found };

/** What the database, the network and the policy say. Fills `available_stroops` of the totals. */
async function checkOutside(
  deps: Deps,
  wallet: Wallet,
  { rows, totals, found }: Sides,
): Promise<{ fee_stroops: bigint; approvals_required: number }> {
  if (rows.length === 0) return { fee_stroops: 0n, approvals_required: 0 };
  const used = await keysInUse(
    deps.db,
    wallet.owner_id,
    rows.map(({ idempotency_key }) => idempotency_key),
  );
  const reused = rows.filter(({ idempotency_key }) => used.has(idempotency_key));
  for (const row of reused)
    found.errors.push(
      at(row, 'idempotency_key', 'idempotency_key_reused', 'is used by a withdrawal or a payout'),
    );
  const [answer, rate] = await Promise.all([readNetwork(deps, wallet, rows), feeRate(deps)]);
  const fee_stroops = feeOfWallet(deps.config, rate, 'payment');
  checkRows(deps, wallet, rows, { answer, fee_stroops, found });
  const unpaid = await refusalOfTreasury(deps, { operation: 'payment' }, rate);
  if (unpaid) throw unpaid;
  await checkFunds(deps, wallet, { totals, found, fees_stroops: fee_stroops * BigInt(rows.length), answer });
  const foreseen = await foreseePayout(
    deps.db,
    { wallet_id: wallet.id, payments: rows, totals },
    deps.clock.now(),
  );
  if (foreseen.frozen) found.errors.push({ row: null, line: null, field: null, ...foreseen.frozen });
  for (const [index, violation] of foreseen.violations.entries()) {
    const row = rows[index];
    if (row && violation)
      found.errors.push(at(row, null, violation.code, `is refused: ${violation.message}`));
  }
  for (const { code, message } of foreseen.of_totals)
    found.warnings.push({
      row: null,
      line: null,
      field: null,
      code,
      message: `all rows together: ${message}`,
    });
  return { fee_stroops: fee_stroops * BigInt(rows.length), approvals_required: foreseen.approvals_required };
}

/** The wallet, every payee and their trust lines, in as few questions as possible. @throws NetworkUnavailable */
export async function readNetwork(
  deps: Pick<Deps, 'stellar'>,
  wallet: Pick<Wallet, 'account'>,
  rows: ReadRow[],
): Promise<AccountsAnswer> {
  const assets = new Map(
    rows.flatMap((row) => (issuedAsset(row) ? [[assetText(row), issuedAsset(row)]] : [])),
  );
  const accounts = [...new Set([wallet.account, ...rows.map(({ address }) => address.account)])];
  const lines = new Map(
    rows.flatMap((row) => {
      const asset = issuedAsset(row);
      const name = asset && { account: row.address.account, asset };
      return name ? [[lineKey(name), name]] : [];
    }),
  );
  for (const asset of assets.values())
    if (asset) lines.set(lineKey({ account: wallet.account, asset }), { account: wallet.account, asset });
  const by_account = Map.groupBy(lines.values(), ({ account }) => account);
  let all: AccountsAnswer | null = null;
  for (let from = 0; from < accounts.length; from += READ_AT_ONCE) {
    const some = accounts.slice(from, from + READ_AT_ONCE);
    const read = await deps.stellar.readAccounts(
      some,
      some.flatMap((account) => by_account.get(account) ?? []),
    );
    all ??= { latest: read.latest, accounts: new Map(), lines: new Map() };
    for (const [account, state] of read.accounts) all.accounts.set(account, state);
    for (const [key, line] of read.lines) all.lines.set(key, line);
  }
  return all as AccountsAnswer;
}

type Network = { answer: AccountsAnswer; fee_stroops: bigint; found: Found };

/** The account of the wallet is checked once, not once a row. */
function checkRows(
  deps: Deps,
  wallet: Wallet,
  rows: ReadRow[],
  { answer, fee_stroops, found }: Network,
): void {
  const of_wallet = new Set<string>();
  for (const row of rows) {
    const inspection = inspectionOf(deps, { ...row, wallet }, row.address, answer);
    for (const { code, message, details } of refusals(row, row.address, inspection, fee_stroops)) {
      if (code === 'wallet_unfunded') {
        if (!of_wallet.has(message)) found.errors.push({ row: null, line: null, field: null, code, message });
        of_wallet.add(message);
        continue;
      }
      const [detail] = details ?? [];
      found.errors.push(at(row, detail?.path.slice(1) ?? null, code, detail?.message ?? message));
    }
    const failure = wouldFail(row, inspection);
    if (failure) found.warnings.push(at(row, 'destination', failure, failureMessage(failure)));
  }
}

/** What the network would fail the payment for now, as far as the payee is concerned. */
function wouldFail(row: ReadRow, { operation, target, target_line }: Inspection): string | null {
  if (operation === 'create_account' || row.address.account === row.asset_issuer) return null;
  if (!target) return 'op_no_destination';
  if (operation !== 'asset_payment') return null;
  if (!target_line) return 'op_no_trust';
  if (target_line.authorization !== 'full') return 'op_not_authorized';
  const { limit_stroops, balance_stroops, buying_liabilities_stroops } = target_line;
  const room = limit_stroops - balance_stroops - buying_liabilities_stroops;
  return room < row.amount_stroops ? 'op_line_full' : null;
}

type Funds = { totals: Total[]; found: Found; fees_stroops: bigint; answer: AccountsAnswer };

async function checkFunds(
  deps: Deps,
  wallet: Wallet,
  { totals, found, fees_stroops, answer }: Funds,
): Promise<void> {
  const payer = { pays_fees: !deps.config.treasury_pays.fees };
  const own = answer.accounts.get(wallet.account);
  const native_in_flight = await inFlightStroops(deps.db, wallet.id, NATIVE, payer);
  const native = atLeastZero((own?.spendable_stroops ?? 0n) - native_in_flight);
  let needed = fees_stroops;
  for (const total of totals) {
    const asset = issuedAsset(total);
    if (asset === null) {
      total.available_stroops = native;
      needed += total.amount_stroops;
      continue;
    }
    const line = answer.lines.get(lineKey({ account: wallet.account, asset }));
    const in_flight = await inFlightStroops(deps.db, wallet.id, total, payer);
    const held = line ? line.balance_stroops - line.selling_liabilities_stroops : 0n;
    total.available_stroops = atLeastZero(held - in_flight);
    if (total.available_stroops < total.amount_stroops)
      found.warnings.push(tooLittle(`of ${assetText(total)}`, total.amount_stroops, total.available_stroops));
  }
  if (own && native < needed) found.warnings.push(tooLittle('with the fees', needed, native));
}

function tooLittle(what: string, needed: bigint, available: bigint): Problem {
  const [need, have] = [needed, available].map(stroopsInWords);
  const message = `all rows together need ${need} ${what}, and the wallet can pay ${have} now`;
  return { row: null, line: null, field: null, code: 'op_underfunded', message };
}
