import { strict as assert } from 'node:assert';
import { after, before, test } from 'node:test';
import { Asset, Keypair, Operation } from '@stellar/stellar-sdk';
import { ACTOR } from '../../../test/support/acting.ts';
import { booksOf } from '../../../test/support/books.ts';
import { addChannel } from '../../../test/support/channels.ts';
import { type InProcessService, startInProcess } from '../../../test/support/in-process-service.ts';
import { createLog } from '../../lib/log.ts';
import { NetworkUnavailable } from '../../stellar/network-unavailable.ts';
import { createWallet } from '../../wallets/create-wallet.ts';
import { ingestDeposits } from '../ingest/ingest-deposits.ts';
import { compareBooks } from './compare-books.ts';

const UNIT = 10_000_000n;
const FEE = 100n;

let world: InProcessService;
const books = booksOf(() => world);

before(async () => {
  world = await startInProcess({ WITHDRAW_VALID_SECONDS: '600', CHANNELS_MAX: '0', CHANNEL_FEES: 'wallet' });
  await books.catchUp();
});
after(() => world.close());

test('an account that was never funded, and one that friendbot funded, agree', async () => {
  const wallet = await world.wallet();
  const { balance_stroops, deposits_stroops } = await books.assertAgrees(wallet);
  assert.deepEqual([balance_stroops, deposits_stroops], [10_000n * UNIT, 10_000n * UNIT]);
  const stellar = {
    ...world.deps.stellar,
    fund: () => Promise.reject(new NetworkUnavailable('no')),
  };
  const { owner_id } = wallet;
  const { wallet: unfunded } = await createWallet(
    { ...world.deps, stellar },
    { owner_id, name: 'Unfunded' },
    ACTOR,
  );
  const row = await books.assertAgrees(unfunded);
  assert.deepEqual([row.balance_stroops, row.deposits_stroops], [0n, 0n]);
});

test('payments in and out, to oneself, between wallets, failed withdrawals and fees: books and balance agree', async () => {
  const [one, two] = [await world.wallet(), await world.wallet()];
  await books.paid(one, 7);
  const [out, own, across, failed] = await books.withdrawn(one, [
    { destination: books.payer.publicKey(), amount_stroops: 3n * UNIT },
    { destination: one.account, amount_stroops: 5n * UNIT },
    { destination: two.account, amount_stroops: 11n * UNIT },
    { destination: books.payer.publicKey(), amount_stroops: 90_000_000n * UNIT },
  ]);
  assert.deepEqual(
    [out?.status, own?.status, across?.status, failed?.status],
    ['confirmed', 'confirmed', 'confirmed', 'failed'],
  );
  assert(failed?.fee_stroops);
  const row = await books.assertAgrees(one);
  assert.equal(row.deposits_stroops, (10_000n + 7n + 5n) * UNIT);
  assert.equal(row.withdrawals_stroops, (3n + 5n + 11n) * UNIT);
  assert.equal(row.fees_stroops, 4n * (failed.fee_stroops ?? 0n));
  assert.equal((await books.assertAgrees(two)).deposits_stroops, (10_000n + 11n) * UNIT);
});

test('a fee-bump through a channel costs its wallet the fee; a stranger’s fee-bump costs it nothing', async () => {
  const { deps } = world;
  const wallet = await world.wallet();
  await books.catchUp();
  const stranger = Keypair.random();
  await books.ensureFunded(stranger);
  const channel = await addChannel(world);
  const to = { destination: books.payer.publicKey(), amount_stroops: UNIT };
  const both = await books.withdrawn(wallet, [to, to]);
  assert(both.some((each) => each.tx_source === channel && (each.fee_stroops ?? 0n) > 0n));
  await books.assertAgrees(wallet);

  const asked = { ...deps.stellar };
  const stellar = {
    ...deps.stellar,
    async submit(envelope_xdr: string) {
      // Anybody who sees the transaction in the queue can fee-bump it.
      await asked.submit(books.bumpedBy(stranger, envelope_xdr).toEnvelope().toXdr('base64'));
      return { answer: 'no_answer' as const, code: null, fee_needed_stroops: null };
    },
  };
  const [bumped] = await booksOf(() => ({ ...world, deps: { ...deps, stellar } })).withdrawn(wallet, [to]);
  assert.equal(bumped?.status, 'confirmed');
  assert.equal(bumped.fee_stroops, 0n);
  await books.assertAgrees(wallet);
  await deps.db.deleteFrom('tx_sources').where('account', '=', channel).execute();
});

