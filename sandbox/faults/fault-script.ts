import type { Behaviour, Incident } from './behaviour.ts';
import { behaviourOf } from './behaviours.ts';
import { seededRandom } from './random.ts';
import type { Fault } from './script.ts';
import { BadScript, parsed, scriptSchema } from './script.ts';

/** A fault, and what has become of it. */
export type ScriptedFault = Fault & {
  id: number;
  /** Requests that it could have happened to. */
  matched: number;
  /** Requests that it did happen to. */
  struck: number;
  /** How often it can still happen; null = without end. */
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
 * The faults that are scripted, in the order added. Which of them happen to a request is decided the moment it comes,
 * by counts and by a seeded generator for each fault: the same requests in the same order meet the same faults.
 */
export class FaultScript {
  readonly seed: number;
  #entries: Entry[] = [];
  #added = 0;

  constructor(seed: number) {
    this.seed = seed;
  }

  /**
   * All of the script, or nothing.
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

  /** Whether there was one of this id. */
  remove(id: number): boolean {
    const before = this.#entries.length;
    this.#entries = this.#entries.filter((entry) => entry.id !== id);
    return this.#entries.length < before;
  }

  /** Ids, and with them what is drawn, begin anew. */
  clear(): void {
    this.#entries = [];
    this.#added = 0;
  }

  /** What happens to a request at this node, in the order added. */
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
  // A draw for every request, so that how many came before decides it, not how they were hit.
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
