/** Limits of several assets, against a real database: sums by asset, claims on two processes. */

import { strict as assert } from 'node:assert';
import { after, before, test } from 'node:test';
import { onId } from '../../../test/support/acting.ts';
import { type InProcessService, startInProcess } from '../../../test/support/in-process-service.ts';
import { limitsFor } from '../../../test/support/policies.ts';
import type { Db } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { newId } from '../../lib/ids.ts';
import { type AssetFields, assetText, NATIVE } from '../../stellar/asset.ts';
import { NO_LIMITS, type Policy } from './policies.ts';
import { changePolicy, readPolicy, revokeChange } from './policy-changes.ts';
import { checkPolicies, foreseePolicy, type PolicyOrder } from './policy-check.ts';

const HOUR_MS = 3_600_000;
const DESTINATION = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ';
const USDC = { asset_code: 'USDC', asset_issuer: 'GBZXN7PIRZGNMHGA7MUUUF4GWPY5AYPV6LY4UV2GL6VJGIQRXFDNMADI' };
const EURC = { ...USDC, asset_code: 'EURC' };
/** Another asset with the same code. */
const OTHER_USDC = { ...USDC, asset_issuer: DESTINATION };

let world: InProcessService;
before(async () => {
  world = await startInProcess({ POLICY_DELAY_SECONDS: '86400' });
});
after(() => world.close());

let now = new Date('2026-01-01T00:00:00Z');
const hours = (count: number) => {
  now = new Date(now.getTime() + count * HOUR_MS);
};
const timed = (deps: Deps): Deps => ({ ...deps, clock: { ...deps.clock, now: () => now } });

async function newWallet(limits: Policy['limits']): Promise<string> {
  const { id } = await world.wallet();
  await ask(id, limits);
  return id;
}
const ask = (wallet: string, limits: Policy['limits']) =>
  changePolicy(timed(world.deps), onId(wallet), (target) => ({ ...target, limits }));
const read = (wallet: string, deps = world.deps) => readPolicy(timed(deps), wallet);

function orderOf(wallet_id: string, amount_stroops: bigint, asset: AssetFields): PolicyOrder {
  const operation = asset.asset_issuer === null ? 'payment' : 'asset_payment';
  return {
    id: newId('wd', now),
    wallet_id,
    operation,
    ...asset,
    destination: DESTINATION,
    memo_id: null,
    amount_stroops,
    created_at: now,
  };
}

/** Checks the orders in one transaction, and stores the accepted ones as a claim does. */
function take(orders: PolicyOrder[], db: Db = world.deps.db): Promise<(string | null)[]> {
  return db.transaction().execute(async (trx) => {
    const violations = (await checkPolicies(trx, orders, now)).map(({ violation }) => violation);
    for (const [index, order] of orders.entries()) if (violations[index] === null) await keep(trx, order);
    return violations.map((violation) => violation?.code ?? null);
  });
}

async function keep(db: Db, order: PolicyOrder) {
  const { owner_id } = await db
    .selectFrom('wallets')
    .select('owner_id')
    .where('id', '=', order.wallet_id)
    .executeTakeFirstOrThrow();
  await db
    .insertInto('withdrawals')
    .values({
      ...order,
      owner_id,
      idempotency_key: order.id,
      status: 'queued',
      approvals_required: 0,
      tx_source: DESTINATION,
      leased_until: now,
    })
    .execute();
}

test('each asset has its own sum of 24 hours, an asset with the same code of another issuer too', async () => {
  const limits = [NATIVE, USDC, OTHER_USDC].map((asset) => limitsFor(asset, null, 100n));
  const wallet = await newWallet(limits);
  for (const asset of [NATIVE, USDC, OTHER_USDC]) {
    assert.deepEqual(await take([orderOf(wallet, 100n, asset)]), [null], assetText(asset));
    assert.deepEqual(await take([orderOf(wallet, 1n, asset)]), ['policy_daily_limit'], assetText(asset));
  }
  hours(24);
  assert.deepEqual(await take([orderOf(wallet, 100n, USDC)]), [null]);
  const { used_stroops } = await read(wallet);
  assert.deepEqual(
    [NATIVE, USDC, OTHER_USDC].map((asset) => used_stroops.get(assetText(asset))),
    [0n, 100n, 0n],
  );
});

test('orders of several assets in one batch: each counts for later ones of its asset only', async () => {
  const wallet = await newWallet([limitsFor(NATIVE, null, 100n), limitsFor(USDC, 40n, 50n)]);
  const orders: [bigint, AssetFields, string | null][] = [
    [60n, NATIVE, null],
    [41n, USDC, 'policy_amount_limit'],
    [40n, USDC, null],
    [50n, NATIVE, 'policy_daily_limit'],
    [1n, EURC, 'policy_asset_without_limit'],
    [11n, USDC, 'policy_daily_limit'],
    [40n, NATIVE, null],
    [10n, USDC, null],
  ];
  assert.deepEqual(
    await take(orders.map(([amount, asset]) => orderOf(wallet, amount, asset))),
    orders.map(([, , code]) => code),
  );
});

