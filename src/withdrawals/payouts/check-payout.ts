/**
 * Checks a whole payout before anything is kept, and finds everything at once. The preview of a payout and its making are this
 * one function.
 *
 * | what                          | an error refuses the payout                       | a warning does not              |
 * |-------------------------------|---------------------------------------------------|---------------------------------|
 * | form of rows, count and total | each mistake; more than an account can hold       |                                 |
 * | keys                          | twice in the file, or used by the team            |                                 |
 * | payees                        |                                                   | the same payment twice: must be |
 * |                               |                                                   | confirmed. So must a payment of |
 * |                               |                                                   | before, unless keys exclude it  |
 * | network                       | what a withdrawal would be refused for            | what the network would fail now |
 * | funds                         |                                                   | too little now                  |
 * | policy, budget of the team    | what the policy refuses of a row                  | more than a limit of 24 hours   |
 *
 * What is checked here may be different once a row begins, so it is checked again then (claim-rows.ts).
 */
import type { Deps } from '../../deps.ts';
import { eachInParts, inTurns } from '../../lib/in-parts.ts';
import { stroopsInWords } from '../../lib/stroops.ts';
import { everyPayee, foldName, type Payee } from '../../payees/payees.ts';
import { assetText, issuedAsset, NATIVE } from '../../stellar/asset.ts';
import { type AccountsAnswer, lineKey } from '../../stellar/stellar.ts';
import { inFlightStroops, type Wallet } from '../../wallets/access.ts';
import { type AssessedPayment, assessPayments } from '../assess/assess.ts';
import { foreseenMessage, type Inspection } from '../assess/preflight.ts';
import { atLeastZero } from '../assess/preview-answer.ts';
import { foreseeTreasuryBudget } from '../channels/treasury-budgets.ts';
import { refusalOfTreasury } from '../channels/treasury-pays.ts';
import type { NeededApprovals } from '../policies/approval-rules.ts';
import { foreseePayout } from '../policies/policy-check.ts';
import {
  at,
  doubledKeys,
  doubledPayees,
  ofFile,
  tooLargeTotals,
  totalsOf,
  wrongCount,
  wrongTotal,
} from './check-file.ts';
import { frozenSides } from './check-frozen.ts';
import { paidBefore, RECENT_DAYS } from './paid-before.ts';
import type { PayoutReport, Total } from './payout-report.ts';
import { keysInUse, neverPaid } from './payout-row-store.ts';
import { inFileOrder, MOST_NAMED, type Problem } from './problems.ts';
import { type GivenPayout, readGiven } from './read-given.ts';
import type { FindPayee, ReadRow } from './read-rows.ts';

const SAMPLE_ROWS = 50;
/** An account has at most so many trust lines (subentries). */
const MOST_ASSETS = 1_000;

type Found = { errors: Problem[]; warnings: Problem[] };

/** Keeps nothing. @throws NetworkUnavailable */
export async function checkPayout(
  deps: Deps,
  wallet: Wallet,
  given: GivenPayout,
): Promise<{ rows: ReadRow[]; report: PayoutReport }> {
  const findPayee = payeeFinder(mayNamePayees(given) ? await everyPayee(deps.db, wallet.owner_id) : []);
  const { rows, problems, count, ...read } = await readGiven(given, findPayee);
  const found: Found = { errors: [...problems, ...wrongCount(given, count)], warnings: [] };
  // The amounts of rows that cannot be read are not in the sum: it would say something wrong of a right file.
  if (problems.length === 0) found.errors.push(...wrongTotal(given, rows));
  found.errors.push(...(await inTurns(doubledKeys(rows))));
  found.warnings.push(...(await inTurns(doubledPayees(rows))));
  // A key of the file says that a row was paid before. A made key does so under the same name only, and a chosen column may
  // be another one than the last time.
  if (read.has_made_keys || given.columns !== undefined)
    found.warnings.push(...(await earlierPayments(deps, wallet, rows)));
  const needs_confirmation = found.warnings.length > 0;
  const all_totals = await inTurns(totalsOf(rows));
  const totals = all_totals.slice(0, MOST_ASSETS);
  const has_too_many = all_totals.length > MOST_ASSETS;
  if (has_too_many)
    found.errors.push(
      ofFile('invalid_request', `there are more assets than an account can hold, ${MOST_ASSETS}`),
    );
  found.errors.push(...tooLargeTotals(totals));
  const sides = { rows: has_too_many ? [] : rows, totals, found };
  const { fee_stroops, approvals } = await checkOutside(deps, wallet, sides);
  const new_payees = await neverPaid(deps.db, wallet.id, rows);
  const report = {
    rows: count,
    totals,
    fee_stroops,
    ...approvals,
    needs_confirmation,
    fee_paid_by: deps.config.treasury_pays.fees ? ('treasury' as const) : ('wallet' as const),
    errors: inFileOrder(found.errors).slice(0, MOST_NAMED),
    error_count: found.errors.length,
    warnings: inFileOrder(found.warnings).slice(0, MOST_NAMED),
    warning_count: found.warnings.length,
    ...read,
    new_payees,
    sample: rows.slice(0, SAMPLE_ROWS),
  };
  return { rows, report };
}

