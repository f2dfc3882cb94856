/** What issuers of the sandbox do to wallets is recorded once, with the cursor, and the books agree to the stroop. */

import { strict as assert } from 'node:assert';
import { after, before, test } from 'node:test';
import { Operation } from '@stellar/stellar-sdk';
import { sql } from 'kysely';
import { on } from '../../../test/support/acting.ts';
import { booksOf } from '../../../test/support/books.ts';
import {
  closingLedgers,
  type InProcessService,
  startInProcess,
} from '../../../test/support/in-process-service.ts';
import { CLAWBACK, type Issuer, newIssuer } from '../../../test/support/issuers.ts';
import { openLedger } from '../../../test/support/ledger.ts';
import type { Deps } from '../../deps.ts';
import { readDepositCursor } from '../../ledgers/deposit-cursor.ts';
import type { LedgerTransaction, Stellar } from '../../stellar/stellar.ts';
import type { Wallet } from '../../wallets/access.ts';
import { createClaims } from '../../withdrawals/engine/claims.ts';
import { createWithdrawalEngine } from '../../withdrawals/engine/engine.ts';
import { addAsset } from '../../withdrawals/trust-lines/change-asset.ts';
import { backfill } from './backfill.ts';
import { ingestDeposits } from './ingest-deposits.ts';
import { compareWithChain } from './rewind.ts';

const BALANCE = 100_000_000_000n;

let world: InProcessService;
let issuer: Issuer;
let wallet: Wallet;
const books = booksOf(() => world);
const closing = <T>(work: Promise<T>) => closingLedgers(world.sandbox, work);

before(async () => {
  world = await startInProcess();
  const ledger = await openLedger(world.sandbox.rpc_url);
  issuer = await closing(newIssuer(ledger, 'BOND', CLAWBACK));
  wallet = await holding(BALANCE);
});
after(() => world.close());

/** A wallet with a trust line of the issuer's asset, and so much of it. */
async function holding(stroops: bigint): Promise<Wallet> {
  const made = await world.wallet();
  const engine = createWithdrawalEngine(world.deps);
  engine.start();
  const { asset_code, asset_issuer } = issuer.fields;
  const parts = { claims: createClaims(world.deps), engine };
  await closing(addAsset(world.deps, parts, on(made), { asset_code, asset_issuer }));
  await engine.stop();
  await closing(issuer.pay(made.account, stroops));
  return made;
}

const rows = () => world.deps.db.selectFrom('adjustments').selectAll().orderBy('id').execute();
const deposits = async () => (await world.deps.db.selectFrom('deposits').select('id').execute()).length;
const clawBack = (stroops: bigint) => closing(issuer.clawBack(wallet.account, stroops));
const authorize = (to: 'full' | 'maintain_liabilities' | 'none') =>
  closing(issuer.authorize(wallet.account, to));

async function ingestAll(deps: Deps = world.deps): Promise<void> {
  while ((await ingestDeposits(deps)).behind);
}

/** The same process with a log that can be read, and with other answers of the network. */
function watching(stellar: Partial<Stellar> = {}) {
  const lines: { level: 'warn' | 'error'; reason: unknown; message: string }[] = [];
  const at = (level: 'warn' | 'error') => (what: { reason?: unknown }, message: string) =>
    lines.push({ level, reason: what.reason, message });
  const log: Deps['log'] = Object.assign(Object.create(world.deps.log), {
    warn: at('warn'),
    error: at('error'),
  });
  return { lines, deps: { ...world.deps, log, stellar: { ...world.deps.stellar, ...stellar } } };
}

/** Ledgers as a source without metas gives them. */
const withoutMetas: Stellar['readLedgersAfter'] = async (...asked) => {
  const range = await world.deps.stellar.readLedgersAfter(...asked);
  if (range.read !== 'ledgers') return range;
  return {
    ...range,
    transactions: range.transactions.map((each): LedgerTransaction => ({ ...each, meta: null })),
  };
};

/** A network none of whose sources has metas. */
const noMetas: Partial<Stellar> = {
  readLedgersAfter: withoutMetas,
  async readTransaction(hash) {
    const found = await world.deps.stellar.readTransaction(hash);
    return found.found === 'applied'
      ? { ...found, transaction: { ...found.transaction, meta: null } }
      : found;
  },
};

