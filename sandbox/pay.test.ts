import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Account, Keypair, MuxedAccount } from '@stellar/stellar-sdk/base';
import { fastify } from 'fastify';
import { payFromTestAccount } from './pay.ts';
import { FRIENDBOT_STROOPS, fund, sandboxFor } from './testing/rpc-client.ts';

const MAX_ID = 2n ** 64n - 1n;

test('many payments at once are all made, each exactly once', async (t) => {
  const { sandbox, server } = await sandboxFor(t, { close_ms: 50 });
  const destination = Keypair.random().publicKey();
  const payments = Array.from({ length: 12 }, (_, index) =>
    payFromTestAccount({
      rpc_url: sandbox.rpc_url,
      destination,
      amount_stroops: 20_000_000n + BigInt(index),
    }),
  );
  const paid = await Promise.all(payments);
  assert.equal(new Set(paid.map(({ hash }) => hash)).size, 12);
  assert.equal((await server.getAccountEntry(destination)).balance, 12n * 20_000_000n + 66n);
});

test('pays to a muxed account, and with a memo id', async (t) => {
  const { sandbox, server } = await sandboxFor(t, { close_ms: 50 });
  const [to] = (await fund(sandbox, 1)) as [Keypair];
  const muxed = new MuxedAccount(new Account(to.publicKey(), '0'), MAX_ID.toString()).accountId();
  await payFromTestAccount({ rpc_url: sandbox.rpc_url, destination: muxed, amount_stroops: 1n });
  const { hash, ledger } = await payFromTestAccount({
    rpc_url: sandbox.rpc_url,
    destination: to.publicKey(),
    amount_stroops: 2n,
    memo_id: MAX_ID,
  });
  assert.equal((await server.getAccountEntry(to.publicKey())).balance, FRIENDBOT_STROOPS + 3n);
  const found = await server.getTransaction(hash);
  assert.ok(found.status === 'SUCCESS' && found.envelopeXdr.type === 'envelopeTypeTx');
  const { memo } = found.envelopeXdr.value.tx;
  assert.equal(memo.type === 'memoId' && memo.value, MAX_ID);
  assert.equal(found.ledger, ledger);
});

test('refuses amounts it cannot pay, bad addresses and other networks, with a message for people', async (t) => {
  const { sandbox } = await sandboxFor(t, { close_ms: 50 });
  const destination = Keypair.random().publicKey();
  const refuses = (change: Partial<Parameters<typeof payFromTestAccount>[0]>, message: RegExp) =>
    assert.rejects(
      payFromTestAccount({ rpc_url: sandbox.rpc_url, destination, amount_stroops: 1n, ...change }),
      message,
    );
  await refuses({ amount_stroops: FRIENDBOT_STROOPS }, /must not be above 99989999900 stroops/);
  await refuses({ amount_stroops: 0n }, /above 0/);
  await refuses({ destination: 'GABC' }, /Not an account address/);
  await refuses({ memo_id: 2n ** 64n }, /memo id/);
  await refuses({ amount_stroops: 1n }, /nothing was paid.*low_reserve/);
  await refuses({ rpc_url: 'http://127.0.0.1:9/rpc' }, /No Stellar RPC answers/);

  const other = fastify();
  t.after(() => other.close());
  other.post('/rpc', async () => ({
    jsonrpc: '2.0',
    id: 1,
    result: {
      passphrase: 'Test SDF Network ; September 2015',
      protocolVersion: 26,
      friendbotUrl: 'http://127.0.0.1:9',
    },
  }));
  const rpc_url = `${await other.listen({ host: '127.0.0.1', port: 0 })}/rpc`;
  await refuses({ rpc_url }, /is not a sandbox network.*nothing was paid/);
});
