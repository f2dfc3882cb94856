/** An unreadable transaction of a wallet is stored and reported; the next one is still credited. */

import { strict as assert } from 'node:assert';
import { after, before, test } from 'node:test';
import {
  Asset,
  Keypair,
  nativeToScVal,
  Operation,
  TimeoutInfinite,
  TransactionBuilder,
} from '@stellar/stellar-sdk';
import { pino } from 'pino';
import { on } from '../../../test/support/acting.ts';
import { eventually } from '../../../test/support/eventually.ts';
import {
  closingLedgers,
  type InProcessService,
  sendPayment,
  startInProcess,
} from '../../../test/support/in-process-service.ts';
import { manualClock } from '../../../test/support/webhooks.ts';
import { createReadiness } from '../../api/service-routes.ts';
import type { Deps } from '../../deps.ts';
import { readDepositCursor } from '../../ledgers/deposit-cursor.ts';
import { countQuarantined } from '../../ledgers/quarantine-store.ts';
import { createMetrics } from '../../lib/metrics.ts';
import { NetworkUnavailable } from '../../stellar/network-unavailable.ts';
import type { LedgerTransaction, Stellar } from '../../stellar/stellar.ts';
import type { Wallet } from '../../wallets/access.ts';
import { createAddress } from '../addresses/create-address.ts';
import { explain } from '../explain/explain.ts';
import { ingestDeposits, startIngester } from './ingest-deposits.ts';
import { describeQuarantine, dismiss, retryQuarantine } from './quarantine.ts';

let world: InProcessService;
let wallet: Wallet;
let other: Wallet;
const payer = Keypair.random();

before(async () => {
  world = await startInProcess();
  wallet = await world.wallet();
  other = await world.wallet();
  await closingLedgers(world.sandbox, world.deps.stellar.fund(payer.publicKey()));
  await ingestAll(world.deps);
});
after(() => world.close());

async function ingestAll(deps: Deps): Promise<void> {
  while ((await ingestDeposits(deps)).behind);
}

/** A process whose source changes the transactions that pay this wallet. */
function misled(
  spoil: (transaction: LedgerTransaction) => Partial<LedgerTransaction>,
  more: Partial<Stellar> = {},
) {
  const errors: { hash?: string; reason?: string }[] = [];
  const log = pino({ level: 'error' }, { write: (line) => void errors.push(JSON.parse(line)) });
  const { stellar } = world.deps;
  const deps: Deps = {
    ...world.another(),
    log,
    metrics: createMetrics(),
    stellar: {
      ...stellar,
      async readLedgersAfter(after_ledger, anchor) {
        const range = await stellar.readLedgersAfter(after_ledger, anchor);
        if (range.read !== 'ledgers') return range;
        const key = Buffer.from(Keypair.fromPublicKey(wallet.account).rawPublicKey());
        const transactions = range.transactions.map((transaction) =>
          transaction.envelope.includes(key) ? { ...transaction, ...spoil(transaction) } : transaction,
        );
        return { ...range, transactions };
      },
      ...more,
    },
  };
  return { deps, errors };
}

/** Pays with the memo id of a new address, and gives the address. */
async function pay(to: Wallet): Promise<string> {
  const address = await createAddress(world.deps, on(to), { label: null, metadata: null });
  await sendPayment(world, payer, { destination: to.account, amount: '3', memo_id: address.memo_id });
  world.sandbox.closeLedger();
  return address.id;
}

const depositsAt = (address_id: string) =>
  world.deps.db.selectFrom('deposits').selectAll().where('address_id', '=', address_id).execute();
const eventsOf = async (address_id: string) => {
  const events = await world.deps.db.selectFrom('webhook_events').selectAll().execute();
  return events.filter(({ body }) => body.toString().includes(address_id));
};
const rows = () =>
  world.deps.db.selectFrom('quarantined_transactions').selectAll().orderBy('ledger').execute();

test('an unreadable transaction is stored with XDR and reason, and logged; the next transaction is credited', async () => {
  const { deps, errors } = misled(() => ({ result: Buffer.from('garbage') }));
  const [quarantined, next] = [await pay(wallet), await pay(other)];
  await ingestAll(deps);
  assert.deepEqual((await depositsAt(quarantined)).length, 0);
  assert.deepEqual((await depositsAt(next)).length, 1);
  assert.equal((await readDepositCursor(deps.db)).ledger, (await deps.stellar.latestLedger()).sequence);
  const [row, ...others] = await rows();
  assert(row && others.length === 0);
  assert.equal(Buffer.from(row.result_xdr, 'base64').toString(), 'garbage');
  assert.equal(row.resolved_at, null);
  assert.notEqual(row.reason, '');
  assert.deepEqual(
    errors.map(({ hash, reason }) => [hash, reason]),
    [[row.hash, row.reason]],
  );
});