test('a clawback is recorded with its amount and its issuer, told in the log and in the metric, and the books agree', async () => {
  await ingestAll();
  const { lines, deps } = watching();
  const hash = await clawBack(40_000_000_003n);
  await ingestAll(deps);
  const [row, ...more] = await rows();
  assert.deepEqual(more, []);
  const { id, created_at, ledger, ...told } = row ?? assert.fail();
  assert.match(id, /^adj_/);
  assert.ok(ledger > 0 && created_at instanceof Date);
  assert.deepEqual(told, {
    wallet_id: wallet.id,
    ...issuer.fields,
    reason: 'clawback',
    amount_stroops: 40_000_000_003n,
    operation: 'clawback',
    caused_by: issuer.key.publicKey(),
    stellar_tx_hash: hash,
    operation_index: 0,
    event_index: 0,
  });
  assert.deepEqual(
    lines.map(({ level, reason }) => [level, reason]),
    [['error', 'clawback']],
  );
  const metric = await deps.metrics.registry.getSingleMetricAsString('teller_adjustments_total');
  assert.match(metric, /teller_adjustments_total\{reason="clawback"\} 1/);
  await books.assertAgrees(wallet);
  const compared = await books.compared(wallet);
  const bond = compared?.find(({ asset_code }) => asset_code === 'BOND');
  assert.deepEqual(
    [bond?.deposits_stroops, bond?.adjustments_stroops, bond?.balance_stroops],
    [BALANCE, 40_000_000_003n, BALANCE - 40_000_000_003n],
  );
});

test('the last stroop can be clawed back while the wallet is revoked, and the books continued from before agree', async () => {
  const other = await holding(5n);
  await books.assertAgrees(other);
  await closing(issuer.authorize(other.account, 'none'));
  await closing(issuer.clawBack(other.account, 5n));
  await books.assertAgrees(other);
  await world.deps.db.deleteFrom('adjustments').where('wallet_id', '=', other.id).execute();
  const rows = await books.compared(other);
  const bond = rows?.find(({ asset_code }) => asset_code === 'BOND');
  assert.equal(bond?.difference_stroops, -5n, 'without its row the clawback is a difference');
  const { ledger } = await readDepositCursor(world.deps.db);
  await closing(backfill(world.deps, { from_ledger: 2, to_ledger: ledger }, () => undefined));
  await books.assertAgrees(other);
});

test('each change of the authorization is recorded as what the entry says, and no order that changed nothing', async () => {
  await ingestAll();
  const known = (await rows()).length;
  const { lines, deps } = watching();
  for (const to of ['full', 'maintain_liabilities', 'maintain_liabilities', 'none', 'none', 'full'] as const)
    await authorize(to);
  await ingestAll(deps);
  const changes = (await rows()).slice(known);
  assert.deepEqual(
    changes.map(({ reason, amount_stroops, operation, caused_by }) => [
      reason,
      amount_stroops,
      operation,
      caused_by,
    ]),
    ['maintain_liabilities', 'authorization_revoked', 'authorized'].map((reason) => [
      reason,
      0n,
      'set_trust_line_flags',
      issuer.key.publicKey(),
    ]),
  );
  assert.deepEqual(
    lines.map(({ level, reason }) => [level, reason]),
    changes.map(({ reason }) => ['warn', reason]),
  );
  await books.assertAgrees(wallet);
});

test('ledgers that are read twice, by four processes, record each adjustment once', async () => {
  await clawBack(11n);
  await ingestAll();
  const known = await rows();
  await world.deps.db.updateTable('deposit_cursor').set({ ledger: 1, ledger_hash: null }).execute();
  await Promise.all([world.deps, world.another(), world.another(), world.another()].map(ingestAll));
  assert.deepEqual(await rows(), known);
  await books.assertAgrees(wallet);
});

test('a process that ends in the middle leaves nothing of the ledger; the next one records all of it', async () => {
  await ingestAll();
  const [known, paid, cursor] = [
    (await rows()).length,
    await deposits(),
    await readDepositCursor(world.deps.db),
  ];
  await closing(issuer.pay(wallet.account, 70n));
  await clawBack(7n);
  const { db } = world.deps;
  await sql`create function stop() returns trigger language plpgsql as $$ begin raise 'the process ended'; end $$`.execute(
    db,
  );
  for (const table of ['adjustments', 'quarantined_transactions'])
    await sql`create trigger stop after insert on ${sql.table(table)} for each row execute function stop()`.execute(
      db,
    );
  await assert.rejects(ingestAll(), /the process ended/);
  assert.deepEqual([(await rows()).length, await deposits()], [known, paid]);
  assert.ok((await readDepositCursor(db)).ledger < cursor.ledger + 4);
  await sql`drop function stop cascade`.execute(db);
  await ingestAll();
  assert.deepEqual([(await rows()).length, await deposits()], [known + 1, paid + 1]);
  await books.assertAgrees(wallet);
});

