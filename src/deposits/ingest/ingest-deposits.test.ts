import { strict as assert } from 'node:assert';
import { after, before, test } from 'node:test';
import { Account, Asset, Keypair, Operation, TransactionBuilder, xdr } from '@stellar/stellar-sdk';
import { on } from '../../../test/support/acting.ts';
import { eventually } from '../../../test/support/eventually.ts';
import {
  closingLedgers,
  type InProcessService,
  sendPayment,
  startInProcess,
} from '../../../test/support/in-process-service.ts';
import { readDepositCursor } from '../../ledgers/deposit-cursor.ts';
import type { LedgerRange, Stellar } from '../../stellar/stellar.ts';
import type { Wallet } from '../../wallets/access.ts';
import { createAddress } from '../addresses/create-address.ts';
import { ingestDeposits, startIngester } from './ingest-deposits.ts';

let world: InProcessService;
let wallet: Wallet;
const payer = Keypair.random();

before(async () => {
  world = await startInProcess();
  wallet = await world.wallet();
  await closingLedgers(world.sandbox, world.deps.stellar.fund(payer.publicKey()));
});
after(() => world.close());

const countDeposits = async () => (await world.deps.db.selectFrom('deposits').select('id').execute()).length;
const countEvents = async () =>
  (await world.deps.db.selectFrom('webhook_events').select('id').execute()).length;

async function ingestAll(deps = world.deps): Promise<void> {
  while ((await ingestDeposits(deps)).behind);
}

test('friendbot’s funding of a new wallet is an unattributed deposit, without an event', async () => {
  await ingestAll();
  const deposits = await world.deps.db.selectFrom('deposits').selectAll().execute();
  assert.deepEqual(
    deposits.map(({ wallet_id, amount_stroops, attributed }) => ({ wallet_id, amount_stroops, attributed })),
    [{ wallet_id: wallet.id, amount_stroops: 100_000_000_000n, attributed: false }],
  );
  assert.equal(await countEvents(), 0);
});

test('a payment with an address’s memo id is attributed and fires one event; another id does neither', async () => {
  const address = await createAddress(world.deps, on(wallet), { label: null, metadata: '{"a":1}' });
  const pay = async (memo_id: bigint) => {
    await sendPayment(world, payer, { destination: wallet.account, amount: '3', memo_id });
    world.sandbox.closeLedger();
  };
  await pay(address.memo_id);
  await pay(2n ** 64n - 1n);
  await ingestAll();
  const rows = await world.deps.db.selectFrom('deposits').selectAll().orderBy('ledger').execute();
  assert.deepEqual(
    rows.slice(-2).map((row) => [row.address_id, row.memo_id, row.attributed]),
    [
      [address.id, address.memo_id, true],
      [null, 2n ** 64n - 1n, false],
    ],
  );
  assert.equal(await countEvents(), 1);
});

test('reading the same ledgers again records nothing', async () => {
  const [deposits, events] = [await countDeposits(), await countEvents()];
  await world.deps.db.updateTable('deposit_cursor').set({ ledger: 1, ledger_hash: null }).execute();
  await ingestAll();
  assert.deepEqual([await countDeposits(), await countEvents()], [deposits, events]);
});

test('of four ingesters on the same ledgers, one records them and the others change nothing', async () => {
  const address = await createAddress(world.deps, on(wallet), { label: null, metadata: null });
  await sendPayment(world, payer, { destination: wallet.account, amount: '4', memo_id: address.memo_id });
  world.sandbox.closeLedger();
  const [deposits, events] = [await countDeposits(), await countEvents()];
  const others = [world.another(), world.another(), world.another()];
  await Promise.all([world.deps, ...others].map((deps) => ingestDeposits(deps)));
  assert.deepEqual([await countDeposits(), await countEvents()], [deposits + 1, events + 1]);
});

test('an ingester that is late with recorded ledgers does not move the cursor', async () => {
  await ingestAll();
  world.sandbox.closeLedger();
  const { stellar } = world.deps;
  const late: Stellar = {
    ...stellar,
    async readLedgersAfter(...question) {
      const range = await stellar.readLedgersAfter(...question);
      for (let closed = 0; closed < 3; closed++) world.sandbox.closeLedger();
      await ingestAll(world.another());
      return range;
    },
  };
  const { ledger } = await readDepositCursor(world.deps.db);
  assert.deepEqual(await ingestDeposits({ ...world.deps, stellar: late }), { ledger, behind: true });
  assert.equal((await readDepositCursor(world.deps.db)).ledger, ledger + 4);
});

