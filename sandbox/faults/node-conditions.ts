import { z } from 'zod';
import type { NodeCondition } from '../node.ts';
import { UP_TO_DATE } from '../node.ts';
import { lagLedgers, ledgerSequence, nodeName, parsed, rpcVersion } from './script.ts';

/** The node of requests that name no node. */
export const MAIN_NODE = 'main';

const conditionSchema = z.strictObject({
  lag_ledgers: lagLedgers.default(UP_TO_DATE.lag_ledgers),
  oldest_ledger: ledgerSequence.default(UP_TO_DATE.oldest_ledger),
  rpc_like: rpcVersion.nullable().default(UP_TO_DATE.rpc_like),
});

/** The settings of a node. What is absent is as on a sound node. */
export type NodeConditionInput = z.input<typeof conditionSchema>;

/** The lasting condition of each node, by name. A node that was never set is sound. */
export class NodeConditions {
  readonly #conditions = new Map<string, z.output<typeof conditionSchema>>();

  /** @throws BadScript */
  set(name: string, input: unknown): void {
    this.#conditions.set(parsed(nodeName, name), parsed(conditionSchema, input));
  }

  of(name: string): NodeCondition {
    return { ...UP_TO_DATE, ...this.#conditions.get(name) };
  }

  list(): Record<string, NodeConditionInput> {
    return Object.fromEntries(this.#conditions);
  }

  clear(): void {
    this.#conditions.clear();
  }
}

/** The worse of the lasting condition of a node and the condition that a fault adds. */
export function worsened(condition: NodeCondition, by: Partial<NodeCondition>): NodeCondition {
  return {
    ...condition,
    ...by,
    lag_ledgers: Math.max(condition.lag_ledgers, by.lag_ledgers ?? 0),
    oldest_ledger: Math.max(condition.oldest_ledger, by.oldest_ledger ?? 0),
  };
}
