/**
 * A small story (two withdrawals of one wallet, on its own account and on a channel, fee-bumped because others bid more),
 * told once without a fault to count the gates that its processes pass, then again for each gate: failed
 * before its effect, failed after it, and the process killed before and after it.
 */
import { Operation } from '@stellar/stellar-sdk/base';
import type { Random } from '../support/random.ts';
import { ask, newOrder } from './clients.ts';
import { type Choice, type Fault, type Faults, type GateKind, Tally } from './faults.ts';
import type { Owner } from './scheduler.ts';
import { settleDown } from './simulation.ts';
import { openWorld, type Report, type World } from './world.ts';

export type Variant = { gate: number; how: 'fail before' | 'fail after' | 'kill before' | 'kill after' };

/** Strikes once, at one gate. */
class Planned implements Faults {
  /** Of which kind the gates were that have been passed so far. */
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

/** The story, with one thing going wrong or none. Gives the gates up to when everything was decided. */
export async function tell(
  variant: Variant | null,
  print: ((line: string) => void) | null = null,
): Promise<Report & { gates: GateKind[]; struck: boolean }> {
  const planned = new Planned(variant);
  const world = await openWorld({
    ...{ seed: 'a short story', tally: new Tally(), print, faults: planned },
    env: { CHANNELS_MAX: '0', WITHDRAW_VALID_SECONDS: '30', WITHDRAW_WAIT_SECONDS: '60' },
    ...{ nodes: 2, wallets: 1, unborn: 0, channels: 1, processes: 1, skewed: false, roles: ['settler'] },
  });
  try {
    const { desk, scheduler } = world;
    crowd(world);
    const insist = async (random: Random) => {
      const order = newOrder({ ...desk, random }, ['plain', 'memo'], desk.serial++);
      for (let tries = 0; tries < 10; tries++) {
        const answer = await ask(desk, order);
        if (answer && answer.status < 500 && answer.code !== 'idempotency_key_in_flight') return;
        await scheduler.sleep(world.world, 3_000);
      }
    };
    const told = Promise.all([insist(world.random.fork('one')), insist(world.random.fork('two'))]);
    let gates = 0;
    void told.then(() => {
      gates = planned.passed.length;
    });
    await settleDown(world, told);
    return { ...(await world.report()), gates: planned.passed.slice(0, gates), struck: planned.struck };
  } finally {
    await world.close();
  }
}

/** Four ledgers in which others bid more than we do at first, so that a fee-bump is called for. */
function crowd({ network, stage }: World): void {
  network.network.maxOperations = 4;
  let ledgers = 4;
  network.beforeClose = () => {
    if (ledgers-- === 0) network.network.maxOperations = 1000;
    if (ledgers < 0) return;
    for (const rival of stage.rivals) {
      network.submit(
        network.build(rival, { operations: [Operation.bumpSequence({ bumpTo: '0' })] }, { fee: '1500' }),
      );
    }
  };
}

/** All variants. Those that did not come to their gate are violations: the story would not be the same. */
export async function tellAll(
  progress: (done: number, of: number) => void,
  every = 1,
): Promise<{ gates: number; variants: number; violations: string[] }> {
  const plain = await tell(null);
  const variants = variantsOf(plain.gates).filter((_, index) => index % every === 0);
  const violations = plain.violations.map((violation) => `without a fault: ${violation}`);
  for (const [index, variant] of variants.entries()) {
    const { violations: found, struck } = await tell(variant);
    const name = `${variant.how} gate ${variant.gate}`;
    if (!struck) violations.push(`${name}: never came there`);
    violations.push(...found.map((violation) => `${name}: ${violation}`));
    progress(index + 1, variants.length);
  }
  return { gates: plain.gates.length, variants: variants.length, violations };
}
