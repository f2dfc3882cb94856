/** Four events for two receivers, one of which refuses at first, and one hangs; then a secret is rotated. */

import { registerEndpoint, rotateSecret } from '../../src/webhooks/endpoints/endpoints.ts';
import { PING, sendTestEvent } from '../../src/webhooks/events/send-test-event.ts';
import { onId } from '../support/acting.ts';
import { pastAllGates, type Scenario, SMALLEST } from './exhaustive.ts';
import { RECEIVER_FAULTS } from './receiver-faults.ts';
import type { SimulatedService } from './simulated-service.ts';

export const scenarioOfWebhooks: Scenario = {
  name: 'webhooks',
  setting: { ...SMALLEST, env: { WEBHOOK_RETRY_SECONDS: '2,3' }, roles: ['deliverer'] },
  async play(world) {
    const { scheduler, receivers } = world;
    const [refusing, hanging] = ['https://93.184.216.34/refusing', 'https://93.184.216.34/hanging'];
    const one = await register(world, refusing);
    const other = await register(world, hanging);
    receivers.ill.set(refusing, faultNamed('post_500'));
    receivers.ill.set(hanging, faultNamed('post_silent'));
    for (const endpoint of [one, other, one])
      await pastAllGates(world, (deps) => sendTestEvent(deps, onId(endpoint.wallet_id), endpoint.id, PING));
    await scheduler.sleep(world.world, 1_000);
    receivers.ill.clear();
    await pastAllGates(world, (deps) => rotateSecret(deps, onId(one.wallet_id), one.id));
    await pastAllGates(world, (deps) => sendTestEvent(deps, onId(one.wallet_id), one.id, PING));
    while (!(await isDelivered(world))) await scheduler.sleep(world.world, 500);
  },
};

function faultNamed(wanted: string) {
  const fault = RECEIVER_FAULTS.find(({ name }) => name === wanted);
  if (!fault) throw new Error(`there is no ${wanted}`);
  return fault;
}

async function register(world: SimulatedService, url: string) {
  const [wallet] = world.accounts.wallets;
  if (!wallet) throw new Error('the accounts are missing');
  const order = { url, description: null };
  const { endpoint } = await pastAllGates(world, (deps) => registerEndpoint(deps, onId(wallet.id), order));
  return endpoint;
}

/** Or given up. */
async function isDelivered({ office }: SimulatedService): Promise<boolean> {
  const [{ open }] = await office.ask(
    "select count(*)::int as open from webhook_deliveries where status = 'pending'",
  );
  return open === 0;
}
