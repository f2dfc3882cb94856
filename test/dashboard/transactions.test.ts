import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import type { Deposit, Transaction } from '../../dashboard/src/api/contract.ts';
import { CSV_HEAD, csvLines } from '../../dashboard/src/pages/transactions/csv.ts';
import { readTransactionsSearch, transactionsQuery } from '../../dashboard/src/pages/transactions/search.ts';
import { memoWords, whyUnattributed } from '../../dashboard/src/text/memo.ts';

const TRANSACTION: Transaction = {
  type: 'deposit',
  id: 'dep_1',
  status: 'confirmed',
  reason: null,
  asset_code: 'native',
  asset_issuer: null,
  amount_stroops: 9_223_372_036_854_775_807n,
  fee_stroops: null,
  counterparty: 'GABC',
  address_label: null,
  stellar_tx_hash: 'ab',
  memo_id: 18_446_744_073_709_551_615n,
  memo_text: null,
  reference: null,
  payout_id: null,
  payout_row: null,
  below_minimum: false,
  created_at: '2026-11-21T12:00:00.000Z',
};

const NAMES = CSV_HEAD.replace('\uFEFF', '').trimEnd().split(',');

/** By the names in the head; for fields without a comma. */
function cells(row: Partial<Transaction>): Record<string, string | undefined> {
  const values = csvLines([{ ...TRANSACTION, ...row }])
    .trimEnd()
    .split(',');
  assert.equal(values.length, NAMES.length);
  return Object.fromEntries(NAMES.map((name, index) => [name, values[index]]));
}

const withMemo = (memo_text: string) => csvLines([{ ...TRANSACTION, memo_text }]);

