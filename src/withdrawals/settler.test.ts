import { strict as assert } from 'node:assert';
import { after, before, test } from 'node:test';
import { Keypair } from '@stellar/stellar-sdk';
import { addChannel } from '../../test/support/channels.ts';
import { eventually } from '../../test/support/eventually.ts';
import {
  closingLedgers,
  type InProcessService,
  startInProcess,
} from '../../test/support/in-process-service.ts';
import { LEASE, withdrawalSteps } from '../../test/support/withdrawal-steps.ts';
import type { SubmitHint } from '../chain/chain.ts';
import { AppError } from '../errors.ts';
import { sign } from './dispatch.ts';
import { follow } from './follow.ts';
import { takeLanes } from './lane-store.ts';
import { createSettler } from './settler.ts';
import { adoptOrphans, type Withdrawal } from './store.ts';

const NO_ANSWER: SubmitHint = { answer: 'no_answer', code: null, fee_needed_stroops: null };
const longest_until = new Date(Date.now() + 3_600_000);

let world: InProcessService;
const { withChain, read, claim, settleAll, balanceOf, accountFor, signOnly } = withdrawalSteps(() => world);

before(async () => {
  world = await startInProcess({ WITHDRAW_VALID_SECONDS: '600', CHANNELS_MAX: '0' });
  await accountFor(); // as a service does that starts before anybody withdraws
});
after(() => world.close());

test('a row that its process left without a lane is anybody’s, and paid once', async () => {
  const wallet = await world.wallet();
  const left = await claim(wallet);
  assert.equal(left.status, 'queued');
  await settleAll([left.id], world.another());
  assert.equal((await read(left.id)).status, 'confirmed');
  assert.equal(await balanceOf(left.destination), 20_000_000n);
});

test('a row that its process left with a lane, or signed and never sent, is taken over after its lease', async () => {
  const [wallet, other] = [await world.wallet(), await world.wallet()];
  const [boarded, unsent] = [await claim(wallet), await claim(other)];
  await accountFor();
  await takeLanes(world.deps.db, LEASE);
  await signOnly(unsent.id);
  const [now, later] = [-1, 1].map((ms) => new Date(LEASE.until.getTime() + ms)) as [Date, Date];
  const options = { until: later, longest_until, limit: 10 };
  assert.deepEqual(await adoptOrphans(world.deps.db, { ...options, now }), []);
  const adopted = await adoptOrphans(world.deps.db, { ...options, now: later });
  assert.deepEqual(adopted.map(({ id, status }) => [id, status]).sort(), [
    [boarded.id, 'queued'],
    [unsent.id, 'signed'],
  ]);
  await settleAll([boarded.id, unsent.id]);
  assert.equal(await balanceOf(boarded.destination), 20_000_000n);
  assert.equal(await balanceOf(unsent.destination), 20_000_000n);
});

test('processes that work on the same row at once sign one envelope and pay once', async () => {
  const wallet = await world.wallet();
  const left = await claim(wallet);
  await accountFor();
  await takeLanes(world.deps.db, LEASE);
  const processes = [world.another(), world.another(), world.another(), world.another()];
  const signed = await Promise.all(processes.map((deps) => sign(deps, [left.id], LEASE.until)));
  assert.equal(signed.flatMap((each) => each.signed).length, 1);
  await settleAll([left.id]);
  assert.equal((await read(left.id)).status, 'confirmed');
  assert.equal(await balanceOf(wallet.account), 100_000_000_000n - 20_000_000n - 100n);
});

test('processes that follow the same ledgers at once record each outcome once', async () => {
  const wallet = await world.wallet();
  const left = await claim(wallet);
  const { envelope_xdr } = await signOnly(left.id);
  await world.deps.chain.submit(envelope_xdr ?? '');
  world.sandbox.closeLedger();
  const processes = [world.another(), world.another(), world.another()];
  const followed = await Promise.all(processes.map((deps) => follow(deps)));
  assert.deepEqual(
    followed.flatMap(({ settled }) => settled),
    [left.id],
  );
  assert.equal((await read(left.id)).status, 'confirmed');
});

