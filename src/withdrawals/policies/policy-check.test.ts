import { strict as assert } from 'node:assert';
import { after, before, test } from 'node:test';
import { ACTOR, onId } from '../../../test/support/acting.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { type InProcessService, startInProcess } from '../../../test/support/in-process-service.ts';
import { LOCK_WAITS } from '../../../test/support/lock-waits.ts';
import { limitsFor, type Wish, wished } from '../../../test/support/policies.ts';
import type { Db } from '../../db/database.ts';
import { newId } from '../../lib/ids.ts';
import { NATIVE } from '../../stellar/asset.ts';
import { createClaims } from '../engine/claims.ts';
import type { EngineDeps } from '../engine/hooks.ts';
import { NO_LIMITS, type Policy } from './policies.ts';
import { changePolicy, readPolicy, revokeChange } from './policy-changes.ts';
import {
  checkPayoutPolicy,
  checkPolicies,
  foreseePolicy,
  type PolicyOrder,
  whyNotCovered,
} from './policy-check.ts';

const HOUR_MS = 3_600_000;
const DESTINATION = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ';
const OTHER = 'GBZXN7PIRZGNMHGA7MUUUF4GWPY5AYPV6LY4UV2GL6VJGIQRXFDNMADI';

let world: InProcessService;
before(async () => {
  world = await startInProcess({ POLICY_DELAY_SECONDS: '86400' });
});
after(() => world.close());

let now = new Date('2026-01-01T00:00:00Z');
const hours = (count: number) => {
  now = new Date(now.getTime() + count * HOUR_MS);
};
/** A process whose clock the test sets. */
const timed = (deps: EngineDeps): EngineDeps => ({ ...deps, clock: { ...deps.clock, now: () => now } });
const wish = (wanted: Wish) => (target: Policy) => wished(wanted, target);

async function newWallet(policy: Wish = {}): Promise<string> {
  const { id } = await world.wallet();
  await changePolicy(timed(world.deps), onId(id), wish(policy));
  return id;
}

function orderOf(wallet_id: string, amount_stroops: bigint, asset = NATIVE): PolicyOrder {
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
    for (const [index, order] of orders.entries()) {
      if (violations[index] === null) await keep(trx, order, 'queued');
    }
    return violations.map((violation) => violation?.code ?? null);
  });
}

async function keep(
  db: Db,
  order: PolicyOrder,
  status: 'queued' | 'signed' | 'confirmed' | 'failed',
  more: object = {},
) {
  const { owner_id } = await db
    .selectFrom('wallets')
    .select('owner_id')
    .where('id', '=', order.wallet_id)
    .executeTakeFirstOrThrow();
  const signed = status !== 'queued';
  await db
    .insertInto('withdrawals')
    .values({
      ...order,
      envelope_xdr: signed ? 'AAAA' : null,
      tx_source: DESTINATION,
      owner_id,
      idempotency_key: order.id,
      status,
      approvals_required: 0,
      leased_until: now,
      settled_at: status === 'confirmed' || status === 'failed' ? now : null,
      ...more,
    })
    .execute();
}

test('a withdrawal counts for 24 hours to the millisecond, and then no more', async () => {
  const wallet = await newWallet({ max_rolling_24h_stroops: 100n });
  assert.deepEqual(await take([orderOf(wallet, 100n)]), [null]);
  now = new Date(now.getTime() + 24 * HOUR_MS - 1);
  assert.deepEqual(await take([orderOf(wallet, 1n)]), ['policy_daily_limit']);
  now = new Date(now.getTime() + 1);
  assert.deepEqual(await take([orderOf(wallet, 100n)]), [null]);
});

test('queued, signed and confirmed ones count in full, failed ones not at all', async () => {
  for (const status of ['queued', 'signed', 'confirmed', 'failed'] as const) {
    const wallet = await newWallet({ max_rolling_24h_stroops: 100n });
    await keep(world.deps.db, orderOf(wallet, 60n), status);
    const expected = status === 'failed' ? null : 'policy_daily_limit';
    assert.deepEqual(await take([orderOf(wallet, 41n)]), [expected], status);
  }
});

test('in a batch each counts for the ones after it, a refused one for none, and wallets for themselves', async () => {
  const [one, other] = [
    await newWallet({ max_rolling_24h_stroops: 100n }),
    await newWallet({ max_rolling_24h_stroops: 50n, max_withdrawal_stroops: 40n }),
  ];
  const free = await newWallet();
  const orders = [
    orderOf(one, 60n),
    orderOf(other, 41n),
    orderOf(free, 10n ** 18n),
    orderOf(one, 50n),
    orderOf(other, 40n),
    orderOf(one, 40n),
    orderOf(other, 11n),
  ];
  assert.deepEqual(await take(orders), [
    null,
    'policy_amount_limit',
    null,
    'policy_daily_limit',
    null,
    null,
    'policy_daily_limit',
  ]);
});

