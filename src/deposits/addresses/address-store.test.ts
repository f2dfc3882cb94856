import { strict as assert } from 'node:assert';
import { after, before, test } from 'node:test';
import { createTestDatabase } from '../../../test/support/postgres.ts';
import { type Database, openDatabase } from '../../db/database.ts';
import { newId } from '../../lib/ids.ts';
import { createLog } from '../../lib/log.ts';
import { assignToAddress, insertDeposits } from '../recorded/deposit-store.ts';
import { insertAddress, listByLastDeposit, withReceived } from './address-store.ts';

const NOW = new Date('2026-03-02T12:00:00Z');
const DAY_MS = 86_400_000;
const ACCOUNT = 'GD2375MO5PWRPHTHNS3EYEDKABJXXWLSW47I7BKJMMCYT4V5CJJJYE2F';
const ISSUER = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ';

let database: Database;
let drop: () => Promise<void>;
const wallet_id = newId('wal', NOW);
before(async () => {
  const created = await createTestDatabase();
  drop = created.drop;
  database = openDatabase(created.url, createLog('silent', false));
  const owner_id = newId('usr', NOW);
  const user = { id: owner_id, email: 'owner@example.com', name: 'Owner', password_hash: '' };
  await database.db
    .insertInto('users')
    .values({ ...user, email_folded: user.email })
    .execute();
  const wallet = { id: wallet_id, owner_id, name: 'W', network: 'sandbox' as const, account: ACCOUNT };
  await database.db
    .insertInto('wallets')
    .values({ ...wallet, sealed_seed: Buffer.alloc(0) })
    .execute();
});
after(async () => {
  await database.close();
  await drop();
});

let serial = 0;

async function addAddress(): Promise<string> {
  const id = newId('adr', NOW);
  const address = { id, wallet_id, memo_id: BigInt(++serial), label: null, metadata: null };
  assert.equal(await insertAddress(database.db, address), true);
  return id;
}

type Paid = { address_id: string | null; at: Date; hash?: string; asset_issuer?: string };

function depositOf({ address_id, at, hash, asset_issuer }: Paid) {
  return {
    id: newId('dep', at),
    wallet_id,
    address_id,
    asset_code: asset_issuer === undefined ? 'native' : 'USDC',
    asset_issuer: asset_issuer ?? null,
    amount_stroops: 5n,
    source_account: ISSUER,
    stellar_tx_hash: hash ?? `${++serial}`.padStart(64, '0'),
    operation_index: 0,
    event_index: 0,
    kind: 'payment' as const,
    memo_type: 'none' as const,
    ledger: 3,
    attributed: address_id !== null,
    below_minimum: false,
    created_at: at,
  };
}

async function pay(...paid: Paid[]): Promise<string[]> {
  const deposits = paid.map(depositOf);
  await database.db.transaction().execute((trx) => insertDeposits(trx, deposits));
  return deposits.map(({ id }) => id);
}

const daysAgo = (days: number) => new Date(NOW.getTime() - days * DAY_MS);

async function order(): Promise<[id: string, last_deposit_at: Date | null][]> {
  const rows = await listByLastDeposit(database.db, wallet_id, { limit: 100, before: undefined });
  return rows.map(({ id, last_deposit_at }) => [id, last_deposit_at]);
}

test('an address keeps its last deposit, whatever is recorded again, late or by hand; a memo id that is taken changes no order', async () => {
  const [a, b] = [await addAddress(), await addAddress()];
  assert.deepEqual(await order(), [
    [b, null],
    [a, null],
  ]);
  const hash = 'ab'.repeat(32);
  await pay({ address_id: a, at: daysAgo(3), hash }, { address_id: a, at: daysAgo(9) });
  await pay({ address_id: b, at: daysAgo(2) });
  const expected = [
    [b, daysAgo(2)],
    [a, daysAgo(3)],
  ];
  assert.deepEqual(await order(), expected);
  await pay({ address_id: a, at: daysAgo(1), hash });
  assert.deepEqual(await order(), expected, 'a credit that is read again is no new deposit');
  await pay({ address_id: b, at: daysAgo(20) });
  assert.deepEqual(await order(), expected, 'an earlier one changes nothing');
  const [unknown = ''] = await pay({ address_id: null, at: daysAgo(1) });
  await database.db.transaction().execute((trx) => assignToAddress(trx, unknown, { id: a, memo_id: 1n }));
  assert.deepEqual(await order(), [
    [a, daysAgo(1)],
    [b, daysAgo(2)],
  ]);
  const taken = { id: newId('adr', NOW), wallet_id, memo_id: 1n, label: null, metadata: null };
  assert.equal(await insertAddress(database.db, taken), false);
  assert.equal((await order()).length, 2);
});

test('what addresses have received is summed by asset since a time, and not at all beyond the most deposits', async () => {
  const [busy, quiet] = [await addAddress(), await addAddress()];
  await pay(
    { address_id: busy, at: daysAgo(1) },
    { address_id: busy, at: daysAgo(2), asset_issuer: ISSUER },
    { address_id: busy, at: daysAgo(3) },
    { address_id: busy, at: daysAgo(31) },
    { address_id: quiet, at: daysAgo(31) },
  );
  const rows = [{ id: busy }, { id: quiet }];
  const receivedIn = async (since: Date | undefined, most?: number) =>
    (await withReceived(database.db, rows, since, most)).map(({ received }) => received);
  const sums = [
    { asset_code: 'native', asset_issuer: null, count: 2, amount_stroops: 10n },
    { asset_code: 'USDC', asset_issuer: ISSUER, count: 1, amount_stroops: 5n },
  ];
  assert.deepEqual(await receivedIn(daysAgo(30)), [sums, []]);
  assert.deepEqual(await receivedIn(daysAgo(30), 3), [sums, []]);
  assert.deepEqual(await receivedIn(daysAgo(30), 2), [null, []]);
  assert.deepEqual(await receivedIn(undefined), [null, null]);
});
