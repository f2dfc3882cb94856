/** Channels that pay fees are filled by the treasury, whatever fails, and give back what they hold when they are merged. */
import { strict as assert } from 'node:assert';
import { after, before, test } from 'node:test';
import { closingClock, failingAt } from '../../../test/support/channels.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { isLong } from '../../../test/support/form.ts';
import {
  closingLedgers,
  type InProcessService,
  startInProcess,
} from '../../../test/support/in-process-service.ts';
import type { Deps } from '../../deps.ts';
import { OperatorError } from '../../lib/errors.ts';
import { accountOf } from '../../stellar/address.ts';
import { fullChannelStroops } from '../engine/channel-fees.ts';
import { createChannelGrowth } from './channel-growth.ts';
import { channelsIn, findTreasury, keepNewestTreasury, newestTreasury } from './channel-store.ts';
import { createChannels, fillLowChannels, mergeChannels, retireChannels } from './channels.ts';
import { chooseTreasury } from './treasury.ts';

let world: InProcessService;
/** Whose channels pay their fees, and whose waiting closes ledgers. */
let deps: Deps;
let treasury: string;
const working = { report: () => undefined, signal: new AbortController().signal };

before(async () => {
  world = await startInProcess({ CHANNELS_MAX: '1000', CHANNEL_FEES: 'channel' });
  deps = { ...world.deps, clock: closingClock(world.sandbox) };
  treasury = await chooseTreasury(deps);
  await closingLedgers(world.sandbox, deps.stellar.fund(treasury));
});
after(() => world.close());

const full = () => fullChannelStroops(deps.config);

/** Makes channels as with CHANNEL_FEES=wallet: each has nothing. */
async function createEmpty(count: number): Promise<void> {
  await createChannels({ ...deps, config: { ...deps.config, channel_fees: 'wallet' } }, count, working);
}

async function balancesOf(accounts: string[]): Promise<bigint[]> {
  const { accounts: states } = await deps.stellar.readAccounts(accounts);
  return accounts.map((account) => states.get(account)?.balance_stroops ?? assert.fail());
}

async function ofTreasury(): Promise<bigint> {
  const [balance] = await balancesOf([treasury]);
  return balance ?? assert.fail();
}

async function countEmpty(): Promise<number> {
  return (await balancesOf(await channelsIn(deps.db, ['active']))).filter((balance) => balance === 0n).length;
}

test('a new channel is full, and a merged one gives back what it holds', async () => {
  const before = await ofTreasury();
  await createChannels(deps, 2, working);
  assert.deepEqual(await balancesOf(await channelsIn(deps.db, ['active'])), [full(), full()]);
  await retireChannels(deps, 'all');
  await mergeChannels(deps, working);
  const end = await ofTreasury();
  assert.equal(before - end, (3n + 1n) * 2n * 100n, 'the fees of three and of one operation for each');
});

test('low channels are filled in one ledger, and full ones get nothing', async () => {
  await createEmpty(19);
  const { ledger } = await findTreasury(deps.db, treasury);
  await fillLowChannels(deps, working);
  const accounts = await channelsIn(deps.db, ['active']);
  assert.deepEqual(new Set(await balancesOf(accounts)), new Set([full()]));
  const { sequence } = await deps.stellar.latestLedger();
  assert.ok(sequence - ledger <= 3);
  const before = await ofTreasury();
  await fillLowChannels(deps, working);
  assert.equal(await ofTreasury(), before);
});

test('two processes that fill at once give each channel its balance once', async () => {
  await createEmpty(5);
  const before = await ofTreasury();
  const other = { ...deps, ...world.another(), clock: deps.clock, config: deps.config };
  await Promise.all([fillLowChannels(deps, working), fillLowChannels(other, working)]);
  const end = await ofTreasury();
  assert.equal(before - end, 5n * (full() + 100n));
  assert.deepEqual(new Set(await balancesOf(await channelsIn(deps.db, ['active']))), new Set([full()]));
});