test('an order whose row is there already, because its claim is repeated, is not counted twice', async () => {
  const wallet = await newWallet({ max_rolling_24h_stroops: 100n });
  const order = orderOf(wallet, 100n);
  await keep(world.deps.db, order, 'queued');
  const verdicts = await world.deps.db.transaction().execute((trx) => checkPolicies(trx, [order], now));
  assert.deepEqual(verdicts, [{ violation: null, approvals_required: 0, approvals_cause: null }]);
});

/** A wallet whose payments need one approval above 100 stroops of the native asset. */
async function newAskingWallet(): Promise<string> {
  const wallet = await newWallet();
  const approvals = { required: 1, above: [{ ...NATIVE, amount_stroops: '100' }], for: ['withdrawals'] };
  await world.deps.pool.query('update wallet_policies set approvals = $2 where wallet_id = $1', [
    wallet,
    JSON.stringify(approvals),
  ]);
  return wallet;
}

/** How many approvals each order needs; those that need none are stored. */
function needed(orders: PolicyOrder[], db: Db = world.deps.db): Promise<number[]> {
  return db.transaction().execute(async (trx) => {
    const verdicts = await checkPolicies(trx, orders, now);
    for (const [index, order] of orders.entries())
      if (verdicts[index]?.approvals_required === 0) await keep(trx, order, 'queued');
    return verdicts.map(({ approvals_required }) => approvals_required);
  });
}

test('payments add up: what was paid without approvals in 24 hours counts towards the amount that needs none', async () => {
  const wallet = await newAskingWallet();
  assert.deepEqual(
    await needed([60n, 41n, 40n, 1n].map((stroops) => orderOf(wallet, stroops))),
    [0, 1, 0, 1],
  );
  const foreseen = async (amount_stroops: bigint) =>
    (await foreseePolicy(world.deps.db, { ...orderOf(wallet, amount_stroops), except: [] }, now)).approvals;
  const paid = { unapproved_stroops: 100n };
  assert.deepEqual(await foreseen(1n), { approvals_required: 1, approvals_cause: 'sum', ...paid });
  assert.deepEqual(await foreseen(101n), { approvals_required: 1, approvals_cause: 'amount', ...paid });
  now = new Date(now.getTime() + 24 * HOUR_MS - 1);
  assert.deepEqual(await needed([orderOf(wallet, 1n)]), [1]);
  now = new Date(now.getTime() + 1);
  assert.deepEqual(await needed([orderOf(wallet, 100n)]), [0]);
});

test('what is in flight counts towards it; what failed, what was approved and another asset do not', async () => {
  const approved = { approvals_required: 1, approvals: '[{}]', approved_at: now };
  const usdc = { asset_code: 'USDC', asset_issuer: OTHER };
  const cases = [
    ['queued', {}, 1],
    ['signed', {}, 1],
    ['confirmed', {}, 1],
    ['failed', {}, 0],
    ['confirmed', approved, 0],
    ['confirmed', { ...usdc, operation: 'asset_payment' }, 0],
  ] as const;
  for (const [status, more, needs] of cases) {
    const wallet = await newAskingWallet();
    await keep(world.deps.db, orderOf(wallet, 60n), status, more);
    assert.deepEqual(await needed([orderOf(wallet, 41n)]), [needs], `${status} ${JSON.stringify(more)}`);
  }
});

test('an approved order in a batch counts for none after it, and asks for no more than its rule', async () => {
  const wallet = await newAskingWallet();
  const row_of_payout = { ...orderOf(wallet, 90n), approvals_required: 1 };
  const verdicts = await world.deps.db
    .transaction()
    .execute((trx) => checkPolicies(trx, [row_of_payout, orderOf(wallet, 100n)], now));
  assert.deepEqual(
    verdicts.map(({ approvals_required }) => approvals_required),
    [0, 0],
  );
});

