/**
 * A network that lies about its ledgers, from which outcomes come. Nothing is said of an applied withdrawal, and the
 * withdrawal cursor does not pass its ledger, while the lie lasts; with the truth it does.
 */
import assert from 'node:assert/strict';
import { after, afterEach, before, suite, test } from 'node:test';
import { xdr } from '@stellar/stellar-sdk/base';
import { eventually } from '../support/eventually.ts';
import { ledgerCloseMeta } from '../support/ledger-xdr.ts';
import type { RpcCall, Treatment } from '../support/rpc-proxy.ts';
import {
  assertPaid,
  assertPaidOnce,
  type ControlledService,
  newOrder,
  type Order,
  parse,
  paymentsOf,
  rowOf,
  startControlledService,
  type Wallet,
  withdraw,
} from './controlled-service.ts';
import { type DecodedTransaction, decodeLedger } from './decoded-ledger.ts';

/** So far behind, a node is on another network than the one that we know. src/stellar/ledgers/ledger-range.ts */
const LAG_LEDGERS = 100;

type Lie = { name: string; tell(call: RpcCall, result: any, set: Setting): Promise<void> | void };
type Setting = { stage: ControlledService; wallet: Wallet };

/** Answers that are broken in the same way whatever was asked. */
const BROKEN: Lie[] = [
  { name: 'HTTP 500', tell: (call) => call.raw(500, '') },
  { name: 'garbage', tell: (call) => call.raw(200, '{"jsonrpc":"2.0","id":1,"res') },
  {
    name: 'a JSON-RPC error',
    tell: (call) => call.reply({ jsonrpc: '2.0', id: 1, error: { code: -32603, message: '' } }),
  },
  { name: 'a broken connection', tell: (call) => call.reset() },
  {
    name: 'a result of another shape',
    tell: (call) => call.result({ transactions: 7, ledgers: {}, sequence: '1' }),
  },
];

/** Each gets the transactions of the payment's ledger, where the payment is among them, and another ledger's. */
type LedgerLie = {
  name: string;
  falsify(all: DecodedTransaction[], at: number, other: DecodedTransaction): DecodedTransaction[];
};

const LEDGER_LIES: LedgerLie[] = [
  { name: 'an empty ledger', falsify: () => [] },
  { name: 'a ledger without it', falsify: (all, at) => all.toSpliced(at, 1) },
  { name: 'a ledger with it twice', falsify: (all, at) => all.toSpliced(at, 0, copy(all, at)) },
  { name: 'another transaction in its place', falsify: (all, at, other) => all.with(at, other) },
  { name: 'another transaction beside it', falsify: (all, _, other) => [...all, other] },
  { name: 'another one’s result', falsify: (all, at) => all.with(at, { ...copy(all, at), result: FAILED }) },
  {
    name: 'another one’s envelope',
    falsify: (all, at, { envelope }) => all.with(at, { ...copy(all, at), envelope }),
  },
  { name: 'another hash', falsify: (all, at, { hash }) => all.with(at, { ...copy(all, at), hash }) },
  {
    name: 'a garbage envelope',
    falsify: (all, at) => all.with(at, { ...copy(all, at), envelope: Buffer.from([0, 0, 0, 2]) }),
  },
  {
    name: 'a garbage result',
    falsify: (all, at) => all.with(at, { ...copy(all, at), result: Buffer.alloc(3) }),
  },
];

const copy = (all: DecodedTransaction[], at: number) => all[at] as DecodedTransaction;

const FAILED = Buffer.from(
  new xdr.TransactionResult({
    feeCharged: 100n,
    result: xdr.TransactionResultResult.txFailed([
      xdr.OperationResult.opInner(xdr.OperationResultTr.payment(xdr.PaymentResult.paymentUnderfunded())),
    ]),
    ext: xdr.TransactionResultExt.v0(),
  }).toXdr(),
);

const ANSWER_LIES: Lie[] = [
  { name: 'no ledgers', tell: (call, result) => call.result({ ...result, ledgers: [] }) },
  {
    name: 'the first one missing',
    tell: (call, result) => call.result({ ...result, ledgers: result.ledgers.slice(1) }),
  },
  {
    name: 'ledgers in the wrong order',
    tell: (call, result) => call.result({ ...result, ledgers: result.ledgers.toReversed() }),
  },
  {
    name: 'each ledger under the number of the next',
    tell: (call, result) =>
      call.result({ ...result, ledgers: changed(result, ({ sequence }) => ({ sequence: sequence + 1 })) }),
  },
  {
    name: 'the content of other ledgers',
    tell: (call, result) => {
      const content = (index: number) => result.ledgers[index % result.ledgers.length].metadataXdr;
      call.result({
        ...result,
        ledgers: changed(result, (_, index) => ({ metadataXdr: content(index + 1) })),
      });
    },
  },
  {
    name: 'another hash in the header',
    tell: (call, result) => {
      const metadataXdr = (ledger: any) =>
        ledgerCloseMeta({ ...decodeLedger(ledger), hash: Buffer.alloc(32) }).toString('base64');
      call.result({
        ...result,
        ledgers: changed(result, (ledger) => ({ metadataXdr: metadataXdr(ledger) })),
      });
    },
  },
  {
    name: 'garbage for ledgers',
    tell: (call, result) =>
      call.result({ ...result, ledgers: changed(result, () => ({ metadataXdr: 'AAAA' })) }),
  },
  {
    name: 'ledgers that are cut short',
    tell: (call, result) =>
      call.result({
        ...result,
        ledgers: changed(result, ({ metadataXdr }) => ({ metadataXdr: metadataXdr.slice(0, -64) })),
      }),
  },
  {
    name: 'a newest ledger before them',
    tell: (call, result) => call.result({ ...result, latestLedger: result.ledgers[0].sequence - 1 }),
  },
];

