import { strict as assert } from 'node:assert';
import { after, before, test } from 'node:test';
import { Asset, Keypair, Operation } from '@stellar/stellar-sdk';
import { booksOf, payment } from '../../../test/support/books.ts';
import { type InProcessService, startInProcess } from '../../../test/support/in-process-service.ts';
import { NetworkUnavailable } from '../../stellar/network-unavailable.ts';
import type { Wallet } from '../../wallets/access.ts';
import { acceptDifference, reportReconciliation } from './reconcile-report.ts';

const UNIT = 10_000_000n;
const FEE = 100n;

let world: InProcessService;
const books = booksOf(() => world);

before(async () => {
  world = await startInProcess({ WITHDRAW_VALID_SECONDS: '600', CHANNELS_MAX: '0' });
  await books.catchUp();
});
after(() => world.close());

/** A wallet whose books agreed, and then received a deposit of 3 units. */
async function paidWallet(): Promise<{ wallet: Wallet; hash: string; ledger: number; id: string }> {
  const wallet = await world.wallet();
  await books.assertAgrees(wallet);
  await books.paid(wallet, 3);
  await books.catchUp();
  const { stellar_tx_hash, ...row } = await world.deps.db
    .selectFrom('deposits')
    .select(['id', 'stellar_tx_hash', 'ledger'])
    .where('wallet_id', '=', wallet.id)
    .where('amount_stroops', '=', 3n * UNIT)
    .executeTakeFirstOrThrow();
  return { wallet, hash: stellar_tx_hash, ...row };
}

const accept = (wallet_id: string, difference_stroops: bigint | null, reason = 'x', asset = 'native') =>
  acceptDifference(world.deps, { wallet_id, asset, difference_stroops, reason });

const only = (stellar_tx_hash: string, ledger: number, reason: string) => [
  { stellar_tx_hash, ledger, reason },
];

test('a deposit that is missing in the books is found, and named by its transaction', async () => {
  const { wallet, hash, ledger, id } = await paidWallet();
  await world.deps.db.deleteFrom('deposits').where('id', '=', id).execute();
  const { stroops, may_explain } = await books.difference(wallet);
  assert.equal(stroops, 3n * UNIT);
  assert.deepEqual(may_explain, only(hash, ledger, 'not_booked'));
});

test('a deposit whose amount differs by one stroop from the ledger is found', async () => {
  const { wallet, hash, ledger, id } = await paidWallet();
  const amount_stroops = 3n * UNIT + 1n;
  await world.deps.db.updateTable('deposits').set({ amount_stroops }).where('id', '=', id).execute();
  const { stroops, may_explain } = await books.difference(wallet);
  assert.equal(stroops, -1n);
  assert.deepEqual(may_explain, only(hash, ledger, 'booked_differently'));
});

test('a deposit that the ledger does not have is found', async () => {
  const { wallet, ledger, id } = await paidWallet();
  const row = await world.deps.db
    .selectFrom('deposits')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const forged = { ...row, id: `${id}x`, stellar_tx_hash: 'f'.repeat(64) };
  await world.deps.db.insertInto('deposits').values(forged).execute();
  const { stroops, may_explain } = await books.difference(wallet);
  assert.equal(stroops, -3n * UNIT);
  assert.deepEqual(may_explain, only('f'.repeat(64), ledger, 'not_on_ledger'));
});

test('a withdrawal with a false fee, or a paid one with status failed, is found', async () => {
  const wallet = await world.wallet();
  await books.assertAgrees(wallet);
  const to = { destination: books.payer.publicKey(), amount_stroops: UNIT };
  await books.paid(wallet, 1);
  const [paid] = await books.withdrawn(wallet, [to]);
  assert(paid?.stellar_tx_hash && paid.ledger && paid.fee_stroops);
  await books.catchUp();
  const change = (set: { fee_stroops?: bigint; status?: 'failed' | 'confirmed' }) =>
    world.deps.db.updateTable('withdrawals').set(set).where('id', '=', paid.id).execute();
  await change({ fee_stroops: paid.fee_stroops + 7n });
  const explained = only(paid.stellar_tx_hash, paid.ledger, 'booked_differently');
  assert.deepEqual(await books.difference(wallet), { stroops: 7n, may_explain: explained });
  await change({ fee_stroops: paid.fee_stroops, status: 'failed' });
  const { stroops, may_explain } = await books.difference(wallet);
  assert.equal(stroops, -UNIT);
  assert.deepEqual(may_explain?.slice(1), explained, 'after the note that the books have changed');
  await change({ status: 'confirmed' });
  assert.deepEqual(await books.difference(wallet), { stroops: 0n, may_explain: null });
});

