/** What befalls receivers of webhooks, and all who wait for days. */
import { RECEIVER_FAULTS } from './receiver-faults.ts';
import { pause, type Weather } from './weather.ts';

const DAY_MS = 86_400_000;

/** Some of them do the same to every request, until somebody mends them. */
export async function receivers_ill(weather: Weather): Promise<void> {
  const { random, receivers } = weather;
  for (const url of [...receivers.urls].filter(() => random.chance(0.5)))
    receivers.ill.set(url, random.pick(RECEIVER_FAULTS));
  await pause(weather, 1_000, 60_000);
  receivers.ill.clear();
}

/** Nobody is there, and no ledger closes; receivers that were ill are ill still, and have failed for days. */
export async function days_pass(weather: Weather): Promise<void> {
  const { fleet, network, random, scheduler, receivers } = weather;
  fleet.held = true;
  for (const process of fleet.running) process.kill();
  network.network.halted = true;
  await pause(weather, 100, 5_000);
  const ill = [...receivers.ill];
  scheduler.skip(random.integer(4, 9) * DAY_MS);
  network.network.halted = false;
  fleet.held = false;
  await pause(weather, 1, 1_000); // who would have mended them has by now
  for (const [url, fault] of ill) receivers.ill.set(url, fault);
  await pause(weather, 1_000, 60_000);
  receivers.ill.clear();
}