test('a payout needs approvals when its sum and what others paid without them are above it; its own rows count once', async () => {
  const wallet = await newAskingWallet();
  await keep(world.deps.db, orderOf(wallet, 60n), 'confirmed', { payout_id: 'pay_own', payout_row: 1 });
  const needs = (amount_stroops: bigint) =>
    world.deps.db.transaction().execute(async (trx) => {
      const payout = { id: 'pay_own', wallet_id: wallet };
      const { approvals_required } = await checkPayoutPolicy(
        trx,
        payout,
        [{ ...NATIVE, amount_stroops }],
        now,
      );
      return approvals_required;
    });
  assert.deepEqual([await needs(100n), await needs(101n)], [0, 1]);
  await keep(world.deps.db, orderOf(wallet, 30n), 'queued');
  assert.deepEqual([await needs(70n), await needs(71n)], [0, 1]);
  const why = async (amount_stroops: bigint, approvals_required = 0) => {
    const payout = { id: 'pay_own', wallet_id: wallet, approvals_required };
    const found = await whyNotCovered(world.deps.db, payout, [{ ...NATIVE, amount_stroops }], now);
    return found && [found.cause, found.unapproved_stroops];
  };
  assert.deepEqual(
    [await why(70n), await why(71n), await why(101n), await why(101n, 1)],
    [null, ['sum', 30n], ['amount', 30n], null],
  );
});

test('40 at once on two processes cannot pay more without approvals than the amount together', async () => {
  const wallet = await newAskingWallet();
  const processes = [world.deps.db, world.another().db];
  const verdicts = await Promise.all(
    Array.from({ length: 40 }, (_, index) => needed([orderOf(wallet, 10n)], processes[index % 2])),
  );
  assert.equal(verdicts.filter(([approvals]) => approvals === 0).length, 10);
});

test('40 at once on two processes cannot exceed a limit together', async () => {
  const wallet = await newWallet({ max_rolling_24h_stroops: 100n });
  const processes = [world.deps.db, world.another().db];
  const violations = await Promise.all(
    Array.from({ length: 40 }, (_, index) => take([orderOf(wallet, 10n)], processes[index % 2])),
  );
  assert.equal(violations.filter(([violation]) => violation === null).length, 10);
});

test('batches that name the same wallets in another order do not wait for each other for ever', async () => {
  const wallets = [await newWallet(), await newWallet(), await newWallet()];
  const fresh = await Promise.all([1, 2, 3].map(() => world.wallet()));
  const all = [...wallets, ...fresh.map(({ id }) => id)];
  await Promise.all(
    Array.from({ length: 30 }, (_, index) => {
      const orders = all.map((wallet) => orderOf(wallet, 1n));
      return take(index % 2 ? orders : orders.toReversed());
    }),
  );
});

test('claims of one turn: a refused one leaves its key to the next with the same, and the others are taken', async () => {
  const wallet = await newWallet({ max_withdrawal_stroops: 10n });
  const claims = createClaims(timed(world.deps));
  const row = await world.deps.db
    .selectFrom('wallets')
    .select(['owner_id', 'account as wallet_account'])
    .where('id', '=', wallet)
    .executeTakeFirstOrThrow();
  const claim = (idempotency_key: string, amount_stroops: bigint) => {
    const order = {
      ...orderOf(wallet, amount_stroops),
      ...row,
      memo_id: null,
      memo_return: null,
      refund_of: null,
      actor: ACTOR,
    };
    return claims.claim({ ...order, idempotency_key: `${wallet} ${idempotency_key}` });
  };
  const [refused, taken, late, other] = await Promise.all([
    claim('one', 11n),
    claim('one', 10n),
    claim('one', 9n),
    claim('other', 8n),
  ]);
  assert.equal(refused.violation?.code, 'policy_amount_limit');
  assert.deepEqual(
    [taken, late, other].map(({ holder }) => holder?.amount_stroops),
    [10n, 10n, 8n],
    'the third hears of the second, which has the key',
  );
  const { policy } = await changePolicy(timed(world.deps), onId(wallet), wish({ frozen: true }));
  assert.equal(policy.frozen, true);
  assert.equal((await claim('one', 11n)).holder?.id, taken.holder?.id, 'a used key never hears of a policy');
  assert.equal((await claim('new', 1n)).violation?.code, 'policy_frozen');
});

test('once a first freeze has been answered, no withdrawal that was being checked can still come in', async () => {
  const { id } = await world.wallet(); // no policy was ever asked for
  const deps = timed(world.another());
  let answered = false;
  let freezing: Promise<unknown> | undefined;
  await world.deps.db.transaction().execute(async (trx) => {
    const free = { violation: null, approvals_required: 0, approvals_cause: null };
    assert.deepEqual(await checkPolicies(trx, [orderOf(id, 1n)], now), [free]);
    freezing = changePolicy(deps, onId(id), wish({ frozen: true })).then(() => {
      answered = true;
    });
    await eventually('the freeze waits', async () => {
      return (await deps.pool.query(LOCK_WAITS)).rowCount;
    });
    assert.equal(answered, false);
  });
  await freezing;
  assert.deepEqual(await take([orderOf(id, 1n)]), ['policy_frozen']);
});

