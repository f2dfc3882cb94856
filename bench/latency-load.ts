/** The load of the latency bench: payments of outsiders to deposit addresses, and withdrawals, at a steady rate. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Account, Asset, Keypair, Operation, TransactionBuilder } from '@stellar/stellar-sdk/base';
import { Pool } from 'undici';
import { fromJson } from '../test/support/api.ts';
import { type Ledger, openLedger } from '../test/support/ledger.ts';
import { nowMs } from './measure.ts';

const CREATED_AT_ONCE = 50;
const FEE = '1000';

/** Envelopes of payers, each of them for one ledger: `rounds` of them, one payment of every payer in each. */
export type Payments = { rounds: string[][] };

/** Makes the payers and signs everything before the measurement. Each payer has one payment in a ledger, as the network asks. */
export async function preparePayments(
  rpc_url: string,
  { payers, rounds, addresses }: { payers: number; rounds: number; addresses: string[] },
): Promise<Payments> {
  const ledger = await openLedger(rpc_url);
  const keys = Array.from({ length: payers }, () => Keypair.random());
  for (let from = 0; from < payers; from += CREATED_AT_ONCE) {
    const operations = keys
      .slice(from, from + CREATED_AT_ONCE)
      .map((key) => Operation.createAccount({ destination: key.publicKey(), startingBalance: '1000' }));
    await ledger.apply(ledger.root, operations);
  }
  const accounts = await Promise.all(keys.map((key) => accountOf(ledger, key)));
  const sign = (index: number) => {
    const key = keys[index] as Keypair;
    const destination = addresses[index % addresses.length] as string;
    const builder = new TransactionBuilder(accounts[index] as Account, {
      fee: FEE,
      networkPassphrase: ledger.passphrase,
    });
    builder.addOperation(Operation.payment({ destination, asset: Asset.native(), amount: '1' }));
    const transaction = builder.setTimeout(0).build();
    transaction.sign(key);
    return Buffer.from(transaction.toEnvelope().toXdr()).toString('base64');
  };
  return { rounds: Array.from({ length: rounds }, () => keys.map((_, index) => sign(index))) };
}

async function accountOf(ledger: Ledger, key: Keypair): Promise<Account> {
  const found = await ledger.account(key.publicKey());
  return new Account(key.publicKey(), `${found?.sequence}`);
}

/** Sends one round over `ms` milliseconds. @throws Error when the network refuses one: a payment less would look like less load */
export async function payRound(rpc: Pool, path: string, round: string[], ms: number): Promise<void> {
  const began = nowMs();
  await Promise.all(
    round.map(async (transaction, index) => {
      await sleep(Math.max(0, began + (index * ms) / round.length - nowMs()));
      const { status } = await ask(rpc, path, 'sendTransaction', { transaction });
      if (status !== 'PENDING') throw new Error(`a payment was refused: ${status}`);
    }),
  );
}

export async function ask(rpc: Pool, path: string, method: string, params?: object): Promise<any> {
  const { body } = await rpc.request({
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const { result, error } = (await body.json()) as any;
  if (error) throw new Error(`${method}: ${error.message}`);
  return result;
}

export type Withdrawing = { url: string; token: string; wallet_id: string; destination: string };
export type Answered = { ledger: number; answered_ms: number };

/** Requests `a_second` withdrawals a second for `seconds`. @throws Error when one is not confirmed */
export async function withdrawSteadily(
  { url, token, wallet_id, destination }: Withdrawing,
  { a_second, seconds }: { a_second: number; seconds: number },
): Promise<Answered[]> {
  const pool = new Pool(url, { connections: 200, headersTimeout: 0 });
  const began = nowMs();
  const withdraw = async (_: unknown, index: number): Promise<Answered> => {
    await sleep(Math.max(0, began + (index * 1_000) / a_second - nowMs()));
    const response = await pool.request({
      method: 'POST',
      path: `/v1/wallets/${wallet_id}/withdraw`,
      headers: {
        authorization: `Bearer ${token}`,
        'idempotency-key': `latency-${began}-${index}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ destination, amount_stroops: 1_000 }),
    });
    const text = await response.body.text();
    const answered_ms = nowMs();
    const { data } = fromJson(text) as any;
    if (data?.status !== 'confirmed') throw new Error(`a withdrawal was not confirmed: ${text}`);
    return { ledger: Number(data.ledger), answered_ms };
  };
  try {
    return await Promise.all(Array.from({ length: a_second * seconds }, withdraw));
  } finally {
    await pool.close();
  }
}
