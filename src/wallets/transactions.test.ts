import { strict as assert } from 'node:assert';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { readWrongDays } from '../../test/oracle/read-days.ts';
import { createTestDatabase } from '../../test/support/postgres.ts';
import { type Database, openDatabase } from '../db/database.ts';
import { newId } from '../lib/ids.ts';
import { createLog } from '../lib/log.ts';
import { muxedAddress } from '../stellar/address.ts';
import { NATIVE } from '../stellar/asset.ts';
import { addToDays, recordOutcomes } from '../withdrawals/engine/store.ts';
import { dailyStatistics } from './statistics.ts';
import { listTransactions, type Transaction, type TransactionFilter } from './transactions.ts';

const NOW = new Date('2026-03-02T00:30:00Z');
const ACCOUNT = 'GD2375MO5PWRPHTHNS3EYEDKABJXXWLSW47I7BKJMMCYT4V5CJJJYE2F';
const SENDER = 'GC2EO6N75NVHXUCLGJV2ZQEW27RS66VMI2WM3URHRGUBSJCNBJQ5MXCF';
const ISSUER = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ';
const CONTRACT = 'CCW67TSZV3SSS2HXMBQ5JFGCKJNXKZM7UQUWUZPUTHXSTZLEO7SJMI75';

let database: Database;
let drop: () => Promise<void>;
const wallet = { id: newId('wal', NOW), account: ACCOUNT, owner_id: newId('usr', NOW) };
const other = { id: newId('wal', NOW), account: SENDER };
before(async () => {
  const created = await createTestDatabase();
  drop = created.drop;
  database = openDatabase(created.url, createLog('silent', false));
  const { db } = database;
  const owner_id = newId('usr', NOW);
  const user = { id: owner_id, email: 'owner@example.com', name: 'Owner', password_hash: '' };
  await db
    .insertInto('users')
    .values({ ...user, email_folded: user.email })
    .execute();
  const sealed = { owner_id, name: 'W', network: 'sandbox' as const, sealed_seed: Buffer.alloc(0) };
  await db
    .insertInto('wallets')
    .values([wallet, other].map((each) => ({ ...each, ...sealed })))
    .execute();
});
after(async () => {
  await database.close();
  await drop();
});

let serial = 0;
const hashOf = (text: string) => Buffer.from(text).toString('hex').padEnd(64, '0');

async function addAddress(given: { memo_id: bigint; label?: string; metadata?: string }) {
  const id = newId('adr', NOW);
  await database.db
    .insertInto('deposit_addresses')
    .values({ id, wallet_id: wallet.id, ...given })
    .execute();
  return id;
}

type Given = Partial<{
  at: string;
  wallet_id: string;
  address_id: string;
  asset_issuer: string;
  asset_code: string;
  amount_stroops: bigint;
  hash: string;
  memo_id: bigint;
  memo_type: 'id' | 'text' | 'hash';
  memo: string;
  assigned_by_hand: boolean;
  source_account: string;
}>;

async function addDeposit({ at, hash, ...given }: Given = {}): Promise<string> {
  const created_at = at === undefined ? NOW : new Date(at);
  const id = newId('dep', created_at);
  const row = {
    id,
    wallet_id: wallet.id,
    asset_code: 'native',
    amount_stroops: 5n,
    source_account: SENDER,
    stellar_tx_hash: hash ?? hashOf(`deposit ${++serial}`),
    operation_index: 0,
    ledger: 3,
    attributed: given.address_id !== undefined,
    created_at,
    ...given,
  };
  await database.db.insertInto('deposits').values(row).execute();
  return id;
}

type Paid = Partial<{
  at: string;
  status: 'queued' | 'confirmed' | 'failed';
  outer: string;
  inner: string;
  memo_id: bigint;
  amount_stroops: bigint;
  fee_stroops: bigint | null;
  destination: string;
}>;

async function addWithdrawal({
  at,
  outer,
  inner,
  status = 'confirmed',
  fee_stroops = null,
  ...given
}: Paid = {}): Promise<string> {
  const created_at = at === undefined ? NOW : new Date(at);
  const id = newId('wd', created_at);
  const { owner_id } = await database.db
    .selectFrom('wallets')
    .select('owner_id')
    .where('id', '=', wallet.id)
    .executeTakeFirstOrThrow();
  const row = {
    id,
    wallet_id: wallet.id,
    owner_id,
    idempotency_key: `key ${++serial}`,
    status,
    operation: 'payment' as const,
    destination: ISSUER,
    amount_stroops: 7n,
    approvals_required: 0,
    envelope_xdr: status === 'queued' ? null : 'AAAA',
    inner_tx_hash: inner ?? null,
    stellar_tx_hash: outer ?? null,
    leased_until: created_at,
    settled_at: status === 'queued' ? null : created_at,
    created_at,
    ...(fee_stroops === null
      ? {}
      : { fee_stroops, fee_charged_stroops: fee_stroops, fee_paid_by: 'wallet' as const }),
    ...given,
  };
  await database.db.insertInto('withdrawals').values(row).execute();
  if (fee_stroops !== null)
    await addToDays(sql`(select * from withdrawals where id = ${id}) as added`).execute(database.db);
  return id;
}