test('a payment with the wallet’s own key that matches no withdrawal is found as unmatched', async () => {
  const wallet = await world.wallet();
  await books.assertAgrees(wallet);
  await books.ensureFunded(books.payer);
  const hash = await books.unmatchedAssignedTo(wallet, [payment(books.payer.publicKey(), 2)]);
  await books.catchUp();
  const { sequence } = await world.deps.stellar.latestLedger();
  const { stroops, may_explain } = await books.difference(wallet);
  assert.equal(stroops, -2n * UNIT - FEE);
  assert.deepEqual(may_explain, only(hash, sequence, 'unmatched'));
});

test('a ledger that the ingester skipped is found; reading it ends the alarm', async () => {
  const wallet = await world.wallet();
  const agreed = await books.assertAgrees(wallet);
  await books.paid(wallet, 4);
  const { sequence } = await world.deps.stellar.latestLedger();
  await world.deps.db.updateTable('deposit_cursor').set({ ledger: sequence, ledger_hash: null }).execute();
  world.sandbox.closeLedger();
  await books.catchUp();
  const { stroops, may_explain } = await books.difference(wallet);
  assert.equal(stroops, 4n * UNIT);
  assert.deepEqual(
    may_explain?.map(({ ledger, reason }) => [ledger, reason]),
    [[sequence, 'not_booked']],
  );
  const back = { ledger: agreed.ledger, ledger_hash: null };
  await world.deps.db.updateTable('deposit_cursor').set(back).execute();
  await books.assertAgrees(wallet);
});

test('a transaction in quarantine that mentions the wallet is named, and no other wallet’s', async () => {
  const { wallet, hash, ledger, id } = await paidWallet();
  const other = await paidWallet();
  const { db, stellar } = world.deps;
  await db.deleteFrom('deposits').where('id', '=', id).execute();
  const range = await stellar.readLedgersAfter(ledger - 1, null);
  assert(range.read === 'ledgers');
  for (const each of range.transactions.filter((transaction) => transaction.hash === hash)) {
    const xdr = {
      envelope_xdr: each.envelope.toString('base64'),
      result_xdr: each.result.toString('base64'),
    };
    await db
      .insertInto('quarantined_transactions')
      .values({ hash, ledger, reason: 'test', ...xdr })
      .execute();
  }
  assert.deepEqual((await books.difference(wallet)).may_explain, only(hash, ledger, 'quarantined'));
  await db.deleteFrom('deposits').where('id', '=', other.id).execute();
  const { may_explain } = await books.difference(other.wallet);
  assert.deepEqual(may_explain, only(other.hash, other.ledger, 'not_booked'));
  await db.deleteFrom('quarantined_transactions').execute();
});

test('a deposit that is deleted after its comparison is found too: the books have changed, and the ledgers show how', async () => {
  const { wallet, hash, ledger, id } = await paidWallet();
  const agreed = await books.assertAgrees(wallet);
  await world.deps.db.deleteFrom('deposits').where('id', '=', id).execute();
  world.sandbox.closeLedger();
  await books.catchUp();
  const { stroops, may_explain } = await books.difference(wallet);
  assert.equal(stroops, 3n * UNIT);
  assert.deepEqual(may_explain, [
    { stellar_tx_hash: null, ledger: agreed.ledger, reason: 'books_changed' },
    { stellar_tx_hash: hash, ledger, reason: 'not_booked' },
  ]);
});

test('without metas the transaction is still named, with unknown effect', async () => {
  const { wallet, hash, ledger, id } = await paidWallet();
  await world.deps.db.deleteFrom('deposits').where('id', '=', id).execute();
  const { stellar } = world.deps;
  const readLedgersAfter: typeof stellar.readLedgersAfter = async (after_ledger, anchor) => {
    const range = await stellar.readLedgersAfter(after_ledger, anchor);
    if (range.read !== 'ledgers') return range;
    return { ...range, transactions: range.transactions.map((each) => ({ ...each, meta: null })) };
  };
  const [row] =
    (await books.compared(wallet, { ...world.deps, stellar: { ...stellar, readLedgersAfter } })) ?? [];
  assert.deepEqual(row?.may_explain, only(hash, ledger, 'mentions_wallet'));
});