test('books that do not reach the balance’s ledger are not compared, and a stop reason raises no alarm', async () => {
  const wallet = await world.wallet();
  await books.assertAgrees(wallet);
  await books.paid(wallet, 1);
  // Nobody reads the new ledger. On this clock the wait for it ends at once.
  const clock = { ...world.deps.clock, sleep: async () => undefined };
  assert.equal(await books.compared(wallet, { ...world.deps, clock }), null);
  await books.catchUp();
  await world.deps.db.updateTable('deposit_cursor').set({ stop_reason: 'the network was reset' }).execute();
  assert.equal(await books.compared(wallet), null);
  await world.deps.db.updateTable('deposit_cursor').set({ stop_reason: null }).execute();
  await books.assertAgrees(wallet);
});

test('a comparison that another process makes at the same time, at a later ledger, counts as made; an old one does not', async () => {
  const wallet = await world.wallet();
  const { stellar } = world.deps;
  let later = 0;
  const readBalances: typeof stellar.readBalances = async (holders) => {
    const balances = await stellar.readBalances(holders);
    await books.paid(wallet, 1);
    later = (await books.assertAgrees(wallet)).ledger;
    return balances;
  };
  const overtaken = { ...world.deps, stellar: { ...stellar, readBalances } };
  for (const continued of [false, true]) {
    const made = await compareBooks(overtaken, [wallet], { continued });
    assert.equal(made.get(wallet.id)?.[0]?.ledger, later);
  }
  const lagging = await stellar.readBalances([{ account: wallet.account, assets: [] }]);
  await books.paid(wallet, 1);
  await books.assertAgrees(wallet);
  const old = { ...world.deps, stellar: { ...stellar, readBalances: async () => lagging } };
  for (const continued of [false, true])
    assert.deepEqual(await compareBooks(old, [wallet], { continued }), new Map());
});

test('while ledgers close and withdrawals are in flight, every comparison agrees', async () => {
  const wallets = [await world.wallet(), await world.wallet(), await world.wallet()];
  const [one, two] = wallets as [(typeof wallets)[0], (typeof wallets)[0]];
  const before_ = await world.deps.stellar.latestLedger();
  let running = true;
  const reading = (async () => {
    while (running) await ingestDeposits(world.deps).catch(() => undefined);
  })();
  const seen = new Set<number>();
  const comparing = (async () => {
    while (running) {
      for (const rows of (await compareBooks(world.deps, wallets)).values()) {
        for (const row of rows) {
          assert.equal(row.difference_stroops, 0n, JSON.stringify(row.may_explain));
          seen.add(row.ledger);
        }
      }
    }
  })();
  for (let round = 1n; round <= 4n; round++) {
    const orders = [two.account, one.account, books.payer.publicKey()].map((destination) => ({
      destination,
      amount_stroops: round * UNIT,
    }));
    await Promise.all([books.withdrawn(one, orders), books.withdrawn(two, orders)]);
    await books.paid(one, 2);
  }
  running = false;
  await Promise.all([reading, comparing]);
  for (const wallet of wallets) await books.assertAgrees(wallet);
  const { sequence } = await world.deps.stellar.latestLedger();
  assert(seen.size > 3, `compared at ${seen.size} of ${sequence - before_.sequence} ledgers`);
});

test('two processes that compare the same wallets at once leave one comparison at one ledger', async () => {
  const wallets = [await world.wallet(), await world.wallet()];
  await books.catchUp();
  const processes = [world.deps, world.another(), world.another()];
  for (let round = 0; round < 5; round++) {
    await books.paid(wallets[0] as (typeof wallets)[0], 1);
    await books.catchUp();
    await Promise.all(processes.map((deps) => compareBooks(deps, wallets)));
  }
  const rows = await world.deps.db
    .selectFrom('reconciliations')
    .selectAll()
    .where(
      'wallet_id',
      'in',
      wallets.map(({ id }) => id),
    )
    .execute();
  const { sequence } = await world.deps.stellar.latestLedger();
  assert.deepEqual(
    rows.map(({ ledger, difference_stroops }) => [ledger, difference_stroops]),
    [
      [sequence, 0n],
      [sequence, 0n],
    ],
  );
});

