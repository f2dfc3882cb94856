import { strict as assert } from 'node:assert';
import { after, before, test } from 'node:test';
import { Keypair } from '@stellar/stellar-sdk';
import { on } from '../../../test/support/acting.ts';
import {
  closingLedgers,
  type InProcessService,
  sendPayment,
  startInProcess,
} from '../../../test/support/in-process-service.ts';
import { newId } from '../../lib/ids.ts';
import type { LedgerTransaction, Stellar } from '../../stellar/stellar.ts';
import type { Wallet } from '../../wallets/access.ts';
import type { EngineDeps } from '../../withdrawals/engine/hooks.ts';
import { createAddress } from '../addresses/create-address.ts';
import { insertDeposits, type NewDeposit } from '../recorded/deposit-store.ts';
import { explain } from './explain.ts';

const HASH = 'ab'.repeat(32);

let world: InProcessService;
let wallet: Wallet;
const payer = Keypair.random();
before(async () => {
  world = await startInProcess();
  wallet = await world.wallet();
  await closingLedgers(world.sandbox, world.deps.stellar.fund(payer.publicKey()));
  const { sequence: ledger } = await world.deps.stellar.latestLedger();
  await world.deps.db.insertInto('deposit_cursor').values({ ledger }).execute();
});
after(() => world.close());

/** A payment to the wallet's account without a memo, in a ledger of its own. */
async function pay(): Promise<LedgerTransaction> {
  const { sequence } = await world.deps.stellar.latestLedger();
  await sendPayment(world, payer, { destination: wallet.account, amount: '1' });
  world.sandbox.closeLedger();
  const range = await world.deps.stellar.readLedgersAfter(sequence, null);
  assert(range.read === 'ledgers');
  const [transaction] = range.transactions;
  assert(transaction);
  return transaction;
}

const readUpTo = (ledger: number, stop_reason: string | null = null) =>
  world.deps.db.updateTable('deposit_cursor').set({ ledger, stop_reason }).execute();

async function record(change: Partial<NewDeposit>[]) {
  const { db } = world.deps;
  const rows = change.map((each) => ({
    id: newId('dep', new Date()),
    wallet_id: wallet.id,
    asset_code: 'native',
    amount_stroops: 10_000_000n,
    source_account: wallet.account,
    stellar_tx_hash: HASH,
    operation_index: 0,
    event_index: 0,
    kind: 'payment' as const,
    memo_type: 'none' as const,
    ledger: 1,
    attributed: false,
    created_at: new Date(),
    below_minimum: false,
    ...each,
  }));
  return db.transaction().execute((trx) => insertDeposits(trx, rows));
}

const withStellar = (stellar: Partial<Stellar>): EngineDeps => ({
  ...world.deps,
  stellar: { ...world.deps.stellar, ...stellar },
});

/** A source whose history begins after the transaction. */
const forgetful = () =>
  withStellar({
    readTransaction: async () => ({
      found: 'absent',
      oldest_ledger: 500,
      latest_ledger: 900,
      latest_close_time: 1n,
    }),
  });

const soleOf = async (hash: string, deps = world.deps) => {
  const { operations, ...rest } = await explain(deps, wallet, hash);
  assert.equal(operations.length, 1);
  return { ...rest, operation: operations[0] };
};

test('a credit in a later ledger becomes a deposit when that is read; the message says why reading has stopped', async () => {
  const { hash, ledger } = await pay();
  await readUpTo(ledger - 1, 'The network source begins at ledger 9.');
  const { read, message, operation } = await soleOf(hash);
  assert.equal(read, false);
  assert.match(
    message,
    new RegExp(`read up to ledger ${ledger - 1}, not yet up to ledger ${ledger}\\..*begins at ledger 9`),
  );
  assert.deepEqual([operation?.credited, operation?.reason], [true, 'not_read_yet']);
  assert.deepEqual(operation?.deposits, []);
});

test('a credit that was read past without a record is explained, with the command that records it', async () => {
  const { hash, ledger } = await pay();
  await readUpTo(ledger);
  const { read, operation } = await soleOf(hash);
  assert.deepEqual([read, operation?.reason], [true, 'not_recorded']);
  assert.match(operation?.message ?? '', new RegExp(`backfill --from-ledger ${ledger}`));
});