describe('The CSV of transactions', () => {
  it('has the exact amount and fee, in units and in stroops, and the whole memo id', () => {
    const written = cells({ fee_stroops: 9_007_199_254_740_993n });
    assert.equal(written.amount, '922337203685.4775807');
    assert.equal(written.amount_stroops, '9223372036854775807');
    assert.equal(written.fee, '900719925.4740993');
    assert.equal(written.fee_stroops, '9007199254740993');
    assert.equal(written.memo_id, '18446744073709551615');
  });

  it('distinguishes a fee of 0 from an unknown fee', () => {
    const { fee, fee_stroops } = cells({ fee_stroops: 0n });
    assert.deepEqual([fee, fee_stroops], ['0', '0']);
    const unknown = cells({ fee_stroops: null });
    assert.deepEqual([unknown.fee, unknown.fee_stroops], ['', '']);
  });

  it('has the reference of a withdrawal, and its row of a payout', () => {
    const { reference, payout_id, payout_row } = cells({
      reference: 'Ada',
      payout_id: 'pay_1',
      payout_row: 130,
    });
    assert.deepEqual([reference, payout_id, payout_row], ['Ada', 'pay_1', '130']);
  });

  it('has issuer, label and memo', () => {
    const given = { asset_issuer: 'GISSUER', address_label: 'Ada Lovelace', memo_text: 'invoice 7' };
    const { asset_issuer, address_label, memo_text } = cells(given);
    assert.deepEqual({ asset_issuer, address_label, memo_text }, given);
  });

  it('runs no formula: text from strangers stays text', () => {
    for (const start of ['=', '+', '-', '@', '\t', '\r', '\n'])
      for (const field of ['asset_code', 'address_label', 'memo_text', 'reference'])
        assert.match(csvLines([{ ...TRANSACTION, [field]: `${start}1` }]), /,"?'/, JSON.stringify(start));
  });

  it('runs no formula in spreadsheets that end a field at a semicolon, tab or line break', () => {
    for (const end of [';', '\t', '\n', '\r', ';"', ';""'])
      for (const start of ['=', '+', '-', '@']) {
        const line = withMemo(`x${end}${start}1`);
        assert.ok(line.includes(`'${start}1`), JSON.stringify(line));
      }
    assert.match(withMemo('a-b; c=d'), /,a-b; c=d,/, 'and leaves the rest as it is');
  });

  it('keeps a field with a comma, quote or line break together', () => {
    assert.match(withMemo('a,"b"\n'), /,"a,""b""\n",/);
  });

  it('leaves missing values empty', () => {
    const { memo_id, stellar_tx_hash, ...others } = cells({ memo_id: null, stellar_tx_hash: null });
    const { asset_issuer, address_label, memo_text } = others;
    assert.deepEqual([memo_id, stellar_tx_hash, asset_issuer, address_label, memo_text], Array(5).fill(''));
  });
});

describe('The URL of the list of transactions', () => {
  it('keeps a memo id beyond 2^53 and drops invalid parameters', () => {
    const search = readTransactionsSearch({
      search: '18446744073709551615',
      type: 'gift',
      since: 'soon',
      until: '2026-11-21T12:00:00Z',
    });
    assert.equal(search.search, '18446744073709551615');
    assert.equal(search.type, undefined);
    assert.deepEqual([search.since, search.until], [undefined, undefined]);
  });

  it('keeps amounts exactly and drops what is neither an amount nor an asset', () => {
    const most = '922337203685.4775807';
    const search = readTransactionsSearch({ min: '0.0000001', max: most, asset: 'native' });
    assert.deepEqual(transactionsQuery(search), {
      asset: 'native',
      min_amount_stroops: 1n,
      max_amount_stroops: 9_223_372_036_854_775_807n,
    });
    assert.deepEqual(readTransactionsSearch({ min: '-1', max: '1e3', asset: 'USDC' }), {});
  });

  it('drops a day that does not exist', () => {
    for (const day of ['2026-02-30', '2026-02-29', '2026-04-31', '2026-13-01', '2026-00-10', '2026-01-00'])
      assert.deepEqual(readTransactionsSearch({ since: day, until: day }), {}, day);
    for (const day of ['2024-02-29', '2026-02-28', '2026-12-31'])
      assert.deepEqual(readTransactionsSearch({ since: day, until: day }), { since: day, until: day });
  });

  it('requests no year that the API rejects, in any time zone', (test) => {
    const here = process.env.TZ;
    test.after(() => {
      if (here === undefined) delete process.env.TZ;
      else process.env.TZ = here;
    });
    for (const zone of ['America/Los_Angeles', 'Pacific/Kiritimati', 'UTC']) {
      process.env.TZ = zone;
      for (const day of ['0000-01-01', '0000-01-02', '9999-12-30', '9999-12-31']) {
        const { since, until } = transactionsQuery(readTransactionsSearch({ since: day, until: day }));
        for (const time of [since, until]) assert.match(time ?? '0000-', /^\d{4}-/, `${day} in ${zone}`);
      }
      assert.deepEqual(readTransactionsSearch({ since: '0000-01-01', until: '9999-12-31' }), {});
    }
  });

  it('reads numbers and booleans of the router as text', () => {
    assert.deepEqual(readTransactionsSearch({ search: 42, attributed: true }), {
      search: '42',
      attributed: 'true',
    });
  });

  it('requests whole days including the last, and leaves out the explained hash', () => {
    const { since, until, ...others } = transactionsQuery({
      since: '2026-03-29',
      until: '2026-03-29',
      explain: 'ab',
    });
    assert.deepEqual(others, {});
    assert.equal(new Date(since ?? '').getTime(), new Date(2026, 2, 29).getTime());
    assert.equal(new Date(until ?? '').getTime(), new Date(2026, 2, 30).getTime());
  });
});

describe('Why a deposit is in the inbox', () => {
  const why = (memo_type: Deposit['memo_type'], memo: string | null, memo_id: bigint | null) =>
    whyUnattributed({ kind: 'payment', memo_type, memo, memo_id });

  it('names the memo, or its absence', () => {
    assert.match(why('none', null, null), /without a memo/);
    assert.match(why('id', '7', 7n), /has memo id 7$/);
    assert.match(why('text', 'invoice 7', null), /invoice 7.” is not read as a memo id/);
    assert.match(why('text', '7', 7n), /has the id in memo text “.7.”/);
    assert.match(why('hash', 'q6s=', null), /type hash/);
  });

  it('says that it created the account, if it has no memo', () => {
    const creation = { kind: 'create_account', memo_type: 'none', memo: null, memo_id: null } as const;
    assert.match(whyUnattributed(creation), /created the wallet’s account/);
    assert.match(
      whyUnattributed({ ...creation, memo_type: 'text', memo: 'invoice 7' }),
      /invoice 7.” is not read/,
    );
  });

  it('names the id of the M… address if it differs from the memo, or there is no memo', () => {
    assert.match(why('none', null, 9n), /M… address with id 9/);
    assert.match(why('id', '7', 9n), /M… address with id 9/);
    assert.match(why('hash', 'q6s=', 9n), /M… address with id 9/);
  });

  it('cannot be reversed by its sender', () => {
    const told = why('text', '\u2069\u202e77', null);
    assert.match(told, /“\u2068\ufffd\ufffd77\u2069” is not read/);
  });

  it('names the memo by its type', () => {
    assert.equal(memoWords({ memo_type: 'text', memo: 'invoice 7' }), 'text “\u2068invoice 7\u2069”');
    assert.equal(memoWords({ memo_type: 'none', memo: null }), 'none');
  });
});
