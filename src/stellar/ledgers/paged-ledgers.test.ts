import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import fc from 'fast-check';
import { ledgerChain, ledgerTransactions, PASSPHRASE } from '../../../test/support/ledger-xdr.ts';
import { NoAnswer } from '../answers/answers.ts';
import type { LedgerTransaction } from '../stellar.ts';
import { type Header, ledgerHeader } from './ledger-header.ts';
import { type Page, type PagedHistory, readPagedLedgers } from './paged-ledgers.ts';

type Ledgers = Record<number, LedgerTransaction[]>;

/** A history of ledgers 1 … `newest` with these transactions, given in pages of `limit`; `treat` may spoil a page. */
function historyOf(
  ledgers: Ledgers,
  { newest, oldest = 1, limit = 200 }: { newest: number; oldest?: number; limit?: number },
  treat: (page: Page, call: number) => Page = (page) => page,
) {
  const asked = { newest: 0, headers: 0, page: 0 };
  const stellar = ledgerChain(newest, ledgers);
  const header = (sequence: number) =>
    ledgerHeader('test', sequence, stellar.get(sequence)?.header ?? Buffer.alloc(0));
  const all = Object.values(ledgers)
    .flat()
    .map((transaction, index) => ({ transaction, cursor: index + 1 }));
  const history: PagedHistory = {
    names: { headers: 'headers', page: 'transactions' },
    async newest() {
      asked.newest++;
      return header(newest);
    },
    async headers(first, count) {
      asked.headers++;
      if (first < oldest) return { oldest_ledger: oldest };
      const length = Math.min(count, newest - first + 1);
      return Array.from({ length }, (_, index) => header(first + index));
    },
    async page(from) {
      asked.page++;
      const rest = all.filter(({ transaction, cursor }) =>
        'ledger' in from ? transaction.ledger >= from.ledger : cursor > Number(from.cursor),
      );
      const some = rest.slice(0, limit);
      const cursor = `${some.at(-1)?.cursor ?? ('cursor' in from ? from.cursor : 0)}`;
      return treat({ transactions: some.map(({ transaction }) => transaction), cursor }, asked.page);
    },
  };
  const hashOf = (sequence: number) => stellar.get(sequence)?.hash.toString('hex');
  return { history, asked, hashOf };
}

const read = async (history: PagedHistory, after: number) =>
  (await readPagedLedgers(history, PASSPHRASE, after, null)).range;

const eleven = ledgerTransactions(11, 5);
const twelve = ledgerTransactions(12, 3);
const manyOfEleven = Array.from({ length: 1000 }, () => eleven[0] as LedgerTransaction);

test('ledgers are given with all of their transactions, in order, and the last one’s close time', async () => {
  const { history, asked, hashOf } = historyOf({ 11: eleven, 12: twelve }, { newest: 14 });
  assert.deepEqual(await read(history, 10), {
    read: 'ledgers',
    transactions: [...eleven, ...twelve],
    hashes: [10, 11, 12, 13, 14].map((sequence) => `${hashOf(sequence)}`),
    through_ledger: 14,
    through_hash: hashOf(14),
    through_close_time: 70n,
    close_times: [55n, 60n, 65n, 70n],
    newest_close_time: 70n,
    newest_ledger: 14,
  });
  // The last two ledgers are proven to be empty by their headers.
  assert.deepEqual(asked, { newest: 1, headers: 1, page: 1 });
});

test('the newest ledger with 340 transactions costs three requests, an empty one and an idle poll one', async () => {
  const busy = historyOf({ 11: ledgerTransactions(11, 340) }, { newest: 11 });
  const range = await read(busy.history, 10);
  assert.equal(range.read === 'ledgers' && range.transactions.length, 340);
  assert.deepEqual(busy.asked, { newest: 1, headers: 0, page: 2 });
  const empty = historyOf({}, { newest: 11 });
  assert.equal((await read(empty.history, 10)).read, 'ledgers');
  assert.deepEqual(empty.asked, { newest: 1, headers: 0, page: 0 });
  const idle = historyOf({}, { newest: 10 });
  assert.deepEqual(await read(idle.history, 10), { read: 'nothing_new' });
  assert.deepEqual(idle.asked, { newest: 1, headers: 0, page: 0 });
});

test('far behind, at most ten ledgers are read at once', async () => {
  const { history } = historyOf({ 11: eleven }, { newest: 500 });
  const range = await read(history, 10);
  assert.equal(range.read === 'ledgers' && range.through_ledger, 20);
  assert.equal(
    range.read === 'ledgers' && range.newest_close_time,
    2500n,
    'and the newest close time is known',
  );
});

test('property: however a gateway splits the pages, every ledger given is whole', async () => {
  const ledgers = { 11: eleven, 12: twelve, 14: ledgerTransactions(14, 7) };
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 16 }),
      fc.integer({ min: 10, max: 14 }),
      async (limit, after) => {
        const { history } = historyOf(ledgers, { newest: 14, limit });
        const range = await read(history, after);
        if (after === 14) return assert.equal(range.read, 'nothing_new');
        const expected = Object.values(ledgers)
          .flat()
          .filter(({ ledger }) => ledger > after);
        assert.equal(range.read === 'ledgers' && range.through_ledger, 14);
        assert.deepEqual(range.read === 'ledgers' && range.transactions, expected);
      },
    ),
  );
});

