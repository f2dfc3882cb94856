import type { Actor } from '../../src/audit/audit.ts';
import type { User } from '../../src/auth/users/user-store.ts';
import { isConnectFailure, isConnectionLost, isReferenceGone } from '../../src/db/failures.ts';
import { AppError } from '../../src/lib/errors.ts';
import { NATIVE, parseAsset } from '../../src/stellar/asset.ts';
import { NetworkUnavailable } from '../../src/stellar/network-unavailable.ts';
import { showWithdrawal } from '../../src/withdrawals/answers/schema.ts';
import type { Withdrawal } from '../../src/withdrawals/engine/store.ts';
import { withdraw } from '../../src/withdrawals/request/withdraw.ts';
import type { Answer, Call, ShownWithdrawal } from '../oracle/evidence.ts';
import type { Order } from '../oracle/order.ts';
import { loginOf, type SimulatedWallet } from './accounts.ts';
import type { Desk } from './desk.ts';
import { askerFor } from './members.ts';
import { anyOrder, rivalOrders } from './orders.ts';
import type { SimProcess } from './process.ts';

const RIVALS_SHARE = 0.03;

/** One customer after another, until the desk closes. */
export async function serve(desk: Desk, pause_ms: number): Promise<void> {
  while (!desk.closing) {
    const orders = desk.random.chance(RIVALS_SHARE) ? rivalOrders(desk) : [anyOrder(desk)];
    await Promise.all(orders.map((order) => carryOut(desk, order)));
    await desk.scheduler.sleep(desk.world, desk.random.integer(0, pause_ms));
  }
}

const PATIENCE = 8;

/** Asks with the same key until it knows the outcome, or does not care any more. */
async function carryOut(desk: Desk, order: Order): Promise<void> {
  const { random, scheduler, world } = desk;
  for (let tries = 1; tries <= PATIENCE; tries++) {
    const answers = random.chance(0.08)
      ? await Promise.all([ask(desk, order), ask(desk, order)])
      : [await ask(desk, random.chance(0.03) ? otherBody(desk, order) : order)];
    if (answers.some(isFinal) && random.chance(0.9)) return;
    if (random.chance(0.15)) return;
    await scheduler.sleep(world, random.integer(0, 20_000));
  }
}

function isFinal(answer: Answer | null): boolean {
  if (answer === null) return false;
  return answer.status < 500 && answer.code !== 'idempotency_key_in_flight';
}

export async function ask(desk: Desk, order: Order): Promise<Answer | null> {
  const process = desk.process();
  if (!process) return null;
  const { history } = desk.scheduler;
  const wallet = desk.accounts.wallets.find(({ id }) => id === order.wallet_id) as SimulatedWallet;
  const { actor, asked_by } = askerFor(desk, wallet);
  const call: Call = { order, answer: null, asked_by };
  desk.calls.push(call);
  history.record(
    process.name,
    `is asked for ${order.serial}: ${order.amount_stroops} ${order.asset.slice(0, 12)} to ${order.destination}`,
  );
  const asking = { ...order, actor, owner: wallet.owner };
  call.answer = await Promise.race([request(process, asking), process.died.then(() => null)]);
  const { answer } = call;
  history.record(
    process.name,
    `answers ${order.serial}: ${answer?.status} ${answer?.code} ${answer?.data?.status}`,
  );
  return answer;
}

/** As the route does it. */
async function request(process: SimProcess, order: Order & { actor: Actor; owner: User }): Promise<Answer> {
  const { key, wallet_id, destination, asset, amount_stroops, memo_id, actor, owner } = order;
  const { deps } = process;
  try {
    const wallet = await process.requireWallet(loginOf(owner), wallet_id);
    const done = await withdraw(deps, process, {
      actor,
      wallet,
      idempotency_key: key,
      destination,
      amount_stroops,
      memo_id,
      memo_return: null,
      allow_issuer: order.allow_issuer ?? false,
      ...(parseAsset(asset) ?? NATIVE),
      refund_of: null,
      reference: null,
    });
    return created(done);
  } catch (error) {
    return refusalOf(error as Error);
  }
}

/** As the routes answer. */
export function created(row: Withdrawal): Answer {
  const data = showWithdrawal(row) as ShownWithdrawal;
  return row.status === 'awaiting_approval'
    ? { status: 202, code: 'accepted', data }
    : { status: 201, code: 'created', data };
}

export function refusalOf(error: Error): Answer {
  if (error instanceof AppError)
    return { status: error.status, code: error.code, data: (error.data as ShownWithdrawal) ?? null };
  if (error instanceof NetworkUnavailable) return { status: 503, code: 'network_unavailable', data: null };
  if (isConnectFailure(error) || isReferenceGone(error))
    return { status: 503, code: 'database_unavailable', data: null };
  if (isConnectionLost(error)) return { status: 503, code: 'in_doubt', data: null };
  const { code } = error as { code?: string };
  // An error that the database gave: nothing of the transaction is left.
  if (code && /^(40|57)/.test(code)) return { status: 503, code: 'in_doubt', data: null };
  return { status: 500, code: `${error.message}`, data: null };
}

/** Keys are the owner's: of another owner it would be another key. */
function otherBody(desk: Desk, { key, wallet_id }: Order): Order {
  const { wallets } = desk.accounts;
  const used = wallets.find(({ id }) => id === wallet_id);
  const own = wallets.filter(({ owner }) => owner === used?.owner);
  const serial = desk.serial++;
  return { ...anyOrder({ ...desk, serial, accounts: { ...desk.accounts, wallets: own } }), key };
}