test('a transaction that cannot be recorded leaves the cursor where it was', async () => {
  await sendPayment(world, payer, { destination: wallet.account, amount: '5' });
  world.sandbox.closeLedger();
  const before_ = await readDepositCursor(world.deps.db);
  // Another session locks the wallet's deposits, so this one gives up, like a crash in the middle.
  const holder = await world.deps.pool.connect();
  await holder.query('begin');
  await holder.query('lock table deposits in exclusive mode');
  const impatient = world.another();
  impatient.pool.on('connect', (client) => void client.query('set lock_timeout = 50'));
  await assert.rejects(ingestDeposits(impatient), /lock timeout/);
  await holder.query('rollback');
  holder.release();
  assert.equal((await readDepositCursor(world.deps.db)).ledger, before_.ledger);
  const deposits = await countDeposits();
  await ingestAll();
  assert.equal(await countDeposits(), deposits + 1);
});

test('a wallet that is created and paid while ledgers are being read is credited', async () => {
  await ingestAll();
  world.sandbox.closeLedger();
  const made: Wallet[] = [];
  const stellar: Stellar = {
    ...world.deps.stellar,
    async readLedgersAfter(...question) {
      made.push(await world.wallet());
      return world.deps.stellar.readLedgersAfter(...question);
    },
  };
  await ingestDeposits({ ...world.deps, stellar });
  await ingestAll();
  const [late, ...others] = made;
  assert(late && others.length === 0);
  const deposits = await world.deps.db
    .selectFrom('deposits')
    .select('kind')
    .where('wallet_id', '=', late.id)
    .execute();
  assert.deepEqual(deposits, [{ kind: 'create_account' }]);
});

test('a memo text of digits counts as soon as the setting is on, in a running process', async () => {
  const address = await createAddress(world.deps, on(wallet), { label: null, metadata: null });
  const text = { destination: wallet.account, amount: '6', memo_text: `${address.memo_id}` };
  const ingester = startIngester(world.another());
  const kept = async (count: number) => {
    await sendPayment(world, payer, text);
    world.sandbox.closeLedger();
    const rows = await eventually('the deposit', async () => {
      const found = await world.deps.db
        .selectFrom('deposits')
        .select(['address_id', 'memo_type', 'memo'])
        .where('memo', '=', text.memo_text)
        .orderBy('ledger')
        .execute();
      return found.length === count && found;
    });
    return rows.map(({ address_id, memo_type, memo }) => [address_id, memo_type, memo]);
  };
  assert.deepEqual(await kept(1), [[null, 'text', text.memo_text]]);
  await world.deps.db.updateTable('wallets').set({ numeric_memo_text: true }).execute();
  assert.deepEqual(await kept(2), [
    [null, 'text', text.memo_text],
    [address.id, 'text', text.memo_text],
  ]);
  await ingester.stop();
});

test('a ledger page with more credits than a statement has parameters is recorded whole', async () => {
  const { after_ledger, range } = await hugePage(60, 100);
  const deposits = await countDeposits();
  const stellar: Stellar = { ...world.deps.stellar, readLedgersAfter: async () => range };
  await ingestDeposits({ ...world.deps, stellar });
  assert.equal(await countDeposits(), deposits + 6_000);
  await world.deps.db.deleteFrom('deposits').where('ledger', '>', after_ledger).execute();
});

/** Ledgers as a node would give them, with `count` transactions of `operations` payments to the wallet each. */
async function hugePage(count: number, operations: number) {
  const { ledger: after_ledger, ledger_hash } = await readDepositCursor(world.deps.db);
  const paid = Array(operations).fill(
    Operation.payment({ destination: wallet.account, amount: '1', asset: Asset.native() }),
  );
  const result = Buffer.from(
    new xdr.TransactionResult({
      feeCharged: 100n,
      result: xdr.TransactionResultResult.txSuccess(
        Array(operations).fill(
          xdr.OperationResult.opInner(xdr.OperationResultTr.payment(xdr.PaymentResult.paymentSuccess())),
        ),
      ),
      ext: xdr.TransactionResultExt.v0(),
    }).toXdr(),
  );
  const transactions = Array.from({ length: count }, (_, i) => {
    const builder = new TransactionBuilder(new Account(payer.publicKey(), `${i}`), {
      fee: '100',
      networkPassphrase: world.sandbox.passphrase,
      timebounds: { minTime: 0, maxTime: 0 },
    });
    for (const operation of paid) builder.addOperation(operation);
    const built = builder.build();
    return {
      ledger: after_ledger + 1,
      hash: Buffer.from(built.hash()).toString('hex'),
      envelope: Buffer.from(built.toEnvelope().toXdr()),
      result,
      meta: null,
    };
  });
  const range: LedgerRange = {
    read: 'ledgers',
    transactions,
    hashes: [ledger_hash ?? '', 'f'.repeat(64)],
    through_ledger: after_ledger + 1,
    through_hash: 'f'.repeat(64),
    through_close_time: 0n,
    close_times: [0n],
    newest_close_time: 0n,
    newest_ledger: after_ledger + 1,
  };
  return { after_ledger, range };
}
