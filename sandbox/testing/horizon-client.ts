import type { TestContext } from 'node:test';
import type { Keypair, Memo, Transaction, xdr } from '@stellar/stellar-sdk';
import { Horizon, TransactionBuilder } from '@stellar/stellar-sdk';
import type { Sandbox, SandboxOptions } from '../launch.ts';
import { SANDBOX_PASSPHRASE } from '../passphrase.ts';
import { closeUntilAnswered, sandboxFor } from './rpc-client.ts';

/** A sandbox as from `sandboxFor`, with the SDK's client for Horizon. */
export async function horizonFor(t: TestContext, options: Partial<SandboxOptions> = {}) {
  const { sandbox } = await sandboxFor(t, options);
  const url = `http://127.0.0.1:${sandbox.port}`;
  return { sandbox, url, horizon: new Horizon.Server(url, { allowHttp: true }) };
}

type Build = { memo?: Memo; signers?: Keypair[]; fee?: string };

/** A transaction with the next sequence number of the account, read through the client. */
export async function built(
  horizon: Horizon.Server,
  source: Keypair,
  operations: xdr.Operation[],
  { memo, signers = [source], fee = '100' }: Build = {},
): Promise<Transaction> {
  const account = await horizon.loadAccount(source.publicKey());
  const builder = new TransactionBuilder(account, { fee, networkPassphrase: SANDBOX_PASSPHRASE });
  for (const operation of operations) builder.addOperation(operation);
  if (memo !== undefined) builder.addMemo(memo);
  const transaction = builder.setTimeout(0).build();
  for (const signer of signers) transaction.sign(signer);
  return transaction;
}

/** Submits, and closes ledgers until there is an answer. */
export function submitted(
  sandbox: Sandbox,
  horizon: Horizon.Server,
  transaction: Parameters<Horizon.Server['submitTransaction']>[0],
) {
  return closeUntilAnswered(sandbox, horizon.submitTransaction(transaction, { skipMemoRequiredCheck: true }));
}

/** A GET request over HTTP. */
export async function get(url: string, headers: Record<string, string> = {}) {
  const response = await fetch(url, { headers });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : null };
}

export function postForm(url: string, body: string, contentType = 'application/x-www-form-urlencoded') {
  return fetch(url, { method: 'POST', headers: { 'content-type': contentType }, body });
}
