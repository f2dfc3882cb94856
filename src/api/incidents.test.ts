/** The alerts that rest on gauges of what is: each fires within two minutes of its incident, and ends with it. */
import { strict as assert } from 'node:assert';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { firingAlerts, hasPromtool, NO_PROMTOOL } from '../../test/support/firing-alerts.ts';
import { type InProcessService, startInProcess } from '../../test/support/in-process-service.ts';
import { startReceiver } from '../../test/support/receiver.ts';
import { startWebhookWorld } from '../../test/support/webhooks.ts';
import { withdrawalSteps } from '../../test/support/withdrawal-steps.ts';
import type { Deps } from '../deps.ts';
import { acceptTransaction } from '../ledgers/unmatched-store.ts';
import { createMetrics } from '../lib/metrics.ts';
import { Deliverer } from '../webhooks/delivery/deliverer.ts';
import { countForMetrics } from '../webhooks/upkeep.ts';
import { createDatabaseGauges } from './database-gauges.ts';

let world: InProcessService;
const { claim, namingNoKeys, processLedgers, waitForOutcomes } = withdrawalSteps(() => world);
before(async () => {
  world = await startInProcess({ CHANNELS_MAX: '0' });
  await processLedgers();
});
after(() => world.close());

/** What a process that begins now says of the database, to somebody who asks so many seconds later. */
async function saysOf(deps: Deps, seconds_later = 0): Promise<string> {
  const metrics = createMetrics();
  for (const unused of [metrics.treasury_spendable_stroops, metrics.key_journal_writable]) unused.remove();
  metrics.leads.set({ work: 'deposits' }, 1);
  const now = () => new Date(deps.clock.now().getTime() + seconds_later * 1000);
  await createDatabaseGauges({ ...deps, metrics, clock: { ...deps.clock, now } })();
  await countForMetrics({ ...deps, metrics });
  return metrics.registry.metrics();
}
const says = async (seconds_later = 0) => {
  world.sandbox.closeLedger();
  await processLedgers();
  return saysOf(world.deps, seconds_later);
};

function assertTold(alert: string, [sound, broken, mended]: [string, string, string]): void {
  assert.deepEqual(firingAlerts(sound, broken, mended), [[], [alert], []]);
}

const skip = hasPromtool() ? false : NO_PROMTOOL;

test('one wallet whose seed does not open, while another pays', { skip }, async () => {
  const { db } = world.deps;
  const [broken, sound] = [await world.wallet(), await world.wallet()];
  const before = await says();
  const flip = () =>
    db
      .updateTable('wallets')
      .set({ sealed_seed: sql`set_byte(sealed_seed, 40, get_byte(sealed_seed, 40) # 1)` })
      .where('id', '=', broken.id)
      .execute();
  await flip();
  const [stuck, paid] = [await claim(broken), await claim(sound)];
  await waitForOutcomes([paid.id]);
  const during = await says();
  await flip();
  await waitForOutcomes([stuck.id]);
  assertTold('TellerTxSourceBlocked', [before, during, await says()]);
});

test('a withdrawal that gets no outcome', { skip }, async () => {
  const before = await says();
  const { id } = await claim(await world.wallet());
  await processLedgers();
  const during = await saysOf(world.deps, 91);
  await waitForOutcomes([id]);
  const told = firingAlerts(before, during, await says());
  assert.deepEqual(
    told.map((alerts) => alerts.includes('TellerWithdrawalLate')),
    [false, true, false],
  );
});

test('ledgers that nobody processes', { skip }, async () => {
  const before = await says();
  const during = await saysOf(world.deps, 3600); // the ledgers of these tests close ahead of the clock
  assertTold('TellerLedgersNotProcessed', [before, during, await says()]);
});

test('a transaction that somebody else makes with the key of a wallet', { skip }, async () => {
  const { db, clock } = world.deps;
  const before = await says();
  const cursor = await db.selectFrom('withdrawal_cursor').selectAll().executeTakeFirstOrThrow();
  const { id } = await claim(await world.wallet());
  await waitForOutcomes([id]);
  await db.deleteFrom('withdrawals').where('id', '=', id).execute();
  await db.updateTable('withdrawal_cursor').set(cursor).execute();
  await processLedgers(namingNoKeys());
  const during = await says();
  const { hash } = await db.selectFrom('unmatched_transactions').select('hash').executeTakeFirstOrThrow();
  await acceptTransaction(db, hash, clock.now());
  assertTold('TellerUnmatchedTransaction', [before, during, await says()]);
});

test('deliveries that nobody sends, and an endpoint that refuses every delivery', { skip }, async (t) => {
  const hooks = await startWebhookWorld();
  const { deps, clock } = hooks;
  const receiver = await startReceiver();
  const deliverer = new Deliverer(deps, { random: () => 0.5 });
  t.after(async () => {
    await deliverer.stop();
    await receiver.close();
    await hooks.close();
  });
  const deliver = async () => {
    while (await deliverer.step()) await deliverer.idle();
  };
  receiver.answer(500);
  await hooks.register(receiver.url);
  const before = await saysOf(deps);
  await hooks.deposit();
  clock.advance(61_000);
  const unsent = await saysOf(deps);
  await deliver();
  const sent = await saysOf(deps);
  for (let waited_seconds = 0; waited_seconds < 310; waited_seconds += 31) {
    clock.advance(31_000);
    await deliver();
  }
  const refused = await saysOf(deps);
  receiver.answer(200);
  clock.advance(600_000);
  await deliver();
  assert.deepEqual(firingAlerts(before, unsent, sent, refused, await saysOf(deps)), [
    [],
    ['TellerDeliveriesLate'],
    [],
    ['TellerEndpointFails'],
    [],
  ]);
});
