/** The version before beside this one, by the statements that it runs: it never goes around the approvals of a wallet. */
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
  await client.query(`insert into users (id, email, name, password_hash) values ($1, $2, 'U', '')`, [
    ...[user_id, `${user_id}@example.com`],
  ]);
  await client.query(
    `insert into wallets (id, owner_id, name, network, account, sealed_seed) values ($1, $2, 'w', 'testnet', $3, '')`,
    [wallet_id, user_id, wallet_id],
  );
  await client.query(
    `insert into wallet_policies (wallet_id, frozen, approvals, version)
     values ($1, true, '{"required": 1, "above": [], "for": ["withdrawals"]}', 1)`,
    [wallet_id],
  );
});

const REFUSED = { code: '23001' }; // restrict_violation
const CHECK = { code: '23514' };
const RULE_GONE =
  'update wallet_policies set frozen = false, approvals = null, version = version + 1 where wallet_id = $1';

async function inTransaction(...statements: (() => Promise<unknown>)[]): Promise<void> {
  await client.query('begin');
  try {
    for (const statement of statements) await statement();
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

const insertWithdrawal = (columns: Record<string, unknown> = {}, amount_stroops = 5) => {
  const row = {
    id: `wd_${++serial}`,
    wallet_id,
    owner_id: user_id,
    idempotency_key: `key-${serial}`,
    status: 'queued',
    operation: 'payment',
    destination: 'G',
    amount_stroops,
    leased_until: new Date(),
    ...columns,
  };
  const names = Object.keys(row);
  const places = names.map((_, index) => `$${index + 1}`);
  return client.query(
    `insert into withdrawals (${names.join(', ')}) values (${places.join(', ')})`,
    Object.values(row),
  );
};
const undo = () => client.query('delete from withdrawals where wallet_id = $1', [wallet_id]);

test('its claim for a wallet that asks for approvals is refused at the commit; one that its policy refuses goes away as before', async () => {
  await assert.rejects(
    inTransaction(() => insertWithdrawal()),
    REFUSED,
  );
  await inTransaction(() => insertWithdrawal(), undo);
  await inTransaction(() => insertWithdrawal({ approvals_required: 0 })); // this version has checked it
});

test('its claim for a wallet without approvals, and its change of a trust line, pass', async () => {
  const trust_line = { operation: 'add_trust_line', asset_code: 'USDC', asset_issuer: 'G' };
  await insertWithdrawal(trust_line, 0);
  await client.query(RULE_GONE, [wallet_id]);
  await insertWithdrawal();
});

test('it sees the wallet as frozen, and cannot change the policy', async () => {
  const older = 'update wallet_policies set frozen = $2, destinations = null where wallet_id = $1';
  for (const frozen of [true, false]) await assert.rejects(client.query(older, [wallet_id, frozen]), REFUSED);
  await assert.rejects(
    client.query('update wallet_policies set frozen = false, version = version + 1 where wallet_id = $1', [
      wallet_id,
    ]),
    CHECK,
  );
  await client.query(RULE_GONE, [wallet_id]);
  await client.query(older, [wallet_id, true]);
});

test('the database queues no withdrawal without its approvals, and none that awaits them is touched', async () => {
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

test('a member whose rights it changes has them since then', async () => {
  const sinceOf = async () =>
    (await client.query('select rights_since from team_members where user_id = $1', [user_id])).rows[0]
      .rights_since;
  assert.equal(await sinceOf(), null);
  await client.query(`update team_members set role = 'owner' where user_id = $1`, [user_id]);
  assert.equal(await sinceOf(), null);
  await client.query(`update team_members set role = 'approver' where user_id = $1`, [user_id]);
  assert.ok((await sinceOf()) instanceof Date);
});
