/**
 * A network that lies about outcomes, or forgets them. An applied withdrawal stays pending for as long as its outcome
 * cannot be proven, even when its time bound has long passed, and then the truth is told.
 */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { eventually } from '../support/eventually.ts';
import type { RpcCall, Treatment } from '../support/rpc-proxy.ts';
import { createLiar, type Liar } from './liar.ts';
import {
  assertPaidOnce,
  closeLedgersPast,
  newOrder,
  type Order,
  paymentsOf,
  rowOf,
  type Stage,
  setStage,
  untilSettled,
  withdraw,
} from './stage.ts';

const notFound = (call: RpcCall, history: object) =>
  call.result({ status: 'NOT_FOUND', ledger: 0, ...history });
const range = ({ result }: any) => ({
  latestLedger: result.latestLedger,
  latestLedgerCloseTime: result.latestLedgerCloseTime,
  oldestLedger: result.oldestLedger,
});
type LookupLie = {
  name: string;
  begin(stage: Stage): Treatment;
};

function lookupLies(): LookupLie[] {
  return [
    {
      name: 'NOT_FOUND of a node that has stopped',
      begin() {
        let frozen: object | undefined;
        return async (call) => {
          frozen ??= range(await call.forward());
          notFound(call, frozen);
        };
      },
    },
    {
      name: 'NOT_FOUND of a node whose history begins later',
      begin: () => async (call) => {
        const honest = range(await call.forward());
        notFound(call, { ...honest, oldestLedger: honest.latestLedger });
      },
    },
    {
      name: 'NOT_FOUND of a node that goes backwards',
      begin() {
        let calls = 0;
        return async (call) => {
          const honest = range(await call.forward());
          // Every look-up asks twice: the second answer knows less than the first.
          notFound(call, { ...honest, latestLedger: honest.latestLedger - (calls++ % 2) * 100 });
        };
      },
    },
    { name: 'HTTP 500', begin: () => (call) => call.raw(500, '') },
    { name: 'another transaction’s success', begin: anotherTransaction },
    {
      name: 'FAILED beside a result that says success',
      begin: () => async (call) => {
        const { result } = await call.forward();
        call.result({ ...result, status: result.status === 'SUCCESS' ? 'FAILED' : result.status });
      },
    },
    {
      name: 'SUCCESS without a proof',
      begin: () => async (call) => {
        const honest = range(await call.forward());
        call.result({ ...honest, status: 'SUCCESS', ledger: honest.latestLedger });
      },
    },
  ];
}

function anotherTransaction({ ledger, sink }: Stage): Treatment {
  return async (call) => {
    const { transactions } = await ledger.server._getTransactions({
      startLedger: 2,
      pagination: { limit: 1 },
    });
    const honest = await call.forward();
    call.result({ ...honest.result, ...transactions?.[0], txHash: call.params.hash, note: sink });
  };
}

let stage: Stage;
let liar: Liar;

before(async () => {
  stage = await setStage({ WITHDRAW_VALID_SECONDS: '900', WITHDRAW_WAIT_SECONDS: '2' });
  liar = createLiar(stage);
});
after(() => stage?.stop());

/** Withdraws while `lie` is told about the outcome: 504, although the ledger has it. */
async function applyUnder(lie: (stage: Stage) => Treatment): Promise<{ order: Order; looks(): number }> {
  const order = newOrder(await stage.newWallet());
  const treatment = lie(stage);
  let looks = 0;
  liar.aboutOutcomes(order.wallet, (call) => {
    looks++;
    return treatment(call);
  });
  const answer = await withdraw(stage, order);
  assert.equal(answer.status, 504, answer.text);
  assert.equal(answer.body.data.status, 'pending');
  await eventually('its payment', async () => (await paymentsOf(stage, order)).length > 0);
  assert.equal((await paymentsOf(stage, order)).length, 1, 'paid once');
  return { order, looks: () => looks };
}

test('NOT_FOUND about a transaction that was applied: pending, then the truth', async () => {
  const { order } = await applyUnder(() => async (call) => notFound(call, range(await call.forward())));
  assert.equal((await rowOf(stage, order)).status, 'signed');
  liar.honest(order.wallet);
  await assertPaidOnce(stage, order, await untilSettled(stage, order));
});

suite('when its time bound has passed, an applied withdrawal is not failed', { concurrency: true }, () => {
  const lies = lookupLies();
  const all = new Map<LookupLie, Awaited<ReturnType<typeof applyUnder>>>();

  before(async () => {
    await Promise.all(lies.map(async (lie) => all.set(lie, await applyUnder(lie.begin))));
    const bounds = await Promise.all(lies.map(async (lie) => (await rowOf(stage, orderOf(lie))).max_time));
    for (const max_time of bounds) closeLedgersPast(stage, max_time);
  });
  const orderOf = (lie: LookupLie) => all.get(lie)?.order as Order;

  for (const lie of lies) {
    test(`by ${lie.name}`, async () => {
      const { order, looks } = all.get(lie) as Awaited<ReturnType<typeof applyUnder>>;
      const before_looks = looks();
      // A look-up asks once or twice: four more are one whole look at least, after the time bound.
      await eventually('another look', () => looks() >= before_looks + 4);
      assert.equal((await rowOf(stage, order)).status, 'signed', 'not an outcome');
      assert.equal((await withdraw(stage, order)).body.error.code, 'idempotency_key_in_flight');
      liar.honest(order.wallet);
      await assertPaidOnce(stage, order, await untilSettled(stage, order));
    });
  }
});
