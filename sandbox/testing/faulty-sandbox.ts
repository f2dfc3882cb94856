import type { TestContext } from 'node:test';
import type { Keypair, Transaction } from '@stellar/stellar-sdk/base';
import { Server } from '@stellar/stellar-sdk/rpc';
import type { FaultControl } from '../faults/fault-control.ts';
import type { Sandbox, SandboxOptions } from '../launch.ts';
import { ManualClock } from './manual-clock.ts';
import { fund, sandboxFor, signed } from './rpc-client.ts';
import { pay, START_S } from './test-network.ts';

/** A sandbox with faults, a clock that stands still, and two funded accounts. */
export async function faultySandboxFor(t: TestContext, options: Partial<SandboxOptions> = {}) {
  const clock = new ManualClock(START_S);
  const { sandbox, server } = await sandboxFor(t, { faults: true, clock, ...options });
  const faults = faultsOf(sandbox);
  const [from, to] = (await fund(sandbox, 2)) as [Keypair, Keypair];
  const balanceOf = async (key: Keypair) => (await server.getAccountEntry(key.publicKey())).balance;
  const payment = (stroops = 1n): Promise<Transaction> => signed(server, from, [pay(to, stroops)]);
  return { sandbox, server, faults, clock, from, to, balanceOf, payment };
}

export function faultsOf(sandbox: Sandbox): FaultControl {
  if (sandbox.faults === null) throw new Error('faults are off');
  return sandbox.faults;
}

/** The network as one of its nodes shows it. */
export function serverAt(sandbox: Sandbox, node: string): Server {
  return new Server(`http://127.0.0.1:${sandbox.port}/nodes/${node}/rpc`, { allowHttp: true });
}

export async function admin(sandbox: Sandbox, method: string, path: string, body?: unknown, type?: string) {
  const response = await fetch(`http://127.0.0.1:${sandbox.port}${path}`, {
    method,
    headers: body === undefined ? {} : { 'content-type': type ?? 'application/json' },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, json: text.startsWith('{') ? JSON.parse(text) : null };
}

export function envelopeOf(transaction: Transaction): string {
  return transaction.toEnvelope().toXdr('base64');
}

export function hashOf(transaction: Transaction): string {
  return Buffer.from(transaction.hash()).toString('hex');
}

/** Horizon's POST /transactions, or another form request. */
export function postForm(sandbox: Sandbox, path: string, fields: Record<string, string>): Promise<Response> {
  return fetch(`http://127.0.0.1:${sandbox.port}${path}`, {
    method: 'POST',
    body: new URLSearchParams(fields),
  });
}
