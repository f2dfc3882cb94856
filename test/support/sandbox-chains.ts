/** The service's own chain over the nodes of a sandbox that faults can be scripted in. */
import type { TestContext } from 'node:test';
import { faultySandboxFor } from '../../sandbox/testing/faulty-sandbox.ts';
import type { Clock } from '../../src/lib/clock.ts';
import { createLog } from '../../src/lib/log.ts';
import { createMetrics } from '../../src/lib/metrics.ts';
import { createStellar } from '../../src/stellar/sources/create-stellar.ts';

const log = createLog('silent', false);

type FaultySandbox = Awaited<ReturnType<typeof faultySandboxFor>>;
/** As it is written for the sandbox. */
export type Fault = Parameters<FaultySandbox['faults']['add']>[0];
type Urls = { rpc?: string[]; horizon?: string[] };

/** The chain over these nodes of the sandbox (`main` is the whole network). */
function chainOver(
  t: TestContext,
  { sandbox, clock }: { sandbox: FaultySandbox['sandbox']; clock: Clock },
  { rpc = [], horizon = [] }: Urls,
) {
  const metrics = createMetrics();
  const stellar = createStellar({
    rpc_urls: rpc.map((node) => `${sandbox.url}nodes/${node}/rpc`),
    horizon_urls: horizon.map((node) => `${sandbox.url}nodes/${node}`),
    passphrase: sandbox.passphrase,
    clock,
    log,
    metrics,
  });
  t.after(() => stellar.close());
  const requests = () => counted(metrics.network_requests);
  const unusable = () => counted(metrics.unusable_answers);
  return { stellar, requests, unusable };
}

type Counter = ReturnType<typeof createMetrics>['network_requests'];

async function counted(counter: Counter): Promise<Record<string, number>> {
  const { values } = await counter.get();
  return Object.fromEntries(values.map(({ labels, value }) => [`${labels.method}`, value]));
}

/** One node of either kind. */
export const KINDS: ['RPC' | 'Horizon', Urls][] = [
  ['RPC', { rpc: ['a'] }],
  ['Horizon', { horizon: ['a'] }],
];

/**
 * `over` gives the chain over nodes by their names, and what it has counted. `overPassingTime` likewise: whatever it waits for
 * comes at once, and the clock has moved by the wait.
 */
export async function sandboxChains(t: TestContext) {
  const world = await faultySandboxFor(t);
  const { sandbox, clock } = world;
  const passing: Clock = { now: () => clock.now(), sleep: (ms) => clock.advance(ms) };
  return {
    ...world,
    over: (urls: Urls) => chainOver(t, world, urls),
    overPassingTime: (urls: Urls) => chainOver(t, { sandbox, clock: passing }, urls),
  };
}
