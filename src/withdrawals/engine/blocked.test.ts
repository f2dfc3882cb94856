/** Faults that must not stop a withdrawal for ever, nor the withdrawals of others. */
import { strict as assert } from 'node:assert';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import {
  closingLedgers,
  type InProcessService,
  startInProcess,
} from '../../../test/support/in-process-service.ts';
import { withSharedSecond } from '../../../test/support/shared-second.ts';
import { LEASE, withdrawalSteps } from '../../../test/support/withdrawal-steps.ts';
import { acceptTransaction } from '../../ledgers/unmatched-store.ts';
import type { LedgerRange, SubmitHint, WholeLedgers } from '../../stellar/stellar.ts';
import { describeTxSources } from '../operator/tx-sources.ts';
import { createWithdrawalEngine } from './engine.ts';
import type { EngineDeps } from './hooks.ts';
import { ingestOutcomes } from './ingest-outcomes.ts';
import { createKnownPrimary } from './known-primary.ts';
import { signBatch } from './sign-batch.ts';
import { recordExpired, type Withdrawal } from './store.ts';
import { createSubmissions } from './submissions.ts';
import { assignTxSources } from './tx-source-store.ts';

let world: InProcessService;
const { withStellar, read, claim, processLedgers, closeInSteps, reachSecond, signOnly } = withdrawalSteps(
  () => world,
);

before(async () => {
  world = await startInProcess({ WITHDRAW_VALID_SECONDS: '600', CHANNELS_MAX: '0' });
  await ingestOutcomes(world.deps); // as a service does that starts before anybody withdraws
});
after(async () => {
  await world.close();
});

/** Once: the statement takes effect, and the connection breaks before its answer. */
function losingAnswerOf(statement: RegExp): EngineDeps {
  const deps = world.another();
  let lost = false;
  const db = deps.db.withoutPlugins();
  const executor = db.getExecutor();
  const execute = executor.executeQuery.bind(executor);
  executor.executeQuery = async (query: Parameters<typeof execute>[0], ...rest: never[]) => {
    const result = await execute(query, ...rest);
    if (lost || !statement.test(query.sql)) return result as never;
    lost = true;
    throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
  };
  return { ...deps, db };
}

test('a signature whose commit was answered by nobody is sent all the same', async () => {
  const wallet = await world.wallet();
  const { id } = await claim(wallet);
  await processLedgers();
  const engine = createWithdrawalEngine(losingAnswerOf(/set status = 'signed'/));
  engine.start();
  await closingLedgers(world.sandbox, engine.waitFor(id), 100);
  await engine.stop();
  assert.equal((await read(id)).status, 'confirmed');
});

test('expired withdrawals that wait for an operator take no room from others', async () => {
  const expired: Withdrawal[] = [];
  for (let count = 0; count < 5; count++) {
    const wallet = await world.wallet();
    expired.push(await signOnly((await claim(wallet)).id));
  }
  const queued: SubmitHint = { answer: 'pending', code: null, fee_needed_stroops: null };
  const submissions = createSubmissions(withStellar({ submit: async () => queued }));
  for (const each of expired) submissions.add(each, each.signed_ledger ?? 0);
  const ends = expired.map(({ max_time }) => Number(max_time));
  const [first_end, max_time] = [BigInt(Math.min(...ends)), BigInt(Math.max(...ends))];
  const ledger = Math.max(...expired.map(({ signed_ledger }) => signed_ledger ?? 0)) + 10;
  await submissions.drained();
  const leftAtNext = (close_time: bigint) => {
    submissions.countLedger()();
    return submissions.countLeftOver({ ledger, close_time }).payments;
  };
  assert.equal(leftAtNext(first_end), 0, 'the first ledger after the answer');
  assert.equal(leftAtNext(first_end), 5);
  assert.equal(leftAtNext(max_time + 1n), 0);
  assert.equal(submissions.countLive({ ledger, close_time: max_time + 1n }).payments, 0);
  await closeInSteps(max_time);
  assert.equal((await submissions.resendDue(await processLedgers())).length, 5);
});

