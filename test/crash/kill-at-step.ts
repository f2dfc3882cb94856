/** Kills a service at a step of a withdrawal, and looks what came of it. */
import assert from 'node:assert/strict';
import { after, afterEach, before } from 'node:test';
import {
  assertPaidOnce,
  type ControlledService,
  envelopesOf,
  newOrder,
  type Order,
  paymentsOf,
  rowOf,
  startControlledService,
  untilOutcome,
  type Wallet,
  withdraw,
} from './controlled-service.ts';
import type { Step } from './withdrawal-steps.ts';

/** The longest there is: no ledgers are missed while the service is dead, however slow the machine. */
export const LONG = { WITHDRAW_VALID_SECONDS: '3600', WITHDRAW_WAIT_SECONDS: '60' };
/** A stage for the tests of a suite, with a wallet whose own transaction source exists. */
export function setUp(env: Record<string, string>): { stage: ControlledService; wallet: Wallet } {
  const set = {} as { stage: ControlledService; wallet: Wallet };
  before(async () => {
    set.stage = await startControlledService(env);
    set.wallet = await set.stage.newWallet();
    await untilOutcome(set.stage, newOrder(set.stage, set.wallet));
  });
  afterEach(() => set.stage?.clear());
  after(() => set.stage?.stop());
  return set;
}

/** Gives its row. */
export async function paidOnceAfterAll(stage: ControlledService, step: Step, order: Order): Promise<any> {
  const left = await killAt(stage, step, order);
  await stage.restart();
  await stage.endLeases();
  const told = await untilOutcome(stage, order);
  const again = order.adds_asset ? 200 : 409;
  assert.equal(told.status, step.left.row === null ? 201 : again);
  const row = await assertPaidOnce(stage, order, told);
  if (left?.envelope_xdr) {
    assert.equal(row.inner_tx_hash, left.inner_tx_hash, 'what was signed before the kill is what was paid');
    const bumps = row.fee_bump_hashes.slice(0, left.fee_bump_hashes.length);
    assert.deepEqual(bumps, left.fee_bump_hashes, 'no envelope is forgotten');
  }
  return row;
}

/** Gives the row as it was at the instant of the kill, if there was one. */
export async function killAt(stage: ControlledService, step: Step, order: Order): Promise<any> {
  const request = { lost: Promise.resolve<unknown>(null) };
  const lock = await step.reach(stage, order, () => {
    request.lost = withdraw(stage, order).then(
      (answer) => assert.fail(`answered before the kill: ${answer.text}`),
      () => 'lost',
    );
  });
  await stage.kill();
  assert.equal(await request.lost, 'lost');
  if (step.statement_survives) {
    await lock?.release();
    await stage.endStatements();
  }
  await stage.endSessions();
  if (!step.statement_survives) await lock?.release();
  const row = await rowOf(stage, order);
  const sent = envelopesOf(stage, order);
  const { left } = step;
  assert.equal(row?.status ?? null, left.row);
  assert.equal((row?.tx_source ?? null) !== null, left.tx_source, 'has a tx_source');
  assert.equal((row?.envelope_xdr ?? null) !== null, left.row === 'signed' || left.row === 'confirmed');
  assert.equal((await paymentsOf(stage, order)).length, left.on_ledger ? 1 : 0);
  assert.equal(sent.length > 0, left.sent, `${sent.length} envelopes were sent`);
  // Ledgers close ten times a second here: on a slow machine one that waits is bumped sooner than the step wants.
  if (left.bump_sent) assert.ok(sent.some(({ is_fee_bump }) => is_fee_bump));
  return row;
}
