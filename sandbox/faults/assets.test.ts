/** The faults of payments, for what moves issued assets: payments of them, and contract transfers. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Operation } from '@stellar/stellar-sdk/base';
import type { Server } from '@stellar/stellar-sdk/rpc';
import { prepareTransfer } from '../testing/contract-wallet.ts';
import { ContractWorld } from '../testing/contract-world.ts';
import { envelopeOf, faultsOf, postForm, serverAt } from '../testing/faulty-sandbox.ts';
import { signed } from '../testing/rpc-client.ts';
import { UNIT } from '../testing/test-network.ts';

async function worldFor(t: TestContext) {
  const world = await ContractWorld.start(t, { faults: true });
  const { alice, bob, usd, server, wallet } = world;
  const payment = () => {
    const operation = { destination: bob.publicKey(), asset: usd, amount: '2' };
    return signed(server, alice, [Operation.payment(operation)]);
  };
  const transfer = async (at = server) => {
    const order = { asset: usd, from: alice.publicKey(), to: wallet.address, amount: 3n };
    const transaction = await prepareTransfer(at, alice, order);
    transaction.sign(alice);
    return transaction;
  };
  return { world, faults: faultsOf(world.sandbox), payment, transfer };
}

test('an answer that is lost leaves the payment in the queue: it is applied once', async (t) => {
  const { world, faults, payment, transfer } = await worldFor(t);
  const { sandbox, server, bob, usd, wallet } = world;
  for (const make of [payment, transfer]) {
    const transaction = await make();
    faults.add({ on: 'sendTransaction', kind: 'answer_lost' });
    await assert.rejects(server.sendTransaction(transaction));
    assert.equal((await server.sendTransaction(transaction)).status, 'DUPLICATE');
    sandbox.closeLedger();
    sandbox.closeLedger();
  }
  assert.equal(await world.balance(bob.publicKey(), usd), 2n * UNIT);
  assert.equal(await world.balance(wallet.address, usd), 3n);
});

test('Horizon’s 504 may come for a payment that is queued, and TRY_AGAIN_LATER for one that is not', async (t) => {
  const { world, faults, payment, transfer } = await worldFor(t);
  const { sandbox, server, bob, usd, wallet } = world;
  faults.add({ on: 'horizon:submit', kind: 'status', status: 504, effect: 'before' });
  const answer = await postForm(sandbox, '/transactions', { tx: envelopeOf(await payment()) });
  assert.equal(answer.status, 504);
  sandbox.closeLedger();
  assert.equal(await world.balance(bob.publicKey(), usd), 2n * UNIT);

  faults.add({ on: 'sendTransaction', kind: 'try_again_later' });
  assert.equal((await server.sendTransaction(await transfer())).status, 'TRY_AGAIN_LATER');
  sandbox.closeLedger();
  assert.equal(await world.balance(wallet.address, usd), 0n);
});

test('a simulation can fail, get lost and be refused like every other request', async (t) => {
  const { world, faults, transfer } = await worldFor(t);
  faults.add([
    { on: 'simulateTransaction', kind: 'rpc_error', code: -32603, message: 'no preflight' },
    { on: 'simulateTransaction', kind: 'status', status: 503 },
    { on: 'simulateTransaction', kind: 'answer_lost' },
  ]);
  await assert.rejects(transfer(), { code: -32603 });
  await assert.rejects(transfer(), /503/);
  await assert.rejects(transfer());
  assert.equal((await world.server.sendTransaction(await transfer())).status, 'PENDING');
});

test('a node that lags simulates on its older state: before a trust line is there, and after it is gone', async (t) => {
  const { world, faults, transfer } = await worldFor(t);
  const { alice, bob, issuer, usd, server } = world;
  const behind: Server = serverAt(world.sandbox, 'b');
  faults.setNode('b', { lag_ledgers: 1 });
  const gone = Operation.changeTrust({ asset: usd, limit: '0' });
  await world.classic(bob, gone);
  const back = { destination: issuer.publicKey(), asset: usd, amount: '100' };
  const { seqNum } = await server.getAccountEntry(alice.publicKey());
  await world.sent(await signed(server, alice, [Operation.payment(back), gone], '200'));
  world.sandbox.closeLedger();
  await assert.rejects(transfer(), /contract instance is missing/);
  assert.ok(await transfer(behind));
  assert.equal((await behind.getAccountEntry(alice.publicKey())).seqNum, seqNum);

  await world.classic(alice, Operation.changeTrust({ asset: usd, limit: '100' }));
  await assert.rejects(transfer(behind), /missing/);
});
