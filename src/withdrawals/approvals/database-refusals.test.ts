/** What the database itself refuses of policies and approvals, whatever statement asks for it. */
import { strict as assert } from 'node:assert';
import { after, beforeEach, test } from 'node:test';
import pg from 'pg';
import { createTestDatabase } from '../../../test/support/postgres.ts';

const database = await createTestDatabase();
const client = new pg.Client({ connectionString: database.url });
await client.connect();
after(async () => {
  await client.end();
  await database.drop();
});

let serial = 0;
let wallet_id: string;
let user_id: string;
beforeEach(async () => {
  [wallet_id, user_id] = [`wal_${++serial}`, `usr_${serial}`];
  await client.query(
    `insert into users (id, email, email_folded, name, password_hash) values ($1, $2, $2, 'U', '')`,
    [user_id, `${user_id}@example.com`],
  );
  await client.query(
    `insert into wallets (id, owner_id, name, network, account, sealed_seed) values ($1, $2, 'w', 'testnet', $3, '')`,
    [wallet_id, user_id, wallet_id],
  );
  await client.query('insert into wallet_policies (wallet_id) values ($1)', [wallet_id]);
});

const CHECK = { code: '23514' };
const UNIQUE = { code: '23505' };

function insert(table: 'withdrawals' | 'policy_changes', row: Record<string, unknown>) {
  const names = Object.keys(row);
  const places = names.map((_, index) => `$${index + 1}`);
  return client.query(
    `insert into ${table} (${names.join(', ')}) values (${places.join(', ')})`,
    Object.values(row),
  );
}

const insertWithdrawal = (columns: Record<string, unknown>) =>
  insert('withdrawals', {
    id: `wd_${++serial}`,
    wallet_id,
    owner_id: user_id,
    idempotency_key: `key-${serial}`,
    status: 'queued',
    operation: 'payment',
    destination: 'G',
    amount_stroops: 5,
    approvals_required: 0,
    leased_until: new Date(),
    ...columns,
  });

const insertChange = (columns: Record<string, unknown>) =>
  insert('policy_changes', {
    id: `pch_${++serial}`,
    wallet_id,
    requested_by: user_id,
    created_at: new Date(),
    takes_effect_at: new Date(),
    approvals_required: 0,
    approvals: '[]',
    ...columns,
  });

const setLimits = (limits: unknown) =>
  client.query('update wallet_policies set limits = $2 where wallet_id = $1', [
    wallet_id,
    JSON.stringify(limits),
  ]);

test('limits are a list of entries with a limit or two, which are texts of whole numbers above 0', async () => {
  const entry = (max_withdrawal_stroops: unknown, max_rolling_24h_stroops: unknown) => ({
    asset_code: 'native',
    asset_issuer: null,
    max_withdrawal_stroops,
    max_rolling_24h_stroops,
  });
  const good = [entry('1', null), entry(null, '10'), entry('10', '9007199254740993')];
  for (const limits of [[], good]) await setLimits(limits);
  const bad = [entry(null, null), entry('0', '1'), entry('1', '-1'), entry(1, null), entry('1.5', null), {}];
  for (const each of bad) await assert.rejects(setLimits([...good, each]), CHECK);
});

test('a change is of one field, has what belongs to it, and is there once', async () => {
  const usdc = { asset_code: 'USDC', asset_issuer: 'G' };
  const good = [
    { field: 'frozen' },
    { field: 'destinations', destination: 'G' },
    { field: 'destinations' },
    { field: 'limits' },
    { field: 'limits', ...usdc, max_withdrawal_stroops: 5 },
    { field: 'max_withdrawal_stroops', asset_code: 'native', limit_stroops: 5 },
    { field: 'max_withdrawal_stroops', ...usdc },
    { field: 'approvals', new_approvals: '{}' },
  ];
  for (const change of good) await insertChange(change);
  for (const change of good) await assert.rejects(insertChange(change), UNIQUE);
  const bad = [
    { field: 'frozen', ...usdc },
    { field: 'destinations', limit_stroops: 5 },
    { field: 'limits', max_withdrawal_stroops: 5 },
    { field: 'limits', asset_code: 'EURC', asset_issuer: 'G' },
    { field: 'max_rolling_24h_stroops', limit_stroops: 5 },
    { field: 'frozen', destination: 'G' },
    { field: 'frozen', new_approvals: '{}' },
  ];
  for (const change of bad) await assert.rejects(insertChange(change), CHECK);
});

test('a change that needs approvals says until when, and is not approved without them', async () => {
  const approvals = (count: number) => JSON.stringify(Array(count).fill({ user_id: 'usr_a' }));
  const asked = { field: 'frozen', approvals_required: 2, expires_at: new Date() };
  const approved_at = new Date();
  const bad = [
    { ...asked, expires_at: null },
    { ...asked, approvals_required: 0 },
    { field: 'frozen', approved_at },
    { ...asked, approvals: approvals(1), approved_at },
  ];
  for (const change of bad) await assert.rejects(insertChange(change), CHECK);
  await insertChange({ ...asked, approvals: approvals(2), approved_at });
});

test('no withdrawal is queued without its approvals, and none that awaits them is touched', async () => {
  const awaiting = {
    status: 'awaiting_approval',
    approvals_required: 2,
    order_hash: 'hash',
    approval_expires_at: new Date(),
  };
  await assert.rejects(insertWithdrawal({ ...awaiting, tx_source: 'G' }), CHECK);
  await insertWithdrawal(awaiting);
  const queue = `update withdrawals set status = 'queued', approved_at = now(), approvals = $2 where wallet_id = $1`;
  const approvals = [{ user_id: 'usr_a' }, { user_id: 'usr_b' }];
  await assert.rejects(client.query(queue, [wallet_id, JSON.stringify(approvals.slice(1))]), CHECK);
  const unapproved = queue.replace('approved_at = now(), ', '');
  await assert.rejects(client.query(unapproved, [wallet_id, JSON.stringify(approvals)]), CHECK);
  await client.query(queue, [wallet_id, JSON.stringify(approvals)]);
});

test('a withdrawal whose fee is known says who paid it', async () => {
  const settled = { status: 'confirmed', settled_at: new Date() };
  const fee = { fee_stroops: 0, fee_charged_stroops: 100, fee_paid_by: 'treasury' };
  for (const name of Object.keys(fee))
    await assert.rejects(insertWithdrawal({ ...settled, ...fee, [name]: null }), CHECK);
  await insertWithdrawal({ ...settled, ...fee });
});

test('a member whose rights change has them since then', async () => {
  const sinceOf = async () =>
    (await client.query('select rights_since from team_members where user_id = $1', [user_id])).rows[0]
      .rights_since;
  assert.equal(await sinceOf(), null);
  await client.query(`update team_members set role = 'owner' where user_id = $1`, [user_id]);
  assert.equal(await sinceOf(), null);
  await client.query(`update team_members set role = 'approver' where user_id = $1`, [user_id]);
  assert.ok((await sinceOf()) instanceof Date);
});
