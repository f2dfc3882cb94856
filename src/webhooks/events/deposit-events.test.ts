import { strict as assert } from 'node:assert';
import { after, test } from 'node:test';
import { startWebhookWorld } from '../../../test/support/webhooks.ts';
import { RawJson } from '../../http/exact-json.ts';
import { newId } from '../../lib/ids.ts';
import { listDeliveriesOfDeposit } from '../delivery/delivery-log.ts';

const world = await startWebhookWorld({ WEBHOOK_ALLOWED_HOSTS: 'receiver.test' });
const { db } = world.deps;
after(() => world.close());

test('deliveries are found by the deposit of their event, whatever metadata is in its body', async () => {
  const { id } = await world.register('http://receiver.test/');
  await world.api('POST', `/v1/wallets/:id/webhooks/${id}/test`, { body: { event: 'deposit.test' } });
  const texts = ['{"id":"dep_other"}', '{"nul":"\\u0000"}', '{"data":{"id":"dep_0"}}', '{"half":"\\ud800"}'];
  const deposits = texts.map((text) => ({
    id: newId('dep', world.clock.now()),
    metadata: new RawJson(text),
  }));
  for (const deposit of deposits) await world.deposit(deposit);
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