test('quarantined transactions are in the readiness, which stays, in the metrics, and in “teller quarantine”', async () => {
  const { deps } = misled(() => ({}));
  await ingestAll(deps);
  const [row] = await rows();
  const { ready, checks } = await createReadiness(deps)();
  assert.equal(ready, true);
  const { ok, message } = checks.quarantine;
  assert.equal(ok, false);
  assert.match(message, /could not be read: 1;/);
  assert.equal((await deps.metrics.quarantined_transactions.get()).values[0]?.value, 1);
  assert.match(await describeQuarantine(deps), new RegExp(`^${row?.hash}: ledger ${row?.ledger}, since `));
});

test('a retry that fails says so, and keeps the transaction as the source gives it now', async () => {
  const { deps } = misled(() => ({ result: Buffer.from('other garbage') }));
  const reports: string[] = [];
  await assert.rejects(
    retryQuarantine(deps, (text) => reports.push(text)),
    /Still in quarantine: 1 of 1/,
  );
  assert.match(reports.join(''), /still cannot be read/);
  const [row] = await rows();
  assert.equal(row?.resolved_at, null);
  assert.equal(Buffer.from(row.result_xdr, 'base64').toString(), 'other garbage');
});

test('a retry without a source for the ledger changes nothing', async () => {
  const away = () => Promise.reject(new NetworkUnavailable('away'));
  const withoutReason = async () => (await rows()).map(({ reason: _, ...row }) => row);
  const before = await withoutReason();
  for (const readLedgersAfter of [away, async () => ({ read: 'gap' as const, oldest_ledger: 999 })]) {
    const { deps } = misled(() => ({}), { readLedgersAfter });
    await assert.rejects(
      retryQuarantine(deps, () => {}),
      /1 of 1/,
    );
    assert.deepEqual(await withoutReason(), before);
  }
});

test('a retry that can read the transaction credits it once, with its event, and ends its quarantine', async () => {
  const [row] = await rows();
  assert(row);
  const reports: string[] = [];
  const report = (text: string) => void reports.push(text);
  const answers = await Promise.all([
    retryQuarantine(world.another(), report),
    retryQuarantine(world.another(), report),
  ]);
  assert.match(answers.join(''), /Read: 1/);
  assert.match(await retryQuarantine(world.deps, report), /^No transaction waits/);
  const deposits = await world.deps.db
    .selectFrom('deposits')
    .selectAll()
    .where('stellar_tx_hash', '=', row.hash)
    .execute();
  const [deposit] = deposits;
  assert(deposit?.address_id && deposits.length === 1);
  assert.equal((await eventsOf(deposit.address_id)).length, 1);
  assert.notEqual((await rows())[0]?.resolved_at, null);
  assert.match(await describeQuarantine(world.deps), /^No transaction/);
});

/** A transfer of the native asset's contract to the wallet. */
async function transferByContract(): Promise<void> {
  const source = await world.rpc.getAccount(payer.publicKey());
  const { passphrase } = world.sandbox;
  const transfer = Operation.invokeContractFunction({
    contract: Asset.native().contractId(passphrase),
    function: 'transfer',
    args: [
      nativeToScVal(payer.publicKey(), { type: 'address' }),
      nativeToScVal(wallet.account, { type: 'address' }),
      nativeToScVal(77n, { type: 'i128' }),
    ],
  });
  const builder = new TransactionBuilder(source, { fee: '100', networkPassphrase: passphrase });
  const prepared = await world.rpc.prepareTransaction(
    builder.addOperation(transfer).setTimeout(TimeoutInfinite).build(),
  );
  prepared.sign(payer);
  const { status } = await world.rpc.sendTransaction(prepared);
  assert.equal(status, 'PENDING');
  world.sandbox.closeLedger();
}

const transfers = async () => {
  const deposits = await world.deps.db.selectFrom('deposits').selectAll().execute();
  return deposits.filter(
    ({ kind, amount_stroops }) => kind === 'contract_transfer' && amount_stroops === 77n,
  );
};

