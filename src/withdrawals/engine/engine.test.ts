import { strict as assert } from 'node:assert';
import { after, before, test } from 'node:test';
import { Keypair } from '@stellar/stellar-sdk';
import { addChannel } from '../../../test/support/channels.ts';
import { eventually } from '../../../test/support/eventually.ts';
import {
  closingLedgers,
  type InProcessService,
  startInProcess,
} from '../../../test/support/in-process-service.ts';
import { LEASE, withdrawalSteps } from '../../../test/support/withdrawal-steps.ts';
import { NetworkUnavailable } from '../../stellar/network-unavailable.ts';
import type { SubmitHint } from '../../stellar/stellar.ts';
import { createWithdrawalEngine } from './engine.ts';
import { ingestOutcomes } from './ingest-outcomes.ts';
import { createKnownPrimary } from './known-primary.ts';
import { adoptAbandoned } from './leases.ts';
import { signBatch } from './sign-batch.ts';
import type { Withdrawal } from './store.ts';
import { assignTxSources, recordUsedSources } from './tx-source-store.ts';

const NO_ANSWER: SubmitHint = { answer: 'no_answer', code: null, fee_needed_stroops: null };
const longest_until = new Date(Date.now() + 3_600_000);

let world: InProcessService;
const { withStellar, read, claim, waitForOutcomes, balanceOf, processLedgers, signOnly } = withdrawalSteps(
  () => world,
);

before(async () => {
  world = await startInProcess({ WITHDRAW_VALID_SECONDS: '600', CHANNELS_MAX: '0' });
  await processLedgers(); // as a service does that starts before anybody withdraws
});
after(() => world.close());

test('a row that its process left without a transaction source is taken by any process, and paid once', async () => {
  const wallet = await world.wallet();
  const left = await claim(wallet);
  assert.equal(left.status, 'queued');
  await waitForOutcomes([left.id], world.another());
  assert.equal((await read(left.id)).status, 'confirmed');
  assert.equal(await balanceOf(left.destination), 20_000_000n);
});

test('a row that its process left with a transaction source, or signed and never sent, is adopted after its lease', async () => {
  const [wallet, other] = [await world.wallet(), await world.wallet()];
  const [assigned, unsent] = [await claim(wallet), await claim(other)];
  await processLedgers();
  await assignTxSources(world.deps.db, LEASE);
  await signOnly(unsent.id);
  const [now, later] = [-1, 1].map((ms) => new Date(LEASE.until.getTime() + ms)) as [Date, Date];
  const options = { until: later, longest_until, limit: 10 };
  assert.deepEqual(await adoptAbandoned(world.deps.db, { ...options, now }), []);
  const adopted = await adoptAbandoned(world.deps.db, { ...options, now: later });
  assert.deepEqual(adopted.map(({ id, status }) => [id, status]).sort(), [
    [assigned.id, 'queued'],
    [unsent.id, 'signed'],
  ]);
  await waitForOutcomes([assigned.id, unsent.id]);
  assert.equal(await balanceOf(assigned.destination), 20_000_000n);
  assert.equal(await balanceOf(unsent.destination), 20_000_000n);
});

test('processes that work on the same row at once sign one envelope and pay once', async () => {
  const wallet = await world.wallet();
  const left = await claim(wallet);
  await processLedgers();
  await assignTxSources(world.deps.db, LEASE);
  const processes = [world.another(), world.another(), world.another(), world.another()];
  const signed = await Promise.all(processes.map((deps) => signBatch(deps, [left.id], LEASE.until)));
  assert.equal(signed.flatMap((each) => each.signed).length, 1);
  await waitForOutcomes([left.id]);
  assert.equal((await read(left.id)).status, 'confirmed');
  assert.equal(await balanceOf(wallet.account), 100_000_000_000n - 20_000_000n - 100n);
});

test('processes that ingest the same ledgers at once record each outcome once', async () => {
  const wallet = await world.wallet();
  const left = await claim(wallet);
  const { envelope_xdr } = await signOnly(left.id);
  await world.deps.stellar.submit(envelope_xdr ?? '');
  world.sandbox.closeLedger();
  const processes = [world.another(), world.another(), world.another()];
  const followed = await Promise.all(processes.map((deps) => ingestOutcomes(deps)));
  assert.deepEqual(
    followed.flatMap(({ with_outcome }) => with_outcome),
    [left.id],
  );
  assert.equal((await read(left.id)).status, 'confirmed');
});

test('a process knows of a ledger before its outcomes are recorded: the next one is due an interval after it came', async () => {
  const { ledger } = await processLedgers();
  world.sandbox.closeLedger();
  let recorded = false;
  const order: string[] = [];
  const deps = world.another();
  const transaction = deps.db.transaction.bind(deps.db);
  deps.db.transaction = () => {
    recorded = true;
    return transaction();
  };
  const onLedger = (read: number) => order.push(`${read - ledger} ${recorded ? 'recorded' : 'read'}`);
  await ingestOutcomes(deps, { ledger, primary: createKnownPrimary(deps.clock), told: new Set(), onLedger });
  assert.deepEqual([order, recorded], [['1 read'], true]);
});

test('a claim does not wait for a transaction that records outcomes of the same wallet', async () => {
  const wallet = await world.wallet();
  const first = await claim(wallet);
  const recording = await world.deps.db.startTransaction().execute();
  await recordUsedSources(recording, [{ account: wallet.account, sequence: 1n, is_wallet: true }], []);
  const second = await claim(wallet); // this would wait for the end of the transaction
  await recording.rollback().execute();
  assert.equal(second.status, 'queued');
  await waitForOutcomes([first.id, second.id]);
});