/** A call that took effect and was not answered leaves more behind than one without effect. */
const FAILING = isLong ? (['before', 'after'] as const) : (['after'] as const);

for (const when of FAILING)
  test(`whatever call of a filling fails ${when} it took effect, the next run finishes, and nothing is given twice`, async () => {
    let calls = 0;
    for (let struck = true; struck; calls++) {
      await createEmpty(1);
      const before = await ofTreasury();
      const failing = failingAt(deps, calls, when);
      await fillLowChannels(failing.deps, working).catch(() => undefined);
      struck = failing.struck();
      await fillLowChannels(deps, working);
      const end = await ofTreasury();
      assert.equal(before - end, full() + 100n, `call ${calls}`);
      assert.equal(await countEmpty(), 0);
    }
    assert(calls > 8, `${calls}`);
  });

/** What the network says that the treasury can spend. */
const shown = (stroops: bigint): Deps => ({
  ...deps,
  stellar: {
    ...deps.stellar,
    async readSequences(accounts) {
      const read = await deps.stellar.readSequences(accounts);
      if (read.spendable.has(treasury)) read.spendable.set(treasury, stroops);
      return read;
    },
  },
});

test('a treasury keeps as much as the channels hold together: it fills as many as it can, then says what is lacking', async () => {
  await createEmpty(3);
  const held = (await balancesOf(await channelsIn(deps.db, ['active']))).reduce((a, b) => a + b, 0n);
  const least = held + 2n * (full() + deps.config.fee_max_stroops);
  await assert.rejects(fillLowChannels(shown(least - 1n), working), OperatorError);
  assert.equal(await countEmpty(), 3);
  // Once one is filled, the channels hold more together.
  await assert.rejects(fillLowChannels(shown(least), working), /keeps as much as they hold together/);
  assert.equal(await countEmpty(), 2);
  await fillLowChannels(deps, working);
  assert.equal(await countEmpty(), 0);
});

test('a new channel is empty where the treasury would keep less than half', async () => {
  const poor: Deps = { ...deps, config: { ...deps.config, fee_max_stroops: 10_000_000_000n } };
  await createChannels(poor, 1, working);
  assert.equal(await countEmpty(), 1);
  await fillLowChannels(deps, working);
});

test('the treasury of an older TREASURY_SEED_FILE does not become the newest again by a filling, nor fill beside it', async () => {
  await createEmpty(2);
  const { public_key, sealed_seed } = await deps.vault.generate('trs_zz');
  const newest = accountOf(public_key);
  await closingLedgers(world.sandbox, deps.stellar.fund(newest));
  await keepNewestTreasury(deps.db, { id: 'trs_zz', account: newest, sealed_seed });
  const older = { ...deps, config: { ...deps.config, treasury_seed_file: '/nowhere' } };
  const before = await ofTreasury();
  await fillLowChannels(older, working);
  assert.equal((await newestTreasury(deps.db))?.account, newest);
  assert.equal(await ofTreasury(), before, 'the newest one has paid');
  assert.equal(await countEmpty(), 0);
});

test('a filling that the network has no place for is given up, and said, when it has expired', async () => {
  await createEmpty(1);
  const busy: Deps = {
    ...deps,
    stellar: {
      ...deps.stellar,
      submit: async () => ({
        answer: 'refused',
        code: 'tx_insufficient_fee',
        fee_needed_stroops: 1_000_000n,
      }),
    },
  };
  await assert.rejects(fillLowChannels(busy, working), /did not get into a ledger in time/);
  await fillLowChannels(deps, working);
  assert.equal(await countEmpty(), 0);
});

test('channels are filled in the background on every network, and not after a stop', async () => {
  await createEmpty(2);
  const publicly: Deps = { ...deps, config: { ...deps.config, network: 'public' } };
  const growth = createChannelGrowth(publicly);
  growth.fillChannels();
  growth.fillChannels();
  await eventually('filled', async () => (await countEmpty()) === 0);
  await growth.stop();
  await createEmpty(1);
  growth.fillChannels();
  assert.equal(await countEmpty(), 1);
});
