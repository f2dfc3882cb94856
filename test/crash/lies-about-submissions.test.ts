/**
 * A network that errs and lies about what was sent to it. Whatever it says, a withdrawal ends with what the ledger says,
 * and only one transaction, fee-bumped at most, is ever sent for it.
 */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { xdr } from '@stellar/stellar-sdk/base';
import { eventually } from '../support/eventually.ts';
import { accountKey } from '../support/find-account.ts';
import { asksAccounts, type RpcCall } from '../support/rpc-proxy.ts';
import {
  assertOneTransaction,
  assertPaidOnce,
  assertTxSourceIsFree,
  type ControlledService,
  envelopesOf,
  newOrder,
  parse,
  passLedgerTime,
  paymentsOf,
  rowOf,
  startControlledService,
  untilOutcome,
  withdraw,
} from './controlled-service.ts';
import { createFalseAnswers, type FalseAnswers, type Refusal, sayOfSubmission } from './false-answers.ts';

type Lie = { name: string; tell(call: RpcCall): void };

const says = (status: string, refusal?: Refusal) => (call: RpcCall) =>
  sayOfSubmission(call, parse(call.params.transaction, stage).hash, status, refusal);

const LIES: Lie[] = [
  { name: 'TRY_AGAIN_LATER', tell: says('TRY_AGAIN_LATER') },
  { name: 'DUPLICATE', tell: says('DUPLICATE') },
  { name: 'ERROR tx_bad_seq', tell: says('ERROR', 'txBadSeq') },
  { name: 'ERROR tx_too_late', tell: says('ERROR', 'txTooLate') },
  { name: 'ERROR tx_insufficient_balance', tell: says('ERROR', 'txInsufficientBalance') },
  { name: 'ERROR tx_insufficient_fee', tell: says('ERROR', 'txInsufficientFee') },
  { name: 'ERROR without a reason', tell: says('ERROR') },
  { name: 'a status that nobody knows', tell: says('FILTERED') },
  {
    name: 'PENDING of another transaction',
    tell: (call) => sayOfSubmission(call, '0'.repeat(64), 'PENDING'),
  },
  {
    name: 'a JSON-RPC error',
    tell: (call) => call.reply({ jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'internal error' } }),
  },
  { name: 'HTTP 429', tell: (call) => call.raw(429, '') },
  { name: 'HTTP 500', tell: (call) => call.raw(500, 'oops') },
  { name: 'HTTP 504', tell: (call) => call.raw(504, '') },
  { name: 'garbage', tell: (call) => call.raw(200, '{"jsonrpc":"2.0","id":1,"res') },
  { name: 'a broken connection', tell: (call) => call.reset() },
];

const FEE_MAX_STROOPS = 100_000n;

let stage: ControlledService;
let falseAnswers: FalseAnswers;

before(async () => {
  const fee = { FEE_MAX_STROOPS: `${FEE_MAX_STROOPS}` };
  stage = await startControlledService({ WITHDRAW_VALID_SECONDS: '900', WITHDRAW_WAIT_SECONDS: '1', ...fee });
  falseAnswers = createFalseAnswers(stage);
});
after(() => stage?.stop());

suite('whatever the network says of a submission', { concurrency: true }, () => {
  for (const { name, tell } of LIES) {
    test(`${name} to a transaction that it took: paid once and told so`, async () => {
      const order = newOrder(stage, await stage.newWallet());
      falseAnswers.aboutSubmissions(order.wallet, async (call) => {
        await call.forward();
        tell(call);
      });
      const told = await untilOutcome(stage, order);
      falseAnswers.honest(order.wallet);
      await assertPaidOnce(stage, order, told);
    });

    test(`${name} to a transaction that it did not take: sent again, bumped at most, until it is`, async () => {
      const order = newOrder(stage, await stage.newWallet());
      let lies = 2;
      falseAnswers.aboutSubmissions(order.wallet, async (call) => {
        if (lies-- > 0) tell(call);
        else call.reply(await call.forward());
      });
      const told = await untilOutcome(stage, order);
      assert.ok(lies < 0, 'it was asked again');
      await assertPaidOnce(stage, order, told);
    });
  }
});

test('a transaction refused for its fee again and again is bumped up to the ceiling, never beyond', async () => {
  const order = newOrder(stage, await stage.newWallet());
  const refuse = says('ERROR', 'txInsufficientFee');
  falseAnswers.aboutSubmissions(order.wallet, refuse);
  assert.equal((await withdraw(stage, order)).status, 504);
  await eventually(
    'the ceiling',
    async () => (await rowOf(stage, order)).fee_bid_stroops === `${FEE_MAX_STROOPS}`,
  );
  await eventually('sendings of it', () => {
    const sent = stage.proxy.calls.filter(({ method }) => method === 'sendTransaction').slice(-3);
    return sent.every(({ params }) => parse(params.transaction, stage).fee_stroops === FEE_MAX_STROOPS);
  });
  const fees = envelopesOf(stage, order).map(({ fee_stroops }) => fee_stroops);
  assert.ok(fees.every((fee) => fee <= FEE_MAX_STROOPS));
  assert.equal(new Set(fees).size, fees.length, 'the same envelope from then on');
  falseAnswers.honest(order.wallet);
  await assertPaidOnce(stage, order, await untilOutcome(stage, order));
});

