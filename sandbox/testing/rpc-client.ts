import type { Transaction, xdr } from '@stellar/stellar-sdk/base';
import { Account, Keypair, TransactionBuilder } from '@stellar/stellar-sdk/base';
import { Server } from '@stellar/stellar-sdk/rpc';
import { pino } from 'pino';
import type { Sandbox, SandboxOptions } from '../launch.ts';
import { startSandbox } from '../launch.ts';
import { SANDBOX_PASSPHRASE } from '../passphrase.ts';
import { UNIT } from './test-network.ts';

/** What a test, or a whole test file, lets run at its end. */
export type Ending = { after(stop: () => Promise<void>): void };

/**
 * A sandbox over HTTP, in memory, whose ledgers close by closeLedger(), with the SDK's client. Stops with the test.
 */
export async function sandboxFor(t: Ending, options: Partial<SandboxOptions> = {}) {
  const log = pino({ level: 'silent' });
  const sandbox = await startSandbox({ port: 0, dir: null, close_ms: 0, log, ...options });
  t.after(() => sandbox.stop());
  return { sandbox, server: new Server(sandbox.rpc_url, { allowHttp: true }) };
}

/** Funds new accounts by friendbot, all in one ledger. */
export async function fund(sandbox: Sandbox, count: number): Promise<Keypair[]> {
  const keys = Array.from({ length: count }, () => Keypair.random());
  const answers = keys.map((key) => fetch(`${sandbox.friendbot_url}?addr=${key.publicKey()}`));
  await closeUntilAnswered(sandbox, Promise.all(answers));
  return keys;
}

/** Closes ledgers until the promise has resolved or rejected, because requests take real time to reach the server. */
export async function closeUntilAnswered<T>(sandbox: Sandbox, promise: Promise<T>): Promise<T> {
  let isOver = false;
  const done = promise.finally(() => {
    isOver = true;
  });
  done.catch(() => {});
  while (!isOver) {
    sandbox.closeLedger();
    await new Promise((resolve) => setImmediate(resolve));
  }
  return await done;
}

export async function signed(
  server: Server,
  source: Keypair,
  operations: xdr.Operation[],
  fee = '100',
): Promise<Transaction> {
  const { seqNum } = await server.getAccountEntry(source.publicKey());
  const account = new Account(source.publicKey(), seqNum.toString());
  const builder = new TransactionBuilder(account, { fee, networkPassphrase: SANDBOX_PASSPHRASE });
  for (const operation of operations) builder.addOperation(operation);
  const transaction = builder.setTimeout(0).build();
  transaction.sign(source);
  return transaction;
}

/** One JSON-RPC call over HTTP. */
export async function call(sandbox: Sandbox, body: string | object, contentType = 'application/json') {
  const response = await fetch(sandbox.rpc_url, {
    method: 'POST',
    headers: { 'content-type': contentType },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await response.text();
  return {
    status: response.status,
    text,
    json: response.headers.get('content-type')?.startsWith('application/json') ? JSON.parse(text) : null,
  };
}

export const FRIENDBOT_STROOPS = 10_000n * UNIT;
