/** What a search and a filtered list read of a wallet with many rows, and that they find what is there. */
import { strict as assert } from 'node:assert';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { createTestDatabase } from '../../test/support/postgres.ts';
import { type Database, type Db, openDatabase } from '../db/database.ts';
import { NEAR_ROWS } from '../db/search.ts';
import { searchWallets } from '../db/search-wallets.ts';
import { listAddresses, searchAddresses } from '../deposits/addresses/address-store.ts';
import { listDeposits } from '../deposits/recorded/deposit-store.ts';
import { newId } from '../lib/ids.ts';
import { createLog } from '../lib/log.ts';
import { lastPayments } from '../payees/payee-store.ts';
import { readStatistics } from '../webhooks/store/endpoint-statistics.ts';
import { listDeliveries } from '../webhooks/store/read-deliveries.ts';
import { listOfWallet } from '../withdrawals/engine/queries.ts';
import { searchesOfWallets } from './search-team.ts';
import { walletsToSearch } from './store.ts';
import { listTransactions, type TransactionFilter } from './transactions.ts';

const NOW = new Date('2026-03-02T00:30:00Z');
const ACCOUNT = 'GD2375MO5PWRPHTHNS3EYEDKABJXXWLSW47I7BKJMMCYT4V5CJJJYE2F';
const ROWS = 5_000;
/** Of the deposits, of their addresses and of the withdrawals, and what the indexes give. */
const READ_AT_MOST = 3 * NEAR_ROWS + 200;

let database: Database;
let drop: () => Promise<void>;
const wallet = { id: newId('wal', NOW), account: ACCOUNT, owner_id: newId('usr', NOW) };
const endpoint = { id: 'whe_1', wallet_id: wallet.id };
const MADE_BY = { created_by_kind: 'user' as const, created_by_id: wallet.owner_id };

before(async () => {
  const created = await createTestDatabase();
  drop = created.drop;
  database = openDatabase(created.url, createLog('silent', false));
  await fill(database.db);
});
after(async () => {
  await database.close();
  await drop();
});

/** Row n: an address, its deposit and its delivery; and a withdrawal. The oldest deposits have the memo `old`. */
async function fill(db: Db): Promise<void> {
  const { id, owner_id } = wallet;
  const user = { id: owner_id, email: 'owner@example.com', name: 'Owner', password_hash: '' };
  await db
    .insertInto('users')
    .values({ ...user, email_folded: user.email })
    .execute();
  const row = {
    id,
    owner_id,
    account: ACCOUNT,
    name: 'W',
    network: 'sandbox' as const,
    sealed_seed: Buffer.alloc(0),
  };
  await db.insertInto('wallets').values(row).execute();
  const hook = { ...endpoint, ...MADE_BY, url: 'https://example.com', sealed_secret: Buffer.alloc(0) };
  await db.insertInto('webhook_endpoints').values(hook).execute();
  const rows = sql`(select n, lpad(n::text, 26, '0') as id from generate_series(1, ${ROWS}::int) as n) as rows`;
  await sql`insert into deposit_addresses (id, wallet_id, memo_id, label, metadata)
            select 'adr_' || id, ${id}, 100000 + n, 'Label ' || n, '{"customer":"c-' || n || '"}' from ${rows}`.execute(
    db,
  );
  await sql`insert into deposits (id, wallet_id, address_id, asset_code, amount_stroops, source_account, stellar_tx_hash,
                                  operation_index, memo_id, memo_type, memo, ledger, attributed)
            select 'dep_' || id, ${id}, 'adr_' || id, 'native', 5, 'GSENDER' || n % 7, 'aa' || md5('d' || n), 0, 100000 + n, 'text',
                   case when n <= 30 then 'old ' || n else 'memo ' || n end, 3, true from ${rows}`.execute(
    db,
  );
  await sql`insert into withdrawals (id, wallet_id, owner_id, idempotency_key, reference, status, operation, destination, amount_stroops,
                                     approvals_required, envelope_xdr, inner_tx_hash, stellar_tx_hash, leased_until, settled_at, payee_id)
            select 'wd_' || id, ${id}, ${owner_id}, 'key-' || n, 'Order ' || n, 'confirmed', 'payment', 'GDESTINATION' || n % 5, 7, 0, 'AAAA',
                   'bb' || md5('i' || n), case when n % 2 = 0 then 'bb' || md5('i' || n) else 'cc' || md5('o' || n) end, now(), ${NOW}::timestamptz + n * interval '1 second', 'pye_' || n % 5
              from ${rows}`.execute(db);
  await sql`insert into webhook_events (id, wallet_id, sequence, type, body)
            select 'evt_' || id, ${id}, n, 'ping', '' from ${rows}`.execute(db);
  await sql`insert into webhook_deliveries (id, event_id, endpoint_id, sequence, status)
            select 'dlv_' || id, 'evt_' || id, ${endpoint.id}, n, 'delivered' from ${rows}`.execute(db);
  await sql`analyze`.execute(db);
}