// Not beside the others: it moves the ledger's time.
test('a transaction that the network never takes is failed only when its time bound has passed', async () => {
  const order = newOrder(stage, await stage.newWallet());
  falseAnswers.aboutSubmissions(order.wallet, says('ERROR', 'txTooLate'));
  assert.equal((await withdraw(stage, order)).status, 504);
  const row = await eventually('its envelope', async () => {
    const found = await rowOf(stage, order);
    return found.status === 'signed' && found;
  });
  await passLedgerTime(stage, BigInt(row.max_time));
  const told = await untilOutcome(stage, order);
  assert.equal(told.body.data.status, 'failed', told.text);
  assert.equal(told.body.data.failure.code, 'expired');
  assert.equal((await paymentsOf(stage, order)).length, 0);
  assertOneTransaction(stage, order, await rowOf(stage, order));
  falseAnswers.honest(order.wallet);
  await assertTxSourceIsFree(stage, order, row);
});

type EntriesLie = { name: string; tell(call: RpcCall, stale: any): Promise<void> };

/** Lies about the account that is to be signed for. The answers to the preflight are true. */
const ENTRIES_LIES: EntriesLie[] = [
  {
    name: 'a sequence number that is used up, from a node that lags',
    tell: async (call, stale) => call.reply(stale),
  },
  {
    name: 'a sequence number that is used up, as if it were new',
    tell: async (call, { result }) => {
      const { latestLedger } = (await call.forward()).result;
      call.result({ ...result, latestLedger });
    },
  },
  {
    name: 'a sequence number that is too high',
    tell: async (call) => {
      const { result } = await call.forward();
      call.result({ ...result, entries: result.entries.map(withHigherSequence) });
    },
  },
  {
    name: 'no such account',
    tell: async (call) => {
      const { result } = await call.forward();
      call.result({ ...result, entries: [] });
    },
  },
  {
    name: 'another account',
    tell: async (call) => {
      const { result } = await call.forward();
      const other = await stage.ledger.server._getLedgerEntries(accountKey(stage.sink));
      call.result({ ...result, entries: other.entries });
    },
  },
  {
    name: 'garbage XDR',
    tell: async (call) => {
      const { result } = await call.forward();
      call.result({ ...result, entries: [{ ...result.entries[0], xdr: 'AAAA' }] });
    },
  },
  { name: 'HTTP 500', tell: async (call) => call.raw(500, '') },
  { name: 'a broken connection', tell: async (call) => call.reset() },
];

function withHigherSequence(entry: { xdr: string }): object {
  const data = xdr.LedgerEntryData.fromXdr(entry.xdr, 'base64') as Extract<
    xdr.LedgerEntryData,
    { type: 'account' }
  >;
  Object.assign(data.account, { seqNum: data.account.seqNum + 5n });
  return { ...entry, xdr: data.toXdr('base64') };
}

suite('of the sequence number', () => {
  for (const { name, tell } of ENTRIES_LIES) {
    test(`${name}: nothing is signed with it, and the truth is`, async () => {
      const wallet = await stage.newWallet();
      const stale = { answer: null as unknown };
      const onSequences = (treatment: (call: RpcCall) => Promise<void>) =>
        stage.proxy.treat('getLedgerEntries', async (call) => {
          if (asksAccounts(call)) await treatment(call);
          else call.reply(await call.forward());
        });
      onSequences(async (call) => {
        const answer = await call.forward();
        stale.answer ??= answer; // a later one may have been given after the payment, and be true of the next
        call.reply(answer);
      });
      assert.equal((await untilOutcome(stage, newOrder(stage, wallet))).body.data.status, 'confirmed');
      let told = 0;
      onSequences(async (call) => {
        told++;
        await tell(call, stale.answer);
      });
      const order = newOrder(stage, wallet);
      assert.equal((await withdraw(stage, order)).status, 504);
      await eventually('the question', () => told > 0); // the caller may have been let go before
      assert.equal((await rowOf(stage, order)).status, 'queued');
      assert.deepEqual(envelopesOf(stage, order), []);
      onSequences(async (call) => call.reply(await call.forward()));
      await assertPaidOnce(stage, order, await untilOutcome(stage, order));
    });
  }
});