/** Each changes the first page, or all pages. */
const LIES: Record<string, (page: Page, call: number) => Page> = {
  'an empty page': (page) => ({ ...page, transactions: [] }),
  'an empty page that claims to be the end': (page) => ({ transactions: [], cursor: `${page.cursor}000` }),
  'the first left out': (page) => ({ ...page, transactions: page.transactions.slice(1) }),
  'one in the middle left out': (page) => ({ ...page, transactions: page.transactions.toSpliced(2, 1) }),
  'one twice': (page) => ({ ...page, transactions: page.transactions.flatMap((one) => [one, one]) }),
  'two exchanged': (page) => ({ ...page, transactions: page.transactions.toReversed() }),
  'another ledger’s': (page) => ({
    ...page,
    transactions: ledgerTransactions(8, 5).map((one) => ({ ...one, ledger: 11 })),
  }),
  'of an earlier ledger': (page) => ({ ...page, transactions: ledgerTransactions(9, 2) }),
  'the same half for ever': () => ({ transactions: eleven.slice(0, 2), cursor: '1' }),
  'transactions without end': (_, call) => ({ transactions: manyOfEleven, cursor: `${call}` }),
  'another result': changed((one) => ({ ...one, result: one.envelope })),
  'another hash': changed((one) => ({ ...one, hash: '00'.repeat(32) })),
  'another envelope': changed((one) => ({ ...one, envelope: twelve[0]?.envelope ?? Buffer.alloc(0) })),
  'an envelope that cannot be read': changed((one) => ({ ...one, envelope: Buffer.alloc(3) })),
  'an envelope with bytes to spare': changed((one) => ({
    ...one,
    envelope: Buffer.concat([one.envelope, Buffer.alloc(4)]),
  })),
  'a result with bytes to spare': changed((one) => ({
    ...one,
    result: Buffer.concat([one.result, Buffer.alloc(4)]),
  })),
};

function changed(change: (one: LedgerTransaction) => LedgerTransaction) {
  return (page: Page) => ({ ...page, transactions: page.transactions.map(change) });
}

for (const [name, lie] of Object.entries(LIES)) {
  test(`a ledger is never given with ${name}`, async () => {
    const { history } = historyOf({ 11: eleven }, { newest: 11 }, lie);
    await assert.rejects(read(history, 10), NoAnswer);
  });
}

test('the whole ledgers before a false one are given, and none after it', async () => {
  const lie = (page: Page) => ({
    ...page,
    transactions: page.transactions.filter(({ hash }) => hash !== twelve[1]?.hash),
  });
  const { history } = historyOf({ 11: eleven, 12: twelve }, { newest: 12 }, lie);
  const range = await read(history, 10);
  assert.equal(range.read === 'ledgers' && range.through_ledger, 11);
  assert.deepEqual(range.read === 'ledgers' && range.transactions, eleven);
});

test('headers of other ledgers, with times that fall or without links to each other, are no answer', async () => {
  const { history } = historyOf({}, { newest: 20 });
  const spoilt = (change: (headers: Header[]) => Header[]): PagedHistory => ({
    ...history,
    headers: async (first, count) => change((await history.headers(first, count)) as Header[]),
  });
  for (const change of [
    () => [],
    (headers: Header[]) => headers.slice(1),
    (headers: Header[]) => headers.toSpliced(3, 1),
    (headers: Header[]) => headers.map((header, index) => ({ ...header, close_time: 50n - BigInt(index) })),
    (headers: Header[]) => headers.map((header) => ({ ...header, close_time_ms: 50_000n })),
    (headers: Header[]) => headers.map((header) => ({ ...header, previous_hash: header.hash })),
  ]) {
    await assert.rejects(read(spoilt(change), 10), NoAnswer);
  }
});

test('several ledgers may close in one second', async () => {
  const { history } = historyOf({}, { newest: 20 });
  const newest = { ...(await history.newest()), close_time: 5n };
  const headers = async (first: number, count: number) =>
    ((await history.headers(first, count)) as Header[]).map((header) => ({ ...header, close_time: 5n }));
  const range = await read({ ...history, headers, newest: async () => newest }, 10);
  assert(range.read === 'ledgers');
  assert.deepEqual([...new Set(range.close_times)], [5n]);
});

test('nothing new, a lag, a gap and a reset are distinguished', async () => {
  assert.deepEqual(await read(historyOf({}, { newest: 8 }).history, 10), { read: 'nothing_new' });
  assert.deepEqual(await read(historyOf({}, { newest: 3 }).history, 1_000), {
    read: 'reset',
    latest_ledger: 3,
  });
  const pruned = historyOf({}, { newest: 90, oldest: 40 });
  assert.deepEqual(await read(pruned.history, 10), { read: 'gap', oldest_ledger: 40 });
});
