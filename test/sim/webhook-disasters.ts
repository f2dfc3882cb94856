/** What befalls receivers of webhooks, and all who wait for days. */
import { DAY_MS } from '../../src/lib/clock.ts';
import { type DisasterContext, pause } from './disaster-context.ts';
import { RECEIVER_FAULTS } from './receiver-faults.ts';

/** Some of them do the same to every request, until somebody mends them. */
export async function receivers_ill(context: DisasterContext): Promise<void> {
  const { random, receivers } = context;
  for (const url of [...receivers.urls].filter(() => random.chance(0.5)))
    receivers.ill.set(url, random.pick(RECEIVER_FAULTS));
  await pause(context, 1_000, 60_000);
  receivers.ill.clear();
}

/** No process runs, and no ledger closes. `end`: ends the processes that run. */
export async function aDayPasses(context: DisasterContext, end: () => Promise<void>): Promise<void> {
  const { fleet, network, scheduler } = context;
  fleet.held = true;
  await end();
  network.network.halted = true;
  await pause(context, 100, 1_000);
  scheduler.skip(DAY_MS);
  network.network.halted = false;
  fleet.held = false;
}

/** Nobody is there, and no ledger closes, but for a while each day; some receivers stay ill. */
export async function days_pass(context: DisasterContext): Promise<void> {
  const { fleet, random, receivers } = context;
  const ill = [...receivers.urls].filter(() => random.chance(0.4));
  const faults = new Map(ill.map((url) => [url, random.pick(RECEIVER_FAULTS)]));
  for (let days = random.pick([1, 3, 8]); days > 0; days--) {
    await aDayPasses(context, async () => {
      for (const process of fleet.running) process.kill();
    });
    await pause(context, 1, 1_000); // who would have mended them has by now
    for (const [url, fault] of faults) receivers.ill.set(url, fault);
    await pause(context, 1_000, 40_000);
  }
  receivers.ill.clear();
}
