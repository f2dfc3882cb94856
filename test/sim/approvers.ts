/** Members who decide about what others ask for; some about what they may not, twice, about something else, or too late. */

import { showWithdrawal } from '../../src/withdrawals/answers/schema.ts';
import { approveWithdrawal, rejectWithdrawal } from '../../src/withdrawals/approvals/decide-withdrawal.ts';
import { listAwaiting } from '../../src/withdrawals/approvals/inbox.ts';
import type { Payout } from '../../src/withdrawals/payouts/payout-store.ts';
import { changeHash } from '../../src/withdrawals/policies/change-hash.ts';
import { approveChange, rejectChange } from '../../src/withdrawals/policies/decide-change.ts';
import type { Answer, DecisionCall, ShownWithdrawal } from '../oracle/evidence.ts';
import type { SimulatedMember, SimulatedWallet } from './accounts.ts';
import { refusalOf } from './clients.ts';
import type { Desk } from './desk.ts';
import { asked } from './integrators.ts';
import { actorOf, requesterOf, teamOf } from './members.ts';
import { changePayout } from './payout-users.ts';
import type { SimProcess } from './process.ts';

type Item = Awaited<ReturnType<typeof listAwaiting>>[number];
/** What can be decided about: a withdrawal with what the member saw of it. */
export type Request = { id: string; wallet_id: string; order_hash: string };

const SHOWN = 20;
const OVERLOOKED_ONE_IN = 9n;
const OVERLOOKED_ROWS = 5;
const ANOTHER_HASH = '0'.repeat(64);

/** One look at what awaits approvals after another, until the desk closes. */
export async function decideAboutRequests(desk: Desk, pause_ms: number): Promise<void> {
  const { random, scheduler, world, accounts } = desk;
  while (!desk.closing) {
    await scheduler.sleep(world, random.integer(0, pause_ms));
    const member = random.pick(accounts.members.filter(({ program }) => !program));
    // Some decisions are about a request that is over by now.
    const old = random.chance(0.1) && desk.decisions.length > 0 ? random.pick(desk.decisions) : null;
    const item = old ? null : await look(desk, member);
    const known = old && requestOf(desk, old);
    if (known) await decideInSomeWay(desk, member, known);
    else if (item?.kind === 'withdrawal') await decideInSomeWay(desk, member, shownIn(item));
    else if (item?.kind === 'payout') await decideAboutPayout(desk, member, item.payout);
    else if (item?.kind === 'policy_change') await decideAboutChange(desk, member, item);
  }
}

async function look(desk: Desk, member: SimulatedMember): Promise<Item | null> {
  const { login } = requesterOf(member);
  const items = await asked(desk, 'what awaits approvals', (deps) =>
    listAwaiting(deps, login, { limit: SHOWN, before: undefined }),
  );
  const noticed = items?.filter((item) => !isOverlooked(item)) ?? [];
  if (noticed.length === 0) return null;
  const changes = noticed.filter(({ kind, may_decide }) => kind === 'policy_change' && may_decide);
  if (changes.length > 0) return desk.random.pick(changes);
  const own = noticed.filter(({ may_decide }) => may_decide);
  return desk.random.pick(own.length > 0 && desk.random.chance(0.7) ? own : noticed);
}

/** Some requests nobody decides about, so that their time ends. */
function isOverlooked(item: Item): boolean {
  if (item.kind === 'payout') return item.payout.row_count === OVERLOOKED_ROWS;
  return item.kind === 'withdrawal' && item.withdrawal.amount_stroops % OVERLOOKED_ONE_IN === 0n;
}

function shownIn({ withdrawal }: Extract<Item, { kind: 'withdrawal' }>): Request {
  return { id: withdrawal.id, wallet_id: withdrawal.wallet_id, order_hash: withdrawal.order_hash ?? '' };
}

function requestOf({ decisions }: Desk, { withdrawal_id, wallet_id }: DecisionCall): Request | null {
  const right = decisions.find(
    (one) => one.withdrawal_id === withdrawal_id && one.order_hash !== ANOTHER_HASH,
  );
  return right ? { id: withdrawal_id, wallet_id, order_hash: right.order_hash } : null;
}

/** Once, twice at once, or about another hash. */
async function decideInSomeWay(desk: Desk, member: SimulatedMember, request: Request): Promise<void> {
  const { random } = desk;
  const decision = random.chance(0.15) ? 'rejected' : 'approved';
  const order_hash = random.chance(0.05) ? ANOTHER_HASH : request.order_hash;
  const times = random.chance(0.15) ? 2 : 1;
  const said = Array.from({ length: times }, () =>
    decide(desk, member, { ...request, order_hash }, decision),
  );
  await Promise.all(said);
}

