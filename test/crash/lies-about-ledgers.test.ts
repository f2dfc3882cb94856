/**
 * A network that lies about its ledgers, from which outcomes come. Nothing is said of an applied withdrawal, and the
 * accounting does not pass its ledger, while the lie is told; then the truth is.
 */
import assert from 'node:assert/strict';
import { after, afterEach, before, suite, test } from 'node:test';
import { xdr } from '@stellar/stellar-sdk/base';
import { eventually } from '../support/eventually.ts';
import type { RpcCall, Treatment } from '../support/rpc-proxy.ts';
import {
  assertPaid,
  assertPaidOnce,
  newOrder,
  type Order,
  parse,
  paymentsOf,
  rowOf,
  type Stage,
  setStage,
  type Wallet,
  withdraw,
} from './stage.ts';

/** So far behind, a node is on another network than the one that we know. src/chain/whole-ledgers.ts */
const LAG_LEDGERS = 100;

type Lie = { name: string; tell(call: RpcCall, result: any, set: Setting): Promise<void> | void };
type Setting = { stage: Stage; wallet: Wallet };

/** The same in any answer. */
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

/** Each gets the page and where the payment is in it. */
type PageLie = { name: string; falsify(transactions: any[], at: number, other: any): any[] };

const PAGE_LIES: PageLie[] = [
  { name: 'an empty page', falsify: () => [] },
  { name: 'a page without it', falsify: (all, at) => all.toSpliced(at, 1) },
  { name: 'a page with it twice', falsify: (all, at) => all.toSpliced(at, 0, all[at]) },
  {
    name: 'another transaction in its place',
    falsify: (all, at, other) => all.with(at, { ...other, ledger: all[at].ledger }),
  },
  {
    name: 'another one’s result',
    falsify: (all, at) => all.with(at, { ...all[at], resultXdr: FAILED, status: 'FAILED' }),
  },
  {
    name: 'another one’s envelope',
    falsify: (all, at, { envelopeXdr }) => all.with(at, { ...all[at], envelopeXdr }),
  },
  { name: 'another hash', falsify: (all, at, { txHash }) => all.with(at, { ...all[at], txHash }) },
  { name: 'another ledger', falsify: (all, at) => all.with(at, { ...all[at], ledger: all[at].ledger + 1 }) },
  { name: 'a garbage envelope', falsify: (all, at) => all.with(at, { ...all[at], envelopeXdr: 'AAAAAg==' }) },
  { name: 'a garbage result', falsify: (all, at) => all.with(at, { ...all[at], resultXdr: 'AAAA' }) },
];

const FAILED = new xdr.TransactionResult({
  feeCharged: 100n,
  result: xdr.TransactionResultResult.txFailed([
    xdr.OperationResult.opInner(xdr.OperationResultTr.payment(xdr.PaymentResult.paymentUnderfunded())),
  ]),
  ext: xdr.TransactionResultExt.v0(),
}).toXdr('base64');

const HEADERS_LIES: Lie[] = [
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
    name: 'headers of other ledgers',
    tell: (call, result) => {
      const shifted = result.ledgers.map((ledger: any, index: number, all: any[]) => {
        const { headerXdr } = all[(index + 1) % all.length];
        return { ...ledger, headerXdr };
      });
      call.result({ ...result, ledgers: shifted });
    },
  },
  {
    name: 'a garbage header',
    tell: (call, result) =>
      call.result({ ...result, ledgers: result.ledgers.map((one: any) => ({ ...one, headerXdr: 'AAAA' })) }),
  },
  {
    name: 'a history that begins later',
    tell: (call, result) => call.result({ ...result, oldestLedger: result.latestLedger }),
  },
];

/** `result` is what the network said when the lie began. */
const NEWEST_LIES: Lie[] = [
  { name: 'a network that stands still', tell: (call, result) => call.result(result) },
  {
    name: 'another ledger’s header',
    tell: async (call, { headerXdr }) => call.result({ ...(await call.forward()).result, headerXdr }),
  },
  {
    name: 'a garbage header',
    tell: async (call) => call.result({ ...(await call.forward()).result, headerXdr: 'AAAA' }),
  },
  {
    name: 'a network that begins anew',
    tell: async (call, _result, { stage }) => {
      const { ledgers } = await stage.ledger.server._getLedgers({ startLedger: 2, pagination: { limit: 1 } });
      const [{ sequence, headerXdr }] = ledgers as any[];
      const { header } = xdr.LedgerHeaderHistoryEntry.fromXdr(headerXdr, 'base64');
      call.result({ ...(await call.forward()).result, sequence, headerXdr: header.toXdr('base64') });
    },
  },
];