test('when ledgers cannot be searched, the alarm stays and names them', async () => {
  const { wallet, id } = await paidWallet();
  await world.deps.db.deleteFrom('deposits').where('id', '=', id).execute();
  const readLedgersAfter = () => Promise.reject(new NetworkUnavailable('away'));
  const stellar = { ...world.deps.stellar, readLedgersAfter };
  const [row] = (await books.compared(wallet, { ...world.deps, stellar })) ?? [];
  assert.equal(row?.difference_stroops, 3n * UNIT);
  const ledger = (row.agreed_ledger ?? 0) + 1;
  assert.deepEqual(row.may_explain, [{ stellar_tx_hash: null, ledger, reason: 'ledgers_not_searched' }]);
});

test('each issued asset has its own row: it agrees, or differs, by itself', async () => {
  const wallet = await world.wallet();
  await books.assertAgrees(wallet);
  const issuer = Keypair.random();
  await books.ensureFunded(issuer);
  const gold = new Asset('GOLDEN', issuer.publicKey());
  await books.unmatchedAssignedTo(wallet, [Operation.changeTrust({ asset: gold })]);
  await books.catchUp();
  assert.equal((await books.difference(wallet)).stroops, -FEE);
  await accept(wallet.id, -FEE, 'a trust line, made by hand');
  const hash = await books.sent(issuer, [payment(wallet.account, 6, gold)]);
  const native = await books.assertAgrees(wallet);
  assert.equal(native.opening_stroops, -FEE);
  const rowsOf = async () =>
    (await books.compared(wallet))?.map((row) => [row.asset_code, row.asset_issuer, row.difference_stroops]);
  const issued = (difference: bigint) => ['GOLDEN', issuer.publicKey(), difference];
  assert.deepEqual(await rowsOf(), [['native', '', 0n], issued(0n)]);
  await world.deps.db.deleteFrom('deposits').where('stellar_tx_hash', '=', hash).execute();
  assert.deepEqual(await rowsOf(), [['native', '', 0n], issued(6n * UNIT)]);
  const [, row] = (await books.compared(wallet)) ?? [];
  assert(
    row?.may_explain?.some(
      ({ stellar_tx_hash, reason }) => stellar_tx_hash === hash && reason === 'not_booked',
    ),
  );
});

test('the report has sums, difference and transactions; an accepted difference becomes part of the opening balance', async () => {
  const { wallet, hash, ledger, id } = await paidWallet();
  const agreeing = await reportReconciliation(world.deps, { wallet_id: wallet.id, all: false });
  assert.deepEqual([agreeing.different, agreeing.uncompared], [0, 0]);
  assert.match(agreeing.text, /1 of 1 wallets agree/);
  await books.paid(wallet, 5);
  await books.catchUp();
  await world.deps.db.deleteFrom('deposits').where('id', '=', id).execute();
  const report = await reportReconciliation(world.deps, { wallet_id: wallet.id, all: false });
  assert.equal(report.different, 1);
  assert.match(report.text, new RegExp(`ledger ${ledger}: ${hash} not_booked`));
  assert.match(report.text, /native +0 +100050000000 +0 +0 +0 +100080000000 +30000000\n/);
  await assert.rejects(accept('wal_none', 1n), /no wallet wal_none/);
  for (const other of [null, 0n, 29_999_999n, 30_000_001n, -30_000_000n]) {
    await assert.rejects(
      accept(wallet.id, other),
      /differs by 30000000 stroops.*--difference-stroops 30000000/,
    );
  }
  await assert.rejects(accept(wallet.id, 30_000_000n, 'x', 'USD:GX'), /agree with the ledger in USD:GX/);
  assert.match(await accept(wallet.id, 30_000_000n, 'known'), /is 30000000 \(native\)/);
  const { opening_stroops } = await books.assertAgrees(wallet);
  assert.equal(opening_stroops, 3n * UNIT);
  await assert.rejects(accept(wallet.id, 30_000_000n, 'again'), /agree with the ledger/);
  const all = await reportReconciliation(world.deps, { wallet_id: undefined, all: true });
  assert.match(all.text, new RegExp(wallet.id));
  assert.match(all.text, /of \d+ wallets agree with the ledger, \d+ differ/);
});