/** Asks a process to record it, and keeps the answer as evidence. */
export async function decide(
  desk: Desk,
  member: SimulatedMember,
  request: Request,
  decision: DecisionCall['decision'],
): Promise<Answer | null> {
  const process = desk.process();
  if (!process) return null;
  const { history, now_ms: asked_ms } = desk.scheduler;
  const { id: withdrawal_id, wallet_id, order_hash } = request;
  const about = { withdrawal_id, wallet_id, user_id: member.id, decision, order_hash };
  const call: DecisionCall = { ...about, asked_ms, answer: null };
  desk.decisions.push(call);
  const what = `${member.id}: ${decision} ${withdrawal_id}`;
  history.record(process.name, `gets from ${what}`);
  const answered = answerOf(desk, process, call).catch(refusalOf);
  call.answer = await Promise.race([answered, process.died.then(() => null)]);
  history.record(process.name, `answers ${what}: ${call.answer?.status} ${call.answer?.code}`);
  return call.answer;
}

/** Calls what the routes call, without their guard: the functions behind the guard must refuse by themselves. */
async function answerOf({ accounts }: Desk, process: SimProcess, call: DecisionCall): Promise<Answer> {
  const { withdrawal_id, wallet_id, user_id, decision, order_hash } = call;
  const { owner } = accounts.wallets.find(({ id }) => id === wallet_id) as SimulatedWallet;
  const member = accounts.members.find(({ id }) => id === user_id) as SimulatedMember;
  const login = { kind: 'login' as const, member: { team_id: owner.id, wallet_ids: null } };
  const wallet = await process.requireWallet(login, wallet_id);
  const said = { by: { actor: actorOf(member), wallet }, decision, order_hash, comment: null };
  const verb = decision === 'approved' ? approveWithdrawal : rejectWithdrawal;
  const row = await verb(process.deps, withdrawal_id, said);
  if (row.status === 'queued') process.engine.signSoon();
  return { status: 200, code: 'decided', data: showWithdrawal(row) as ShownWithdrawal };
}

/** One decision for the whole file, now and then twice at once or about another hash. */
async function decideAboutPayout(desk: Desk, member: SimulatedMember, payout: Payout): Promise<void> {
  const { random } = desk;
  const order_hash = random.chance(0.05) ? ANOTHER_HASH : payout.order_hash;
  const verb = random.chance(0.15) ? ('reject' as const) : ('approve' as const);
  const times = random.chance(0.15) ? 2 : 1;
  await Promise.all(
    Array.from({ length: times }, () => decideFile(desk, member, { ...payout, order_hash }, verb)),
  );
}

type AskedFile = { id: string; wallet_id: string; order_hash: string | null };

function decideFile(
  desk: Desk,
  member: SimulatedMember,
  { id, wallet_id, order_hash }: AskedFile,
  verb: 'approve' | 'reject',
) {
  const by = { actor: actorOf(member), asked_by: member.id };
  return changePayout(desk, { payout_id: id, wallet_id, verb, order_hash, by });
}

async function decideAboutChange(
  desk: Desk,
  member: SimulatedMember,
  { wallet_id, change }: Extract<Item, { kind: 'policy_change' }>,
): Promise<void> {
  const wallet = { id: wallet_id, owner_id: member.team_id };
  const decision = desk.random.chance(0.15) ? ('rejected' as const) : ('approved' as const);
  const order_hash = changeHash(wallet_id, change) ?? '';
  const said = { by: { actor: actorOf(member), wallet }, decision, order_hash, comment: null };
  const verb = decision === 'approved' ? approveChange : rejectChange;
  await asked(desk, `${decision} of ${change.id} by ${member.id}`, (deps) => verb(deps, change.id, said));
}

/** Everyone approves what is left, in turn: what can be approved is sent. */
export async function decideAboutAll(desk: Desk, requests: Request[]): Promise<void> {
  for (const request of requests) {
    const owner = desk.accounts.wallets.find(({ id }) => id === request.wallet_id)?.owner;
    for (const member of teamOf(desk, owner?.id ?? '').filter(({ program }) => !program)) {
      const answer = request.id.startsWith('pay_')
        ? await decideFile(desk, member, request, 'approve')
        : await decide(desk, member, request, 'approved');
      if (answer?.data?.status === 'pending' || answer?.data?.status === 'running') break;
    }
  }
}