test('a slow answer does not make an envelope look left over by the ledgers of that time', async () => {
  const signed = await signOnly((await claim(await world.wallet())).id);
  const answer = Promise.withResolvers<SubmitHint>();
  let sendings = 0;
  const slow = withStellar({
    submit() {
      sendings++;
      return answer.promise;
    },
  });
  const submissions = createSubmissions(slow);
  const sent_at = signed.signed_ledger ?? 0;
  const after = (ledgers: number) => ({ ledger: sent_at + ledgers, close_time: 0n });
  submissions.add(signed, sent_at);
  const closed = submissions.countLedger();
  await submissions.resendDue(after(5));
  answer.resolve({ answer: 'pending', code: null, fee_needed_stroops: null });
  await submissions.drained();
  closed();
  for (const [ledgers, left_over, sent] of [
    [6, 0, 1],
    [7, 1, 1],
    [8, 0, 2],
  ] as const) {
    submissions.countLedger()();
    await submissions.resendDue(after(ledgers));
    assert.deepEqual([submissions.countLeftOver(after(ledgers)).payments, sendings], [left_over, sent]);
  }
  assert.equal((await read(signed.id)).fee_bump_hashes.length, 1);
  await closeInSteps(signed.max_time ?? 0n);
  await submissions.resendDue(await processLedgers());
});

test('an envelope that another process has bumped is the one that is bumped and sent from then on', async () => {
  const wallet = await world.wallet();
  const signed = await signOnly((await claim(wallet)).id);
  const sent: string[] = [];
  const wants = withStellar({
    async submit(envelope_xdr) {
      sent.push(envelope_xdr);
      return { answer: 'refused', code: 'tx_insufficient_fee', fee_needed_stroops: 300n };
    },
  });
  const [mine, its] = [createSubmissions(wants), createSubmissions(wants)];
  const at = { ledger: signed.signed_ledger ?? 0, close_time: 0n };
  for (const submissions of [mine, its]) submissions.add(signed, at.ledger);
  for (const submissions of [its, mine]) {
    for (let later = 1; later < 5; later++) {
      await submissions.drained();
      await submissions.resendDue({ ...at, ledger: at.ledger + later * 8 });
    }
  }
  const { envelope_xdr, fee_bump_hashes } = await read(signed.id);
  assert.ok(fee_bump_hashes.length > 0);
  assert.equal(sent.at(-1), envelope_xdr);
  const close_time = signed.max_time ?? 0n;
  await closeInSteps(close_time);
  await createSubmissions(world.deps).resendDue(await processLedgers());
});

test('an envelope that the database forgot is dropped once it has expired, and its withdrawal is signed again', async () => {
  const { db } = world.deps;
  const signed = await signOnly((await claim(await world.wallet())).id);
  const lost: SubmitHint = { answer: 'no_answer', code: null, fee_needed_stroops: null };
  const submissions = createSubmissions(withStellar({ submit: async () => lost }));
  submissions.add(signed, signed.signed_ledger ?? 0);
  const unsigned = { status: 'queued' as const, envelope_xdr: null, inner_tx_hash: null, max_time: null };
  await db.updateTable('withdrawals').set(unsigned).where('id', '=', signed.id).execute();
  await submissions.resendDue(await processLedgers());
  assert.equal(submissions.count(), 1, 'it may still be applied');
  await closeInSteps(signed.max_time ?? 0n);
  assert.deepEqual(await submissions.resendDue(await processLedgers()), []);
  assert.equal(submissions.count(), 0);
  await db
    .updateTable('withdrawals')
    .set({ leased_until: new Date(0) })
    .where('id', '=', signed.id)
    .execute();
  const engine = createWithdrawalEngine(world.deps);
  engine.start();
  await closingLedgers(world.sandbox, engine.waitFor(signed.id), 100);
  await engine.stop();
  assert.equal((await read(signed.id)).status, 'confirmed');
});

