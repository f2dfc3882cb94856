/** People who look through the inboxes: they assign what found no address, or pay it back, now and then both at once. */

import { assignDeposit } from '../../src/deposits/inbox/assign-deposit.ts';
import { listDeposits } from '../../src/deposits/recorded/deposit-store.ts';
import { refundDeposit } from '../../src/withdrawals/request/refund.ts';
import type { Answer, InboxCall } from '../oracle/evidence.ts';
import { onId } from '../support/acting.ts';
import { loginOf, type SimulatedWallet } from './accounts.ts';
import { created, refusalOf } from './clients.ts';
import type { Desk } from './desk.ts';
import { askerFor } from './members.ts';
import type { SimProcess } from './process.ts';

type Place = Pick<InboxCall, 'deposit_id' | 'wallet_id'>;

/** One deposit after another, until the desk closes. */
export async function workThroughInbox(desk: Desk, pause_ms: number): Promise<void> {
  const { random, scheduler, world } = desk;
  while (!desk.closing) {
    await scheduler.sleep(world, random.integer(0, pause_ms));
    const place = random.chance(0.3) && desk.inbox.length > 0 ? random.pick(desk.inbox) : await look(desk);
    if (!place) continue;
    const wishes = Array.from({ length: random.chance(0.3) ? 2 : 1 }, () => wishFor(desk, place));
    await Promise.all(wishes.map((wish) => ask(desk, wish)));
  }
}

const SHOWN = 20;

async function look(desk: Desk): Promise<Place | null> {
  const process = desk.process();
  if (!process) return null;
  const { id: wallet_id } = desk.random.pick(desk.accounts.wallets);
  const page = { limit: SHOWN, before: undefined };
  const filter = { attributed: false, address_id: undefined };
  const listed = listDeposits(process.deps.db, wallet_id, filter, page).catch(() => []);
  const found = await Promise.race([listed, process.died.then(() => [])]);
  const waiting = found.filter(({ refund_withdrawal_id }) => refund_withdrawal_id === null);
  return waiting.length === 0 ? null : { wallet_id, deposit_id: desk.random.pick(waiting).id };
}

function wishFor({ random, addresses }: Desk, { deposit_id, wallet_id }: Place): InboxCall {
  const own = addresses.filter((address) => address.wallet_id === wallet_id);
  const address_id = own.length > 0 && random.chance(0.5) ? random.pick(own).id : null;
  return { deposit_id, wallet_id, address_id, answer: null };
}

async function ask(desk: Desk, call: InboxCall): Promise<void> {
  const process = desk.process();
  if (!process) return;
  const { history } = desk.scheduler;
  desk.inbox.push(call);
  const what = `${call.address_id === null ? 'refund' : 'assign'} ${call.deposit_id}`;
  history.record(process.name, `is asked to ${what}`);
  const answered = answerOf(desk, process, call).catch(refusalOf);
  call.answer = await Promise.race([answered, process.died.then(() => null)]);
  history.record(process.name, `answers to ${what}: ${call.answer?.status} ${call.answer?.code}`);
}

/** As the routes do it. */
async function answerOf(desk: Desk, process: SimProcess, call: InboxCall): Promise<Answer> {
  const { deposit_id, wallet_id, address_id } = call;
  if (address_id !== null) {
    await assignDeposit(process.deps, onId(wallet_id), { deposit_id, address_id });
    return { status: 200, code: 'assigned', data: null };
  }
  const used = desk.accounts.wallets.find(({ id }) => id === wallet_id) as SimulatedWallet;
  const { actor, asked_by } = askerFor(desk, used);
  call.asked_by = asked_by;
  const wallet = await process.requireWallet(loginOf(used.owner), wallet_id);
  return created(await refundDeposit(process.deps, process, { actor, wallet }, deposit_id));
}