// Each has a network of its own, and waits most of the time.
suite('lies about', { concurrency: true }, () => {
  suite('the pages', { concurrency: false }, () => {
    const set = setUp();

    for (const { name, falsify } of PAGE_LIES) {
      test(`${name}: nothing is said and the answer is counted, then the truth`, async () => {
        const other = await someTransaction(set);
        const counted = await unusableAnswers(set, 'getTransactions');
        await saidOnlyWhenProven(set, (order, lied) => {
          set.stage.proxy.treat('getTransactions', async (call) => {
            const { result } = await call.forward();
            const at = result.transactions.findIndex((one: any) => isOf(set, order, one));
            if (at < 0) return call.result(result);
            lied();
            call.result({ ...result, transactions: falsify(result.transactions, at, other) });
          });
        });
        assert.ok((await unusableAnswers(set, 'getTransactions')) > counted);
      });
    }
    brokenAnswers(set, 'getTransactions');

    test('a status that the proven result contradicts: the result counts', async () => {
      const order = newOrder(set.wallet);
      set.stage.proxy.treat('getTransactions', async (call) => {
        const { result } = await call.forward();
        const transactions = result.transactions.map((one: any) => ({ ...one, status: 'FAILED' }));
        call.result({ ...result, transactions });
      });
      const told = await withdraw(set.stage, order);
      assert.equal(told.status, 201);
      set.stage.proxy.honest();
      await assertPaidOnce(set.stage, order, told);
    });
  });

  suite('the headers', { concurrency: false }, () => {
    const set = setUp();

    for (const { name, tell } of HEADERS_LIES) {
      test(`${name}: nothing is said, then the truth`, () =>
        saidOnlyWhenProven(set, (order, lied) => {
          fallBehind(set, order);
          set.stage.proxy.treat('getLedgers', async (call) => {
            lied();
            await tell(call, (await call.forward()).result, set);
          });
        }));
    }
    brokenAnswers(set, 'getLedgers', fallBehind);
  });

  suite('the newest ledger', { concurrency: false }, () => {
    const set = setUp();

    for (const { name, tell } of NEWEST_LIES) {
      test(`${name}: nothing is said, then the truth`, () =>
        saidOnlyWhenProven(set, (_order, lied) => {
          const frozen = newestLedger(set);
          set.stage.proxy.treat('getLatestLedger', async (call) => {
            lied();
            await tell(call, await frozen, set);
          });
        }));
    }
    brokenAnswers(set, 'getLatestLedger');
  });
});

/** A stage for the tests of a suite, whose history is long enough for a network that begins anew. */
function setUp(): Setting {
  const set = {} as Setting;
  before(async () => {
    set.stage = await setStage({ WITHDRAW_VALID_SECONDS: '3600', WITHDRAW_WAIT_SECONDS: '60' });
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

/** Two read ledgers, the accounting of withdrawals and that of deposits: three lies are at least one to each. */
const LIES_TOLD = 3;

/** A withdrawal that is applied while the network lies, from its sending on. */
async function saidOnlyWhenProven(
  { stage, wallet }: Setting,
  lie: (order: Order, lied: () => void) => void,
): Promise<void> {
  const order = newOrder(wallet);
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
  const [cursor] = await stage.query('select ledger from settle_cursor');
  assert.ok(cursor.ledger < (payment?.ledger ?? 0), 'the accounting has not passed its ledger');
  stage.proxy.honest();
  const told = await answer;
  assert.equal(told.status, 201, told.text);
  await assertPaid(stage, order, told);
}

/** More than one ledger is unread when the network is heard again: then the headers between are asked for. */
function fallBehind({ stage }: Setting, order: Order): void {
  const behind = eventually('two ledgers more', async () => {
    const [payment] = await paymentsOf(stage, order);
    const { sequence } = await stage.ledger.server.getLatestLedger();
    return payment && sequence > payment.ledger + 2;
  });
  stage.proxy.treat('getLatestLedger', async (call) => {
    await behind;
    call.reply(await call.forward());
  });
}

const UNUSABLE = 'teller_network_unusable_answers_total';

/** As the service's metrics have it; 0 before the first. */
async function unusableAnswers({ stage }: Setting, method: string): Promise<number> {
  const url = /Metrics +(\S+)/.exec(stage.service.output())?.[1] ?? '';
  const text = await (await fetch(url)).text();
  const line = text.split('\n').find((each) => each.startsWith(`${UNUSABLE}{method="${method}"}`));
  return Number(line?.split(' ').at(-1) ?? 0);
}

const passOn: Treatment = async (call) => call.reply(await call.forward());

const isOf = ({ stage }: Setting, order: Order, { envelopeXdr }: any) =>
  parse(envelopeXdr, stage).memo === `${order.memo_id}`;

/** Friendbot's, which made an account. */
async function someTransaction({ stage }: Setting): Promise<any> {
  const page = await stage.ledger.server._getTransactions({ startLedger: 2, pagination: { limit: 1 } });
  return page.transactions?.[0];
}

async function newestLedger({ stage }: Setting): Promise<any> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getLatestLedger' });
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(stage.sandbox.rpc_url, { method: 'POST', headers, body });
  return ((await answer.json()) as any).result;
}