test('an outcome found by a process whose database forgot the signature names the transaction inside all the same', async () => {
  const { db, stellar } = world.deps;
  const signed = await signOnly((await claim(await world.wallet())).id);
  await stellar.submit(signed.envelope_xdr ?? '');
  const submissions = createSubmissions(world.deps);
  submissions.add(signed, signed.signed_ledger ?? 0);
  await submissions.drained();
  world.sandbox.closeLedger();
  const unsigned = { status: 'queued' as const, envelope_xdr: null, inner_tx_hash: null };
  await db.updateTable('withdrawals').set(unsigned).where('id', '=', signed.id).execute();
  const { sequence: ledger } = await stellar.latestLedger();
  const late = { ledger, close_time: (signed.max_time ?? 0n) + 1n };
  assert.deepEqual(await submissions.resendDue(late), [signed.id]);
  const { status, inner_tx_hash } = await read(signed.id);
  assert.deepEqual([status, inner_tx_hash], ['confirmed', signed.inner_tx_hash]);
});

test('a withdrawal with an assigned payment is not called expired by a process that stood still', async () => {
  const { db } = world.deps;
  const wallet = await world.wallet();
  const signed = await signOnly((await claim(wallet)).id);
  await closeInSteps(signed.max_time ?? 0n);
  const unmatched = { hash: signed.id, wallet_id: wallet.id, ledger: 1, envelope_xdr: '', result_xdr: '' };
  const assigned = { ...unmatched, resolved_at: new Date(), withdrawal_id: signed.id };
  await db.insertInto('unmatched_transactions').values(assigned).execute();
  const failure = { code: 'expired', message: '' };
  assert.equal(await recordExpired(db, signed.id, failure, new Date()), false);
  await db.deleteFrom('unmatched_transactions').execute();
  assert.equal(await recordExpired(db, signed.id, failure, new Date()), true);
});

test('a look-up that is ahead of the reading of ledgers ends nothing in the last second of the envelope', async () => {
  const signed = await signOnly((await claim(await world.wallet())).id);
  const sharing = await reachSecond(signed.max_time ?? 0n);
  const behind = await processLedgers(sharing);
  for (let closed = 0; closed < 3; closed++) world.sandbox.closeLedger();
  const lost: SubmitHint = { answer: 'no_answer', code: null, fee_needed_stroops: null };
  const ahead = { ...behind, close_time: behind.close_time + 1n };
  const lookUp = () => {
    const submissions = createSubmissions(withStellar({ submit: async () => lost }));
    submissions.add(signed, signed.signed_ledger ?? 0);
    return submissions.resendDue(ahead);
  };
  assert.deepEqual(await lookUp(), [], 'a forgotten envelope of it may be in an unread ledger');
  await processLedgers();
  assert.deepEqual(await lookUp(), [signed.id]);
});

test('of two operators who resolve the same transaction one succeeds', async () => {
  const { db, clock } = world.deps;
  const wallet = await world.wallet();
  const unmatched = { hash: wallet.id, wallet_id: wallet.id, ledger: 1, envelope_xdr: '', result_xdr: '' };
  await db.insertInto('unmatched_transactions').values(unmatched).execute();
  const resolve = () => acceptTransaction(db, unmatched.hash, clock.now());
  assert.deepEqual((await Promise.all([resolve(), resolve(), resolve()])).sort(), [false, false, true]);
});

test('a process whose database falls behind what it has seen signs nothing, nor lets others, until it is safe', async () => {
  const { db } = world.deps;
  const { id } = await claim(await world.wallet());
  const cursor = await processLedgers();
  await assignTxSources(db, LEASE);
  assert.deepEqual((await signBatch(world.deps, [id], LEASE.until, cursor.ledger + 1)).signed, []);
  const { close_time } = await world.deps.stellar.latestLedger();
  world.sandbox.closeLedger();
  await ingestOutcomes(world.deps, {
    ledger: cursor.ledger + 1,
    primary: createKnownPrimary(world.deps.clock),
    told: new Set(),
  });
  assert.deepEqual(
    (await signBatch(world.deps, [id], LEASE.until)).signed,
    [],
    'nor does one that has seen less',
  );
  await closeInSteps((await processLedgers()).sign_after);
  assert.ok((await processLedgers()).close_time >= close_time + 600n);
  assert.equal((await signBatch(world.deps, [id], LEASE.until)).signed.length, 1);
});

