import { strict as assert } from 'node:assert';
import { after, before, beforeEach, test } from 'node:test';
import { Keypair } from '@stellar/stellar-sdk';
import { channelsOnLedger, closingClock, failingAt } from '../../../test/support/channels.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { isLong } from '../../../test/support/form.ts';
import {
  closingLedgers,
  type InProcessService,
  startInProcess,
} from '../../../test/support/in-process-service.ts';
import { withSharedSecond } from '../../../test/support/shared-second.ts';
import { signWith } from '../../../test/support/sign.ts';
import type { Deps } from '../../deps.ts';
import { OperatorError } from '../../lib/errors.ts';
import { fullChannelStroops } from '../engine/channel-fees.ts';
import { createChannelGrowth } from './channel-growth.ts';
import { type ChannelCounts, countChannels, listChannels } from './channel-store.ts';
import { createChannels, describeChannels, growPool, mergeChannels, retireChannels } from './channels.ts';
import { chooseTreasury } from './treasury.ts';

let world: InProcessService;
/** Whose waiting closes ledgers, so that nothing here waits for time. */
let deps: Deps;
let treasury: string;
let reports: string[] = [];
const working = { report: (text: string) => reports.push(text), signal: new AbortController().signal };

before(async () => {
  world = await startInProcess({ CHANNELS_MAX: '1000' });
  deps = { ...world.deps, clock: closingClock(world.sandbox) };
  treasury = await chooseTreasury(deps);
  await closingLedgers(world.sandbox, deps.stellar.fund(treasury));
});
beforeEach(() => {
  reports = [];
});
after(() => world.close());

/** The rows and the ledger agree: every channel on the ledger has its row, and every row its channel. */
async function assertProcessed(): Promise<ChannelCounts> {
  const rows = await listChannels(deps.db);
  const counts = await countChannels(deps.db);
  const there = rows.filter(({ status }) => status !== 'creating').map(({ account }) => account);
  const { sponsoring, present } = await channelsOnLedger(world, treasury, there);
  assert.equal(present, there.length);
  assert.equal(sponsoring, 2 * there.length);
  const tx_sources = await deps.db
    .selectFrom('tx_sources')
    .select('account')
    .where('kind', '=', 'channel')
    .execute();
  const active = rows.filter(({ status }) => status === 'active').map(({ account }) => account);
  const known = new Set(tx_sources.map(({ account }) => account));
  assert(active.every((account) => known.has(account)));
  assert(tx_sources.every(({ account }) => there.includes(account)));
  return counts;
}

const capped = (channels_max: number): Deps => ({ ...deps, config: { ...deps.config, channels_max } });

async function holdTxSource(account: string, withdrawal_id: string | null): Promise<void> {
  await deps.db.updateTable('tx_sources').set({ withdrawal_id }).where('account', '=', account).execute();
}

test('40 channels are made in three ledgers: sponsored, filled, each with a transaction source and a seed that signs for it', async () => {
  const { sequence } = await deps.stellar.latestLedger();
  assert.equal(await createChannels(deps, 40, working), 'Done: 40 channels are active.');
  assert.deepEqual(await assertProcessed(), { creating: 0, active: 40, retired: 0, merged: 0 });
  assert((await deps.stellar.latestLedger()).sequence - sequence <= 6);
  assert.deepEqual(reports, [
    '0 active, 40 to be made',
    '19 active, 21 to be made',
    '38 active, 2 to be made',
  ]);
  const [channel] = await listChannels(deps.db);
  assert(channel);
  const row = await deps.db
    .selectFrom('channels')
    .select(['id', 'sealed_seed'])
    .where('account', '=', channel.account)
    .executeTakeFirstOrThrow();
  const key = Keypair.fromPublicKey(channel.account);
  const owner = { id: row.id, public_key: Buffer.from(key.rawPublicKey()) };
  const hash = Buffer.alloc(32, 7);
  assert(key.verify(hash, await signWith(deps.vault, row.sealed_seed, owner, hash)));
});

test('never more than CHANNELS_MAX: what there is room for is made, and without room nothing is', async () => {
  await createChannels(capped(42), 10, working);
  assert.equal((await assertProcessed()).active, 42);
  assert.match(reports.join(), /CHANNELS_MAX is 42: 2 are made, not 10/);
  await assert.rejects(
    createChannels(capped(42), 1, working),
    /There are 42 channel accounts.*CHANNELS_MAX is 42/,
  );
  await assert.rejects(createChannels(capped(0), 1, working), OperatorError);
});

/** A call that took effect and was not answered leaves more behind than one without effect. */
const FAILING = isLong ? (['before', 'after'] as const) : (['after'] as const);

