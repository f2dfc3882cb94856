/** When a withdrawal that no ledger has may be recorded as failed. */
import { strict as assert } from 'node:assert';
import { after, before, test } from 'node:test';
import { addChannel } from '../../../test/support/channels.ts';
import { type InProcessService, startInProcess } from '../../../test/support/in-process-service.ts';
import { LEASE, withdrawalSteps } from '../../../test/support/withdrawal-steps.ts';
import { listUnassigned } from '../../ledgers/unmatched-store.ts';
import type { SubmitHint } from '../../stellar/stellar.ts';
import { describeTxSources } from '../operator/tx-sources.ts';
import { assignUnmatched } from '../operator/unmatched.ts';
import type { EngineDeps } from './hooks.ts';
import { signBatch } from './sign-batch.ts';
import type { Withdrawal } from './store.ts';
import { createSubmissions } from './submissions.ts';
import { assignTxSources } from './tx-source-store.ts';

const NO_ANSWER: SubmitHint = { answer: 'no_answer', code: null, fee_needed_stroops: null };

let world: InProcessService;
const {
  withStellar,
  namingNoKeys,
  read,
  claim,
  waitForOutcomes,
  balanceOf,
  processLedgers,
  closeInSteps,
  reachSecond,
  signOnly,
} = withdrawalSteps(() => world);

before(async () => {
  world = await startInProcess({ WITHDRAW_VALID_SECONDS: '600', CHANNELS_MAX: '0' }, { faults: true });
  await processLedgers(); // as a service does that starts before anybody withdraws
});
after(() => world.close());

test('a payment that names a frozen account has failed when it expires, with the reason; a thaw lets it be paid', async () => {
  const { network } = world.sandbox.faults ?? assert.fail('faults are off');
  const [frozen, thawed] = [await world.wallet(), await world.wallet()];
  const left = await signOnly((await claim(frozen)).id);
  const paid = await signOnly((await claim(thawed)).id);
  network.freeze({ account: frozen.account });
  network.freeze({ account: thawed.account });
  const submissions = createSubmissions(world.deps);
  for (const signed of [left, paid]) submissions.add(signed, signed.signed_ledger ?? 0);
  await submissions.drained();
  network.thaw({ account: thawed.account });
  await waitForOutcomes([paid.id]);
  assert.equal((await read(paid.id)).status, 'confirmed');
  await closeInSteps(left.max_time ?? 0n);
  world.sandbox.closeLedger();
  while ((await submissions.resendDue(await processLedgers())).length === 0) world.sandbox.closeLedger();
  network.thaw({ account: frozen.account });
  const { status, failure_code, failure_message, fee_stroops } = await read(left.id);
  assert.deepEqual([status, failure_code, fee_stroops], ['failed', 'expired', null]);
  assert.match(
    failure_message ?? '',
    /^The network has frozen an account or a trust line .* \(tx_frozen_key_accessed\)\. .* Only a vote/,
  );
});

test('an envelope that never reaches the network is failed as expired once a ledger closed after its max_time', async () => {
  const wallet = await world.wallet();
  const left = await claim(wallet);
  const mute = withStellar({ submit: async () => NO_ANSWER });
  const signed = await signOnly(left.id, mute);
  const submissions = createSubmissions(mute);
  submissions.add(signed, signed.signed_ledger ?? 0);
  for (;;) {
    const cursor = await processLedgers();
    const settled = await submissions.resendDue(cursor);
    if (settled.length > 0) break;
    assert.ok(cursor.close_time <= (signed.max_time ?? 0n), 'after its time it is proven');
    for (let i = 0; i < 20; i++) world.sandbox.closeLedger();
  }
  const failed = await read(left.id);
  assert.deepEqual([failed.status, failed.failure_code, failed.ledger], ['failed', 'expired', null]);
  const next = await claim(wallet);
  await waitForOutcomes([next.id]);
  assert.equal(
    (await read(next.id)).status,
    'confirmed',
    'the tx_source is free again, and its sequence number was not used up',
  );
});

