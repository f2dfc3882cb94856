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
import { readDepositCursor } from '../../ledgers/deposit-cursor.ts';
import type { Wallet } from '../../wallets/access.ts';
import { createAddress } from '../addresses/create-address.ts';
import { assignDeposit } from '../inbox/assign-deposit.ts';
import { ingestDeposits } from './ingest-deposits.ts';

let world: InProcessService;
let wallet: Wallet;
const payer = Keypair.random();

before(async () => {
  world = await startInProcess();
  wallet = await world.wallet();
  await closingLedgers(world.sandbox, world.deps.stellar.fund(payer.publicKey()));
  await ingestAll();
});
after(() => world.close());

async function ingestAll(): Promise<void> {
  while ((await ingestDeposits(world.deps)).behind);
}

const deposits = () => world.deps.db.selectFrom('deposits').selectAll().orderBy('ledger').execute();
const eventIds = async () => {
  const events = await world.deps.db.selectFrom('webhook_events').select('id').orderBy('id').execute();
  return events.map(({ id }) => id);
};

test('a deposit that an older copy of the database lost has the same event when it is read or assigned again', async () => {
  const { db } = world.deps;
  const { ledger, ledger_hash, close_time } = await readDepositCursor(db);
  const before_ = await deposits();
  const order = { label: null, metadata: null };
  const [by_memo, by_hand] = [
    await createAddress(world.deps, on(wallet), order),
    await createAddress(world.deps, on(wallet), order),
  ];
  const to = { destination: wallet.account, amount: '3' };
  await sendPayment(world, payer, { ...to, memo_id: by_memo.memo_id });
  world.sandbox.closeLedger();
  await sendPayment(world, payer, to);
  world.sandbox.closeLedger();

  const readAndAssign = async () => {
    await ingestAll();
    const [attributed, inbox, ...more] = (await deposits()).slice(before_.length);
    assert(attributed && inbox && more.length === 0);
    const { id: address_id } = by_hand;
    await assignDeposit(world.deps, on(wallet), { deposit_id: inbox.id, address_id });
    return { attributed, inbox, events: await eventIds() };
  };
  const first = await readAndAssign();
  assert.equal(first.events.length, 2);
  const forgotten = [first.attributed.id, first.inbox.id];
  await db.deleteFrom('webhook_deliveries').execute();
  await db.deleteFrom('webhook_events').execute();
  await db.deleteFrom('deposits').where('id', 'in', forgotten).execute();
  await db.updateTable('deposit_cursor').set({ ledger, ledger_hash, close_time }).execute();
  const again = await readAndAssign();
  assert.deepEqual(again.events, first.events);
  assert(
    !forgotten.includes(again.attributed.id),
    'lists are in the order of ids: what comes late comes first',
  );
});
