/**
 * Runs a small scenario once without a fault, and counts the gates that its processes pass. Then runs it again for each
 * gate: the gate fails before its effect or after it, or the process is killed before or after it.
 */
import type { EngineDeps } from '../../src/withdrawals/engine/hooks.ts';
import { type Choice, type Fault, type Faults, type GateKind, Tally } from './faults.ts';
import type { Owner } from './scheduler.ts';
import {
  openSimulation,
  type Report,
  type SimulatedService,
  type SimulationSetting,
} from './simulated-service.ts';
import { passTimeDuring, untilQuiet } from './simulation.ts';

export type Scenario = {
  name: string;
  setting: Omit<SimulationSetting, 'seed' | 'tally' | 'print' | 'faults'>;
  /** Ends when each thing of the scenario has come to its end, whatever went wrong. */
  play(world: SimulatedService): Promise<void>;
};

/** For scenarios of one part of the service; each says what else it needs. */
export const SMALLEST = {
  env: {},
  nodes: 1,
  wallets: 1,
  unborn: 0,
  channels: 0,
  teams: false,
  processes: 1,
  skewed: false,
  fair: false,
};

/** Past all gates: for what is no part of the scenario, like what owners ask for. */
export function pastAllGates<T>(
  { office, scheduler, world, database }: SimulatedService,
  work: (deps: EngineDeps) => Promise<T>,
): Promise<T> {
  return scheduler.turn(world, () => work({ ...office.deps, db: database.direct() }));
}

export type Variant = { gate: number; how: 'fail before' | 'fail after' | 'kill before' | 'kill after' };

/** Strikes once, at one gate. */
class Planned implements Faults {
  /** The kinds of the gates that the run has passed, in their order. */
  readonly passed: GateKind[] = [];
  struck = false;
  readonly #variant: Variant | null;

  constructor(variant: Variant | null) {
    this.#variant = variant;
  }

  choose<F extends Fault>(_owner: Owner, kind: GateKind, candidates: readonly F[]): Choice<F> {
    this.passed.push(kind);
    if (this.#variant?.gate !== this.passed.length) return null;
    this.struck = true;
    const [what, at] = this.#variant.how.split(' ') as ['fail' | 'kill', Fault['at']];
    if (what === 'kill') return { kill: at };
    const fault = candidates.find((candidate) => candidate.at === at);
    return fault ? { fault } : null;
  }
}

/** A connection cannot fail after it has been had: that is the next gate. */
export function variantsOf(gates: GateKind[]): Variant[] {
  return gates.flatMap((kind, index) => {
    const hows: Variant['how'][] =
      kind === 'connect'
        ? ['fail before', 'kill before']
        : ['fail before', 'fail after', 'kill before', 'kill after'];
    return hows.map((how) => ({ gate: index + 1, how }));
  });
}

/** The scenario, with one thing going wrong or none. Gives the gates up to when all of it had been told. */
export async function tell(
  { name, setting, play }: Scenario,
  variant: Variant | null,
  print: ((line: string) => void) | null = null,
): Promise<Report & { gates: GateKind[]; struck: boolean }> {
  const planned = new Planned(variant);
  const world = await openSimulation({
    seed: `a story of ${name}`,
    tally: new Tally(),
    print,
    faults: planned,
    ...setting,
  });
  try {
    const told = play(world);
    let gates = 0;
    void told.then(() => {
      gates = planned.passed.length;
    });
    await untilQuiet(world, told);
    if (setting.roles.includes('ingester')) {
      await passTimeDuring(world, world.compareBooks());
      await passTimeDuring(world, world.listAssets());
    }
    if (setting.roles.includes('payouts')) await passTimeDuring(world, world.showPayouts());
    return { ...(await world.report()), gates: planned.passed.slice(0, gates), struck: planned.struck };
  } finally {
    await world.close();
  }
}

/** Every way in which it can go wrong once; and what is wrong when nothing does. */
export async function variantsOfScenario(
  scenario: Scenario,
): Promise<{ variants: Variant[]; violations: string[] }> {
  const { gates, violations } = await tell(scenario, null);
  const found = violations.map((violation) => `${scenario.name} without a fault: ${violation}`);
  return { variants: variantsOf(gates), violations: found };
}

/** What is wrong after it. A gate that was never reached is a violation: the scenario would not be the same. */
export async function violationsOfVariant(scenario: Scenario, variant: Variant): Promise<string[]> {
  const { violations, struck } = await tell(scenario, variant);
  const found = struck ? violations : ['this gate was never reached', ...violations];
  return found.map((violation) => `${scenario.name}, ${variant.how} gate ${variant.gate}: ${violation}`);
}
