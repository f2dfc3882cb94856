import type { ServerResponse } from 'node:http';
import type { Clock } from '../clock.ts';
import type { NodeCondition, StellarNode } from '../node.ts';
import type { PageMemory } from './page-memory.ts';
import type { RequestKind, RpcCall } from './request-kind.ts';

/** A request that faults happen to. */
export type Incident = {
  kind: RequestKind;
  url: string;
  /** The JSON-RPC call, when it is a single one. */
  call: RpcCall | null;
  /** The envelope that Horizon was sent, as base64; '' when this is no such request. */
  envelope: string;
  /** The node as this request sees it. */
  node: StellarNode;
  /** The answer on its way out, for what HTTP frameworks do not do. */
  raw: ServerResponse;
  pages: PageMemory;
  clock: Clock;
  /** Aborts when the server stops. */
  stopping: AbortSignal;
};

export type Answer = { status: number; type: string; headers?: Record<string, string>; body: string };

/**
 * How a request ends: with another answer; on the wire with a `reset`, where the connection breaks, or with `silence`,
 * where it stays open and nothing comes any more; or `cut`, where half of an answer comes, announced as whole.
 */
export type Ending = Answer | { wire: 'reset' | 'silence' } | { cut: string };

/** What one kind of fault, with its parameters, does to a request. */
export type Behaviour = {
  /** Can it happen to such a request at all? */
  on(kind: RequestKind): boolean;
  /** Can it happen to this one? It waits for one that it can happen to. */
  ready?(incident: Incident): boolean;
  /** Nothing that was scripted after it can happen to the same request. */
  final: boolean;
  /** What the node is like for this request. */
  condition?(latestLedger: number): Partial<NodeCondition>;
  /** Before the request takes effect; null = it goes on. */
  before?(incident: Incident): Promise<Ending | null> | Ending | null;
  /** Once it has taken effect, with the body of its answer: gives the body to send, or the ending. */
  after?(incident: Incident, body: string): Promise<Ending | string> | Ending | string;
};
