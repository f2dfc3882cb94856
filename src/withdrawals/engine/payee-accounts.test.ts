/** Orders to an account that is not on the network yet: one creates it, and all are paid. */
import { strict as assert } from 'node:assert';
import { after, before, test } from 'node:test';
import { Keypair } from '@stellar/stellar-sdk';
import { sql } from 'kysely';
import {
  closingLedgers,
  type InProcessService,
  startInProcess,
} from '../../../test/support/in-process-service.ts';
import { LEASE, withdrawalSteps } from '../../../test/support/withdrawal-steps.ts';
import { muxedAddress } from '../../stellar/address.ts';
import type { Wallet } from '../../wallets/access.ts';
import { signBatch } from './sign-batch.ts';
import type { Withdrawal } from './store.ts';
import { assignTxSources } from './tx-source-store.ts';

const AMOUNT = 20_000_000n;
/** Below two base reserves. */
const TOO_SMALL = 9_999_999n;

let world: InProcessService;
const { withStellar, read, claim, waitForOutcomes, balanceOf, processLedgers, signOnly } = withdrawalSteps(
  () => world,
);

before(async () => {
  world = await startInProcess({ WITHDRAW_VALID_SECONDS: '600', CHANNELS_MAX: '0' });
  await processLedgers(); // as a service does that starts before anybody withdraws
});
after(() => world.close());

const newAccount = () => Keypair.random().publicKey();

/** Claims an order of each of so many wallets, all to one payee. */
async function ordersTo(payee: string, count: number): Promise<Withdrawal[]> {
  const orders: Withdrawal[] = [];
  for (let index = 0; index < count; index++) orders.push(await orderTo(payee, await world.wallet()));
  return orders;
}

const orderTo = (payee: string, wallet: Wallet, amount_stroops = AMOUNT) =>
  claim(wallet, amount_stroops, payee);

async function outcomesOf(orders: Withdrawal[]): Promise<string[]> {
  await waitForOutcomes(orders.map(({ id }) => id));
  const rows = await Promise.all(orders.map(({ id }) => read(id)));
  return rows.map(({ operation, status, failure_code }) => `${operation} ${failure_code ?? status}`);
}

/** Signs all that have a transaction source, as a process that dies before it sends. */
async function signAll(orders: Withdrawal[], deps = world.deps): Promise<Withdrawal[]> {
  const ids = orders.map(({ id }) => id);
  await assignTxSources(deps.db, LEASE);
  return (await signBatch(deps, ids, LEASE.until)).signed;
}

test('of several orders to one new account the first creates it, and all are paid', async () => {
  const payee = newAccount();
  const orders = await ordersTo(payee, 4);
  const outcomes = await outcomesOf(orders);
  assert.deepEqual(outcomes.sort(), ['create_account confirmed', ...Array(3).fill('payment confirmed')]);
  assert.equal(await balanceOf(payee), 4n * AMOUNT);
});

test('two processes that create one account at once send one creation', async () => {
  const payee = newAccount();
  const orders = await ordersTo(payee, 4);
  await processLedgers();
  await assignTxSources(world.deps.db, LEASE);
  const processes = orders.map(() => world.another());
  const rounds = await Promise.all(
    orders.map(({ id }, index) => signBatch(processes[index] ?? world.deps, [id], LEASE.until)),
  );
  const signed = rounds.flatMap((round) => round.signed);
  assert.deepEqual(
    signed.map(({ operation }) => operation),
    ['create_account'],
  );
  const outcomes = await outcomesOf(orders);
  assert.deepEqual(outcomes.sort(), ['create_account confirmed', ...Array(3).fill('payment confirmed')]);
});

test('an order that waits for a creation leaves its transaction source to others, and takes no other one', async () => {
  const payee = newAccount();
  const [first, second] = await ordersTo(payee, 2);
  assert(first && second);
  await signOnly(first.id);
  await signAll([second]); // it had been given one before the creation was signed
  await signAll([second]);
  assert.equal((await read(second.id)).tx_source, null);
  assert.deepEqual(await assignTxSources(world.deps.db, LEASE), []);
  assert.deepEqual(await outcomesOf([first, second]), ['create_account confirmed', 'payment confirmed']);
});