test('what has expired on the network is not fee-bumped, however far behind the reading of ledgers is', async () => {
  const { id } = await claim(await world.wallet());
  const needed: SubmitHint = { answer: 'refused', code: 'tx_insufficient_fee', fee_needed_stroops: 1_000n };
  let sent = 0;
  const submit = async () => {
    sent++;
    return needed;
  };
  const busy = withStellar({ submit });
  const signed = await signOnly(id, busy);
  const submissions = createSubmissions(busy);
  submissions.add(signed, signed.signed_ledger ?? 0);
  await submissions.drained();
  const behind = { ...(await processLedgers()), ledger: (signed.signed_ledger ?? 0) + 10 };
  await closeInSteps(signed.max_time ?? 0n);
  assert(behind.close_time < (signed.max_time ?? 0n));
  assert.deepEqual(await submissions.resendDue(behind), []);
  assert.deepEqual([(await read(id)).fee_bump_hashes, sent], [[], 1]);
  await waitForOutcomes([id]);
});

test('an envelope that is applied in the second of three ledgers of its last second is not called expired after the first', async () => {
  const { sandbox, deps } = world;
  await addChannel(world);
  const wallet = await world.wallet();
  await processLedgers();
  // One is on the wallet's own account and one on a channel, which others may have as soon as it is free.
  const left = [await claim(wallet), await claim(wallet)];
  const signed = [];
  await assignTxSources(deps.db, LEASE);
  for (const { id } of left) signed.push(...(await signBatch(deps, [id], LEASE.until)).signed);
  const [max_time = 0n] = signed.map((each) => each.max_time ?? 0n);
  assert.deepEqual(
    signed.map((each) => each.max_time),
    [max_time, max_time],
  );
  const sharing = await reachSecond(max_time);
  // The second one has just started, after a crash of the first.
  for (const { db } of [deps, world.another()]) {
    const submissions = createSubmissions({
      ...sharing,
      db,
      stellar: { ...sharing.stellar, submit: async () => NO_ANSWER },
    });
    for (const each of signed) submissions.add(each, each.signed_ledger ?? 0);
    await submissions.drained();
    const position = await processLedgers(sharing);
    assert.deepEqual(await submissions.resendDue(position), []);
    assert.equal(submissions.countLive(position).payments, 2, 'a ledger may still take them');
  }
  for (const { envelope_xdr } of signed) await deps.stellar.submit(envelope_xdr ?? '');
  sandbox.closeLedger();
  await processLedgers(sharing);
  for (const { id, destination } of left) {
    assert.equal((await read(id)).status, 'confirmed');
    assert.equal(await balanceOf(destination), 20_000_000n);
  }
  sandbox.closeLedger();
  await processLedgers(sharing);
  for (const table of ['channels', 'treasury'] as const) await deps.db.deleteFrom(table).execute();
  await deps.db.deleteFrom('tx_sources').where('kind', '=', 'channel').execute();
});

/** A withdrawal that is in flight in two envelopes, of which a lost commit made the database forget the first. */
async function signedTwice(): Promise<Withdrawal> {
  const left = await claim(await world.wallet());
  const forgotten = await signOnly(left.id);
  await world.deps.stellar.submit(forgotten.envelope_xdr ?? '');
  const unsigned = { status: 'queued' as const, envelope_xdr: null, sequence: null, inner_tx_hash: null };
  await world.deps.db.updateTable('withdrawals').set(unsigned).where('id', '=', left.id).execute();
  // The second envelope has a later time bound and the same sequence number: the network takes one of the two.
  const later: EngineDeps = { ...world.deps, config: { ...world.deps.config, withdraw_valid_seconds: 700 } };
  const [again] = (await signBatch(later, [left.id], LEASE.until)).signed;
  assert(again);
  return again;
}

