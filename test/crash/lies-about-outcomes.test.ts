/**
 * A network that lies about a look-up by hash, or forgets. A look-up decides in two cases: when a time bound has passed,
 * and when the ledgers cannot be read. In both a withdrawal stays pending for as long as its outcome cannot be proven,
 * and then the truth comes out.
 */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { xdr } from '@stellar/stellar-sdk/base';
import { eventually } from '../support/eventually.ts';
import type { RpcCall, Treatment } from '../support/rpc-proxy.ts';
import {
  assertOneTransaction,
  assertPaid,
  assertTxSourceIsFree,
  type ControlledService,
  closeLedgersPast,
  envelopesOf,
  newOrder,
  type Order,
  parse,
  passLedgerTime,
  paymentsOf,
  rowOf,
  signingGoesOn,
  startControlledService,
  untilOutcome,
  type Wallet,
  withdraw,
} from './controlled-service.ts';
import { createFalseAnswers, type FalseAnswers, sayOfSubmission } from './false-answers.ts';

const notFound = (call: RpcCall, history: object) =>
  call.result({ status: 'NOT_FOUND', ledger: 0, ...history });
const range = ({ result }: any) => ({
  latestLedger: result.latestLedger,
  latestLedgerCloseTime: result.latestLedgerCloseTime,
  oldestLedger: result.oldestLedger,
});

/** `asked`: how often a whole look asks; "absent" takes a second answer. */
type LookupLie = { name: string; asked: 1 | 2; begin(stage: ControlledService): Treatment };

/** That tell of no proof, whatever became of the transaction. */
const DENIALS: LookupLie[] = [
  {
    name: 'NOT_FOUND of a node that has stopped',
    asked: 2,
    begin() {
      let frozen: object | undefined;
      return async (call) => {
        frozen ??= range(await call.forward());
        notFound(call, { ...frozen, latestLedgerCloseTime: '1' });
      };
    },
  },
  {
    name: 'NOT_FOUND of a node whose history begins later',
    asked: 2,
    begin: () => async (call) => {
      const honest = range(await call.forward());
      notFound(call, { ...honest, oldestLedger: honest.latestLedger });
    },
  },
  {
    name: 'NOT_FOUND of a node that goes backwards',
    asked: 2,
    begin() {
      let calls = 0;
      return async (call) => {
        const honest = range(await call.forward());
        // Every look-up asks twice: the second answer knows less than the first.
        notFound(call, { ...honest, latestLedger: honest.latestLedger - (calls++ % 2) * 100 });
      };
    },
  },
  { name: 'HTTP 500', asked: 1, begin: () => (call) => call.raw(500, '') },
  { name: 'another transaction’s success', asked: 1, begin: anotherTransaction },
  {
    name: 'SUCCESS without a proof',
    asked: 1,
    begin: () => async (call) => {
      const honest = range(await call.forward());
      call.result({ ...honest, status: 'SUCCESS', ledger: honest.latestLedger });
    },
  },
];

/** That contradict a ledger which has it. */
const CONTRADICTIONS: LookupLie[] = [
  {
    name: 'NOT_FOUND of a node that has read everything',
    asked: 2,
    begin: () => async (call) => notFound(call, range(await call.forward())),
  },
  {
    name: 'FAILED beside a result that says success',
    asked: 1,
    begin: () => async (call) => {
      const { result } = await call.forward();
      call.result({ ...result, status: result.status === 'SUCCESS' ? 'FAILED' : result.status });
    },
  },
  {
    name: 'SUCCESS with garbage XDR',
    asked: 1,
    begin: () => async (call) => {
      const { result } = await call.forward();
      call.result({ ...result, resultXdr: 'AAAA' });
    },
  },
];

/** Its own envelope, and a success in a ledger that was read without it: nothing in the answer contradicts itself. */
const FORGERY: LookupLie = {
  name: 'a forged success in a ledger that is processed',
  asked: 1,
  begin: (stage) => async (call) => {
    const { hash } = call.params;
    const [row] = await stage.query('select * from withdrawals where inner_tx_hash = $1', [hash]);
    const sent = envelopesOf(stage, { memo: `${row.memo_id}` });
    const envelope = sent.find(({ is_fee_bump }) => !is_fee_bump);
    assert(envelope);
    const ledger = row.signed_ledger + 1;
    const honest = range(await call.forward());
    const forged = { ledger, envelopeXdr: envelope.xdr, resultXdr: paidXdr(envelope.fee_stroops) };
    call.result({ ...honest, status: 'SUCCESS', txHash: hash, ...forged });
  },
};

function paidXdr(feeCharged: bigint): string {
  const paid = xdr.OperationResult.opInner(xdr.OperationResultTr.payment(xdr.PaymentResult.paymentSuccess()));
  const result = xdr.TransactionResultResult.txSuccess([paid]);
  return new xdr.TransactionResult({ feeCharged, result, ext: xdr.TransactionResultExt.v0() }).toXdr(
    'base64',
  );
}

const TRUTH: LookupLie = {
  name: 'the truth',
  asked: 1,
  begin: () => async (call) => call.reply(await call.forward()),
};

function anotherTransaction({ ledger }: ControlledService): Treatment {
  return async (call) => {
    const { transactions } = await ledger.server._getTransactions({
      startLedger: 2,
      pagination: { limit: 1 },
    });
    const honest = await call.forward();
    call.result({ ...honest.result, ...transactions?.[0], txHash: call.params.hash });
  };
}

type Lied = { order: Order; hasLooked(): boolean };