function changed(result: any, change: (ledger: any, index: number) => object): object[] {
  return result.ledgers.map((ledger: any, index: number) => ({ ...ledger, ...change(ledger, index) }));
}

/** `result` is what the network said when the lie began. */
const HEALTH_LIES: Lie[] = [
  { name: 'a network that stands still', tell: (call, result) => call.result(result) },
  {
    name: 'ledgers that there are not',
    tell: async (call, result) => call.result({ ...result, latestLedger: result.latestLedger + 1_000_000 }),
  },
  {
    name: 'a newest ledger that is no number',
    tell: (call, result) => call.result({ ...result, latestLedger: '7' }),
  },
  {
    name: 'a history that begins later',
    tell: async (call) => {
      const { result } = await call.forward();
      call.result({ ...result, oldestLedger: result.latestLedger + 1 });
    },
  },
  {
    name: 'a network that was reset',
    tell: (call, result) => call.result({ ...result, latestLedger: 2, latestLedgerCloseTime: '1' }),
  },
];

// Each has a network of its own, and waits most of the time.
suite('lies about', { concurrency: true }, () => {
  suite('what was in a ledger', { concurrency: false }, () => {
    const set = setUp();

    for (const { name, falsify } of LEDGER_LIES) {
      test(`${name}: nothing is said and the answer is counted, then the truth`, async () => {
        const other = await someTransaction(set);
        const counted = await unusableAnswers(set);
        await saidOnlyWhenProven(set, (order, lied) => {
          set.stage.proxy.treat('getLedgers', async (call) => {
            const { result } = await call.forward();
            const ledgers = result?.ledgers.map((entry: any) => {
              const ledger = decodeLedger(entry);
              const at = ledger.transactions.findIndex((one) => isOf(set, order, one));
              if (at < 0) return entry;
              lied();
              const transactions = falsify(ledger.transactions, at, other);
              return {
                ...entry,
                metadataXdr: ledgerCloseMeta({ ...ledger, transactions }).toString('base64'),
              };
            });
            call.result({ ...result, ledgers });
          });
          // Garbage may look like a later protocol. Then the transactions are asked for one by one, and the lie goes on.
          set.stage.proxy.treat('getTransactions', async (call) => {
            const { result } = await call.forward();
            const isOther = ({ envelopeXdr }: any) => parse(envelopeXdr, set.stage).memo !== order.memo;
            call.result({ ...result, transactions: result?.transactions.filter(isOther) });
          });
        });
        assert.ok((await unusableAnswers(set)) > counted);
      });
    }

    test('claims beside a ledger that proves itself do not count', async () => {
      const order = newOrder(set.stage, set.wallet);
      set.stage.proxy.treat('getLedgers', async (call) => {
        const { result } = await call.forward();
        const beside = { hash: '0'.repeat(64), ledgerCloseTime: '1', headerXdr: 'AAAA' };
        // A server with an archive behind it names the oldest ledger of its database, and has older ones.
        const oldestLedger = result.latestLedger;
        call.result({ ...result, oldestLedger, ledgers: changed(result, () => beside) });
      });
      const answer = await withdraw(set.stage, order);
      assert.equal(answer.status, 201);
      set.stage.proxy.honest();
      await assertPaidOnce(set.stage, order, answer);
    });
  });

  suite('which ledgers there are', { concurrency: false }, () => {
    const set = setUp();

    for (const { name, tell } of ANSWER_LIES) {
      test(`${name}: nothing is said, then the truth`, () =>
        saidOnlyWhenProven(set, (order, lied) => {
          fallBehind(set, order);
          set.stage.proxy.treat('getLedgers', async (call) => {
            const answer = await call.forward();
            lied();
            await (answer.result ? tell(call, answer.result, set) : call.reply(answer));
          });
        }));
    }
    brokenAnswers(set, 'getLedgers', fallBehind);
  });

  suite('how far it is, and refuses the ledgers', { concurrency: false }, () => {
    const set = setUp();

    for (const { name, tell } of HEALTH_LIES) {
      test(`${name}: nothing is said, then the truth`, () =>
        saidOnlyWhenProven(set, (order, lied) => {
          const frozen = health(set);
          refuseLedgers(set, order);
          set.stage.proxy.treat('getHealth', async (call) => {
            lied();
            await tell(call, await frozen, set);
          });
        }));
    }
    brokenAnswers(set, 'getHealth', refuseLedgers);
  });
});