test('a contract call without its meta is read from another source and credited', async () => {
  let whole: LedgerTransaction | null = null;
  const { deps } = misled(
    (transaction) => {
      whole = transaction;
      return { meta: null };
    },
    {
      readTransaction: async () =>
        whole ? { found: 'applied', transaction: whole, close_time: null } : { found: 'unknown', reason: '' },
    },
  );
  await transferByContract();
  await ingestAll(deps);
  assert.equal((await transfers()).length, 1);
  assert.match(await describeQuarantine(deps), /^No transaction/);
});

test('a contract call whose meta no source has is quarantined until one has it', async () => {
  const asked: string[] = [];
  let whole: LedgerTransaction | null = null;
  const spoil = (transaction: LedgerTransaction) => {
    whole = transaction;
    return { meta: null };
  };
  const { deps } = misled(spoil, {
    async readTransaction(hash) {
      asked.push(hash);
      return { found: 'unknown', reason: 'no source has it' };
    },
  });
  await transferByContract();
  await ingestAll(deps);
  assert.equal(asked.length, 1);
  assert.match(await describeQuarantine(deps), /the meta with the contract events is missing/);
  await assert.rejects(
    retryQuarantine(deps, () => {}),
    /1 of 1/,
  );
  assert(whole);
  const transaction: LedgerTransaction = whole;
  const later = misled(() => ({}), {
    readTransaction: async () => ({ found: 'applied', transaction, close_time: null }),
  });
  await retryQuarantine(later.deps, () => {});
  assert.equal((await transfers()).length, 2);
});

test('the ingester reads quarantined transactions again every five minutes', async () => {
  const spoiling = misled(() => ({ result: Buffer.from('garbage') }));
  const address_id = await pay(wallet);
  await ingestAll(spoiling.deps);
  const [row] = (await rows()).slice(-1);
  assert(row && row.resolved_at === null);
  const clock = manualClock(new Date().toISOString());
  const ingester = startIngester({ ...world.another(), clock });
  await eventually('the deposit', async () => {
    clock.advance(60_000);
    return (await depositsAt(address_id)).length === 1;
  });
  await ingester.stop();
  assert.equal((await eventsOf(address_id)).length, 1);
});

test('a quarantined transaction that a second read can read leaves quarantine', async () => {
  const { deps } = misled(() => ({ result: Buffer.from('garbage') }));
  const { ledger, ledger_hash, close_time } = await readDepositCursor(deps.db);
  const address_id = await pay(wallet);
  await ingestAll(deps);
  assert.equal((await depositsAt(address_id)).length, 0);
  await deps.db.updateTable('deposit_cursor').set({ ledger, ledger_hash, close_time }).execute();
  await ingestAll(world.deps);
  assert.equal((await depositsAt(address_id)).length, 1);
  assert.match(await describeQuarantine(deps), /^No transaction/);
});

test('a dismissed transaction raises no alarm; it is kept with the reason, and credited if it can be read later', async () => {
  const { deps, errors } = misled(() => ({ result: Buffer.from('garbage') }));
  const { ledger, ledger_hash, close_time } = await readDepositCursor(deps.db);
  const again = async (by: Deps) => {
    await by.db.updateTable('deposit_cursor').set({ ledger, ledger_hash, close_time }).execute();
    await ingestAll(by);
  };
  const address_id = await pay(wallet);
  await ingestAll(deps);
  const [row] = (await rows()).slice(-1);
  assert(row);
  await assert.rejects(dismiss(deps, 'f'.repeat(64), 'none'), /No transaction f+ waits/);
  assert.match(await dismiss(deps, row.hash, 'spam, see ticket 7'), /^Dismissed/);
  await assert.rejects(dismiss(deps, row.hash, 'twice'), /waits/);
  assert.equal(await describeQuarantine(deps), 'No transaction waits in quarantine.\n');
  const told = new RegExp(`${row.hash}: ledger .*; dismissed .*: spam, see ticket 7\n$`);
  assert.match(await describeQuarantine(deps, { all: true }), told);
  assert.equal(await countQuarantined(deps.db), 0n);
  const { quarantined, message } = await explain(deps, wallet, row.hash);
  assert.equal(quarantined, true);
  assert.match(message, /a person has dismissed it/);
  assert.equal(errors.length, 1);
  await again(deps);
  assert.equal(errors.length, 1, 'that it is read again, and unreadable again, is no news');
  await again(world.deps);
  assert.equal((await depositsAt(address_id)).length, 1);
  assert.equal((await rows()).at(-1)?.dismissed_reason, 'spam, see ticket 7');
});
