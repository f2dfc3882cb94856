import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { startWebhookWorld } from '../../../test/support/webhooks.ts';
import { RawJson } from '../../http/exact-json.ts';
import { newId } from '../../lib/ids.ts';
import { listDeliveriesOfDeposit } from '../delivery/read-deliveries.ts';

const world = await startWebhookWorld({ WEBHOOK_ALLOWED_HOSTS: 'receiver.test' });
const { db } = world.deps;
after(() => world.close());

test('events of older versions are found by their deposit, whatever metadata is in them', async () => {
  const { id } = await world.register('http://receiver.test/');
  await world.api('POST', `/v1/wallets/:id/webhooks/${id}/test`, { body: { event: 'deposit.test' } });
  const texts = ['{"id":"dep_other"}', '{"nul":"\\u0000"}', '{"data":{"id":"dep_0"}}', '{"half":"\\ud800"}'];
  const deposits = texts.map((text) => ({
    id: newId('dep', world.clock.now()),
    metadata: new RawJson(text),
  }));
  for (const deposit of deposits) await world.deposit(deposit);
  await sql`alter table webhook_events drop column deposit_id`.execute(db);
  await sql`drop index webhook_deliveries_event`.execute(db);
  await sql`alter table withdrawals drop column signed_at, drop column committed_at`.execute(db);
  await sql.raw(readFileSync('migrations/0012_dashboard.sql', 'utf8')).execute(db);
  for (const { id: deposit_id } of deposits) {
    const found = await listDeliveriesOfDeposit(db, { wallet_id: world.wallet.id, id: deposit_id });
    assert.deepEqual(
      found.map(({ endpoint_id, url }) => [endpoint_id, url]),
      [[id, 'http://receiver.test/']],
    );
  }
  const events = await db.selectFrom('webhook_events').select(['type', 'deposit_id']).execute();
  assert.deepEqual(
    events.map(({ deposit_id }) => deposit_id).sort(),
    [null, ...deposits.map((deposit) => deposit.id)].sort(),
  );
});
