/** The TypeScript client on the real service, through connections that are cut: clients/cases/retries.json. */
import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { TellerClient, type TellerError } from '../../clients/typescript/src/index.ts';
import { eventually } from '../support/eventually.ts';
import { startRunningService, unique, type Wallet } from '../support/running-service.ts';
import { readCases } from './cases.ts';
import { type CuttingProxy, type Step, startCuttingProxy } from './cutting-proxy.ts';

type Case = {
  name: string;
  call: 'withdraw' | 'withdraw_and_wait' | 'list_addresses' | 'create_address' | 'audit_csv';
  proxy: Step[];
  expected: {
    status?: string;
    ok?: true;
    kind?: string;
    code?: string;
    payments?: number;
    addresses?: number;
    connections?: number;
    connections_at_least?: number;
    waited_at_least_ms?: number;
  };
};

const world = await startRunningService();
after(() => world.stop());
const payee = await world.newWallet();

suite('a client and cut connections', { concurrency: 8 }, () => {
  for (const entry of readCases<{ cases: Case[] }>('retries').cases)
    test(entry.name, async () => {
      const wallet = await world.newWallet();
      const proxy = await startCuttingProxy(world.service.url, entry.proxy);
      try {
        await check(entry, wallet, proxy);
      } finally {
        await proxy.close();
      }
    });
});

async function check({ call, expected }: Case, wallet: Wallet, proxy: CuttingProxy): Promise<void> {
  const client = new TellerClient({ base_url: proxy.url, token: world.token });
  const idempotency_key = unique('cut');
  const began_at = performance.now();
  const result: unknown = await calls(client, wallet, idempotency_key)
    [call]()
    .catch((error) => error);
  const waited_ms = performance.now() - began_at;

  if (expected.kind) {
    assert.equal((result as Error).name, expected.kind, String(result));
    if (expected.code) assert.equal((result as { code?: string }).code, expected.code);
    if (call === 'withdraw') assert.equal((result as TellerError).idempotency_key, idempotency_key);
  } else if (expected.status)
    assert.equal((result as { status?: string }).status, expected.status, String(result));
  else assert.ok(!(result instanceof Error), String(result));

  if (expected.connections !== undefined) assert.equal(proxy.connections(), expected.connections);
  assert.ok(proxy.connections() >= (expected.connections_at_least ?? 1));
  assert.ok(waited_ms >= (expected.waited_at_least_ms ?? 0), `${waited_ms} ms`);
  const keys = new Set([...proxy.sent().matchAll(/^idempotency-key: (.*)\r$/gim)].map(([, key]) => key));
  assert.ok(keys.size <= 1, 'a call has one key');
  if (call.startsWith('withdraw'))
    assert.deepEqual([...keys], keys.size === 0 ? [] : [idempotency_key], 'the client makes no other key');
  if (expected.payments !== undefined) await checkPayments(wallet, idempotency_key, expected.payments);
  if (expected.addresses !== undefined) {
    const { body } = await world.api('GET', `/v1/wallets/${wallet.id}/addresses`, { token: wallet.api_key });
    assert.equal(body.data.items.length, expected.addresses);
  }
}

function calls(client: TellerClient, { id }: Wallet, idempotency_key: string) {
  const order = { idempotency_key, destination: payee.account, amount_stroops: 10_000_000n };
  return {
    withdraw: () => client.withdrawals.withdraw(id, order),
    withdraw_and_wait: () => client.withdrawals.withdrawAndWait(id, order),
    list_addresses: () => client.addresses.list(id).first(),
    audit_csv: () => client.audit.csv().text(),
    create_address: () => client.addresses.create(id, { label: 'cut' }),
  } satisfies Record<Case['call'], () => Promise<unknown>>;
}

/** Withdrawals of the key, and payments in the ledger: what the service was still doing has ended by then. */
async function checkPayments(wallet: Wallet, key: string, count: number): Promise<void> {
  const withdrawals = await eventually(`the withdrawals of ${key} are settled`, async () => {
    const path = `/v1/wallets/${wallet.id}/withdrawals?idempotency_key=${key}`;
    const { body } = await world.api('GET', path, { token: world.token });
    const settled = body.data.items.every(({ status }: { status: string }) => status !== 'pending');
    return settled && body.data.items.length === count ? body.data.items : null;
  });
  const { body } = await world.api('GET', `/v1/wallets/${wallet.id}/withdrawals`, { token: world.token });
  assert.deepEqual(body.data.items, withdrawals, 'the wallet has paid for no other key');
}