/** Says whether a row may name a payee. What the columns of a CSV are is not known before it is read. */
function mayNamePayees({ rows = [], csv }: GivenPayout): boolean {
  return (
    csv !== undefined || rows.some((row) => typeof row === 'object' && row !== null && 'payee_id' in row)
  );
}

function payeeFinder(payees: Payee[]): FindPayee {
  const by_id = new Map(payees.map((payee) => [payee.id, payee]));
  const by_name = new Map(payees.map((payee) => [foldName(payee.name), payee]));
  // An id is never looked up as a name: that of a deleted payee must find nobody.
  return (named) => {
    const text = 'payee_id' in named ? named.payee_id : named.payee;
    return 'payee_id' in named || text.startsWith('pye_') ? by_id.get(text) : by_name.get(foldName(text));
  };
}

async function earlierPayments({ db, clock }: Deps, { id }: Wallet, rows: ReadRow[]): Promise<Problem[]> {
  if (rows.length === 0) return [];
  const since = new Date(clock.now().getTime() - RECENT_DAYS * 86_400_000);
  const found = await paidBefore(db, id, { rows, since });
  const message = `was paid by this wallet in the last ${RECENT_DAYS} days, or is planned: the same payee, memo, asset and amount`;
  return found.flatMap((index) => {
    const row = rows[index];
    return row ? [at(row, 'destination', 'same_payment', message)] : [];
  });
}

type Sides = { rows: ReadRow[]; totals: Total[]; found: Found };

/**
 * Checks what the database, the network and the policy say. Adds the problems to `found`, and fills `available_stroops` of the
 * totals.
 */
async function checkOutside(
  deps: Deps,
  wallet: Wallet,
  { rows, totals, found }: Sides,
): Promise<{ fee_stroops: bigint; approvals: NeededApprovals }> {
  if (rows.length === 0)
    return { fee_stroops: 0n, approvals: { approvals_required: 0, approvals_cause: null } };
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
  const [assessment, frozen] = await Promise.all([
    assessPayments(deps, wallet, rows),
    deps.stellar.frozenKeys(),
  ]);
  const { answer, rate_stroops, fee_stroops } = assessment;
  if (frozen?.size)
    found.warnings.push(...(await inTurns(frozenSides(frozen, { account: wallet.account, totals, rows }))));
  await checkRows(assessment.payments, found);
  const unpaid = await refusalOfTreasury(deps, { operation: 'payment' }, rate_stroops);
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
  const each = assessment.treasury_stroops;
  const treasury_stroops = each === null ? null : each * BigInt(rows.length);
  const of_budget = await foreseeTreasuryBudget(deps, { owner_id: wallet.owner_id, treasury_stroops });
  for (const { code, message } of [...foreseen.of_totals, ...(of_budget ? [of_budget] : [])])
    found.warnings.push({
      row: null,
      line: null,
      field: null,
      code,
      message: `all rows together: ${message}`,
    });
  return { fee_stroops: fee_stroops * BigInt(rows.length), approvals: foreseen.approvals };
}

/** Checks the rows. A problem of the wallet's account is named once, not once a row. */
async function checkRows(payments: AssessedPayment<ReadRow>[], found: Found): Promise<void> {
  const of_wallet = new Set<string>();
  const check = ({ order: row, inspection, refusals }: AssessedPayment<ReadRow>) => {
    for (const { code, message, details } of refusals) {
      if (code === 'wallet_unfunded') {
        if (!of_wallet.has(message)) found.errors.push({ row: null, line: null, field: null, code, message });
        of_wallet.add(message);
        continue;
      }
      const [detail] = details ?? [];
      found.errors.push(at(row, detail?.path.slice(1) ?? null, code, detail?.message ?? message));
    }
    const failure = wouldFail(row, inspection);
    if (failure)
      found.warnings.push(
        at(row, 'destination', failure, foreseenMessage(failure, inspection, row.asset_issuer)),
      );
  };
  await inTurns(eachInParts(payments, check));
}

/**
 * Returns the code with which the network would fail the payment now, as far as the payee is concerned; null when it would not
 * fail.
 */
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
