/**
 * Says whether payments can be paid, what each costs, and who pays that: once for a withdrawal, its preview, the check of a
 * payout and the rows that a payout begins. A transfer to a contract is assessed by contract-preflight.ts.
 *
 * | asked by                    | orders        | what else it asks                                          |
 * |-----------------------------|---------------|------------------------------------------------------------|
 * | request/withdraw.ts         | one           | nothing: policies and budgets are checked by the claim     |
 * | preview.ts                  | one           | what the network would fail, the policy and the budget now |
 * | payouts/check-payout.ts     | a whole file  | the same of all rows together                              |
 * | payouts/prepare-rows.ts     | the next rows | how many the wallet can pay                                |
 */
import { strict as assert } from 'node:assert';
import type { Deps } from '../../deps.ts';
import type { AppError } from '../../lib/errors.ts';
import { eachInParts, inTurns, mapInParts } from '../../lib/in-parts.ts';
import type { Address } from '../../stellar/address.ts';
import { issuedAsset } from '../../stellar/asset.ts';
import { type AccountsAnswer, type LineName, lineKey } from '../../stellar/stellar.ts';
import type { Wallet } from '../../wallets/access.ts';
import { feeOfWallet, partOfTreasury, refusalOfTreasury } from '../channels/treasury-pays.ts';
import { feeRate } from '../engine/fee-rate.ts';
import { type Inspection, inspectionOf, type Payment, refusals } from './preflight.ts';

/** Accounts that one question to the network names: two keys each, and a trust line, in requests of 200 keys. */
const READ_AT_ONCE = 500;

/** A payment to an account. `address`: of its destination. */
export type PaymentOrder = Payment & { address: Address };

/** `refusals`: the reasons to refuse the payment, most important first. */
export type AssessedPayment<T> = { order: T; inspection: Inspection; refusals: AppError[] };

export type Assessment<T> = {
  /** Of the wallet, of every payee, and of their trust lines. */
  answer: AccountsAnswer;
  /** The bid per operation. */
  rate_stroops: bigint;
  /** What the wallet pays for each payment; 0 where the treasury pays. */
  fee_stroops: bigint;
  /** What the treasury pays for each payment; null: nothing. */
  treasury_stroops: bigint | null;
  /** In the order of `orders`. */
  payments: AssessedPayment<T>[];
};

type AssessDeps = Pick<Deps, 'stellar' | 'config' | 'db'>;
type Payer = Pick<Wallet, 'account'>;

/**
 * Assesses payments of one wallet by the latest ledger, with as few questions to the network as possible. A balance is compared
 * with nothing: the caller knows what is in flight beside the orders.
 * @throws NetworkUnavailable
 */
export async function assessPayments<T extends PaymentOrder>(
  deps: AssessDeps,
  wallet: Payer,
  orders: readonly T[],
  rate: () => bigint | Promise<bigint> = () => feeRate(deps),
): Promise<Assessment<T>> {
  const [answer, rate_stroops] = await Promise.all([readSides(deps, wallet, orders), rate()]);
  const fee_stroops = feeOfWallet(deps.config, rate_stroops, 'payment');
  const treasury_stroops = partOfTreasury(deps.config, { operation: 'payment' }, { rate_stroops });
  const assessOne = (order: T): AssessedPayment<T> => {
    const inspection = inspectionOf(deps, { ...order, wallet }, order.address, answer);
    return { order, inspection, refusals: refusals(order, order.address, inspection, fee_stroops) };
  };
  const payments = await inTurns(mapInParts(orders, assessOne));
  return { answer, rate_stroops, fee_stroops, treasury_stroops, payments };
}

/** The assessment of one payment, with what the treasury has to say of it. */
export type AssessedOrder = Omit<Assessment<PaymentOrder>, 'payments' | 'answer'> & {
  inspection: Inspection;
  refusals: AppError[];
};

/** Assesses one payment. `rate`: for a caller who needs no fee. @throws NetworkUnavailable */
export async function assessPayment(
  deps: AssessDeps,
  order: PaymentOrder & { wallet: Payer },
  rate?: () => bigint,
): Promise<AssessedOrder> {
  const assessment = await assessPayments(deps, order.wallet, [order], rate);
  const { rate_stroops, fee_stroops, treasury_stroops } = assessment;
  const [payment] = assessment.payments;
  assert(payment);
  const { inspection, refusals } = payment;
  const of_treasury = await refusalOfTreasury(deps, { operation: inspection.operation }, rate_stroops);
  const all = of_treasury ? [...refusals, of_treasury] : refusals;
  return { rate_stroops, fee_stroops, treasury_stroops, inspection, refusals: all };
}

/** Reads the wallet, every payee and their trust lines. @throws NetworkUnavailable */
async function readSides(
  { stellar }: Pick<Deps, 'stellar'>,
  wallet: Payer,
  orders: readonly PaymentOrder[],
): Promise<AccountsAnswer> {
  const accounts = new Set([wallet.account]);
  const lines = new Map<string, LineName>();
  const note = (name: LineName) => lines.set(lineKey(name), name);
  await inTurns(
    eachInParts(orders, (order) => {
      const { account } = order.address;
      const asset = issuedAsset(order);
      accounts.add(account);
      if (asset) for (const holder of [account, wallet.account]) note({ account: holder, asset });
    }),
  );
  const by_account = Map.groupBy(lines.values(), ({ account }) => account);
  const names = [...accounts];
  let all: AccountsAnswer | null = null;
  for (let from = 0; from < names.length; from += READ_AT_ONCE) {
    const some = names.slice(from, from + READ_AT_ONCE);
    const read = await stellar.readAccounts(
      some,
      some.flatMap((account) => by_account.get(account) ?? []),
    );
    all ??= { latest: read.latest, accounts: new Map(), lines: new Map() };
    for (const [account, state] of read.accounts) all.accounts.set(account, state);
    for (const [key, line] of read.lines) all.lines.set(key, line);
  }
  return all as AccountsAnswer;
}