test('40 of two assets at once on two processes cannot exceed a limit of an asset together', async () => {
  const wallet = await newWallet([limitsFor(USDC, null, 50n), limitsFor(EURC, null, 30n)]);
  const processes = [world.deps.db, world.another().db];
  const violations = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      take([orderOf(wallet, 10n, index < 20 ? USDC : EURC)], processes[index % 2]),
    ),
  );
  const taken = (half: typeof violations) => half.filter(([violation]) => violation === null).length;
  assert.deepEqual([taken(violations.slice(0, 20)), taken(violations.slice(20))], [5, 3]);
});

test('a preview foresees what the claim says, and when more is possible', async () => {
  const wallet = await newWallet([limitsFor(USDC, 60n, 100n)]);
  await take([orderOf(wallet, 60n, USDC)]);
  const orders = [orderOf(wallet, 41n, USDC), orderOf(wallet, 1n, EURC), orderOf(wallet, 1n, NATIVE)];
  for (const order of orders) {
    const { violations: foreseen } = await foreseePolicy(world.deps.db, { ...order, except: [] }, now);
    const [refused] = await world.deps.db.transaction().execute((trx) => checkPolicies(trx, [order], now));
    assert.deepEqual(foreseen, [refused?.violation]);
  }
  const large = { ...orderOf(wallet, 41n, USDC), except: [] };
  const [daily] = (await foreseePolicy(world.deps.db, large, now)).violations;
  const from = new Date(now.getTime() + 24 * HOUR_MS).toISOString();
  assert.ok(
    daily?.message.includes(`of ${assetText(USDC)} in 24 hours, with 40 stroops left`),
    daily?.message,
  );
  assert.ok(daily?.message.includes(from), daily?.message);
});

test('limits and pending changes of all kinds are stored exactly, and read on every process', async () => {
  const huge = 9007199254740993n;
  const wallet = await newWallet([limitsFor(NATIVE, huge, 2n ** 63n - 1n), limitsFor(USDC, null, huge)]);
  const wanted = [limitsFor(NATIVE, huge + 1n), limitsFor(EURC, huge, huge), limitsFor(USDC, 5n, huge + 1n)];
  const asked = await ask(wallet, wanted);
  const seen = await read(wallet, world.another());
  assert.deepEqual([seen.policy, seen.pending], [asked.policy, asked.pending]);
  assert.deepEqual(seen.policy.limits, [limitsFor(NATIVE, huge, 2n ** 63n - 1n), limitsFor(USDC, 5n, huge)]);
  assert.equal(seen.pending.length, 4);
  hours(24);
  assert.deepEqual((await read(wallet)).policy.limits, wanted);
  await changePolicy(timed(world.deps), onId(wallet), (target) => ({ ...target, frozen: true }));
  const { policy, pending } = await read(wallet);
  assert.deepEqual([policy, pending], [{ ...NO_LIMITS, frozen: true, limits: wanted }, []]);
});

test('a revoked change of an asset never takes effect, and the others do', async () => {
  const wallet = await newWallet([limitsFor(USDC, 5n)]);
  const { pending } = await ask(wallet, [limitsFor(NATIVE, 7n), limitsFor(EURC, 6n), limitsFor(USDC, 9n)]);
  const [native, eurc] = pending;
  assert.deepEqual([native?.asset_code, eurc?.asset_code], ['native', 'EURC']);
  assert.equal((await revokeChange(timed(world.deps), onId(wallet), native?.id ?? '')).field, 'limits');
  hours(24);
  // It is in force.
  await assert.rejects(revokeChange(timed(world.deps), onId(wallet), eurc?.id ?? ''), { code: 'not_found' });
  assert.deepEqual((await read(wallet)).policy.limits, [limitsFor(EURC, 6n), limitsFor(USDC, 9n)]);
});

test('nothing may be paid while one limited asset replaces another; without limits all may again', async () => {
  const wallet = await newWallet([limitsFor(USDC, 5n)]);
  await ask(wallet, [limitsFor(EURC, 5n)]);
  assert.deepEqual((await read(wallet)).policy.limits, []);
  for (const asset of [NATIVE, USDC, EURC])
    assert.deepEqual(await take([orderOf(wallet, 1n, asset)]), ['policy_asset_without_limit']);
  await ask(wallet, null);
  hours(24);
  assert.equal((await read(wallet)).policy.limits, null);
  await ask(wallet, null);
  for (const asset of [NATIVE, USDC, EURC])
    assert.deepEqual(await take([orderOf(wallet, 1n, asset)]), [null]);
});