test('an envelope that a lost commit made the database forget, and that was applied, never becomes "expired"', async () => {
  const again = await signedTwice();
  await closeInSteps(again.max_time ?? 0n, namingNoKeys());
  assert.equal(await balanceOf(again.destination), 20_000_000n);
  const [unmatched] = await listUnassigned(world.deps.db);
  const submissions = createSubmissions(world.deps);
  submissions.add(again, again.signed_ledger ?? 0);
  assert.deepEqual(await submissions.resendDue(await processLedgers()), []);
  assert.equal((await read(again.id)).status, 'signed');
  // The operator finds out that the unmatched transaction is this very payment.
  assert.match(await assignUnmatched(world.deps, unmatched?.hash ?? '', again.id), /once its own envelope/);
  await waitForOutcomes([again.id]);
  const { status, stellar_tx_hash } = await read(again.id);
  assert.deepEqual([status, stellar_tx_hash], ['confirmed', unmatched?.hash]);
});

test('a payment that an operator has assigned is no outcome in the last second of the withdrawal’s own envelope', async () => {
  const again = await signedTwice();
  const sharing = await reachSecond(again.max_time ?? 0n, namingNoKeys());
  const [unmatched] = (await listUnassigned(world.deps.db)).filter((each) => each.resolved_at === null);
  assert.match(await assignUnmatched(sharing, unmatched?.hash ?? '', again.id), /once its own envelope/);
  const submissions = createSubmissions(sharing);
  submissions.add(again, again.signed_ledger ?? 0);
  assert.deepEqual(await submissions.resendDue(await processLedgers(sharing)), []);
  assert.equal((await read(again.id)).status, 'signed', 'the next ledger may have the envelope');
  await closeInSteps(again.max_time ?? 0n, namingNoKeys());
  assert.deepEqual(await submissions.resendDue(await processLedgers()), [again.id]);
  assert.equal((await read(again.id)).stellar_tx_hash, unmatched?.hash);
});

test('when no source covers the first sending, the withdrawal stays pending and says why', async () => {
  const wallet = await world.wallet();
  const left = await claim(wallet);
  const signed = await signOnly(left.id);
  const pruned = withStellar({
    submit: async () => NO_ANSWER,
    find: async () => ({
      found: 'absent',
      oldest_ledger: 1e9,
      latest_ledger: 2e9,
      latest_close_time: 10n ** 11n,
    }),
  });
  const submissions = createSubmissions(pruned);
  submissions.add(signed, signed.signed_ledger ?? 0);
  await closeInSteps(signed.max_time ?? 0n);
  assert.deepEqual(await submissions.resendDue(await processLedgers()), []);
  assert.match(await describeTxSources(world.deps), /does not cover the first sending/);
  await waitForOutcomes([left.id]);
  assert.equal((await read(left.id)).failure_code, 'expired');
  assert.equal(await describeTxSources(world.deps), 'No transaction source is blocked.\n');
});

test('a withdrawal whose row the database has lost is let go, and said once with its key and hash', async () => {
  const { db, stellar, log } = world.deps;
  const errors: { idempotency_key?: string; inner_tx_hash?: string }[] = [];
  const noting = { ...log, error: (what: object) => void errors.push(what) } as unknown as EngineDeps['log'];
  const signed = await signOnly((await claim(await world.wallet())).id);
  const { id, idempotency_key, inner_tx_hash } = signed;
  await stellar.submit(signed.envelope_xdr ?? '');
  const submissions = createSubmissions({ ...world.deps, log: noting });
  submissions.add(signed, signed.signed_ledger ?? 0);
  await submissions.drained();
  await db.updateTable('tx_sources').set({ withdrawal_id: null }).where('withdrawal_id', '=', id).execute();
  await db.deleteFrom('withdrawals').where('id', '=', id).execute();
  world.sandbox.closeLedger();
  const late = { ...(await processLedgers()), close_time: (signed.max_time ?? 0n) + 1n };
  for (let turn = 0; turn < 3; turn++) assert.deepEqual(await submissions.resendDue(late), []);
  assert.equal(submissions.count(), 0);
  assert.deepEqual(
    errors.map((error) => [error.idempotency_key, error.inner_tx_hash]),
    [[idempotency_key, inner_tx_hash]],
  );
});
