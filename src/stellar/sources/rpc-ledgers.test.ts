/** Reading ledgers from Stellar RPC: the size of the requests, and false answers. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import {
  ledgerChain,
  ledgerTransactions,
  PASSPHRASE,
  rpcLedger,
  signedPayment,
  type TestLedger,
} from '../../../test/support/ledger-xdr.ts';
import { systemClock } from '../../lib/clock.ts';
import { createLog } from '../../lib/log.ts';
import { createMetrics } from '../../lib/metrics.ts';
import type { HttpRequest, HttpResponse } from '../answers/transport.ts';
import { NetworkUnavailable } from '../network-unavailable.ts';
import type { LedgerTransaction } from '../stellar.ts';
import { createStellar } from './create-stellar.ts';

/** The node's answer to getLedgers. */
type Page = Record<string, unknown> & { ledgers: { sequence: number; metadataXdr: string }[] };

type Node = {
  ledgers: Map<number, TestLedger>;
  oldest: number;
  newest: number;
  unhealthy: boolean;
  /** Whether getHealth says when the ledgers closed, as from v27.1.0 on. */
  health_times: boolean;
  /** Changes an answer to getLedgers. */
  treat(page: Page): unknown;
  /** A response instead of the answer. */
  broken(method: string): HttpResponse | null;
};

const result = (value: unknown): HttpResponse => ({ status: 200, text: JSON.stringify({ result: value }) });
const error = (message: string): HttpResponse => ({
  status: 200,
  text: JSON.stringify({ error: { code: -32600, message } }),
});

/** A Stellar with one node that has ledgers up to `newest` with these transactions, and the machine's clock or this one. */
function chainOf(
  newest: number,
  transactions: Record<number, LedgerTransaction[]> = {},
  clock = systemClock,
) {
  const ledgers = ledgerChain(newest, transactions);
  const node: Node = {
    ledgers,
    newest,
    oldest: 1,
    unhealthy: false,
    health_times: true,
    treat: (page) => page,
    broken: () => null,
  };
  /** Requests in order; those of getLedgers as `startLedger+limit`. */
  const asked: string[] = [];
  const metrics = createMetrics();
  const stellar = createStellar({
    rpc_urls: ['http://node'],
    horizon_urls: [],
    passphrase: PASSPHRASE,
    clock,
    log: createLog('silent', false),
    metrics,
    transport: { send: async ({ body }) => answer(node, asked, body), close: async () => undefined },
  });
  const unusable = async () =>
    (await metrics.unusable_answers.get()).values.map(({ labels }) => labels.method);
  return { stellar, node, asked, unusable, transactions };
}

function healthOf(node: Node, { oldestLedger, latestLedger, ...times }: Record<string, unknown>): object {
  return { oldestLedger, latestLedger, ...(node.health_times && times) };
}

/** So long after the node's newest ledger. */
function secondsAfter(node: Node, seconds: number): Date {
  return new Date((Number(node.ledgers.get(node.newest)?.close_time) + seconds) * 1000);
}

function answer(node: Node, asked: string[], body: HttpRequest['body']): HttpResponse {
  const { method, params } = JSON.parse(body?.text ?? '');
  const { startLedger, pagination } = params ?? {};
  if (method === 'getNetwork') return result({ passphrase: PASSPHRASE });
  asked.push(method === 'getLedgers' ? `${startLedger}+${pagination.limit}` : method);
  const { oldest, newest } = node;
  const latestLedgerCloseTime = Number(node.ledgers.get(newest)?.close_time);
  const range = { oldestLedger: oldest, latestLedger: newest, latestLedgerCloseTime };
  const broken = node.broken(method);
  if (broken) return broken;
  if (method === 'getHealth') return node.unhealthy ? error('latency') : result(healthOf(node, range));
  if (method === 'getLatestLedger') return result({ sequence: newest });
  if (method === 'getTransaction') return result({ status: 'NOT_FOUND', ...range });
  if (startLedger < oldest || startLedger > newest) return error('start ledger must be between …');
  const length = Math.min(pagination.limit, newest - startLedger + 1);
  const ledgers = Array.from({ length }, (_, index) =>
    rpcLedger(node.ledgers.get(startLedger + index) as TestLedger),
  );
  return result(node.treat({ ...range, ledgers }));
}

const eleven = ledgerTransactions(11, 5);
const twelve = ledgerTransactions(12, 3);