async function addAdjustment({
  at,
  ...given
}: Partial<Record<'at' | 'asset_code' | 'asset_issuer' | 'stellar_tx_hash' | 'caused_by', string>> & {
  amount_stroops?: bigint;
} = {}): Promise<string> {
  const created_at = at === undefined ? NOW : new Date(at);
  const id = newId('adj', created_at);
  const { amount_stroops = 9n } = given;
  const row = {
    id,
    wallet_id: wallet.id,
    asset_code: 'USD',
    asset_issuer: ISSUER,
    reason: amount_stroops > 0n ? ('clawback' as const) : ('authorization_revoked' as const),
    amount_stroops,
    operation: 'clawback' as const,
    caused_by: ISSUER,
    stellar_tx_hash: hashOf(`adjustment ${++serial}`),
    operation_index: 0,
    ledger: 3,
    created_at,
    ...given,
  };
  await database.db.insertInto('adjustments').values(row).execute();
  return id;
}

async function found(filter: TransactionFilter): Promise<string[]> {
  const rows = await listTransactions(database.db, wallet, filter, { limit: 200, before: undefined });
  return rows.map(({ id }) => id);
}

const finds = async (search: string, expected: string[]) =>
  assert.deepEqual((await found({ search })).sort(), [...expected].sort(), search);

test('since includes its own millisecond, until excludes it, and both work with paging', async () => {
  const times = ['2025-06-01T10:00:00.000Z', '2025-06-01T10:00:00.001Z', '2025-06-01T10:00:00.002Z'];
  const deposits: string[] = [];
  for (const at of times) deposits.push(await addDeposit({ at }));
  const withdrawal = await addWithdrawal({ at: times[1] as string });
  const [first, second, third] = times.map((time) => new Date(time)) as [Date, Date, Date];
  const inside = [deposits[1], withdrawal];
  assert.deepEqual((await found({ since: second, until: third })).sort(), inside.sort());
  assert.deepEqual(await found({ since: first, until: second }), [deposits[0]]);
  assert.deepEqual(await found({ since: third, until: third }), []);
  assert.deepEqual(await found({ since: third, until: first }), []);
  assert.deepEqual(await found({ until: new Date('1969-01-01T00:00:00Z') }), []);
  const later = await addDeposit({ at: '2025-06-01T10:00:00.003Z' });
  const page = { limit: 1, before: later.slice(4) };
  const [next] = await listTransactions(database.db, wallet, { until: third, type: 'deposit' }, page);
  assert.equal(next?.id, deposits[1]);
  const rest = { limit: 9, before: (deposits[2] as string).slice(4) };
  const span = { since: third, type: 'deposit' as const };
  assert.deepEqual(await listTransactions(database.db, wallet, span, rest), []);
});

test('an asset and bounds of the amount, which belong to them, select deposits, withdrawals and what a search finds', async () => {
  const at = '2026-02-01T00:00:00Z';
  const span = { since: new Date(at), until: new Date('2026-02-02T00:00:00Z') };
  const issued = { asset_code: 'USD', asset_issuer: ISSUER };
  const small = await addDeposit({ at, amount_stroops: 1n, hash: hashOf('ranges') });
  const large = await addDeposit({ at, amount_stroops: 3n });
  const usd = await addDeposit({ at, amount_stroops: 2n, ...issued });
  const paid = await addWithdrawal({ at, amount_stroops: 2n });
  const of = async (filter: TransactionFilter) => (await found({ ...span, ...filter })).sort();
  assert.deepEqual(await of({ asset: issued }), [usd]);
  assert.deepEqual(await of({ asset: NATIVE }), [small, large, paid].sort());
  assert.deepEqual(await of({ min_amount_stroops: 2n }), [large, usd, paid].sort());
  assert.deepEqual(await of({ asset: NATIVE, min_amount_stroops: 2n, max_amount_stroops: 2n }), [paid]);
  const search = hashOf('ranges').slice(0, 12);
  assert.deepEqual(await of({ search, max_amount_stroops: 1n }), [small]);
  assert.deepEqual(await of({ search, min_amount_stroops: 2n }), []);
});

