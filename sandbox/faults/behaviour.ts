import type { ServerResponse } from 'node:http';
import type { Clock } from '../clock.ts';
import type { NodeCondition, StellarNode } from '../node.ts';
import type { LastPages } from './last-pages.ts';
import type { RequestKind, RpcCall } from './request-kind.ts';

/** A request that faults can affect. */
export type Incident = {
  kind: RequestKind;
  url: string;
  /** The JSON-RPC call when the body is a single call, else null. */
  call: RpcCall | null;
  /** The envelope that was sent to Horizon, as base64; '' for any other request. */
  envelope: string;
  /** The node as this request sees it: with the conditions that faults add. */
  node: StellarNode;
  /** The raw response, for effects that an HTTP framework does not offer. */
  raw: ServerResponse;
  pages: LastPages;
  clock: Clock;
  /** Aborts when the server stops. */
  stopping: AbortSignal;
};

export type Answer = { status: number; type: string; headers?: Record<string, string>; body: string };

/**
 * How a faulty request ends. An Answer replaces the normal answer. `reset` breaks the connection. `silence` keeps
 * it open and sends nothing more. `cut` sends half of an answer that was announced in full.
 */
export type Ending = Answer | { wire: 'reset' | 'silence' } | { cut: string };

/** What one kind of fault, with its parameters, does to a request. */
export type Behaviour = {
  /** Whether this kind of request can be affected. */
  on(kind: RequestKind): boolean;
  /** Whether this request can be affected now. If not, the fault waits for a later request. */
  ready?(incident: Incident): boolean;
  /** True: no fault that was scripted later affects the same request. */
  final: boolean;
  /** The condition of the node for this request. */
  condition?(latestLedger: number): Partial<NodeCondition>;
  /** Runs before the request takes effect. Null = the request continues. */
  before?(incident: Incident): Promise<Ending | null> | Ending | null;
  /** Runs after the request took effect, with the body of the answer. Returns the body to send, or the ending. */
  after?(incident: Incident, body: string): Promise<Ending | string> | Ending | string;
};
