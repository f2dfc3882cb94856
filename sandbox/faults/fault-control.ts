import type { Network } from '../network.ts';
import type { ScriptedFault } from './fault-script.ts';
import { FaultScript } from './fault-script.ts';
import { HeldConnections } from './held-connections.ts';
import { LastPages } from './last-pages.ts';
import { NetworkFaults } from './network-faults.ts';
import type { NodeConditionInput } from './node-conditions.ts';
import { NodeConditions } from './node-conditions.ts';
import type { FaultInput, ScriptInput } from './script.ts';

/** Everything that can be made to fail, for code in this process. The admin endpoints offer the same. */
export class FaultControl {
  readonly script: FaultScript;
  readonly network: NetworkFaults;
  readonly nodes = new NodeConditions();
  readonly held = new HeldConnections();
  readonly pages = new LastPages();

  constructor(network: Network, seed: number) {
    this.script = new FaultScript(seed);
    this.network = new NetworkFaults(network);
  }

  /**
   * Adds one fault, several faults, or a script with its own seed. Adds all of them or none.
   * @throws BadScript naming the fields that are wrong
   */
  add(input: FaultInput | FaultInput[] | ScriptInput): ScriptedFault[] {
    return this.script.add(toScript(input));
  }

  list(): ScriptedFault[] {
    return this.script.list();
  }

  /** @returns whether there was a fault with this id */
  remove(id: number): boolean {
    return this.script.remove(id);
  }

  /** Removes all faults, makes every node sound, and ends held connections. Does not change the network. */
  clear(): void {
    this.script.clear();
    this.nodes.clear();
    this.pages.clear();
    this.held.release();
  }

  /** Ends the held connections without an answer. @returns how many there were */
  release(): number {
    return this.held.release();
  }

  /**
   * Sets the condition of a node until it is set again. `node` is `main`, or any name of the form /nodes/NAME.
   * @throws BadScript
   */
  setNode(name: string, condition: NodeConditionInput): void {
    this.nodes.set(name, condition);
  }

  state() {
    return {
      seed: this.script.seed,
      faults: this.list(),
      nodes: this.nodes.list(),
      network: this.network.state(),
      held_connections: this.held.count,
    };
  }
}

function toScript(input: FaultInput | FaultInput[] | ScriptInput): unknown {
  if (Array.isArray(input)) return { faults: input };
  return typeof input === 'object' && input !== null && 'faults' in input ? input : { faults: [input] };
}