test('a later comparison is never replaced by one of an earlier ledger', async () => {
  const wallet = await world.wallet();
  const { ledger } = await books.assertAgrees(wallet);
  const balances = await world.deps.stellar.readBalances([{ account: wallet.account, assets: [] }]);
  const lagging = new Map([...balances].map(([account, held]) => [account, { ...held, ledger: ledger - 1 }]));
  const stellar = { ...world.deps.stellar, readBalances: async () => lagging };
  assert.equal(await books.compared(wallet, { ...world.deps, stellar }), null);
  assert.equal((await books.compared(wallet))?.[0]?.ledger, ledger);
});

test('a network or database failure is an error, neither a difference nor an agreement', async () => {
  const wallet = await world.wallet();
  await books.assertAgrees(wallet);
  await books.paid(wallet, 1);
  await books.catchUp();
  const rowsOf = () =>
    world.deps.db.selectFrom('reconciliations').selectAll().where('wallet_id', '=', wallet.id).execute();
  const rows = await rowsOf();
  const away = async () => {
    throw new NetworkUnavailable('away');
  };
  await assert.rejects(
    books.compared(wallet, { ...world.deps, stellar: { ...world.deps.stellar, readBalances: away } }),
    { name: 'NetworkUnavailable' },
  );
  const holder = await world.deps.pool.connect();
  await holder.query('begin');
  await holder.query('lock table reconciliations in exclusive mode');
  const impatient = world.another();
  // Not awaited: the client runs its queries in order.
  impatient.pool.on('connect', (client) => void client.query('set lock_timeout = 50'));
  await assert.rejects(books.compared(wallet, impatient), /lock timeout/);
  await holder.query('rollback');
  holder.release();
  assert.deepEqual(await rowsOf(), rows);
  await books.assertAgrees(wallet);
});

test('one false balance of a node raises no alarm; the same one twice raises one alarm', async () => {
  const wallet = await world.wallet();
  await books.assertAgrees(wallet);
  const log = createLog('silent', false);
  const alarms: unknown[] = [];
  log.error = ((what: unknown) => alarms.push(what)) as typeof log.error;
  let lies = 0;
  const stellar = {
    ...world.deps.stellar,
    async readBalances(holders: Parameters<typeof world.deps.stellar.readBalances>[0]) {
      const balances = await world.deps.stellar.readBalances(holders);
      if (lies-- <= 0) return balances;
      return new Map([...balances].map(([account, held]) => [account, { ...held, native: 5n }]));
    },
  };
  const deps = { ...world.deps, stellar, log };
  lies = 1;
  assert.equal((await books.compared(wallet, deps))?.[0]?.difference_stroops, 0n);
  assert.deepEqual(alarms, []);
  lies = 4;
  assert.equal((await books.compared(wallet, deps))?.[0]?.difference_stroops, 5n - 10_000n * UNIT);
  assert.equal((await books.compared(wallet, deps))?.[0]?.difference_stroops, 5n - 10_000n * UNIT);
  assert.equal(alarms.length, 1);
  await books.assertAgrees(wallet);
});

test('account merges and path payments into a wallet count with the received amount', async () => {
  const wallet = await world.wallet();
  const gone = Keypair.random();
  await books.ensureFunded(gone);
  await books.ensureFunded(books.payer);
  const path = {
    destination: wallet.account,
    path: [],
    sendAsset: Asset.native(),
    destAsset: Asset.native(),
  };
  await books.sent(books.payer, [
    Operation.pathPaymentStrictSend({ ...path, sendAmount: '2', destMin: '1' }),
    Operation.pathPaymentStrictReceive({ ...path, sendMax: '9', destAmount: '3' }),
  ]);
  await books.sent(gone, [Operation.accountMerge({ destination: wallet.account })]);
  const { deposits_stroops } = await books.assertAgrees(wallet);
  assert.equal(deposits_stroops, (10_000n + 2n + 3n + 10_000n) * UNIT - FEE);
});