/** The number of rows that were read for `work`. The server counts what it has not reported yet, too. */
async function rowsRead(work: (db: Db) => Promise<unknown>): Promise<number> {
  return database.db.transaction().execute(async (trx) => {
    await sql`set local enable_seqscan = off`.execute(trx); // a table as small as this one is read whole otherwise
    const before_ = await countRead(trx);
    await work(trx);
    return (await countRead(trx)) - before_;
  });
}

async function countRead(db: Db): Promise<number> {
  const { rows } = await sql<{ read: bigint }>`
    select coalesce(sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)), 0)::bigint as read
      from pg_stat_xact_user_tables`.execute(db);
  return Number(rows[0]?.read);
}

test('the last payment of each payee is found without reading the others', async () => {
  const { db } = database;
  const payees = [0, 1, 2, 3, 4, 9].map((n) => `pye_${n}`);
  const at = (n: number) => new Date(NOW.getTime() + n * 1_000);
  const last = new Map([0, 1, 2, 3, 4].map((n) => [`pye_${n}`, at(n === 0 ? ROWS : ROWS - 5 + n)]));
  assert.deepEqual(await lastPayments(db, payees, null), last);
  const read = await rowsRead((trx) => lastPayments(trx, payees, null));
  assert(read < 20, `${read} payments of ${ROWS}`);

  const other = { id: newId('wal', NOW), owner_id: wallet.owner_id, account: 'GOTHER' };
  await sql`insert into wallets (id, owner_id, account, name, network, sealed_seed)
            values (${other.id}, ${other.owner_id}, ${other.account}, 'O', 'sandbox', '')`.execute(db);
  await sql`insert into withdrawals (id, wallet_id, owner_id, idempotency_key, status, operation, destination, amount_stroops,
                                     approvals_required, envelope_xdr, inner_tx_hash, stellar_tx_hash, leased_until, settled_at, payee_id)
            values ('wd_other', ${other.id}, ${other.owner_id}, 'other', 'confirmed', 'payment', 'GOTHER', 7, 0, 'AAAA', 'i', 'o', now(),
                    ${at(9_999)}, 'pye_3')`.execute(db);
  assert.deepEqual(await lastPayments(db, payees, null), new Map(last).set('pye_3', at(9_999)));
  assert.deepEqual(await lastPayments(db, payees, [wallet.id]), last);
  assert.deepEqual(await lastPayments(db, payees, [other.id]), new Map([['pye_3', at(9_999)]]));
  await sql`delete from withdrawals where id = 'wd_other'`.execute(db);
});

const PAGE = { limit: 51, before: undefined };

for (const text of [
  'aaff00',
  'GNOBODY',
  '987654321',
  'no such memo',
  'zq',
  '~',
  'no such label',
  'dep_zzz',
  'wd_zzz',
  'c-10000000',
  '16.43',
  'key-none',
  'Affiliate 9',
  'Order 0',
])
  test(`a search for "${text}", which nothing has, does not read every row`, async () => {
    const read = await rowsRead((db) => listTransactions(db, wallet, { search: text }, PAGE));
    assert(read <= READ_AT_MOST, `${read} rows of ${ROWS}`);
    const addresses = await rowsRead((db) => searchAddresses(db, wallet, text, PAGE));
    assert(addresses <= NEAR_ROWS + 200, `${addresses} addresses of ${ROWS}`);
    const in_all = await rowsRead((db) => searchOwn(db, text));
    assert(in_all < 100, `${in_all} rows in all wallets`);
  });

/** As the search over all wallets of the team does, which has this one. */
const searchOwn = (db: Db, text: string) =>
  searchWallets(
    db,
    walletsToSearch({ team_id: wallet.owner_id, wallet_ids: null }),
    searchesOfWallets(wallet.owner_id, text),
  );

