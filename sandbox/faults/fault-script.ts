import type { Behaviour, Incident } from './behaviour.ts';
import { behaviourOf } from './behaviours.ts';
import { seededRandom } from './random.ts';
import type { Fault } from './script.ts';
import { BadScript, parsed, scriptSchema } from './script.ts';

/** A scripted fault with its counters. */
export type ScriptedFault = Fault & {
  id: number;
  /** Requests that the fault could have affected. */
  matched: number;
  /** Requests that the fault did affect. */
  struck: number;
  /** How often the fault can still happen; null = without limit. */
  left: number | null;
};

type Entry = {
  id: number;
  fault: Fault;
  behaviour: Behaviour;
  draw: () => number;
  matched: number;
  struck: number;
};

/**
 * The scripted faults, in the order added. The decision whether a fault affects a request is made when the request
 * arrives, by counters and by one seeded generator for each fault. So the same requests in the same order meet the
 * same faults.
 */
export class FaultScript {
  readonly seed: number;
  #entries: Entry[] = [];
  #added = 0;

  constructor(seed: number) {
    this.seed = seed;
  }

  /**
   * Adds the whole script, or nothing.
   * @throws BadScript
   */
  add(input: unknown): ScriptedFault[] {
    const { seed = this.seed, faults } = parsed(scriptSchema, input);
    const behaviours = faults.map(behaviourOf);
    const errors = faults.flatMap((fault, index) => {
      const happens = fault.on === '*' || (behaviours[index] as Behaviour).on(fault.on);
      const message = `${fault.kind} cannot happen to ${fault.on}`;
      return happens ? [] : [{ field: `faults.${index}.on`, message }];
    });
    if (errors.length > 0) throw new BadScript(errors);
    const entries = faults.map((fault, index) => {
      const id = ++this.#added;
      const draw = seededRandom(seed, id.toString());
      return { id, fault, behaviour: behaviours[index] as Behaviour, draw, matched: 0, struck: 0 };
    });
    this.#entries.push(...entries);
    return entries.map(describe);
  }

  list(): ScriptedFault[] {
    return this.#entries.map(describe);
  }

  /** @returns whether there was a fault with this id */
  remove(id: number): boolean {
    const before = this.#entries.length;
    this.#entries = this.#entries.filter((entry) => entry.id !== id);
    return this.#entries.length < before;
  }

  /** Removes all faults. Ids and random numbers start again. */
  clear(): void {
    this.#entries = [];
    this.#added = 0;
  }

  /** The faults that affect a request at this node, in the order added. */
  strike(incident: Incident, node: string): ScriptedStrike[] {
    const strikes: ScriptedStrike[] = [];
    for (const entry of this.#entries) {
      if (!strikes.at(-1)?.behaviour.final && isStruck(entry, incident, node)) strikes.push(entry);
    }
    return strikes;
  }
}

type ScriptedStrike = { id: number; fault: Fault; behaviour: Behaviour };

function isStruck(entry: Entry, incident: Incident, node: string): boolean {
  const { fault, behaviour } = entry;
  if (leftOf(entry) === 0) return false;
  if (fault.node !== null && fault.node !== node) return false;
  if (fault.on === '*' ? !behaviour.on(incident.kind) : fault.on !== incident.kind) return false;
  if (behaviour.ready?.(incident) === false) return false;
  entry.matched++;
  if (entry.matched <= fault.skip) return false;
  // Draws a number for every request. So the result depends on how many requests came before, not on which of them
  // were affected.
  if (entry.draw() >= fault.probability) return false;
  entry.struck++;
  return true;
}

function leftOf({ fault, struck }: Entry): number | null {
  return fault.times === null ? null : fault.times - struck;
}

function describe(entry: Entry): ScriptedFault {
  const { id, fault, matched, struck } = entry;
  return { id, ...fault, matched, struck, left: leftOf(entry) };
}
