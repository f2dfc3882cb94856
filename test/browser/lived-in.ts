/** A wallet that has seen everything a page can show, and one that has seen nothing. */
import assert from 'node:assert/strict';
import { Keypair, Memo } from '@stellar/stellar-sdk/base';
import { eventually } from '../support/eventually.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import type { RunningService, Wallet } from '../support/running-service.ts';

export type Lived = {
  wallet: Wallet;
  empty: Wallet;
  /** Ids of what the wallet has. */
  address: string;
  deposit: string;
  unattributed: string;
  paid: string;
  failed: string;
  endpoint: string;
  failing: string;
  delivery: string;
};

type Ask = (method: string, path: string, body?: unknown) => Promise<any>;

/** `receiver`: takes every delivery but those to /down. */
export async function liveIn(world: RunningService): Promise<{ lived: Lived; receiver: Receiver }> {
  const receiver = await startReceiver((response, { path }) => {
    if (path === '/down')
      response.writeHead(503, { 'content-type': 'text/plain' }).end('down for maintenance');
    else response.writeHead(204).end();
  });
  const wallet = await create(world, 'Shop in the north');
  const empty = await create(world, 'New and empty');
  const ask: Ask = async (method, path, body) => {
    const answer = await world.api(method, `/v1/wallets/${wallet.id}${path}`, { token: world.token, body });
    assert.ok(answer.status < 300, answer.text);
    return answer.body.data;
  };
  const endpoints = await addEndpoints(ask, receiver);
  const money = await bePaid(world, ask, wallet);
  const withdrawals = await payOut(world, wallet);
  await setPolicies(ask);
  const delivery = await eventually('a delivery that failed once', async () => {
    const { items } = await ask('GET', `/webhooks/${endpoints.failing}/deliveries`);
    return items.find(({ attempts }: { attempts: bigint }) => attempts > 0n)?.id;
  });
  return { lived: { wallet, empty, ...endpoints, ...money, ...withdrawals, delivery }, receiver };
}

async function create(world: RunningService, name: string): Promise<Wallet> {
  const { status, text, body } = await world.api('POST', '/v1/wallets', {
    token: world.token,
    body: { name },
  });
  assert.equal(status, 201, text);
  return body.data;
}

async function addEndpoints(ask: Ask, { url }: Receiver): Promise<{ endpoint: string; failing: string }> {
  const description = 'Books deposits to customers';
  const taking = await ask('POST', '/webhooks', { url: `${url}/deposits`, description });
  const failing = await ask('POST', '/webhooks', { url: `${url}/down` });
  return { endpoint: taking.id, failing: failing.id };
}

/** To an address, and to no address: the inbox. */
async function bePaid(world: RunningService, ask: Ask, wallet: Wallet) {
  const address = await ask('POST', '/addresses', {
    label: 'Ada Lovelace',
    metadata: { customer: '42', plan: { tier: 'gold', price: 18_446_744_073_709_551_615n } },
  });
  for (const customer of ['43', '44', '45'])
    await ask('POST', '/addresses', { label: `Customer ${customer}`, metadata: { customer } });
  const payer = await world.ledger.fund();
  const { hash } = await world.ledger.pay(payer, address.address, 255_000_000n);
  await world.ledger.pay(payer, address.address, 1_234_567n);
  const memo = Memo.text('invoice 7');
  const unknown = await world.ledger.pay(payer, wallet.account, 30_000_000n, { memo });
  const [deposit] = await world.depositsOf(wallet, hash);
  const [unattributed] = await world.depositsOf(wallet, unknown.hash);
  return { address: address.id, deposit: deposit.id, unattributed: unattributed.id };
}

/** One that is proven, and one that the ledger refuses: its destination would be left with too little to exist. */
async function payOut(world: RunningService, wallet: Wallet): Promise<{ paid: string; failed: string }> {
  const order = (amount_stroops: bigint, memo_id: bigint) =>
    world.withdraw(wallet, { destination: Keypair.random().publicKey(), amount_stroops, memo_id });
  const paid = await order(150_000_000n, 18_446_744_073_709_551_615n);
  assert.equal(paid.body.data.status, 'confirmed', paid.text);
  const failed = await order(1n, 7n);
  assert.equal(failed.body.data.status, 'failed', failed.text);
  return { paid: paid.body.data.id, failed: failed.body.data.id };
}

async function setPolicies(ask: Ask): Promise<void> {
  await ask('PATCH', '/policy', {
    max_withdrawal_stroops: 1_000_000_000n,
    max_rolling_24h_stroops: 5_000_000_000n,
  });
}
