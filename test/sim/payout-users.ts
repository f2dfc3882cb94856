/** People who pay files: they upload, start, pause, resume, cancel and retry payouts, now and then twice at once, and ask again after a lost answer. */
import { strict as assert } from 'node:assert';
import type { Actor } from '../../src/audit/audit.ts';
import { AppError } from '../../src/lib/errors.ts';
import { NATIVE, parseAsset } from '../../src/stellar/asset.ts';
import type { Wallet } from '../../src/wallets/access.ts';
import {
  cancelPayout,
  pausePayout,
  resumePayout,
  startPayout,
} from '../../src/withdrawals/payouts/change-payout.ts';
import { createPayout, retryFailed } from '../../src/withdrawals/payouts/create-payout.ts';
import { approvePayout, rejectPayout } from '../../src/withdrawals/payouts/decide-payout.ts';
import { findOfRequest } from '../../src/withdrawals/payouts/payout-read-routes.ts';
import { listPayouts, type Payout } from '../../src/withdrawals/payouts/payout-store.ts';
import type {
  PayoutAnswer,
  PayoutCall,
  PayoutFile,
  PayoutUpload,
  PayoutVerb,
  ShownPayout,
} from '../oracle/payout-evidence.ts';
import { loginOf, type SimulatedWallet } from './accounts.ts';
import { ask, refusalOf } from './clients.ts';
import type { Desk } from './desk.ts';
import { asked } from './integrators.ts';
import { askerFor } from './members.ts';
import { newPayoutFile } from './payout-files.ts';
import type { SimProcess } from './process.ts';

const UPLOADS_SHARE = 0.25;
const RIVALS_SHARE = 0.1;
const LISTED = 10;
const PATIENCE = 5;
const ANY: readonly PayoutVerb[] = ['start', 'pause', 'resume', 'cancel', 'retry'];
/** What people mostly do with a payout that they see; null: they wait. */
const USUAL: Record<Payout['status'], readonly (PayoutVerb | null)[]> = {
  draft: ['start', 'start', 'start', 'start', 'start', 'start', 'cancel'],
  awaiting_approval: [null, null, null, null, 'cancel'],
  running: [null, 'pause', 'pause', 'cancel'],
  paused: ['resume', 'resume', 'resume', 'resume', 'cancel'],
  completed: ['retry', 'retry', null],
  cancelled: ['retry', null],
};

/** One wish after another, until the desk closes. */
export async function payFiles(desk: Desk, pause_ms: number): Promise<void> {
  const { random, scheduler, world, accounts } = desk;
  while (!desk.closing) {
    if (random.chance(UPLOADS_SHARE)) await insist(desk, newPayoutFile(desk));
    else if (random.chance(RIVALS_SHARE)) await askForRow(desk);
    else await changeSome(desk, random.pick(accounts.wallets));
    await scheduler.sleep(world, random.integer(0, pause_ms));
  }
}

/** Uploads the file until there is an answer, now and then twice at once. Confirms the warnings that come back. Mostly starts the payout. */
async function insist(desk: Desk, file: PayoutFile): Promise<void> {
  const { random, scheduler, world } = desk;
  for (let tries = PATIENCE; tries > 0; tries--) {
    const times = random.chance(0.1) ? 2 : 1;
    const answers = await Promise.all(Array.from({ length: times }, () => upload(desk, file)));
    if (answers.some((answer) => answer?.code === 'duplicates_not_confirmed'))
      file = { ...file, confirm_duplicates: true };
    else if (answers.some((answer) => answer && answer.status < 500)) return startMade(desk, file, answers);
    if (random.chance(0.1)) return;
    await scheduler.sleep(world, random.integer(0, 4_000));
  }
}

async function startMade(
  desk: Desk,
  { wallet_id }: PayoutFile,
  answers: (PayoutAnswer | null)[],
): Promise<void> {
  const made = answers.find((answer) => answer?.status === 201)?.data;
  if (!made || desk.random.chance(0.3)) return;
  await changePayout(desk, { payout_id: made.id, wallet_id, verb: 'start', order_hash: null });
}

/** A single withdrawal with the key of a row: of its payment, or of another one. */
async function askForRow(desk: Desk): Promise<void> {
  const { random, payout_uploads } = desk;
  const kept = payout_uploads.filter(({ answer }) => answer === null || answer.status < 300);
  if (kept.length === 0) return;
  const order = random.pick(random.pick(kept).file.rows);
  const serial = desk.serial;
  const other = {
    ...order,
    serial,
    amount_stroops: order.amount_stroops - BigInt(order.serial) + BigInt(serial),
  };
  const isOther = random.chance(0.3);
  if (isOther) desk.serial++;
  await ask(desk, isOther ? other : order);
}

async function changeSome(desk: Desk, wallet: SimulatedWallet): Promise<void> {
  const { random } = desk;
  const payouts = await asked(desk, 'payouts', ({ db }) =>
    listPayouts(db, wallet.id, { limit: LISTED, before: undefined }),
  );
  if (!payouts) return;
  if (payouts.length === 0) return insist(desk, newPayoutFile(desk));
  const ended = payouts.filter(({ status }) => status === 'completed' || status === 'cancelled');
  const payout = random.pick(ended.length > 0 && random.chance(0.3) ? ended : payouts);
  const verb = random.chance(0.1) ? random.pick(ANY) : random.pick(USUAL[payout.status]);
  if (verb === null) return;
  const first = { payout_id: payout.id, wallet_id: wallet.id, verb, order_hash: null };
  const second = random.chance(0.6) ? first : { ...first, verb: random.pick(ANY) };
  await Promise.all((random.chance(0.2) ? [first, second] : [first]).map((each) => changePayout(desk, each)));
}