test('an order whose payee has appeared since is a payment', async () => {
  const payee = newAccount();
  const order = await orderTo(payee, await world.wallet());
  await closingLedgers(world.sandbox, world.deps.stellar.fund(payee));
  assert.equal(order.operation, 'create_account');
  assert.deepEqual(await outcomesOf([order]), ['payment confirmed']);
});

test('an order that was claimed as a payment creates its payee, which has been merged away since', async () => {
  const payee = newAccount();
  const order = await orderTo(payee, await world.wallet());
  await world.deps.db
    .updateTable('withdrawals')
    .set({ operation: 'payment' })
    .where('id', '=', order.id)
    .execute();
  assert.deepEqual(await outcomesOf([order]), ['create_account confirmed']);
});

test('a source that does not know the new account yet makes the others wait', async () => {
  const payee = newAccount();
  const [first, second] = await ordersTo(payee, 2);
  assert(first && second);
  const before = await world.deps.stellar.readSequences([payee]);
  assert.deepEqual(await outcomesOf([first]), ['create_account confirmed']);
  const { readSequences } = world.deps.stellar;
  const lagging = withStellar({
    async readSequences(accounts) {
      const read = await readSequences(accounts);
      return {
        ...read,
        latest: { ...read.latest, sequence: before.latest.sequence },
        sequences: without(read.sequences, payee),
      };
    },
  });
  assert.deepEqual(await signAll([second], lagging), []);
  assert.deepEqual(await outcomesOf([second]), ['payment confirmed']);
});

function without(sequences: Map<string, bigint>, account: string): Map<string, bigint> {
  return new Map([...sequences].filter(([name]) => name !== account));
}

test('a creation that fails leaves the account to the next order', async () => {
  const payee = newAccount();
  const poor = await orderTo(payee, await world.wallet(), 10n ** 15n);
  const next = await orderTo(payee, await world.wallet());
  assert.deepEqual(await outcomesOf([poor, next]), [
    'create_account op_underfunded',
    'create_account confirmed',
  ]);
});

test('an order that cannot create the account waits while another one does; alone the network refuses it', async () => {
  const payee = newAccount();
  const small = await orderTo(payee, await world.wallet(), TOO_SMALL);
  const muxed = await orderTo(muxedAddress(payee, 7n), await world.wallet());
  const creator = await orderTo(payee, await world.wallet());
  assert.deepEqual(await outcomesOf([small, muxed, creator]), [
    'payment confirmed',
    'payment confirmed',
    'create_account confirmed',
  ]);
  const alone = await orderTo(newAccount(), await world.wallet(), TOO_SMALL);
  assert.deepEqual(await outcomesOf([alone]), ['payment op_no_destination']);
});

test('an order that cannot be signed keeps no other order from creating the account', async () => {
  const payee = newAccount();
  const [broken, whole] = await ordersTo(payee, 2);
  assert(broken && whole);
  const { db } = world.deps;
  const seed = { sealed_seed: Buffer.from('no seed') };
  const { sealed_seed } = await db
    .selectFrom('wallets')
    .select('sealed_seed')
    .where('id', '=', broken.wallet_id)
    .executeTakeFirstOrThrow();
  const setSeed = (set: { sealed_seed: Buffer }) =>
    db.transaction().execute(async (trx) => {
      await sql`set local session_replication_role = replica`.execute(trx); // without the trigger that refuses it
      await trx.updateTable('wallets').set(set).where('id', '=', broken.wallet_id).execute();
    });
  await setSeed(seed);
  await processLedgers();
  assert.deepEqual(
    await signAll([broken, whole]),
    [],
    'the first is to create the account, and the other waits',
  );
  assert.equal((await signAll([broken, whole])).length, 1);
  await signAll([broken]);
  assert.notEqual((await read(broken.id)).tx_source, null, 'its account would stay blocked without it');
  assert.deepEqual(await outcomesOf([whole]), ['create_account confirmed']);
  await setSeed({ sealed_seed });
  assert.deepEqual(await outcomesOf([broken]), ['payment confirmed']);
});