test('ledgers are given whole, with the hashes that link them to the ledgers before and after', async () => {
  const { stellar, node } = chainOf(12, { 11: eleven, 12: twelve });
  const hashOf = (sequence: number) => node.ledgers.get(sequence)?.hash.toString('hex');
  assert.deepEqual(await stellar.readLedgersAfter(9, null), {
    read: 'ledgers',
    transactions: [...eleven, ...twelve],
    hashes: [9, 10, 11, 12].map((sequence) => `${hashOf(sequence)}`),
    through_ledger: 12,
    through_hash: hashOf(12),
    through_close_time: 60n,
    close_times: [50n, 55n, 60n],
    newest_close_time: 60n,
    newest_ledger: 12,
  });
});

test('a ledger costs one request, and a small second one shows that there is no newer ledger', async () => {
  const { stellar, node, asked } = chainOf(13, { 11: eleven });
  node.newest = 11;
  await stellar.readLedgersAfter(10, null);
  assert.deepEqual(asked.splice(0), ['getHealth', '11+5']);
  assert.deepEqual(await stellar.readLedgersAfter(11, null), { read: 'nothing_new' });
  assert.deepEqual(asked.splice(0), ['getHealth']);
  node.newest = 13;
  await stellar.readLedgersAfter(11, null);
  assert.equal(asked.length, 2);
});

test('far behind, only ledgers are asked for, as many at once as fit, up to a hundred', async () => {
  const { stellar, asked } = chainOf(400);
  let at = 10;
  while (at < 400) {
    const range = await stellar.readLedgersAfter(at, null);
    assert(range.read === 'ledgers');
    assert.equal(range.newest_close_time, 2000n, 'the newest close time is known');
    at = range.through_ledger;
  }
  assert.deepEqual(asked, [
    'getHealth',
    '11+5',
    '16+10',
    '26+20',
    '46+40',
    '86+80',
    '166+100',
    '266+100',
    '366+100',
  ]);
});

test('ledgers of four megabytes are asked for a few at a time', async () => {
  const { stellar, node, asked } = chainOf(100);
  const padding = 'A'.repeat(4 * 1024 * 1024);
  node.treat = (page) => ({
    ...page,
    ledgers: page.ledgers.map((ledger) => ({ ...ledger, metadataXdr: padding })),
  });
  for (let call = 1; call <= 2; call++) await assert.rejects(stellar.readLedgersAfter(10, null));
  node.treat = (page) => page;
  await stellar.readLedgersAfter(10, null);
  assert.deepEqual(
    asked.filter((one) => one !== 'getHealth' && one !== 'getVersionInfo'),
    ['11+5', '11+2', '11+2'],
  );
});

test('after an answer that is too long, lost or refused, half as many ledgers are asked for, down to one', async () => {
  for (const instead of [{ status: 504, text: '' }, error('limit must not exceed 1')]) {
    const { stellar, node, asked } = chainOf(100);
    node.broken = (method) => (method === 'getLedgers' ? instead : null);
    for (let call = 1; call <= 5; call++)
      await assert.rejects(stellar.readLedgersAfter(10, null), /nothing was started/i);
    assert.deepEqual(
      asked.filter((one) => one !== 'getHealth'),
      ['11+5', '11+3', '11+2', '11+1', '11+1'],
    );
    node.broken = () => null;
    const range = await stellar.readLedgersAfter(10, null);
    assert.equal(range.read === 'ledgers' && range.through_ledger, 11);
  }
});

test('a gap is recognised from a node that refuses, gives later ledgers, or has no new ones', async () => {
  for (const unhealthy of [false, true]) {
    const { stellar, node } = chainOf(90);
    Object.assign(node, { oldest: 40, unhealthy });
    assert.deepEqual(await stellar.readLedgersAfter(10, null), { read: 'gap', oldest_ledger: 40 });
  }
  const { stellar, node } = chainOf(90);
  await stellar.readLedgersAfter(10, null); // knows that there is more
  node.oldest = 40;
  assert.deepEqual(await stellar.readLedgersAfter(15, null), { read: 'gap', oldest_ledger: 40 });
  await stellar.readLedgersAfter(50, null);
  node.oldest = 1;
  node.treat = ({ ledgers, ...page }) => ({ ...page, oldestLedger: 60, ledgers: ledgers.slice(7) });
  assert.deepEqual(await stellar.readLedgersAfter(52, null), { read: 'gap', oldest_ledger: 60 });
});

test('ledgers that a node has in an archive, before the history that it names, are read', async () => {
  const { stellar, node } = chainOf(90);
  node.treat = (page) => ({ ...page, oldestLedger: 60 });
  for (const after of [10, 12]) {
    const range = await stellar.readLedgersAfter(after, null);
    assert.equal(range.read, 'ledgers');
  }
});