/**
 * Withdraws while look-ups answer with `lie`, and does not wait for the outcome: a short wait may be over before the network
 * was read, and then nothing is started. `lost`: no submission of it comes through.
 */
async function withdrawUnder(
  stage: ControlledService,
  falseAnswers: FalseAnswers,
  lie: LookupLie,
  { wallet, lost = false }: { wallet: Wallet; lost?: boolean },
): Promise<Lied> {
  const order = newOrder(stage, wallet);
  const treatment = lie.begin(stage);
  let looks = 0;
  falseAnswers.aboutOutcomes(order.wallet, (call) => {
    looks++;
    return treatment(call);
  });
  if (lost)
    falseAnswers.aboutSubmissions(order.wallet, (call) =>
      sayOfSubmission(call, parse(call.params.transaction, stage).hash, 'PENDING'),
    );
  const answer = await withdraw(stage, order, 'respond-async');
  assert.equal(answer.status, 202, answer.text);
  assert.equal(answer.body.data.status, 'pending');
  await eventually('its envelope', async () => (await rowOf(stage, order)).status === 'signed');
  return { order, hasLooked: () => looks >= lie.asked };
}

async function assertStillOpen(stage: ControlledService, { order, hasLooked }: Lied): Promise<void> {
  await eventually('a look', hasLooked);
  assert.equal((await rowOf(stage, order)).status, 'signed', 'not an outcome');
  assert.equal((await withdraw(stage, order)).body.error.code, 'idempotency_key_in_flight');
}

const ENVIRONMENT = { WITHDRAW_VALID_SECONDS: '300', WITHDRAW_WAIT_SECONDS: '60' };

// Each has a network of its own; one waits most of the time.
suite('lies about a look-up', { concurrency: true }, () => {
  suite('when a time bound has passed, nothing is said of a withdrawal that the network never took', () => {
    const lies = [...DENIALS, FORGERY];
    const all = new Map<LookupLie, Lied>();
    let stage: ControlledService;
    let falseAnswers: FalseAnswers;

    before(async () => {
      stage = await startControlledService(ENVIRONMENT);
      falseAnswers = createFalseAnswers(stage);
      await Promise.all(
        lies.map(async (lie) => {
          const wallet = await stage.newWallet();
          all.set(lie, await withdrawUnder(stage, falseAnswers, lie, { wallet, lost: true }));
        }),
      );
      const bounds = await Promise.all([...all.values()].map(({ order }) => rowOf(stage, order)));
      const last = bounds.map(({ max_time }) => BigInt(max_time)).reduce((a, b) => (a > b ? a : b));
      await passLedgerTime(stage, last);
    });
    after(() => stage?.stop());

    for (const lie of lies) {
      test(`by ${lie.name}`, async () => {
        const lied = all.get(lie) as Lied;
        const { order } = lied;
        await assertStillOpen(stage, lied);
        falseAnswers.honest(order.wallet);
        const told = await untilOutcome(stage, order);
        assert.equal(told.body.data.failure?.code, 'expired', told.text);
        assert.deepEqual(await paymentsOf(stage, order), []);
        const row = await rowOf(stage, order);
        assertOneTransaction(stage, order, row);
        await assertTxSourceIsFree(stage, order, row);
      });
    }
  });

  suite('when the ledgers cannot be read, and its time bound has passed, one that was applied is not failed', {
    concurrency: false,
  }, () => {
    const all = new Map<LookupLie, Lied>();
    let stage: ControlledService;
    let falseAnswers: FalseAnswers;

    before(async () => {
      stage = await startControlledService(ENVIRONMENT);
      falseAnswers = createFalseAnswers(stage);
      const lies = [...DENIALS, ...CONTRADICTIONS, TRUTH];
      const wallets = await Promise.all(lies.map(async (lie) => ({ lie, wallet: await stage.newWallet() })));
      // Only now: a service that cannot read ledgers signs nothing after a third of the validity.
      stage.proxy.treat('getLedgers', (call) => call.raw(500, ''));
      await Promise.all(
        wallets.map(async ({ lie, wallet }) =>
          all.set(lie, await withdrawUnder(stage, falseAnswers, lie, { wallet })),
        ),
      );
      const orders = [...all.values()].map(({ order }) => order);
      for (const order of orders) {
        const payments = await eventually('its payment', async () => {
          const found = await paymentsOf(stage, order);
          return found.length > 0 && found;
        });
        assert.equal(payments.length, 1, 'paid once');
      }
      // Only after all are paid: a payment that is not yet submitted would expire with the time of another one.
      for (const order of orders) closeLedgersPast(stage, (await rowOf(stage, order)).max_time);
    });
    after(() => stage?.stop());

    test('a look-up that tells the truth gives the outcome, while the ledgers still cannot be read', async () => {
      const { order } = all.get(TRUTH) as Lied;
      await assertPaid(stage, order, await untilOutcome(stage, order));
    });

    for (const lie of [...DENIALS, ...CONTRADICTIONS]) {
      test(`by ${lie.name}`, () => assertStillOpen(stage, all.get(lie) as Lied));
    }

    test('and when the ledgers are read again, each gets its true outcome and its wallet goes on', async () => {
      stage.proxy.treat('getLedgers', async (call) => call.reply(await call.forward()));
      for (const { order } of all.values()) await assertPaid(stage, order, await untilOutcome(stage, order));
      await signingGoesOn(stage);
      for (const { order } of all.values())
        await assertTxSourceIsFree(stage, order, await rowOf(stage, order));
    });
  });
});