test('a credit in quarantine is explained with the reason, until it leaves quarantine', async () => {
  const { hash, ledger, envelope, result } = await pay();
  await readUpTo(ledger);
  const { db } = world.deps;
  await db
    .insertInto('quarantined_transactions')
    .values({
      hash,
      ledger,
      reason: 'the events do not hash to the result',
      envelope_xdr: envelope.toString('base64'),
      result_xdr: result.toString('base64'),
    })
    .execute();
  const held = await soleOf(hash);
  assert.deepEqual([held.quarantined, held.operation?.reason], [true, 'quarantined']);
  assert.match(held.message, /in quarantine.*the events do not hash to the result/);
  // The database has the transaction even when the source has lost it.
  const forgotten = await explain(forgetful(), wallet, hash);
  assert.deepEqual(
    [forgotten.state, forgotten.ledger, forgotten.quarantined, forgotten.operations],
    ['applied', ledger, true, []],
  );
  await db.updateTable('quarantined_transactions').set({ resolved_at: new Date() }).execute();
  assert.deepEqual((await soleOf(hash)).quarantined, false);
});

test('a transaction that cannot be read is still reported as in the ledger', async () => {
  const transaction = await pay();
  const spoilt = { ...transaction, envelope: transaction.envelope.subarray(0, -4) };
  const deps = withStellar({
    readTransaction: async () => ({ found: 'applied', transaction: spoilt, close_time: null }),
  });
  const { state, ledger, message, operations } = await explain(deps, wallet, transaction.hash);
  assert.deepEqual([state, ledger, operations], ['applied', transaction.ledger, []]);
  assert.match(message, /cannot be read/);
});

test('503 when the network gives no answer: a transaction that may exist is not called not_found', async () => {
  const deps = withStellar({ readTransaction: async () => ({ found: 'unknown', reason: 'timeout' }) });
  await assert.rejects(explain(deps, wallet, HASH), { name: 'NetworkUnavailable', retry_after_seconds: 2 });
});

test('a transaction older than the source’s history is explained by its deposits', async () => {
  const address = await createAddress(world.deps, on(wallet), { label: null, metadata: null });
  const named = { address_id: address.id, memo_id: address.memo_id, attributed: true };
  const deposits = await record([
    { operation_index: 3, ...named },
    { operation_index: 4, memo_id: 7n },
    { operation_index: 5, ...named, assigned_by_hand: true },
    { operation_index: 9, event_index: 1, kind: 'contract_transfer', ...named },
    { operation_index: 9, event_index: 4, kind: 'contract_transfer' },
  ]);
  const { db } = world.deps;
  // The ingester never sets it; a person has set it since.
  await db
    .updateTable('deposits')
    .set({ assigned_by_hand: true })
    .where('id', '=', deposits[2]?.id ?? '')
    .execute();
  const { operations, message, ...rest } = await explain(forgetful(), wallet, HASH);
  assert.deepEqual(rest, {
    stellar_tx_hash: HASH,
    state: 'applied',
    ledger: 1,
    read: true,
    quarantined: false,
    fee_bump: null,
    memo: { type: 'none', value: null },
  });
  assert.match(message, /only ledgers 500 to 900; this is what was recorded/);
  assert.deepEqual(
    operations.map(({ operation_index, type, credited, reason, deposits }) => [
      operation_index,
      type,
      credited,
      reason,
      deposits.length,
    ]),
    [
      [3, 'payment', true, 'attributed', 1],
      [4, 'payment', true, 'muxed_id_unknown', 1],
      [5, 'payment', true, 'assigned_by_hand', 1],
      [9, 'invoke_host_function', true, 'no_memo', 2],
    ],
  );
  for (const { id } of deposits.slice(3)) assert.match(operations[3]?.message ?? '', new RegExp(id));
});

test('the recorded memo is enough to explain why it named no address', async () => {
  const cases: [Partial<NewDeposit>, string][] = [
    [{ memo_type: 'id', memo: '7', memo_id: 7n }, 'memo_id_unknown'],
    [{ memo_type: 'id', memo: '7', memo_id: 8n }, 'muxed_id_unknown'],
    [{ memo_type: 'text', memo: '7', memo_id: 7n }, 'memo_id_unknown'],
    [{ memo_type: 'text', memo: '7' }, 'memo_text_off'],
    [{ memo_type: 'text', memo: '7 ' }, 'memo_text_no_id'],
    [{ memo_type: 'text', memo: '18446744073709551616' }, 'memo_text_no_id'],
    [{ memo_type: 'text', memo: '7 ', memo_id: 0n }, 'muxed_id_unknown'],
    [{ memo_type: 'hash', memo: 'q6s=' }, 'memo_hash'],
    [{ memo_type: 'return', memo: 'q6s=', memo_id: 1n }, 'muxed_id_unknown'],
  ];
  for (const [index, [change, reason]] of cases.entries()) {
    const stellar_tx_hash = `${index}`.padStart(64, 'c');
    await record([{ ...change, stellar_tx_hash }]);
    const { operation } = await soleOf(stellar_tx_hash, forgetful());
    assert.equal(
      operation?.reason,
      reason,
      JSON.stringify(change, (_, value) => `${value}`),
    );
  }
});