test('attributed lists deposits only: with an address, or without', async () => {
  const span = { since: new Date('2025-07-01T00:00:00Z'), until: new Date('2025-07-02T00:00:00Z') };
  const at = '2025-07-01T12:00:00Z';
  const address_id = await addAddress({ memo_id: 71n });
  const [known, unknown] = [await addDeposit({ at, address_id }), await addDeposit({ at })];
  const withdrawal = await addWithdrawal({ at });
  assert.deepEqual(await found({ ...span, attributed: true }), [known]);
  assert.deepEqual(await found({ ...span, attributed: false }), [unknown]);
  assert.deepEqual(await found({ ...span, attributed: true, type: 'withdrawal' }), []);
  assert.deepEqual((await found(span)).sort(), [known, unknown, withdrawal].sort());
});

async function shown(id: string) {
  const rows = await listTransactions(database.db, wallet, { search: id }, { limit: 2, before: undefined });
  const [{ asset_issuer, fee_stroops, address_label, memo_id, memo_text }] = rows as [Transaction];
  assert.equal(rows.length, 1);
  return { asset_issuer, fee_stroops, address_label, memo_id, memo_text };
}

test('a deposit shows its issuer, the label of its address, and its memo if it is a text', async () => {
  const nothing = {
    asset_issuer: null,
    fee_stroops: null,
    address_label: null,
    memo_id: null,
    memo_text: null,
  };
  assert.deepEqual(await shown(await addDeposit()), nothing);
  const [labelled, bare] = [
    await addAddress({ memo_id: 501n, label: 'Ada, "Countess"' }),
    await addAddress({ memo_id: 502n }),
  ];
  const paid = await addDeposit({ address_id: labelled, memo_id: 501n, memo_type: 'id', memo: '501' });
  assert.deepEqual(await shown(paid), { ...nothing, address_label: 'Ada, "Countess"', memo_id: 501n });
  const written = {
    address_id: bare,
    memo_id: 502n,
    memo_type: 'text',
    memo: '=7',
    asset_issuer: ISSUER,
  } as const;
  const expected = { ...nothing, memo_id: 502n, memo_text: '=7', asset_issuer: ISSUER };
  assert.deepEqual(await shown(await addDeposit(written)), expected);
  const hashed = await addDeposit({ memo_type: 'hash', memo: 'q6s=' });
  assert.deepEqual(await shown(hashed), nothing);
});

test('a withdrawal shows its exact fee, and null while the fee is unknown', async () => {
  const fees = [9_007_199_254_740_993n, 0n, null];
  for (const fee_stroops of fees) {
    const id = await addWithdrawal({ status: fee_stroops === null ? 'queued' : 'failed', fee_stroops });
    const nothing = { asset_issuer: null, address_label: null, memo_id: null, memo_text: null };
    assert.deepEqual(await shown(id), { ...nothing, fee_stroops });
  }
});

test('a search finds hashes, accounts, ids and memos by their beginning only', async () => {
  const deposit = await addDeposit({ hash: `ab12${'9'.repeat(60)}`, memo_id: 4_242_424_242n });
  const written = await addDeposit({ memo_type: 'text', memo: 'Invoice ÄÖ 17' });
  const outer = `cd34${'8'.repeat(60)}`;
  const inner = `ef56${'7'.repeat(60)}`;
  const withdrawal = await addWithdrawal({ outer, inner, memo_id: 4_242_000_000n });
  for (const text of ['ab12', 'AB129', `ab12${'9'.repeat(60)}`]) await finds(text, [deposit]);
  for (const text of ['cd34', outer, 'EF56', inner]) await finds(text, [withdrawal]);
  await finds('4242', [deposit, withdrawal]);
  await finds('4242424242', [deposit]);
  await finds('invoice', [written]);
  await finds('INVOICE ÄÖ', [written]);
  await finds(deposit, [deposit]);
  await finds(withdrawal.toUpperCase(), [withdrawal]);
  assert.ok((await found({ search: SENDER.slice(0, 9).toLowerCase() })).includes(deposit));
  await finds(ISSUER, await found({ type: 'withdrawal' }));
  for (const part of ['b12999', '42424242 ', ISSUER.slice(1), 'voice', '_', '%', '\\', "'"])
    await finds(part, []);
});

test('a search finds what a contract paid and was paid', async () => {
  const [deposit, withdrawal] = [
    await addDeposit({ source_account: CONTRACT }),
    await addWithdrawal({ destination: CONTRACT }),
  ];
  for (const text of [CONTRACT, CONTRACT.slice(0, 9), CONTRACT.toLowerCase()])
    await finds(text, [deposit, withdrawal]);
});