for (const text of ['gsender3', 'memo', 'aa', 'label', 'GDESTINATION', 'order'])
  test(`a search over wallets for "${text}", which thousands have, reads few of them`, async () => {
    const read = await rowsRead((db) => searchOwn(db, text));
    assert(read <= READ_AT_MOST, `${read} rows of ${ROWS}`);
    const kinds = Map.groupBy(await searchOwn(database.db, text), ({ kind }) => kind);
    assert(kinds.size > 0);
    for (const [kind, rows] of kinds) assert.equal(rows.length, 5, kind);
  });

test('the deposits of an address are found without reading the others', async () => {
  const address_id = `adr_${'7'.padStart(26, '0')}`;
  const list = (db: Db) => listDeposits(db, wallet.id, { address_id, attributed: undefined }, PAGE);
  assert.deepEqual(
    (await list(database.db)).map(({ id }) => id),
    [`dep_${'7'.padStart(26, '0')}`],
  );
  const read = await rowsRead(list);
  assert(read < 10, `${read} rows of ${ROWS}`);
});

test('a list filtered by a status that nothing has reads no row of that list', async () => {
  for (const status of ['pending', 'failed'] as const) {
    const transactions = await rowsRead((db) => listTransactions(db, wallet, { status }, PAGE));
    const deliveries = await rowsRead((db) => listDeliveries(db, endpoint, { status }, PAGE));
    assert(transactions + deliveries < 10, `${transactions} withdrawals, ${deliveries} deliveries`);
  }
});

test('the withdrawal of an Idempotency-Key is found without reading another one', async () => {
  const list = (db: Db) => listOfWallet(db, wallet, { idempotency_key: 'key-17' }, PAGE);
  assert.equal((await list(database.db)).length, 1);
  assert((await rowsRead(list)) < 10);
});

test('statistics of an endpoint are exact, and read no more than the newest 2,000 deliveries', async () => {
  const { db } = database;
  // Of 2,000 deliveries each tenth is answered with 503 first, and the newest is under way. Older ones had other answers.
  await sql`insert into webhook_attempts (delivery_id, number, started_at, duration_ms, status_code, request_headers)
            select id, 1, now(), 100000, 500, '{}'::json from webhook_deliveries where sequence <= ${ROWS - 2_000}
            union all
            select id, 1, now(), 9, 503, '{}'::json from webhook_deliveries where sequence > ${ROWS - 2_000} and sequence % 10 = 0
            union all
            select id, 2, now(), sequence - ${ROWS - 2_000}, 200, '{}'::json from webhook_deliveries
             where sequence > ${ROWS - 2_000} and sequence < ${ROWS}
            union all
            select id, 3, now(), 99999, null, null from webhook_deliveries where sequence = ${ROWS}`.execute(
    db,
  );
  await sql`analyze webhook_attempts`.execute(db);
  const durations = [...Array(200).fill(9), ...Array.from({ length: 1_999 }, (_, n) => n + 1)].sort(
    (a, b) => a - b,
  );
  assert.deepEqual(await readStatistics(db, endpoint.id, new Date(0)), {
    deliveries: 2_000,
    attempts: 200 + 1_999,
    acknowledged: 1_999,
    p95_ms: durations[Math.ceil(0.95 * durations.length) - 1],
  });
  const read = await rowsRead((trx) => readStatistics(trx, endpoint.id, new Date(0)));
  assert(read <= 2_000 + 200 + 2_000, `${read} rows`);
  const none = { deliveries: 0, attempts: 0, acknowledged: 0, p95_ms: null };
  assert.deepEqual(await readStatistics(db, endpoint.id, NOW), none, 'made before');
});

/** What `known` says of all rows, in the order of the list. */
async function expected(known: (row: Known) => boolean): Promise<string[]> {
  const { rows } = await sql<Known>`
    select id, stellar_tx_hash as hash, '' as inner, source_account as account, memo_id::text as memo_id, memo from deposits
    union all
    select id, stellar_tx_hash, inner_tx_hash, destination, '', '' from withdrawals`.execute(database.db);
  const keyOf = (id: string) => id.slice(id.indexOf('_') + 1);
  const found = rows.filter(known).map(({ id }) => id);
  return found.sort((a, b) => (keyOf(a) < keyOf(b) ? 1 : -1));
}
type Known = { id: string; hash: string; inner: string; account: string; memo_id: string; memo: string };