/** A stage for the tests of a suite, whose history is long enough for a network that was reset. */
function setUp(): Setting {
  const set = {} as Setting;
  before(async () => {
    set.stage = await startControlledService({ WITHDRAW_VALID_SECONDS: '3600', WITHDRAW_WAIT_SECONDS: '60' });
    set.wallet = await set.stage.newWallet();
    for (let closed = 0; closed < LAG_LEDGERS; closed++) set.stage.sandbox.closeLedger();
  });
  afterEach(() => set.stage?.clear());
  after(() => set.stage?.stop());
  return set;
}

function brokenAnswers(
  set: Setting,
  method: string,
  prepare: (set: Setting, order: Order) => void = () => undefined,
): void {
  for (const { name, tell } of BROKEN) {
    test(`${name}: nothing is said, then the truth`, () =>
      saidOnlyWhenProven(set, (order, lied) => {
        prepare(set, order);
        set.stage.proxy.treat(method, (call) => {
          lied();
          return tell(call, null, set);
        });
      }));
  }
}

/** Two read ledgers, the withdrawal cursor and the deposit cursor: three lies are at least one to each. */
const LIES_TOLD = 3;

/** A withdrawal that is applied while the network lies, from its sending on. */
async function saidOnlyWhenProven(
  { stage, wallet }: Setting,
  lie: (order: Order, lied: () => void) => void,
): Promise<void> {
  const order = newOrder(stage, wallet);
  let lies = 0;
  stage.proxy.treat('sendTransaction', async (call) => {
    stage.proxy.treat('sendTransaction', passOn);
    lie(order, () => lies++);
    call.reply(await call.forward());
  });
  const said = { answer: null as unknown };
  const answer = withdraw(stage, order).then((told) => {
    said.answer = told;
    return told;
  });
  const [payment] = await eventually('its payment', async () => {
    const payments = await paymentsOf(stage, order);
    return payments.length > 0 && payments;
  });
  const before = lies;
  await eventually('lies about it', () => lies >= before + LIES_TOLD);
  assert.equal((await rowOf(stage, order)).status, 'signed');
  assert.equal(said.answer, null, 'nothing is said');
  const [cursor] = await stage.query('select ledger from withdrawal_cursor');
  assert.ok(cursor.ledger < (payment?.ledger ?? 0), 'the withdrawal cursor has not passed its ledger');
  stage.proxy.honest();
  const told = await answer;
  assert.equal(told.status, 201, told.text);
  await assertPaid(stage, order, told);
}

/** More than one ledger is unread when the network is heard again: several are given at once then. */
function fallBehind({ stage }: Setting, order: Order): void {
  const behind = eventually('two ledgers more', async () => {
    const [payment] = await paymentsOf(stage, order);
    const { sequence } = await stage.ledger.server.getLatestLedger();
    return payment && sequence > payment.ledger + 2;
  });
  stage.proxy.treat('getHealth', async (call) => {
    await behind;
    call.reply(await call.forward());
  });
}

/** As a node refuses those that it has not; and when it calls itself unhealthy, a look-up tells no more. */
function refuseLedgers({ stage }: Setting, _order: Order): void {
  const error = { code: -32600, message: 'start ledger must be between …' };
  stage.proxy.treat('getLedgers', (call) => call.reply({ jsonrpc: '2.0', id: 1, error }));
  stage.proxy.treat('getTransaction', (call) => call.raw(500, ''));
}

const UNUSABLE = 'teller_network_unusable_answers_total';
const COUNTED = ['getLedgers', 'getTransactions'];

/** Answers with ledgers or their transactions, as the service's metrics count them. */
async function unusableAnswers({ stage }: Setting): Promise<number> {
  const url = /Metrics +(\S+)/.exec(stage.service.output())?.[1] ?? '';
  const text = await (await fetch(url)).text();
  const lines = text
    .split('\n')
    .filter((each) => COUNTED.some((method) => each.startsWith(`${UNUSABLE}{method="${method}"}`)));
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

const passOn: Treatment = async (call) => call.reply(await call.forward());

const isOf = ({ stage }: Setting, order: Order, { envelope }: DecodedTransaction) =>
  parse(envelope.toString('base64'), stage).memo === order.memo;

/** Friendbot's, which made an account. */
async function someTransaction({ stage }: Setting): Promise<DecodedTransaction> {
  const limit = 100;
  for (let startLedger = 2; ; startLedger += limit) {
    const { ledgers } = await stage.ledger.server._getLedgers({ startLedger, pagination: { limit } });
    const [transaction] = ledgers.flatMap((ledger) => decodeLedger(ledger).transactions);
    if (transaction) return transaction;
  }
}

async function health({ stage }: Setting): Promise<any> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getHealth' });
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(stage.sandbox.rpc_url, { method: 'POST', headers, body });
  return ((await answer.json()) as any).result;
}