test('a search finds the deposits of an address by its id, its M… address, its label and any part of its metadata', async () => {
  const memo_id = 8_888_777_766n;
  const metadata = '{"customer":"Zoë Q_100%","tier":"gold"}';
  const address_id = await addAddress({ memo_id, label: 'Shop in Basel', metadata });
  const similar = await addAddress({ memo_id: memo_id * 10n, metadata: '{"customer":"Zoë QX100"}' });
  const deposit = await addDeposit({ address_id, memo_id });
  const second = await addDeposit({ address_id: similar, memo_id: memo_id * 10n });
  for (const text of [address_id, 'shop IN', 'basel', 'q_100%', '"tier":"GOLD"'])
    await finds(text, [deposit]);
  await finds('zoë q', [deposit, second]);
  await finds(muxedAddress(ACCOUNT, memo_id), [deposit]);
  await finds(muxedAddress(SENDER, memo_id), []);
});

test('a deposit that was assigned by hand is still found by its sender’s memo', async () => {
  const address_id = await addAddress({ memo_id: 90_001n });
  const given = { address_id, memo_id: 90_001n, memo: '77700077', assigned_by_hand: true };
  await finds('777000', [await addDeposit(given)]);
});

test('a search finds nothing of another wallet', async () => {
  const hash = `ffee${'1'.repeat(60)}`;
  await addDeposit({ wallet_id: other.id, hash });
  await finds('ffee1', []);
});

test('an adjustment is a row of its own type, with its reason, between deposits and withdrawals in one order', async () => {
  const span = { since: new Date('2025-08-01T00:00:00Z'), until: new Date('2025-08-02T00:00:00Z') };
  const at = (second: number) => `2025-08-01T12:00:0${second}.000Z`;
  const made = [
    await addDeposit({ at: at(1) }),
    await addAdjustment({ at: at(2), stellar_tx_hash: `77aa${'0'.repeat(60)}` }),
    await addWithdrawal({ at: at(3) }),
    await addAdjustment({ at: at(4), amount_stroops: 0n, caused_by: SENDER }),
  ];
  const newest = made.toReversed();
  assert.deepEqual(await found(span), newest);
  assert.deepEqual(await found({ ...span, status: 'confirmed' }), newest);
  const adjustments = [made[3], made[1]];
  assert.deepEqual(await found({ ...span, type: 'adjustment' }), adjustments);
  assert.deepEqual(await found({ ...span, type: 'adjustment', status: 'failed' }), []);
  assert.deepEqual(await found({ ...span, type: 'adjustment', attributed: true }), []);
  await finds('77AA', [made[1] as string]);
  await finds(made[3] as string, [made[3] as string]);
  assert.ok((await found({ search: SENDER.slice(0, 9) })).includes(made[3] as string));

  const pages: string[] = [];
  let before: string | undefined;
  for (;;) {
    const [row] = await listTransactions(database.db, wallet, span, { limit: 1, before });
    if (!row) break;
    pages.push(row.id);
    before = row.sort_key;
  }
  assert.deepEqual(pages, newest);
  const rows = await listTransactions(database.db, wallet, span, { limit: 9, before: undefined });
  assert.deepEqual(
    rows.map(({ type, reason, amount_stroops, counterparty }) => [
      type,
      reason,
      amount_stroops,
      counterparty,
    ]),
    [
      ['adjustment', 'authorization_revoked', 0n, SENDER],
      ['withdrawal', null, 7n, ISSUER],
      ['adjustment', 'clawback', 9n, ISSUER],
      ['deposit', null, 5n, SENDER],
    ],
  );
});

test('statistics sum what was taken of an asset, and leave out what only changed a trust line', async () => {
  const at = '2025-09-01T12:00:00Z';
  await addAdjustment({ at });
  await addAdjustment({ at, amount_stroops: 9_223_372_036_854_775_807n });
  await addAdjustment({ at, amount_stroops: 0n });
  await addAdjustment({ at, asset_code: 'EUR' });
  const asset = { asset_code: 'USD', asset_issuer: ISSUER };
  const [day] = await dailyStatistics(database.db, wallet.id, { asset, days: 1, now: new Date(at) });
  assert.equal(day?.adjustments_count, 2);
  assert.equal(day.adjustments_stroops, 9_223_372_036_854_775_816n);
});