test('a loosening holds on every process from its time on, though nobody does anything then', async () => {
  const wallet = await newWallet({ frozen: true, max_withdrawal_stroops: 10n, destinations: [OTHER] });
  const deps = timed(world.deps);
  await changePolicy(deps, onId(wallet), () => wish({ max_withdrawal_stroops: 20n })(NO_LIMITS));
  hours(23.99);
  assert.deepEqual(await take([orderOf(wallet, 20n)]), ['policy_frozen']);
  assert.equal((await readPolicy(deps, wallet)).pending.length, 3);
  hours(0.01);
  assert.deepEqual(await take([orderOf(wallet, 20n)], world.another().db), [null]);
  assert.deepEqual(await take([orderOf(wallet, 21n)]), ['policy_amount_limit']);
  const { policy, pending } = await readPolicy(deps, wallet);
  assert.deepEqual(policy, wish({ max_withdrawal_stroops: 20n })(NO_LIMITS));
  assert.deepEqual(pending, []);
});

test('a pending change keeps its time when POLICY_DELAY_SECONDS becomes another', async () => {
  const wallet = await newWallet({ frozen: true });
  const deps = timed(world.deps);
  const hasty: EngineDeps = { ...deps, config: { ...deps.config, policy_delay_seconds: 0 } };
  await changePolicy(deps, onId(wallet), wish({ frozen: false }));
  await changePolicy(hasty, onId(wallet), wish({ frozen: false }));
  hours(23);
  assert.equal((await readPolicy(hasty, wallet)).policy.frozen, true);
});

test('a change is revoked only while it is pending, and the rest stays as it is', async () => {
  const wallet = await newWallet({ frozen: true, max_withdrawal_stroops: 10n });
  const deps = timed(world.deps);
  const { pending } = await changePolicy(deps, onId(wallet), () => NO_LIMITS);
  const [unfreezing, raise] = pending;
  assert.equal((await revokeChange(deps, onId(wallet), raise?.id ?? '')).field, 'max_withdrawal_stroops');
  await assert.rejects(revokeChange(deps, onId(wallet), raise?.id ?? ''), { code: 'not_found' });
  hours(24);
  await assert.rejects(revokeChange(deps, onId(wallet), unfreezing?.id ?? ''), { code: 'not_found' });
  const { policy } = await readPolicy(deps, wallet);
  assert.deepEqual(policy, wish({ max_withdrawal_stroops: 10n })(NO_LIMITS));
});

test('changes of one policy at once on two processes all take effect, none is lost', async () => {
  const wallet = await newWallet({ max_withdrawal_stroops: 10n });
  const processes = [timed(world.deps), timed(world.another())] as const;
  await Promise.all([
    changePolicy(processes[0], onId(wallet), wish({ max_withdrawal_stroops: 5n })),
    changePolicy(processes[1], onId(wallet), wish({ max_rolling_24h_stroops: 50n })),
    changePolicy(processes[0], onId(wallet), wish({ destinations: [DESTINATION] })),
    changePolicy(processes[1], onId(wallet), wish({ frozen: true })),
  ]);
  const { policy, pending } = await readPolicy(processes[0], wallet);
  assert.deepEqual(policy, {
    frozen: true,
    limits: [limitsFor(NATIVE, 5n, 50n)],
    destinations: [DESTINATION],
    approvals: null,
  });
  assert.deepEqual(pending, []);
});

test('a raise and a lowering at once end with the lower limit in force, and at most the raise pending', async () => {
  for (let round = 0; round < 10; round++) {
    const wallet = await newWallet({ max_withdrawal_stroops: 10n });
    const processes = [timed(world.deps), timed(world.deps)] as const;
    await Promise.all([
      changePolicy(processes[0], onId(wallet), wish({ max_withdrawal_stroops: 100n })),
      changePolicy(processes[1], onId(wallet), wish({ max_withdrawal_stroops: 5n })),
    ]);
    const { policy, pending } = await readPolicy(processes[0], wallet);
    assert.deepEqual(policy.limits, [limitsFor(NATIVE, 5n)]);
    assert.ok(pending.length <= 1);
  }
});