/** Asks a process to make it, and keeps the answer as evidence. */
export async function upload(desk: Desk, file: PayoutFile): Promise<PayoutAnswer | null> {
  const process = desk.process();
  if (!process) return null;
  const { history } = desk.scheduler;
  const made: PayoutUpload = { file, answer: null };
  desk.payout_uploads.push(made);
  const wallet = walletOf(desk, file.wallet_id);
  const { actor } = askerFor(desk, wallet);
  history.record(process.name, `is given ${file.name} of ${file.rows.length} rows for ${wallet.id}`);
  const answered = keep(process, wallet, actor, file).catch(payoutRefusal);
  made.answer = await Promise.race([answered, process.died.then(() => null)]);
  history.record(process.name, `answers to ${file.name}: ${made.answer?.status} ${made.answer?.code}`);
  return made.answer;
}

/** As the route does it. */
async function keep(
  process: SimProcess,
  { owner, id }: SimulatedWallet,
  actor: Actor,
  { name, confirm_duplicates, rows }: PayoutFile,
): Promise<PayoutAnswer> {
  const wallet = await process.requireWallet(loginOf(owner), id);
  const given = rows.map(({ key, destination, amount_stroops, asset, memo_id }) => ({
    idempotency_key: key,
    destination,
    amount_stroops,
    memo_id: memo_id ?? undefined,
    ...issued(asset),
  }));
  const made = await createPayout(process.deps, { actor, wallet }, { name, confirm_duplicates, rows: given });
  return { status: 201, code: 'created', data: made };
}

/** As the body of a request has it. */
function issued(asset: string): { asset_code?: string; asset_issuer?: string } {
  const { asset_code, asset_issuer } = parseAsset(asset) ?? NATIVE;
  return asset_issuer === null ? {} : { asset_code, asset_issuer };
}

type Wish = Pick<PayoutCall, 'payout_id' | 'wallet_id' | 'verb' | 'order_hash'> & {
  /** Who decides; by default somebody of the team who may ask for payments. */
  by?: { actor: Actor; asked_by: string };
};

export async function changePayout(desk: Desk, { by, ...wish }: Wish): Promise<PayoutAnswer | null> {
  const process = desk.process();
  if (!process) return null;
  const { history } = desk.scheduler;
  const wallet = walletOf(desk, wish.wallet_id);
  const { actor, asked_by } = by ?? askerFor(desk, wallet);
  const call: PayoutCall = { ...wish, asked_by, answer: null };
  desk.payout_calls.push(call);
  const what = `${wish.verb} of ${wish.payout_id} by ${asked_by}`;
  history.record(process.name, `is asked for ${what}`);
  const answered = carryOut(process, wallet, actor, call).catch(payoutRefusal);
  call.answer = await Promise.race([answered, process.died.then(() => null)]);
  history.record(process.name, `answers ${what}: ${call.answer?.status} ${call.answer?.code}`);
  return call.answer;
}

/** As the routes do it. */
async function carryOut(
  process: SimProcess,
  { owner, id }: SimulatedWallet,
  actor: Actor,
  { payout_id, verb, order_hash }: PayoutCall,
): Promise<PayoutAnswer> {
  const { deps } = process;
  const wallet = await process.requireWallet(loginOf(owner), id);
  const by = { actor, wallet };
  if (verb === 'retry') {
    const retry = await retryFailed(deps, by, await findOfRequest(deps, wallet.id, payout_id));
    return { status: 201, code: 'created', data: retry };
  }
  const changed = await changeOf(verb, { payout_id, by, order_hash })(process);
  return { status: 200, code: 'done', data: changed };
}

type Change = { payout_id: string; by: { actor: Actor; wallet: Wallet }; order_hash: string | null };

function changeOf(verb: Exclude<PayoutVerb, 'retry'>, { payout_id, by, order_hash }: Change) {
  const said = (decision: 'approved' | 'rejected') => ({
    by,
    decision,
    order_hash: order_hash ?? '',
    comment: null,
  });
  const verbs = {
    start: ({ deps }: SimProcess) => startPayout(deps, payout_id, by),
    pause: ({ deps }: SimProcess) => pausePayout(deps, payout_id, by),
    resume: ({ deps }: SimProcess) => resumePayout(deps, payout_id, by),
    cancel: ({ deps }: SimProcess) => cancelPayout(deps, payout_id, by),
    approve: ({ deps }: SimProcess) => approvePayout(deps, payout_id, said('approved')),
    reject: ({ deps }: SimProcess) => rejectPayout(deps, payout_id, said('rejected')),
  };
  return verbs[verb];
}

/** The data of a refusal is a payout, or the report about a file. */
function payoutRefusal(error: Error): PayoutAnswer {
  const { status, code } = refusalOf(error);
  const data = error instanceof AppError ? (error.data as ShownPayout | undefined) : undefined;
  return { status, code, data: data && 'counts' in data ? data : null };
}

function walletOf({ accounts }: Desk, wallet_id: string): SimulatedWallet {
  const wallet = accounts.wallets.find(({ id }) => id === wallet_id);
  assert(wallet);
  return wallet;
}

/** When everything else is over: what is paused goes on or ends, and at last what stays paused ends. */
export async function endPayouts(desk: Desk, verbOf: (index: number) => PayoutVerb): Promise<void> {
  for (const wallet of desk.accounts.wallets) {
    const payouts = await asked(desk, 'payouts', ({ db }) =>
      listPayouts(db, wallet.id, { limit: 1_000, before: undefined }),
    );
    const paused = payouts?.filter(({ status }) => status === 'paused') ?? [];
    for (const [index, { id: payout_id }] of paused.entries())
      await changePayout(desk, { payout_id, wallet_id: wallet.id, verb: verbOf(index), order_hash: null });
  }
}
