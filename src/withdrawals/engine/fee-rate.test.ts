import { strict as assert } from 'node:assert';
import { after, before, test } from 'node:test';
import { on } from '../../../test/support/acting.ts';
import { closingClock } from '../../../test/support/channels.ts';
import {
  closingLedgers,
  type InProcessService,
  startInProcess,
} from '../../../test/support/in-process-service.ts';
import type { Deps } from '../../deps.ts';
import { systemClock } from '../../lib/clock.ts';
import type { Stellar } from '../../stellar/stellar.ts';
import type { Wallet } from '../../wallets/access.ts';
import { createChannels } from '../channels/channels.ts';
import { chooseTreasury } from '../channels/treasury.ts';
import { withdraw } from '../request/withdraw.ts';
import { createClaims } from './claims.ts';
import { createWithdrawalEngine } from './engine.ts';
import { feeRate } from './fee-rate.ts';
import { findWithdrawals } from './queries.ts';
import type { Withdrawal } from './store.ts';

/** Fee-bumped payments in a ledger: two operations each. */
const ROOM = 10;
const CHANNELS = 24;

let world: InProcessService;
let wallet: Wallet;

before(async () => {
  const channels = { CHANNELS_MAX: `${CHANNELS}`, CHANNEL_FEES: 'wallet' };
  const env = { WITHDRAW_VALID_SECONDS: '600', FEE_MAX_STROOPS: '1800', ...channels };
  world = await startInProcess(env, { max_operations: 2 * ROOM });
  const { deps, sandbox } = world;
  wallet = await world.wallet();
  await closingLedgers(sandbox, deps.stellar.fund(await chooseTreasury(deps)));
  const working = { report: () => undefined, signal: new AbortController().signal };
  await createChannels({ ...deps, clock: closingClock(sandbox) }, CHANNELS, working);
});
after(() => world.close());

/**
 * Closes a ledger once enough transactions wait to fill it: by time alone, a slow machine would close half-empty ledgers.
 * Transactions that do not fill one (a fee-bump counts as one more that waits) get their ledger after a second.
 */
async function closingFullLedgers<T>(work: Promise<T>, queue: { waiting: number }): Promise<T> {
  let done = false;
  const finished = work.finally(() => {
    done = true;
  });
  for (let pause = 1; !done; pause++) {
    if (queue.waiting >= ROOM || pause % 50 === 0)
      queue.waiting -= world.sandbox.closeLedger().transaction_count;
    await Promise.race([finished.catch(() => undefined), systemClock.sleep(20)]);
  }
  return finished;
}

async function withdrawMany(count: number): Promise<Withdrawal[]> {
  const { sandbox, rpc } = world;
  /** Fresher than the service, which keeps an answer for two seconds: ledgers close faster here. */
  const feePerOperation = async () =>
    BigInt(Math.max(100, Number((await rpc.getFeeStats()).inclusionFee.p90)));
  const queue = { waiting: 0 };
  const submit: Stellar['submit'] = async (envelope_xdr) => {
    const hint = await world.deps.stellar.submit(envelope_xdr);
    if (hint.answer === 'pending') queue.waiting++;
    return hint;
  };
  const deps = { ...world.deps, stellar: { ...world.deps.stellar, feePerOperation, submit } };
  const parts = { claims: createClaims(deps), engine: createWithdrawalEngine(deps) };
  parts.engine.start();
  const orders = Array.from({ length: count }, (_, index) => ({
    ...on(wallet),
    idempotency_key: `${count} ${index}`,
    destination: sandbox.root_account,
    amount_stroops: 1_000n,
    memo_id: null,
    memo_return: null,
    allow_issuer: false,
    asset_code: 'native',
    asset_issuer: null,
    refund_of: null,
    reference: null,
  }));
  const all = Promise.all(orders.map((order) => withdraw(deps, parts, order)));
  const settled = await closingFullLedgers(all, queue);
  await parts.engine.stop();
  const rows = await findWithdrawals(
    deps.db,
    settled.map(({ id }) => id),
  );
  return [...rows.values()];
}

function atFee(fee_stroops: bigint): Pick<Deps, 'stellar' | 'config' | 'db'> {
  const { deps } = world;
  return { ...deps, stellar: { ...deps.stellar, feePerOperation: async () => fee_stroops } };
}

test('a crowd of our own that fills ledger after ledger pays the network’s minimum from first to last', async () => {
  const settled = await withdrawMany(8 * ROOM);
  assert(settled.every(({ status }) => status === 'confirmed'));
  const full = Map.groupBy(settled, ({ ledger }) => ledger)
    .values()
    .filter((ledger) => ledger.length === ROOM);
  assert([...full].length >= 3, 'ledgers were full: otherwise this shows nothing');
  const fees = new Set(settled.map(({ fee_stroops }) => fee_stroops));
  assert.deepEqual(fees.difference(new Set([100n, 200n])), new Set());
});

test('what our own fee-bumps were charged is read for what it is, what others paid is bid in full', async () => {
  const { db } = world.deps;
  assert.equal(await feeRate(atFee(200n)), 100n);
  for (const others of [100n, 150n, 201n, 700n]) assert.equal(await feeRate(atFee(others)), others);
  assert.equal(await feeRate(atFee(1_000_000n)), 900n, 'a fee-bump at this rate is within FEE_MAX_STROOPS');
  const { ledger } = await db.selectFrom('withdrawal_cursor').select('ledger').executeTakeFirstOrThrow();
  await db
    .updateTable('withdrawal_cursor')
    .set({ ledger: ledger + 50 })
    .execute();
  assert.equal(await feeRate(atFee(200n)), 200n, 'what we paid long ago says nothing of now');
});
