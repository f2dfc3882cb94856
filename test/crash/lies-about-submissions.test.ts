/**
 * A network that errs and lies about what was sent to it. Whatever it says, a withdrawal ends with what the ledger says,
 * and only one envelope is ever sent for it.
 */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { xdr } from '@stellar/stellar-sdk/base';
import type { RpcCall } from '../support/rpc-proxy.ts';
import { createLiar, type Liar } from './liar.ts';
import {
  assertLaneIsFree,
  assertPaidOnce,
  closeLedgersPast,
  envelopesOf,
  newOrder,
  paymentsOf,
  rowOf,
  type Stage,
  setStage,
  untilSettled,
  withdraw,
} from './stage.ts';

type Lie = { name: string; tell(call: RpcCall): void };

const LIES: Lie[] = [
  { name: 'TRY_AGAIN_LATER', tell: (call) => sendResult(call, 'TRY_AGAIN_LATER') },
  { name: 'DUPLICATE', tell: (call) => sendResult(call, 'DUPLICATE') },
  { name: 'ERROR tx_bad_seq', tell: (call) => sendResult(call, 'ERROR', 'txBadSeq') },
  { name: 'ERROR tx_too_late', tell: (call) => sendResult(call, 'ERROR', 'txTooLate') },
  {
    name: 'ERROR tx_insufficient_balance',
    tell: (call) => sendResult(call, 'ERROR', 'txInsufficientBalance'),
  },
  { name: 'a status that nobody knows', tell: (call) => sendResult(call, 'FILTERED') },
  {
    name: 'a JSON-RPC error',
    tell: (call) => call.reply({ jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'internal error' } }),
  },
  { name: 'HTTP 500', tell: (call) => call.raw(500, 'oops') },
  { name: 'HTTP 504', tell: (call) => call.raw(504, '') },
  { name: 'garbage', tell: (call) => call.raw(200, '{"jsonrpc":"2.0","id":1,"res') },
  { name: 'a broken connection', tell: (call) => call.reset() },
];

function sendResult(
  call: RpcCall,
  status: string,
  code?: 'txBadSeq' | 'txTooLate' | 'txInsufficientBalance',
): void {
  const result = { status, hash: '0'.repeat(64), latestLedger: 1, latestLedgerCloseTime: '1' };
  call.result(code ? { ...result, errorResultXdr: refusal(code) } : result);
}

function refusal(code: 'txBadSeq' | 'txTooLate' | 'txInsufficientBalance'): string {
  const result = xdr.TransactionResultResult[code]();
  return new xdr.TransactionResult({ feeCharged: 0n, result, ext: xdr.TransactionResultExt.v0() }).toXdr(
    'base64',
  );
}

let stage: Stage;
let liar: Liar;

before(async () => {
  stage = await setStage({ WITHDRAW_VALID_SECONDS: '900', WITHDRAW_WAIT_SECONDS: '2' });
  liar = createLiar(stage);
});
after(() => stage?.stop());

suite('whatever the network says of a submission', { concurrency: true }, () => {
  for (const { name, tell } of LIES) {
    test(`${name} to a transaction that it took: paid once and told so`, async () => {
      const order = newOrder(await stage.newWallet());
      liar.aboutSubmissions(order.wallet, async (call) => {
        await call.forward();
        tell(call);
      });
      const told = await untilSettled(stage, order);
      liar.honest(order.wallet);
      await assertPaidOnce(stage, order, told);
    });

    test(`${name} to a transaction that it did not take: sent again, the same, until it is`, async () => {
      const order = newOrder(await stage.newWallet());
      let lies = 2;
      liar.aboutSubmissions(order.wallet, async (call) => {
        if (lies-- > 0) tell(call);
        else call.reply(await call.forward());
      });
      const told = await untilSettled(stage, order);
      assert.ok(lies < 0, 'it was asked again');
      await assertPaidOnce(stage, order, told);
    });
  }
});

// Not beside the others: it moves the ledger's time.
test('a transaction that the network never takes is failed only when its time bound has passed', async () => {
  const order = newOrder(await stage.newWallet());
  liar.aboutSubmissions(order.wallet, (call) => sendResult(call, 'ERROR', 'txTooLate'));
  assert.equal((await withdraw(stage, order)).status, 504);
  const row = await rowOf(stage, order);
  assert.equal(row.status, 'signed');
  closeLedgersPast(stage, row.max_time);
  const told = await untilSettled(stage, order);
  assert.equal(told.body.data.status, 'failed', told.text);
  assert.equal(told.body.data.failure.code, 'expired');
  assert.equal((await paymentsOf(stage, order)).length, 0);
  assert.equal(envelopesOf(stage, order).size, 1);
  liar.honest(order.wallet);
  await assertLaneIsFree(stage, order);
});

test('a sequence number that is used up, from a node that lags: nothing is signed with it', async () => {
  const { proxy } = stage;
  const wallet = await stage.newWallet();
  const stale = { answer: null as unknown };
  proxy.treat('getLedgerEntries', async (call) => {
    stale.answer ??= await call.forward();
    call.reply(await call.forward());
  });
  assert.equal((await untilSettled(stage, newOrder(wallet))).body.data.status, 'confirmed');
  proxy.treat('getLedgerEntries', (call) => call.reply(stale.answer));
  const order = newOrder(wallet);
  assert.equal((await withdraw(stage, order)).status, 504);
  assert.equal((await rowOf(stage, order)).status, 'queued');
  proxy.honest();
  await assertPaidOnce(stage, order, await untilSettled(stage, order));
});

test('no answer at all before the claim: 503, and the key stays free', async () => {
  const order = newOrder(await stage.newWallet());
  stage.proxy.treat('getLedgerEntries', (call) => call.raw(500, ''));
  assert.equal((await withdraw(stage, order)).status, 503);
  assert.equal(await rowOf(stage, order), undefined);
  stage.proxy.honest();
  const told = await untilSettled(stage, order);
  assert.equal(told.status, 201);
  await assertPaidOnce(stage, order, told);
});

test('no answer at all between claim and signing: it waits, and pays once', async () => {
  const order = newOrder(await stage.newWallet());
  let asked = 0;
  stage.proxy.treat('getLedgerEntries', async (call) => {
    if (asked++ === 0) call.reply(await call.forward());
    else call.reset();
  });
  assert.equal((await withdraw(stage, order)).status, 504);
  assert.equal((await rowOf(stage, order)).status, 'queued');
  stage.proxy.honest();
  await assertPaidOnce(stage, order, await untilSettled(stage, order));
});