test('a node whose getHealth tells no times is asked by getTransaction, from the second time on at once', async () => {
  const { stellar, node, asked } = chainOf(11);
  node.health_times = false;
  assert.deepEqual(await stellar.readLedgersAfter(11, null), { read: 'nothing_new' });
  assert.deepEqual(asked.splice(0), ['getHealth', 'getTransaction']);
  assert.deepEqual(await stellar.readLedgersAfter(11, null), { read: 'nothing_new' });
  assert.deepEqual(asked.splice(0), ['getTransaction']);
});

test('a node whose getLatestLedger has no header gives that of getLedgers, which must be of the same ledger', async () => {
  const { stellar, node, asked } = chainOf(11);
  const { hash, close_time } = node.ledgers.get(11) as TestLedger;
  const latest = await stellar.latestLedger();
  assert.deepEqual([latest.sequence, latest.hash, latest.close_time], [11, hash.toString('hex'), close_time]);
  assert.deepEqual(asked, ['getLatestLedger', '11+1']);
  const [other] = [rpcLedger(node.ledgers.get(10) as TestLedger)];
  node.treat = (page) => ({ ...page, ledgers: [other] });
  await assert.rejects(stellar.latestLedger(), NetworkUnavailable);
  node.treat = (page) => ({ ...page, ledgers: [] });
  await assert.rejects(stellar.latestLedger(), NetworkUnavailable);
});

test('nothing new, a lag and a reset are distinguished, healthy or not, also after a newer ledger was known', async () => {
  for (const unhealthy of [false, true]) {
    let now = new Date(0);
    const { stellar, node } = chainOf(300, {}, { ...systemClock, now: () => now });
    node.unhealthy = unhealthy;
    await stellar.readLedgersAfter(200, null); // it was at 300
    for (const [newest, after, expected] of [
      [300, 300, { read: 'nothing_new' }],
      [210, 240, { read: 'nothing_new' }],
      [200, 300, { read: 'nothing_new' }],
      [199, 300, { read: 'reset', latest_ledger: 199 }],
    ] as const) {
      node.newest = newest;
      now = secondsAfter(node, 30);
      assert.deepEqual(await stellar.readLedgersAfter(after, null), expected);
    }
    now = secondsAfter(node, 31);
    assert.deepEqual(
      await stellar.readLedgersAfter(300, null),
      { read: 'nothing_new' },
      'the node stands still',
    );
  }
});

test('a node without new ledgers is read again when it has some', async () => {
  const { stellar, node } = chainOf(12, { 12: twelve });
  Object.assign(node, { newest: 11, unhealthy: true });
  assert.deepEqual(await stellar.readLedgersAfter(11, null), { read: 'nothing_new' });
  node.newest = 12;
  const range = await stellar.readLedgersAfter(11, null);
  assert.deepEqual(range.read === 'ledgers' && range.transactions, twelve);
});

test('a node that refuses ledgers which it claims to have gives no answer', async () => {
  const { stellar, node, unusable } = chainOf(90);
  node.broken = (method) => (method === 'getLedgers' ? error('database is locked') : null);
  await assert.rejects(stellar.readLedgersAfter(10, null), /nothing was started/i);
  assert.deepEqual(await unusable(), [], 'it has not lied');
});

const other = ledgerTransactions(11, 6)[5] as LedgerTransaction;
const [first, second, third] = eleven as [LedgerTransaction, LedgerTransaction, LedgerTransaction];

/** The stated transactions of ledger 11, under its true header. */
const FALSE_LEDGERS: Record<string, (real: TestLedger) => TestLedger> = {
  'no transaction': (real) => ({ ...real, transactions: [] }),
  'the first left out': with_(eleven.slice(1)),
  'the last left out': with_(eleven.slice(0, -1)),
  'one in the middle left out': with_(eleven.toSpliced(2, 1)),
  'one twice': with_([first, ...eleven]),
  'two exchanged': with_([second, first, ...eleven.slice(2)]),
  'another one in its place': with_(eleven.with(2, other)),
  'one more': with_([...eleven, other]),
  'another result': with_(eleven.with(2, { ...third, result: Buffer.from(third.result).fill(9, 7, 8) })),
  'another envelope': with_(eleven.with(2, { ...third, envelope: other.envelope })),
  'another hash': with_(eleven.with(2, { ...third, hash: other.hash })),
  'an unknown envelope': with_(eleven.with(2, { ...third, envelope: Buffer.from([0, 0, 0, 9]) })),
  'another payment in an envelope': with_(
    eleven.with(2, { ...third, envelope: Buffer.from(signedPayment(3).envelope_xdr, 'base64') }),
  ),
  'another header': (real) => ({ ...real, header: Buffer.from(real.header).fill(1, 100, 104) }),
  'another header under its own hash': (real) => {
    const { header, hash } = ledgerChain(11, { 11: twelve }).get(11) as TestLedger;
    return { ...real, header, hash };
  },
};