test('many withdrawals of one wallet wait for its transaction source in the order they came, and all are paid', async () => {
  const wallet = await world.wallet();
  const waiting: Withdrawal[] = [];
  for (let count = 0; count < 12; count++) waiting.push(await claim(wallet));
  await waitForOutcomes(waiting.map(({ id }) => id));
  const settled = await Promise.all(waiting.map(({ id }) => read(id)));
  assert.deepEqual(
    settled.map(({ status }) => status),
    Array(12).fill('confirmed'),
  );
  const sequences = settled.map(({ sequence }) => sequence as bigint);
  assert.deepEqual(
    sequences,
    sequences.toSorted((a, b) => (a < b ? -1 : 1)),
  );
  assert.equal(new Set(sequences).size, 12);
});

test('an envelope whose commit was answered by nobody is submitted all the same, by this process too', async () => {
  const wallet = await world.wallet();
  const left = await claim(wallet);
  const deafened = withStellar({
    readSequences: async () => {
      throw new NetworkUnavailable('Not now.');
    },
  });
  const engine = createWithdrawalEngine(deafened);
  engine.start();
  await closingLedgers(
    world.sandbox,
    eventually('its tx_source', async () => (await read(left.id)).tx_source),
    100,
  );
  const { signed } = await signBatch(world.deps, [left.id], new Date(0));
  assert.equal(signed.length, 1);
  await closingLedgers(world.sandbox, engine.waitFor(left.id), 100);
  await engine.stop();
  assert.equal((await read(left.id)).status, 'confirmed');
});

test('ledgers that closed before an envelope was sent are no reason to bump it, however late they are read', async () => {
  const { stellar } = world.deps;
  const { id } = await claim(await world.wallet());
  await processLedgers();
  const firstIsRead = Promise.withResolvers<void>();
  const mayGoOn = Promise.withResolvers<void>();
  const isQueued = Promise.withResolvers<void>();
  let looks = 0;
  const late = withStellar({
    async readLedgersAfter(after_ledger, anchor) {
      const range = await stellar.readLedgersAfter(after_ledger, anchor);
      looks++;
      if (range.read === 'ledgers') {
        firstIsRead.resolve();
        await mayGoOn.promise;
      }
      return range;
    },
    async submit(envelope_xdr) {
      const hint = await stellar.submit(envelope_xdr);
      isQueued.resolve();
      return hint;
    },
    async readSequences(accounts) {
      await firstIsRead.promise;
      for (let count = 0; count < 2; count++) world.sandbox.closeLedger();
      return stellar.readSequences(accounts);
    },
  });
  const engine = createWithdrawalEngine(late);
  engine.start();
  const settled = engine.waitFor(id);
  await eventually('its tx_source', async () => (await read(id)).tx_source);
  world.sandbox.closeLedger();
  await isQueued.promise;
  mayGoOn.resolve();
  const before = looks;
  await eventually('looks at all there is', async () => looks > before + 2);
  world.sandbox.closeLedger();
  assert.equal(await settled, true);
  await engine.stop();
  const { fee_bump_hashes, fee_stroops } = await read(id);
  assert.deepEqual([fee_bump_hashes, fee_stroops], [[], 100n]);
});

test('a stopped engine hands its rows over at once', async () => {
  const wallet = await world.wallet();
  const left = await claim(wallet);
  const stopping = createWithdrawalEngine(withStellar({ submit: async () => NO_ANSWER }));
  stopping.start();
  const settled = stopping.waitFor(left.id);
  while ((await read(left.id)).status === 'queued') await world.deps.clock.sleep(20);
  await stopping.stop();
  assert.equal(await settled, false);
  const now = new Date();
  const adopted = await adoptAbandoned(world.deps.db, { now, until: now, longest_until, limit: 10 });
  assert.deepEqual(
    adopted.map(({ id }) => id),
    [left.id],
  );
  await waitForOutcomes([left.id]);
});

test('a channel that a node has lied about is tried again a minute later', async () => {
  const { db } = world.deps;
  const blocked_reason = 'The ledger shows a higher sequence number';
  const account = Keypair.random().publicKey();
  await db.insertInto('tx_sources').values({ account, kind: 'channel', blocked_reason }).execute();
  let minutes = 0;
  const clock = { ...world.deps.clock, now: () => new Date(Date.now() + minutes * 60_000) };
  const engine = createWithdrawalEngine({ ...world.deps, clock });
  engine.start();
  const stopReasonNow = async () =>
    (
      await db
        .selectFrom('tx_sources')
        .select('blocked_reason')
        .where('account', '=', account)
        .executeTakeFirst()
    )?.blocked_reason;
  assert.equal(await stopReasonNow(), blocked_reason);
  minutes = 1;
  await eventually('another try', async () => (await stopReasonNow()) === null);
  await engine.stop();
  await db.deleteFrom('tx_sources').where('account', '=', account).execute();
});

test('a wallet whose own account is free gets no channel, though another process is just giving it out', async () => {
  const { db } = world.deps;
  await addChannel(world);
  const wallet = await world.wallet();
  const { id } = await claim(wallet);
  await processLedgers();
  await db.transaction().execute(async (trx) => {
    await trx
      .selectFrom('tx_sources')
      .select('account')
      .where('account', '=', wallet.account)
      .forUpdate()
      .execute();
    assert.deepEqual(await assignTxSources(db, LEASE), []);
  });
  assert.deepEqual(await assignTxSources(db, LEASE), [id]);
  assert.equal((await read(id)).tx_source, wallet.account);
  await waitForOutcomes([id]);
});
