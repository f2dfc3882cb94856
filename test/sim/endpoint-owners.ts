/** Companies that look after their webhook endpoints. What they asked for, and were told, is evidence. */

import type { Deps } from '../../src/deps.ts';
import { redeliver } from '../../src/webhooks/delivery/redeliver.ts';
import { replay } from '../../src/webhooks/delivery/replay.ts';
import { changeEndpoint, deleteEndpoint, rotateSecret } from '../../src/webhooks/endpoints/endpoints.ts';
import { PING, sendTestEvent } from '../../src/webhooks/events/send-test-event.ts';
import { listDeliveries } from '../../src/webhooks/store/read-deliveries.ts';
import type { EndpointCall, EndpointWish, ReturnedEndpoint } from '../oracle/webhook-evidence.ts';
import { onId } from '../support/acting.ts';
import type { Desk } from './desk.ts';
import { asked } from './integrators.ts';

const WISHES: readonly EndpointWish[] = [
  ...(['ping', 'ping', 'ping', 'rotate', 'rotate', 'disable', 'delete'] as const),
  ...(['enable', 'enable', 'enable', 'redeliver', 'redeliver', 'replay', 'replay_all'] as const),
];
const SHOWN = 20;
const LONG_AGO_MS = 100_000;

/** One wish after another, until the desk closes. */
export async function lookAfterEndpoints(desk: Desk, pause_ms: number): Promise<void> {
  const { random, scheduler, world } = desk;
  while (!desk.closing) {
    await scheduler.sleep(world, random.integer(0, pause_ms));
    if (desk.endpoints.length > 0) await wish(desk, random.pick(desk.endpoints), random.pick(WISHES));
  }
}

async function wish(desk: Desk, endpoint: ReturnedEndpoint, what: EndpointWish): Promise<void> {
  const { scheduler } = desk;
  const asked_ms = scheduler.now_ms;
  const call: EndpointCall = { endpoint_id: endpoint.id, wish: what, asked_ms, done_ms: null };
  desk.endpoint_calls.push(call);
  const done = await asked(desk, `${what} of ${endpoint.id}`, (deps) => carryOut(desk, deps, endpoint, call));
  if (done) call.done_ms = scheduler.now_ms;
  if (done && what === 'delete') desk.endpoints = desk.endpoints.filter(({ id }) => id !== endpoint.id);
}

/** As the routes do it. Undefined: there is no such endpoint, or nothing to send again. */
async function carryOut(desk: Desk, deps: Deps, endpoint: ReturnedEndpoint, call: EndpointCall) {
  const by = onId(endpoint.wallet_id);
  switch (call.wish) {
    case 'ping':
      return sendTestEvent(deps, by, endpoint.id, PING);
    case 'enable':
    case 'disable':
      return changeEndpoint(deps, by, endpoint.id, { enabled: call.wish === 'enable' });
    case 'delete':
      return deleteEndpoint(deps, by, endpoint.id);
    case 'replay':
    case 'replay_all': {
      const since = new Date(deps.clock.now().getTime() - desk.random.integer(0, LONG_AGO_MS));
      return replay(deps, by, { id: endpoint.id, since, include_delivered: call.wish === 'replay_all' });
    }
    case 'rotate': {
      const rotated = await rotateSecret(deps, by, endpoint.id);
      if (rotated) call.signing_secret = rotated.signing_secret;
      return rotated;
    }
    case 'redeliver': {
      const page = { limit: SHOWN, before: undefined };
      const shown = await listDeliveries(deps.db, endpoint, { status: undefined }, page);
      if (shown.length === 0) return undefined;
      call.delivery_id = desk.random.pick(shown).id;
      return redeliver(deps, by, endpoint, call.delivery_id);
    }
  }
}

/** Everything is mended: what was disabled is enabled, and what was not acknowledged is sent again. */
export async function startAgain({ scheduler, endpoint_calls }: Desk, deps: Deps): Promise<void> {
  const endpoints = await deps.db
    .selectFrom('webhook_endpoints')
    .select(['id', 'wallet_id'])
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute();
  for (const endpoint of endpoints) {
    const call = { endpoint_id: endpoint.id, asked_ms: scheduler.now_ms, done_ms: null };
    endpoint_calls.push({ ...call, wish: 'enable' }, { ...call, wish: 'replay' });
    const by = onId(endpoint.wallet_id);
    await changeEndpoint(deps, by, endpoint.id, { enabled: true });
    await replay(deps, by, { id: endpoint.id, since: new Date(0), include_delivered: false });
  }
}