test('many withdrawals of one wallet wait for its lane in the order they came, and all are paid', async () => {
  const wallet = await world.wallet();
  const waiting: Withdrawal[] = [];
  for (let count = 0; count < 12; count++) waiting.push(await claim(wallet));
  await settleAll(waiting.map(({ id }) => id));
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

test('an envelope whose commit this process never heard of is taken on all the same, by this process too', async () => {
  const wallet = await world.wallet();
  const left = await claim(wallet);
  const deafened = withChain({
    readSequences: async () => {
      throw new AppError('network_unavailable', 'Not now.');
    },
  });
  const settler = createSettler(deafened);
  settler.start();
  await closingLedgers(
    world.sandbox,
    eventually('its lane', async () => (await read(left.id)).lane),
    100,
  );
  const { signed } = await sign(world.deps, [left.id], new Date(0));
  assert.equal(signed.length, 1);
  await closingLedgers(world.sandbox, settler.settle(left.id), 100);
  await settler.stop();
  assert.equal((await read(left.id)).status, 'confirmed');
});

test('ledgers that closed before an envelope was sent are no reason to bump it, however late they are read', async () => {
  const { chain } = world.deps;
  const { id } = await claim(await world.wallet());
  await accountFor();
  const firstIsRead = Promise.withResolvers<void>();
  const mayGoOn = Promise.withResolvers<void>();
  const isQueued = Promise.withResolvers<void>();
  let looks = 0;
  const late = withChain({
    async readLedgersAfter(after_ledger, anchor) {
      const range = await chain.readLedgersAfter(after_ledger, anchor);
      looks++;
      if (range.read === 'ledgers') {
        firstIsRead.resolve();
        await mayGoOn.promise;
      }
      return range;
    },
    async submit(envelope_xdr) {
      const hint = await chain.submit(envelope_xdr);
      isQueued.resolve();
      return hint;
    },
    async readSequences(accounts) {
      await firstIsRead.promise;
      for (let count = 0; count < 2; count++) world.sandbox.closeLedger();
      return chain.readSequences(accounts);
    },
  });
  const settler = createSettler(late);
  settler.start();
  const settled = settler.settle(id);
  await eventually('its lane', async () => (await read(id)).lane);
  world.sandbox.closeLedger();
  await isQueued.promise;
  mayGoOn.resolve();
  const before = looks;
  await eventually('looks at all there is', async () => looks > before + 2);
  world.sandbox.closeLedger();
  assert.equal(await settled, true);
  await settler.stop();
  const { fee_bump_hashes, fee_stroops } = await read(id);
  assert.deepEqual([fee_bump_hashes, fee_stroops], [[], 100n]);
});

test('a stopped settler hands its rows over at once', async () => {
  const wallet = await world.wallet();
  const left = await claim(wallet);
  const stopping = createSettler(withChain({ submit: async () => NO_ANSWER }));
  stopping.start();
  const settled = stopping.settle(left.id);
  while ((await read(left.id)).status === 'queued') await world.deps.clock.sleep(20);
  await stopping.stop();
  assert.equal(await settled, false);
  const now = new Date();
  const adopted = await adoptOrphans(world.deps.db, { now, until: now, longest_until, limit: 10 });
  assert.deepEqual(
    adopted.map(({ id }) => id),
    [left.id],
  );
  await settleAll([left.id]);
});

test('a channel that a node has lied about is tried again a minute later', async () => {
  const { db } = world.deps;
  const trouble = 'The ledger shows a higher sequence number';
  const account = Keypair.random().publicKey();
  await db.insertInto('lanes').values({ account, kind: 'channel', trouble }).execute();
  let minutes = 0;
  const clock = { ...world.deps.clock, now: () => new Date(Date.now() + minutes * 60_000) };
  const settler = createSettler({ ...world.deps, clock });
  settler.start();
  const troubleNow = async () =>
    (await db.selectFrom('lanes').select('trouble').where('account', '=', account).executeTakeFirst())
      ?.trouble;
  assert.equal(await troubleNow(), trouble);
  minutes = 1;
  await eventually('another try', async () => (await troubleNow()) === null);
  await settler.stop();
  await db.deleteFrom('lanes').where('account', '=', account).execute();
});

test('a wallet whose own account is free gets no channel, though another process is just giving it out', async () => {
  const { db } = world.deps;
  await addChannel(world);
  const wallet = await world.wallet();
  const { id } = await claim(wallet);
  await accountFor();
  await db.transaction().execute(async (trx) => {
    await trx
      .selectFrom('lanes')
      .select('account')
      .where('account', '=', wallet.account)
      .forUpdate()
      .execute();
    assert.deepEqual(await takeLanes(db, LEASE), []);
  });
  assert.deepEqual(await takeLanes(db, LEASE), [id]);
  assert.equal((await read(id)).lane, wallet.account);
  await settleAll([id]);
});