test('statistics have every UTC day, and only confirmed native amounts of the wallet', async () => {
  const { db } = database;
  await addDeposit({ at: '2026-02-27T23:59:59.999Z', amount_stroops: 1n }); // before the first day
  await addDeposit({ at: '2026-02-28T00:00:00.000Z', amount_stroops: 9_223_372_036_854_775_807n });
  await addDeposit({ at: '2026-02-28T23:59:59.999Z', amount_stroops: 9_223_372_036_854_775_807n });
  await addDeposit({ at: '2026-02-28T12:00:00Z', asset_code: 'native', asset_issuer: ISSUER });
  await addDeposit({ at: '2026-02-28T12:00:00Z', wallet_id: other.id });
  await addWithdrawal({ at: '2026-02-28T01:00:00Z', amount_stroops: 30n, fee_stroops: 100n });
  await addWithdrawal({
    at: '2026-02-28T02:00:00Z',
    status: 'failed',
    amount_stroops: 500n,
    fee_stroops: 200n,
  });
  await addWithdrawal({ at: '2026-02-28T03:00:00Z', status: 'queued', amount_stroops: 500n });
  await addAdjustment({ at: '2026-02-28T04:00:00Z', asset_code: 'USD', asset_issuer: ISSUER });
  const nothing = {
    deposits_count: 0,
    deposits_stroops: 0n,
    own_funds_count: 0,
    own_funds_stroops: 0n,
    withdrawals_count: 0,
    withdrawals_stroops: 0n,
    adjustments_count: 0,
    adjustments_stroops: 0n,
  };
  const days = await dailyStatistics(db, wallet.id, {
    asset: NATIVE,
    days: 2,
    now: new Date('2026-03-01T23:59:59.999Z'),
  });
  assert.deepEqual(days, [
    {
      date: '2026-02-28',
      deposits_count: 2,
      deposits_stroops: 18_446_744_073_709_551_614n,
      own_funds_count: 2, // SENDER is a wallet of the team
      own_funds_stroops: 18_446_744_073_709_551_614n,
      withdrawals_count: 1,
      withdrawals_stroops: 30n,
      adjustments_count: 0,
      adjustments_stroops: 0n,
      fees_stroops: 300n,
    },
    { date: '2026-03-01', ...nothing, fees_stroops: 0n },
  ]);
  const today = await dailyStatistics(db, wallet.id, {
    asset: NATIVE,
    days: 1,
    now: new Date('2026-02-28T00:00:00Z'),
  });
  assert.deepEqual(today, days.slice(0, 1));
});

test('statistics use UTC days in any time zone of the database', async () => {
  const options = { asset: NATIVE, days: 3, now: new Date('2026-03-01T12:00:00Z') };
  const expected = await dailyStatistics(database.db, wallet.id, options);
  await database.db.transaction().execute(async (trx) => {
    for (const zone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
      await sql`set local timezone to ${sql.lit(zone)}`.execute(trx);
      assert.deepEqual(await dailyStatistics(trx, wallet.id, options), expected, zone);
    }
  });
});

test('an outcome is in the sums of the day of its withdrawal once, though two processes record it', async () => {
  const { db } = database;
  const at = '2025-11-01T23:59:59Z';
  const orders = [
    await addWithdrawal({ at, status: 'queued' }),
    await addWithdrawal({ at, status: 'queued' }),
  ];
  const outcomes = orders.map((id, index) => ({
    id,
    successful: index === 0,
    ledger: 5,
    fee_stroops: 100n,
    fee_account: ACCOUNT,
    stellar_tx_hash: id,
    inner_tx_hash: id,
    failure: index === 0 ? null : { code: 'op_underfunded', message: '' },
  }));
  const recorded = await Promise.all([recordOutcomes(db, outcomes, NOW), recordOutcomes(db, outcomes, NOW)]);
  assert.deepEqual(recorded.map(({ size }) => size).sort(), [0, 2]);
  const [day] = await dailyStatistics(db, wallet.id, { asset: NATIVE, days: 1, now: new Date(at) });
  assert.deepEqual([day?.withdrawals_count, day?.withdrawals_stroops, day?.fees_stroops], [1, 7n, 200n]);
});

test('the sums of the days are those of their rows, and a sum that differs is found', async () => {
  const ask = async (text: string) => (await sql<object>`${sql.raw(text)}`.execute(database.db)).rows;
  assert.deepEqual(await readWrongDays(ask), []);
  await sql`update withdrawal_days set stroops = stroops + 1 where day = '2025-11-01'`.execute(database.db);
  const wrong = `the withdrawals of native of wallet ${wallet.id} on 2025-11-01 have other sums than their rows`;
  assert.deepEqual(await readWrongDays(ask), [wrong]);
});