function with_(transactions: LedgerTransaction[]) {
  return (real: TestLedger): TestLedger => ({ ...real, transactions });
}

for (const [name, falsify] of Object.entries(FALSE_LEDGERS)) {
  test(`a ledger is never given with ${name}; the source is counted as one that lies`, async () => {
    const { stellar, node, unusable } = chainOf(11, { 11: eleven });
    const real = node.ledgers.get(11) as TestLedger;
    node.ledgers.set(11, falsify(real));
    await assert.rejects(stellar.readLedgersAfter(10, null), /nothing was started/i);
    // A type that nobody knows may be of a later protocol: then the transactions are asked for one by one.
    assert.deepEqual(await unusable(), [name === 'an unknown envelope' ? 'getTransactions' : 'getLedgers']);
    node.ledgers.set(11, real);
    const range = await stellar.readLedgersAfter(10, null);
    assert.deepEqual(range.read === 'ledgers' && range.transactions, eleven);
  });
}

/** Answers for ledgers 11 to 14. */
const FALSE_PAGES: Record<string, (page: Page) => unknown> = {
  'no ledger': (page) => ({ ...page, ledgers: [] }),
  'the first ledger missing': (page) => ({ ...page, ledgers: page.ledgers.slice(1) }),
  'one missing in the middle': (page) => ({ ...page, ledgers: page.ledgers.toSpliced(2, 1) }),
  'one twice': (page) => ({ ...page, ledgers: page.ledgers.flatMap((one) => [one, one]) }),
  'the ledgers in another order': (page) => ({ ...page, ledgers: page.ledgers.toReversed() }),
  'numbers that are one off': (page) => ({
    ...page,
    ledgers: page.ledgers.map((one, index, all) => ({ ...one, metadataXdr: all.at(index - 1)?.metadataXdr })),
  }),
  'a ledger beyond the newest': (page) => ({ ...page, latestLedger: 13 }),
  'a newest ledger that closed before them': (page) => ({
    ...page,
    latestLedger: 99,
    latestLedgerCloseTime: 69,
  }),
  'a newest ledger that closes at no time': (page) => ({ ...page, latestLedgerCloseTime: 'soon' }),
  'a ledger of another network among them': (page) => ({
    ...page,
    ledgers: page.ledgers.with(2, rpcLedger(ledgerChain(13, { 12: eleven }).get(13) as TestLedger)),
  }),
  'bytes cut short': cut((text) => text.slice(0, -8)),
  'bytes to spare': cut((text) => `${text}AAAA`),
  'text that is no base64': cut((text) => `${text.slice(0, -1)}!`),
  'base64 with something in it': cut((text) => `\n${text}`),
  'no bytes': cut(() => ''),
};

function cut(change: (text: string) => string) {
  return (page: Page) => ({
    ...page,
    ledgers: page.ledgers.map((one) => ({ ...one, metadataXdr: change(one.metadataXdr) })),
  });
}

for (const [name, falsify] of Object.entries(FALSE_PAGES)) {
  test(`an answer with ${name} is unusable`, async () => {
    const { stellar, node, unusable } = chainOf(14);
    node.treat = falsify;
    await assert.rejects(stellar.readLedgersAfter(10, null), /nothing was started/i);
    assert.deepEqual(await unusable(), ['getLedgers']);
    node.treat = (page) => page;
    assert.equal((await stellar.readLedgersAfter(10, null)).read, 'ledgers');
  });
}

test('the whole ledgers before a false one are given, none after it, and a false first one is counted', async () => {
  const { stellar, node, unusable } = chainOf(14, { 11: eleven, 12: twelve });
  node.ledgers.set(12, { ...(node.ledgers.get(12) as TestLedger), transactions: twelve.slice(1) });
  const range = await stellar.readLedgersAfter(9, null);
  assert(range.read === 'ledgers');
  assert.equal(range.through_ledger, 11);
  assert.deepEqual(range.transactions, eleven);
  assert.deepEqual(await unusable(), []);
  await assert.rejects(stellar.readLedgersAfter(11, null), /nothing was started/i);
  assert.deepEqual(await unusable(), ['getLedgers']);
});