test('a ledger of the far future that a node has told of does not hold signing until then', async () => {
  const { db, stellar } = world.deps;
  const honest = await processLedgers();
  world.sandbox.closeLedger();
  const lying = withStellar({
    async readLedgersAfter(ledger, anchor) {
      const far = { newest_close_time: 10n ** 11n, newest_ledger: 10 ** 9 };
      return { ...(await stellar.readLedgersAfter(ledger, anchor)), ...far } as LedgerRange;
    },
  });
  assert.ok((await ingestOutcomes(lying)).cursor.sign_after > 10n ** 11n);
  world.sandbox.closeLedger();
  const { sign_after, close_time } = await processLedgers();
  assert.ok(sign_after <= close_time + 620n && sign_after > honest.close_time);
  await closeInSteps(sign_after);
  const { id } = await claim(await world.wallet());
  await processLedgers();
  assert.deepEqual(await assignTxSources(db, LEASE), [id]);
});

test('ledgers that close in the second of the last one read are still to be read', async () => {
  const { close_time } = await processLedgers();
  const sharing = { ...world.deps, stellar: withSharedSecond(world.deps.stellar, close_time + 3n) };
  for (let closed = 0; closed < 3; closed++) world.sandbox.closeLedger();
  const { sequence } = await world.deps.stellar.latestLedger();
  const readLedgersAfter: typeof sharing.stellar.readLedgersAfter = async (...asked) => {
    const range = await sharing.stellar.readLedgersAfter(...asked);
    return range.read === 'ledgers' ? firstOf(range) : range;
  };
  const step = await ingestOutcomes({ ...sharing, stellar: { ...sharing.stellar, readLedgersAfter } });
  assert.deepEqual([step.cursor.ledger, step.cursor.close_time], [sequence - 2, close_time + 3n]);
  assert(step.behind);
  assert.equal((await ingestOutcomes(sharing)).cursor.ledger, sequence);
});

/** What a source gives that gives one ledger at a time. */
function firstOf(range: WholeLedgers): WholeLedgers {
  const through_ledger = range.through_ledger - range.close_times.length + 1;
  const [close_times, hashes] = [range.close_times.slice(0, 1), range.hashes.slice(0, 2)];
  const [through_close_time = 0n, through_hash = ''] = [close_times[0], hashes[1]];
  const transactions = range.transactions.filter(({ ledger }) => ledger === through_ledger);
  return { ...range, transactions, hashes, close_times, through_ledger, through_hash, through_close_time };
}

test('a withdrawal whose seed does not open says so, and holds up no other wallet', async () => {
  const { db } = world.deps;
  const [broken, sound] = [await world.wallet(), await world.wallet()];
  await db
    .updateTable('wallets')
    .set({ sealed_seed: sql`set_byte(sealed_seed, 40, get_byte(sealed_seed, 40) # 1)` })
    .where('id', '=', broken.id)
    .execute();
  const [stuck, next] = [await claim(broken), await claim(sound)];
  await processLedgers();
  await assignTxSources(db, LEASE);
  const { signed, gone } = await signBatch(world.deps, [stuck.id, next.id], LEASE.until);
  assert.deepEqual(
    [signed.map(({ id }) => id), gone, (await read(stuck.id)).status],
    [[next.id], [], 'queued'],
  );
  assert.match(
    await describeTxSources(world.deps),
    new RegExp(`${broken.account}: 1 waiting. A withdrawal cannot be signed`),
  );
});

test('a node that names a ledger of the far future does not put an outcome out of proof', async () => {
  const { stellar } = world.deps;
  const { id } = await claim(await world.wallet());
  const cursor = await processLedgers();
  await assignTxSources(world.deps.db, LEASE);
  const lying = withStellar({
    async readSequences(accounts) {
      const read = await stellar.readSequences(accounts);
      return { ...read, latest: { ...read.latest, sequence: 10 ** 9 } };
    },
  });
  const { signed } = await signBatch(lying, [id], LEASE.until, cursor.ledger);
  assert.equal(signed[0]?.signed_ledger, cursor.ledger);
});