for (const when of FAILING) {
  test(`whatever call fails ${when} it took effect, the next run finishes the pool and nothing is leaked`, async () => {
    let calls = 0;
    for (let struck = true; struck; calls++) {
      const failing = failingAt(deps, calls, when);
      const error = await createChannels(failing.deps, 2, working).catch((thrown: Error) => thrown);
      struck = failing.struck();
      assert.equal(error instanceof Error, struck, `${error}`);
      const middle = await countChannels(deps.db);
      assert(middle.creating <= 2);
      await createChannels(deps, 2, working);
      const end = await assertProcessed();
      assert.equal(end.active, middle.active + 2);
      assert.equal(end.creating, 0);
    }
    assert(calls > 20, `${calls}`);
  });

  test(`whatever call of a merge fails ${when} it took effect, the next run merges the rest`, async () => {
    let calls = 0;
    for (let struck = true; struck; calls++) {
      await retireChannels(deps, { count: 1 });
      const failing = failingAt(deps, calls, when);
      await mergeChannels(failing.deps, working).catch(() => undefined);
      struck = failing.struck();
      await mergeChannels(deps, working);
      assert.equal((await assertProcessed()).retired, 0);
    }
    assert(calls > 12, `${calls}`);
  });
}

test('two runs and two processes at once: the rows of both are made once, and no more than CHANNELS_MAX', async () => {
  const before = await countChannels(deps.db);
  const room = capped(before.active + 25);
  const other = { ...world.another(), clock: closingClock(world.sandbox), config: room.config };
  await Promise.all([createChannels(room, 20, working), createChannels(other, 20, working)]);
  const { active, creating } = await assertProcessed();
  assert.equal(creating, 0);
  assert(active >= before.active + 20 && active <= before.active + 25);
});

test('growth asked for by two processes at once makes one pool, by whole transactions', async () => {
  const before = await countChannels(deps.db);
  const other = { ...world.another(), clock: closingClock(world.sandbox) };
  const wanted = () => before.active + 20;
  await Promise.all([growPool(deps, wanted, working), growPool(other, wanted, working)]);
  assert.equal((await assertProcessed()).active, before.active + 38);
  await growPool(deps, wanted, working);
  assert.equal((await assertProcessed()).active, before.active + 38);
});

test('a transaction that is applied in the second of three ledgers of its last second is not given up after the first', async () => {
  const before = await countChannels(deps.db);
  const { close_time } = await deps.stellar.latestLedger();
  const max_time = close_time + BigInt(deps.config.withdraw_valid_seconds);
  const sharing = withSharedSecond(deps.stellar, max_time);
  const submit: Deps['stellar']['submit'] = async (envelope_xdr) => {
    // The network does not get it before the first of the three has closed.
    if ((await deps.stellar.latestLedger()).close_time === max_time - 2n)
      return deps.stellar.submit(envelope_xdr);
    return { answer: 'no_answer', code: null, fee_needed_stroops: null };
  };
  await createChannels({ ...deps, stellar: { ...sharing, submit } }, 2, working);
  assert.doesNotMatch(reports.join(), /did not get into a ledger in time/);
  assert.equal((await assertProcessed()).active, before.active + 2);
});

test('a transaction that never reached the network is given up only when it can never apply, and the same keys are tried again', async () => {
  const mute: Deps = {
    ...deps,
    stellar: {
      ...deps.stellar,
      submit: async () => ({ answer: 'no_answer', code: null, fee_needed_stroops: null }),
    },
  };
  const stopping = new AbortController();
  let closes = 0;
  mute.clock = {
    ...deps.clock,
    sleep: async () => {
      world.sandbox.closeLedger();
      if (++closes === 3) stopping.abort();
    },
  };
  const before = await countChannels(deps.db);
  await createChannels(mute, 2, { ...working, signal: stopping.signal });
  const planned = (await listChannels(deps.db)).filter(({ status }) => status === 'creating');
  assert.equal(planned.length, 2);
  closes = -1000;
  const again = createChannels(
    { ...mute, stellar: { ...mute.stellar, submit: submitFromNowOn() } },
    2,
    working,
  );
  await again;
  assert.match(reports.join(), /did not get into a ledger in time/);
  const { active } = await assertProcessed();
  assert.equal(active, before.active + 2);
  const now = new Map((await listChannels(deps.db)).map(({ account, status }) => [account, status]));
  assert(planned.every(({ account }) => now.get(account) === 'active'));

  /** The network never gets the first envelope. */
  function submitFromNowOn(): Deps['stellar']['submit'] {
    let deaf_to: string | null = null;
    return async (envelope_xdr) => {
      deaf_to ??= envelope_xdr;
      if (envelope_xdr === deaf_to) return mute.stellar.submit(envelope_xdr);
      return deps.stellar.submit(envelope_xdr);
    };
  }
});

test('a source whose history begins after the first sending proves nothing: the run says so, and the keys wait', async () => {
  const { stellar } = deps;
  const pruned: Deps = {
    ...deps,
    stellar: {
      ...stellar,
      submit: async () => ({ answer: 'no_answer', code: null, fee_needed_stroops: null }),
      find: async (hash) => {
        const lookup = await stellar.find(hash);
        return lookup.found === 'absent' ? { ...lookup, oldest_ledger: lookup.latest_ledger } : lookup;
      },
    },
  };
  await assert.rejects(createChannels(pruned, 1, working), /history .* does not cover the first sending/);
  assert.equal((await countChannels(deps.db)).creating, 1);
  await createChannels(deps, 1, working);
  assert.equal((await assertProcessed()).creating, 0);
});

