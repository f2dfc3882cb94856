import type { NodeCondition } from '../../node.ts';
import type { RpcVersion } from '../../rpc/versions.ts';
import type { Behaviour } from '../behaviour.ts';
import type { RequestKind } from '../request-kind.ts';

/** The answer comes from a node that has not seen the newest ledgers. */
export function stale(lag_ledgers: number): Behaviour {
  return conditioned(() => ({ lag_ledgers }));
}

/** The answer comes from a node whose history starts at a ledger, or which keeps only the last ledgers. */
export function pruned(oldest_ledger: number | null, last_ledgers: number | null): Behaviour {
  return conditioned((latest) => ({
    oldest_ledger: Math.max(oldest_ledger ?? 1, last_ledgers === null ? 1 : latest - last_ledgers + 1),
  }));
}

/** The node says that it belongs to another network. Its data and its submissions are unchanged. */
export function wrongNetwork(passphrase: string): Behaviour {
  const tells: readonly RequestKind[] = ['getNetwork', 'horizon:root'];
  return { ...conditioned(() => ({ passphrase })), on: (kind) => tells.includes(kind) };
}

/** The node answers as this version of stellar-rpc. Horizon is unchanged. */
export function rpcLike(version: RpcVersion): Behaviour {
  return { ...conditioned(() => ({ rpc_like: version })), on: isRpc };
}

function isRpc(kind: RequestKind): boolean {
  return kind !== 'friendbot' && !kind.startsWith('horizon:');
}

function conditioned(condition: (latestLedger: number) => Partial<NodeCondition>): Behaviour {
  return { final: false, on: (kind) => kind !== 'friendbot', condition };
}