async function allPages(filter: TransactionFilter, limit: number): Promise<string[]> {
  const ids: string[] = [];
  for (let before: string | undefined; ; ) {
    const rows = await listTransactions(database.db, wallet, filter, { limit, before });
    ids.push(...rows.map(({ id }) => id));
    if (rows.length < limit) return ids;
    before = rows.at(-1)?.sort_key;
  }
}

test('a search finds every row, newest first, whether few rows match or many, of the newest or of the oldest', async () => {
  const cases: [string, (row: Known) => boolean, number][] = [
    ['old', ({ memo }) => memo.startsWith('old'), 7],
    ['OLD 2', ({ memo }) => memo.startsWith('old 2'), 7],
    ['gsender3', ({ account }) => account === 'GSENDER3', 200],
    ['bb0', ({ hash, inner }) => hash.startsWith('bb0') || inner.startsWith('bb0'), 50],
    ['cc', ({ hash }) => hash.startsWith('cc'), 1_000],
    ['10499', ({ memo_id }) => memo_id.startsWith('10499'), 3],
    ['GDESTINATION4', ({ account }) => account === 'GDESTINATION4', 200],
    ['label 77', ({ memo_id }) => memo_id !== '' && `${Number(memo_id) - 100_000}`.startsWith('77'), 20],
    ['C-12', ({ memo_id }) => memo_id !== '' && `${Number(memo_id) - 100_000}`.startsWith('12'), 20],
  ];
  for (const [text, known, limit] of cases) {
    const wanted = await expected(known);
    assert(wanted.length > 0, text);
    assert.deepEqual(await allPages({ search: text }, limit), wanted, text);
  }
});

test('a search finds an exact amount, an Idempotency-Key and a reference, of its wallet only', async () => {
  const { db } = database;
  const [oldest, newest] = [1, ROWS].map((n) => `wd_${`${n}`.padStart(26, '0')}`) as [string, string];
  for (const [index, id] of [oldest, newest].entries())
    await db
      .updateTable('withdrawals')
      .set({ reference: `Affiliate 20${index + 1}`, amount_stroops: 12_345_000_000n })
      .where('id', '=', id)
      .execute();
  const found = (search: string, of = wallet) => listTransactions(db, of, { search }, PAGE);
  const idsOf = async (search: string) => (await found(search)).map(({ id }) => id);
  for (const limit of [1, 2])
    assert.deepEqual(await allPages({ search: 'affiliate 20' }, limit), [newest, oldest]);
  for (const amount of ['1234.5', '1,234.5', '1234.5000000'])
    assert.deepEqual(await idsOf(amount), [newest, oldest]);
  for (const text of ['1234.50000001', '1,2345', '1,234.5,0', '999,999,999,999', '999999999999'])
    assert.deepEqual(await idsOf(text), [], text);
  assert.deepEqual(await idsOf('Affiliate 201'), [oldest]);
  assert.deepEqual(
    (await found('AFFILIATE 202')).map(({ reference }) => reference),
    ['Affiliate 202'],
  );
  assert.deepEqual(await idsOf(`key-${ROWS}`), [newest]);
  const other = { ...wallet, id: newId('wal', NOW) };
  for (const search of ['Affiliate', 'key-1', '1234.5']) assert.deepEqual(await found(search, other), []);
});

test('a search obeys the other filters', async () => {
  const deposits = await expected(({ memo }) => memo.startsWith('old'));
  assert.deepEqual(await allPages({ search: 'old', type: 'deposit', attributed: true }, 50), deposits);
  for (const filter of [
    { type: 'withdrawal' },
    { attributed: false },
    { status: 'failed' },
  ] as TransactionFilter[])
    assert.deepEqual(await allPages({ search: 'old', ...filter }, 50), []);
});

test('a search of addresses finds each by a part of its label or metadata, newest first', async () => {
  const all = await listAddresses(database.db, wallet.id, { limit: ROWS, before: undefined });
  for (const text of ['abel 5', '-77', '{', 'er":"c-9', '"C-4']) {
    const has = (value: string | null) => value?.toLowerCase().includes(text.toLowerCase()) === true;
    const wanted = all.filter(({ label, metadata }) => has(label) || has(metadata)).map(({ id }) => id);
    const found: string[] = [];
    for (let before: string | undefined; ; before = found.at(-1)) {
      const rows = await searchAddresses(database.db, wallet, text, { limit: 300, before });
      found.push(...rows.map(({ id }) => id));
      if (rows.length < 300) break;
    }
    assert.deepEqual(found, wanted, text);
  }
});