test('an account that is on the ledger though the database forgot its transaction is found, not made again', async () => {
  await createChannels(deps, 1, working);
  const [made] = await listChannels(deps.db);
  assert(made);
  // As in a database that was restored to the moment before the commit of the transaction.
  await deps.db.deleteFrom('tx_sources').where('account', '=', made.account).execute();
  await deps.db
    .updateTable('channels')
    .set({ status: 'creating' })
    .where('account', '=', made.account)
    .execute();
  const { sequence } = await deps.stellar
    .readAccounts([treasury])
    .then(({ accounts }) => accounts.get(treasury) ?? assert.fail());
  await createChannels(deps, 1, working);
  const { accounts } = await deps.stellar.readAccounts([treasury]);
  assert.equal(accounts.get(treasury)?.sequence, sequence);
  await assertProcessed();
});

test('a retired channel keeps its holder, is merged when that has left, and its reserve and balance are the treasury’s again', async () => {
  await createChannels(deps, 1, working);
  const channel = (await listChannels(deps.db)).find(({ status }) => status === 'active') ?? assert.fail();
  await holdTxSource(channel.account, 'wd_1');
  assert.match(await retireChannels(deps, { account: channel.account }), /^Retired 1;/);
  await assert.rejects(retireChannels(deps, { account: channel.account }), /is not an active channel/);
  assert.match(await describeChannels(deps), new RegExp(`${channel.account} retired .*used by wd_1`));
  assert.match(await mergeChannels(deps, working), /Merged 0. 1 still hold a withdrawal/);
  await assertProcessed();

  await holdTxSource(channel.account, null);
  const spendable = await spendableStroops();
  assert.equal(await mergeChannels(deps, working), 'Merged 1.');
  assert.equal((await spendableStroops()) - spendable, 10_000_000n + fullChannelStroops(deps.config) - 100n);
  assert.doesNotMatch(await describeChannels(deps), new RegExp(channel.account));
  await assertProcessed();
  const tx_source = await deps.db
    .selectFrom('tx_sources')
    .selectAll()
    .where('account', '=', channel.account)
    .execute();
  assert.deepEqual(tx_source, []);
});

test('retiring a number takes the free ones first, and merging takes 19 in a transaction', async () => {
  const active = (await listChannels(deps.db)).filter(({ status }) => status === 'active');
  const held = active.slice(0, 3);
  for (const [index, { account }] of held.entries()) await holdTxSource(account, `wd_${index}`);
  await retireChannels(deps, { count: active.length - 3 });
  const left = (await listChannels(deps.db)).filter(({ status }) => status === 'active');
  assert.deepEqual(
    left,
    held.map((channel, index) => ({ ...channel, withdrawal_id: `wd_${index}` })),
  );
  const { sequence } = await deps.stellar.latestLedger();
  await mergeChannels(deps, working);
  const ledgers = (await deps.stellar.latestLedger()).sequence - sequence;
  assert(ledgers <= 2 * Math.ceil((active.length - 3) / 19), `${ledgers}`);
  for (const { account } of held) await holdTxSource(account, null);
  await retireChannels(deps, 'all');
  await mergeChannels(deps, working);
  const end = await assertProcessed();
  assert.equal(end.active + end.retired + end.creating, 0);
});

test('the pool grows in the background, tries again after a failure, later and later, and stops on demand', async () => {
  let now_ms = Date.now();
  let down = true;
  let failures = 0;
  const log = Object.assign(Object.create(deps.log), { warn: () => failures++ }) as Deps['log'];
  const growth = createChannelGrowth({
    ...deps,
    log,
    clock: { ...deps.clock, now: () => new Date(now_ms) },
    stellar: {
      ...deps.stellar,
      readAccounts: (accounts) =>
        down ? Promise.reject(new Error('down')) : deps.stellar.readAccounts(accounts),
    },
  });
  const grown = () => countChannels(deps.db).then(({ active }) => active);
  growth.ensureChannels(5);
  await eventually('a failure', () => failures);
  assert.equal((await countChannels(deps.db)).creating, 19);
  down = false;
  growth.ensureChannels(5);
  assert.equal(await grown(), 0);
  await eventually('made', () => {
    now_ms += 60_000;
    growth.ensureChannels(5);
    return grown();
  });
  await growth.stop();
  growth.ensureChannels(500);
  assert.equal(await grown(), 19);
  await assertProcessed();
});

async function spendableStroops(): Promise<bigint> {
  const { accounts } = await deps.stellar.readAccounts([treasury]);
  return accounts.get(treasury)?.spendable_stroops ?? assert.fail();
}