test('backfill records what is missing, says so, and records nothing when it runs again', async () => {
  await clawBack(13n);
  await authorize('none');
  await authorize('full');
  await ingestAll();
  const known = await rows();
  const { db } = world.deps;
  await db.deleteFrom('adjustments').execute();
  const { ledger } = await readDepositCursor(db);
  const run = () => backfill(world.deps, { from_ledger: 2, to_ledger: ledger }, () => undefined);
  assert.match(await run(), new RegExp(`, ${known.length} adjustments, 0 transactions quarantined`));
  const comparable = (all: typeof known) => all.map(({ id: _, created_at: __, ...rest }) => rest);
  assert.deepEqual(comparable(await rows()), comparable(known));
  assert.match(await run(), / 0 adjustments, /);
  await books.assertAgrees(wallet);
});

test('after a rewind, adjustments that the chain has are found again, and others are named', async () => {
  await ingestAll();
  const { db, stellar } = world.deps;
  const range = await stellar.readLedgersAfter(1, null);
  assert(range.read === 'ledgers');
  const first = { ledger: 1, ledger_hash: range.hashes[0] as string, close_time: 0n };
  const check = (deps: Deps = world.deps) => compareWithChain(deps, first, () => undefined);
  const [row] = await rows();
  assert(row);
  await db.updateTable('adjustments').set({ amount_stroops: 1n }).where('id', '=', row.id).execute();
  const said = await check();
  assert.match(said, new RegExp(`adjustment ${row.id} of ${wallet.id}: 1 stroop of ${issuer.text},`));
  await db
    .updateTable('adjustments')
    .set({ amount_stroops: row.amount_stroops })
    .where('id', '=', row.id)
    .execute();
  assert.match(await check(), /The chain has them all/);
});

test('a source without metas does not make the changes of a trust line look as if the chain had none of them', async () => {
  await authorize('none');
  await authorize('full');
  await ingestAll();
  const { db, stellar } = world.deps;
  const range = await stellar.readLedgersAfter(1, null);
  assert(range.read === 'ledgers');
  const first = { ledger: 1, ledger_hash: range.hashes[0] as string, close_time: 0n };
  const check = () => compareWithChain(watching(noMetas).deps, first, () => undefined);
  assert.match(await check(), /The chain has them all/);
  const change = (await rows()).findLast(({ amount_stroops }) => amount_stroops === 0n);
  assert(change);
  const moved = (stellar_tx_hash: string) =>
    db.updateTable('adjustments').set({ stellar_tx_hash }).where('id', '=', change.id).execute();
  await moved('ab'.repeat(32));
  assert.match(await check(), new RegExp(`adjustment ${change.id} of ${wallet.id}`));
  await moved(change.stellar_tx_hash);
});

test('the state of a trust line is read from another source where the first has no metas', async () => {
  const known = (await rows()).length;
  const { deps } = watching({ readLedgersAfter: withoutMetas });
  await authorize('none');
  await clawBack(17n);
  await ingestAll(deps);
  assert.deepEqual(
    (await rows()).slice(known).map(({ reason }) => reason),
    ['authorization_revoked', 'clawback'],
  );
});

test('where no source has metas, a deposit and a clawback do not wait for the state of a trust line: a warning says so', async () => {
  const [known, paid] = [(await rows()).length, await deposits()];
  const { lines, deps } = watching(noMetas);
  const [asset, source, trustor] = [issuer.asset, issuer.key.publicKey(), wallet.account];
  const hash = await books.sent(issuer.key, [
    Operation.setTrustLineFlags({ trustor, asset, flags: { authorized: true }, source }),
    Operation.payment({ destination: trustor, asset, amount: '1', source }),
    Operation.clawback({ from: trustor, asset, amount: '0.5', source }),
  ]);
  await ingestAll(deps);
  const added = (await rows()).slice(known);
  assert.deepEqual(
    added.map(({ reason, amount_stroops, operation_index }) => [reason, amount_stroops, operation_index]),
    [['clawback', 5_000_000n, 2]],
  );
  assert.equal(await deposits(), paid + 1);
  assert.deepEqual(
    lines.map(({ level, message }) => [level, /no network source shows/.test(message)]),
    [
      ['error', false],
      ['warn', true],
    ],
  );
  const { ledger } = await readDepositCursor(world.deps.db);
  await backfill(world.deps, { from_ledger: ledger - 2, to_ledger: ledger }, () => undefined);
  const changed = (await rows()).filter((row) => row.stellar_tx_hash === hash && row.reason === 'authorized');
  assert.equal(changed.length, 1, 'a backfill from a source with metas finds it');
  await books.assertAgrees(wallet);
});
