/** What the network says of the next rows of a payout, before their keys are claimed. */

import { strict as assert } from 'node:assert';
import type { Deps } from '../../deps.ts';
import { readDestination } from '../../http/destination.ts';
import { maxLagSeconds } from '../../ledgers/signing-allowed.ts';
import { assetText, issuedAsset, NATIVE } from '../../stellar/asset.ts';
import { type AccountsAnswer, lineKey } from '../../stellar/stellar.ts';
import { inFlightStroops } from '../../wallets/access.ts';
import { type AssessedPayment, assessPayments } from '../assess/assess.ts';
import type { Inspection } from '../assess/preflight.ts';
import { type PayoutRow, type Refused, rowsWithKeyTaken } from './payout-row-store.ts';
import type { RunningPayout } from './payout-store.ts';
import type { ReadRow } from './read-rows.ts';

/** `treasury_stroops`: what the treasury pays of it; null: nothing. */
export type PreparedRow = PayoutRow & {
  operation: Inspection['operation'];
  treasury_stroops: bigint | null;
};

/** Why a payout stops until a person has looked. */
export type StopReason = { code: string; message: string };

/**
 * `ready`: can be claimed, in the order of the file. `refused`: the payee cannot be paid so, and nothing was claimed. `stop`: what
 * is wrong with the wallet, and would be with every row.
 */
export type Prepared = {
  ready: PreparedRow[];
  refused: Refused[];
  stop: StopReason | null;
  /** Close time of the ledger that must be processed before a refused row is said to be unpaid, Unix seconds. */
  least_close_time: bigint;
};

type PrepareDeps = Pick<Deps, 'stellar' | 'config' | 'db'>;

/** @throws NetworkUnavailable */
export async function prepareRows(
  deps: PrepareDeps,
  payout: RunningPayout,
  rows: PayoutRow[],
): Promise<Prepared> {
  const wallet = { id: payout.wallet_id, account: payout.wallet_account };
  // Read before the network: what gets its outcome in between is counted twice for a moment, never omitted.
  const in_flight = await readInFlight(deps, payout.wallet_id, rows);
  const read = rows.map(asRead);
  const { answer, fee_stroops, treasury_stroops, payments } = await assessPayments(deps, wallet, read);
  const least_close_time = answer.latest.close_time - BigInt(maxLagSeconds(deps.config));
  const numbers = rows.map(({ number }) => number);
  const taken = await rowsWithKeyTaken(deps.db, { id: payout.id, wallet_id: payout.wallet_id, numbers });
  const inspected = rows.map((row, index) => {
    const { inspection, refusals } = payments[index] as AssessedPayment<ReadRow>;
    return {
      row: { ...row, operation: inspection.operation, treasury_stroops },
      refusal: refusals[0] ?? null,
    };
  });
  const [old, fresh] = partition(inspected, ({ row }) => taken.has(row.number));
  const certain = old.map(({ row }) => row);
  // Every row would be refused for this.
  const of_wallet = fresh.find(({ refusal }) => refusal?.code === 'wallet_unfunded')?.refusal;
  if (of_wallet) return { ready: certain, refused: [], stop: of_wallet, least_close_time };
  const refused = fresh.flatMap(({ row: { number }, refusal }) =>
    refusal ? [{ number, code: refusal.code, message: refusal.message }] : [],
  );
  const payable = fresh.filter(({ refusal }) => refusal === null).map(({ row }) => row);
  const covered = coveredRows(wallet.account, payable, { answer, in_flight, fee_stroops });
  const ready = [...certain, ...payable.slice(0, covered)];
  // While something is in flight the balance may be counted twice: look again when it has its outcome.
  const isExact = [...in_flight.values()].every((stroops) => stroops === 0n);
  const isShort = ready.length === 0 && payable.length > 0 && isExact;
  return { ready, refused, stop: isShort ? TOO_LITTLE : null, least_close_time };
}

function partition<T>(all: T[], isFirst: (each: T) => boolean): [T[], T[]] {
  return [all.filter(isFirst), all.filter((each) => !isFirst(each))];
}

const TOO_LITTLE: StopReason = {
  code: 'wallet_unfunded',
  message:
    'The wallet holds too little for the next row and its fee. Pay into its account, then resume the payout.',
};

function asRead(row: PayoutRow): ReadRow {
  const { destination, amount_stroops, memo_id, asset_code, asset_issuer, number } = row;
  const payee = { destination, amount_stroops, memo_id, asset_code, asset_issuer };
  const order = { ...payee, memo_return: null, allow_issuer: false };
  const address = readDestination(order);
  assert(address.contract === null, 'the file was checked');
  return {
    ...order,
    number,
    line: null,
    address,
    idempotency_key: row.idempotency_key,
    reference: row.reference,
  };
}

/** Returns what is in flight, in stroops, by `assetText`; the native asset is always there. */
async function readInFlight(
  deps: PrepareDeps,
  wallet_id: string,
  rows: PayoutRow[],
): Promise<Map<string, bigint>> {
  const payer = { pays_fees: !deps.config.treasury_pays.fees };
  const assets = new Map([NATIVE, ...rows].map((asset) => [assetText(asset), asset]));
  const sums = new Map<string, bigint>();
  for (const [name, asset] of assets) sums.set(name, await inFlightStroops(deps.db, wallet_id, asset, payer));
  return sums;
}

/** Returns how many rows, from the first on, the wallet can pay with their fees beside what is in flight. */
function coveredRows(
  account: string,
  rows: PreparedRow[],
  known: { answer: AccountsAnswer; in_flight: Map<string, bigint>; fee_stroops: bigint },
): number {
  const { answer, in_flight, fee_stroops } = known;
  const left = new Map<string, bigint>();
  const leftOf = (row: PreparedRow | typeof NATIVE) => {
    const name = assetText(row);
    return left.get(name) ?? heldOf(account, row, answer) - (in_flight.get(name) ?? 0n);
  };
  for (const [index, row] of rows.entries()) {
    left.set(assetText(row), leftOf(row) - row.amount_stroops);
    left.set(assetText(NATIVE), leftOf(NATIVE) - fee_stroops);
    if (leftOf(row) < 0n || leftOf(NATIVE) < 0n) return index;
  }
  return rows.length;
}

function heldOf(
  account: string,
  row: { asset_code: string; asset_issuer: string | null },
  answer: AccountsAnswer,
): bigint {
  const asset = issuedAsset(row);
  if (asset === null) return answer.accounts.get(account)?.spendable_stroops ?? 0n;
  const line = answer.lines.get(lineKey({ account, asset }));
  return line ? line.balance_stroops - line.selling_liabilities_stroops : 0n;
}
