/** The world as disasters see it. */
import type { Keypair } from '@stellar/stellar-sdk/base';
import type { Config } from '../../src/config.ts';
import type { Random } from '../support/random.ts';
import type { SimulatedAccounts } from './accounts.ts';
import type { SimDatabase } from './database.ts';
import type { Tally } from './faults.ts';
import type { Fleet } from './fleet.ts';
import type { NetworkFault } from './network-faults.ts';
import type { Receivers } from './receivers.ts';
import type { Owner, Scheduler } from './scheduler.ts';
import type { SimulatedNetwork } from './simulated-network.ts';

export type DisasterContext = {
  scheduler: Scheduler;
  world: Owner;
  random: Random;
  tally: Tally;
  network: SimulatedNetwork;
  database: SimDatabase;
  fleet: Fleet;
  accounts: SimulatedAccounts;
  /** What happens to every request of a process, or at a node, by its name. */
  standing: Map<string, NetworkFault>;
  /** Envelopes that processes sent, the newest last. */
  sent: string[];
  /** Hashes of what others signed with keys of ours. */
  foreign: string[];
  history: { restored: boolean };
  config: Config;
  receivers: Receivers;
  keyOf: (account: string) => Keypair | undefined;
  /** For every process that starts from now on. */
  payAnew(treasury_pays: Config['treasury_pays']): void;
};

export function pause(
  { scheduler, world, random }: DisasterContext,
  min_ms: number,
  max_ms: number,
): Promise<void> {
  return scheduler.sleep(world, random.integer(min_ms, max_ms));
}
