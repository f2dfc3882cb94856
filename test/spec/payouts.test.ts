/** Payouts: many payments as one file, each paid once at most, none before it is started. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { Keypair } from '@stellar/stellar-sdk/base';
import { muxedAddress } from '../../src/stellar/address.ts';
import { contractAddress } from '../../src/stellar/contract-address.ts';
import { type Answer, fromJson } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { whileOutcomesWait } from '../support/held-outcomes.ts';
import { payoutReader } from '../support/payouts.ts';
import { assertError, assertFault, joinService, unique, type Wallet } from '../support/running-service.ts';

/** A looser policy takes effect at once. */
const world = await joinService('undelayed');
after(() => world.stop());

let payees: string[];
before(async () => {
  payees = await Promise.all([1, 2, 3].map(async () => (await world.ledger.fund()).publicKey()));
});

let wallet: Wallet;
beforeEach(async () => {
  wallet = await world.newWallet();
});

type Row = Record<string, unknown>;
const path = (rest = '') => `/v1/wallets/${wallet.id}/payouts${rest}`;
const row = (more: Row = {}): Row => ({
  idempotency_key: unique('row'),
  destination: payees[0],
  amount_stroops: 1_000n,
  ...more,
});
/** Of so many different amounts, so that none is a duplicate. */
const rowsOf = (count: number): Row[] =>
  Array.from({ length: count }, (_, index) => row({ amount_stroops: 1_000n + BigInt(index) }));
const post = (body: object, query = '', token = world.token) =>
  world.api('POST', path(query), { token, body });
const csv = (text: string, query = '') =>
  world.api('POST', path(`?name=file${query}`), {
    token: world.token,
    headers: { 'content-type': 'text/csv' },
    body: text,
  });
async function made(rows: Row[], more: object = {}) {
  const answer = await post({ name: 'May', rows, ...more });
  assert.equal(answer.status, 201, answer.text);
  assert.equal(answer.body.data.status, 'draft');
  return answer.body.data;
}
const act = (payout: any, verb: string, token = world.token, body?: object) =>
  world.api('POST', path(`/${payout.id}/${verb}`), { token, ...(body && { body }) });
async function done(payout: any, verb: string) {
  const answer = await act(payout, verb);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}
const { read, until, withdrawalsOf } = payoutReader(world);
const listed = async ({ id }: any, query = '') =>
  (await world.api('GET', path(`/${id}/rows${query}`), { token: world.token })).body.data.items;
async function kept(): Promise<[number, number]> {
  return [await world.countOf('payouts'), await world.countOf('payout_rows')];
}
const setPolicy = async (body: object) => {
  const answer = await world.api('PATCH', `/v1/wallets/${wallet.id}/policy`, { token: world.token, body });
  assert.equal(answer.status, 200, answer.text);
};
const problemsOf = (answer: any) =>
  answer.body.data.errors.map(({ row: at, line, field }: any) => [
    at === null ? null : Number(at),
    line === null ? null : Number(line),
    field,
  ]);

describe('making a payout', () => {
  it('201 draft with counts and totals: nothing is paid, and no key is taken', async () => {
    const rows = rowsOf(3);
    const payout = await made(rows);
    assert.equal(payout.counts.waiting, 3n);
    assert.equal(payout.totals[0].amount_stroops, 3_003n);
    assert.deepEqual(await withdrawalsOf(payout), []);
    assert.deepEqual(
      (await listed(payout)).map(({ idempotency_key }: any) => idempotency_key),
      rows.map(({ idempotency_key }) => idempotency_key),
    );
  });

  it('400 names every error of a CSV at once, by line, and keeps nothing', async () => {
    const before = await kept();
    const key = unique('row');
    const text = [
      'idempotency_key,destination,amount,memo_id,reference',
      `${unique('row')},${payees[0]},1.5,,"two\nlines"`,
      `${key},${payees[1]},1.5,,`,
      `${key},${payees[0]},1.5,,`,
      `${unique('row')},${payees[0]},"1,5",,`,
      `${unique('row')},GABC,1e7,9.22337E+18,`,
      `=1+1,${payees[0]},0.00000001,18446744073709551616,`,
      `${unique('row')},${payees[0]},0,,,`,
    ].join('\n');
    const answer = await csv(text);
    assertError(answer, 400, 'invalid_request');
    assert.deepEqual(problemsOf(answer), [
      [1, 3, 'reference'],
      [3, 5, 'idempotency_key'],
      [4, 6, 'amount'],
      [5, 7, 'amount'],
      [5, 7, 'memo_id'],
      [5, 7, 'destination'],
      [6, 8, 'amount'],
      [6, 8, 'memo_id'],
      [6, 8, 'idempotency_key'],
      [7, 9, null],
    ]);
    assert.match(answer.body.error.details[4].message, /^\(line 7\) was rounded by a spreadsheet/);
    assert.deepEqual(await kept(), before);
  });

  it('400 names every error of JSON rows at once with the report as data, and ?preview=true has the same ones in its report', async () => {
    const before = await kept();
    const key = unique('row');
    const rows = [
      row({ amount_stroops: '5', destination: 'GABC', colour: 'red' }),
      row({ memo_id: 2n ** 64n, reference: 'x'.repeat(101) }),
      { amount_stroops: 2n ** 63n },
      'a row',
      row({ asset_code: 'A B', asset_issuer: payees[0], destination: `${payees[0]?.slice(0, -1)}0` }),
      row({ asset_code: 'USD' }),
      row({ idempotency_key: key }),
      row({ idempotency_key: key, amount_stroops: 5n }),
    ];
    const expected = [
      [1, null, 'amount_stroops'],
      [1, null, 'colour'],
      [1, null, 'destination'],
      [2, null, 'memo_id'],
      [2, null, 'reference'],
      [3, null, 'idempotency_key'],
      [3, null, 'amount_stroops'],
      [3, null, 'destination'],
      [4, null, null],
      [5, null, 'asset_code'],
      [5, null, 'destination'],
      [6, null, 'asset_issuer'],
      [8, null, 'idempotency_key'],
    ];
    const answer = await post({ name: 'x', rows });
    const details = assertError(answer, 400, 'invalid_request');
    assert.deepEqual(problemsOf(answer), expected);
    assert.deepEqual(details[0], {
      path: '/rows/0/amount_stroops',
      message: '(row 1) must be an integer number of stroops, written without point, exponent or quotes',
    });
    const preview = await post({ rows }, '?preview=true');
    assert.equal(preview.status, 200, preview.text);
    assert.deepEqual(problemsOf(preview), expected);
    assert.deepEqual(await kept(), before);
  });

  it('more errors than are named are counted, and an amount that cannot be read makes no total wrong', async () => {
    const wrong = Array.from({ length: 1_001 }, () => row({ amount_stroops: 0n }));
    const rows = [...wrong, row()];
    const answer = await post({ name: 'x', rows, expected_count: 1_002, expected_total_stroops: 1_000 });
    assertError(answer, 400, 'invalid_request');
    const { errors, error_count } = answer.body.data;
    assert.deepEqual([errors.length, error_count], [1_000, 1_001n]);
    const [first, ...others] = [row({ amount_stroops: 1.5 }), row()];
    const few = await post({ rows: [first, ...others], expected_total_stroops: 1_000 }, '?preview=true');
    assert.deepEqual(problemsOf(few), [[1, null, 'amount_stroops']]);
  });

  it('400 for a CSV whose header is wrong, that is cut in a quote, or is no UTF-8', async () => {
    for (const text of [
      '',
      'idempotency_key,destination\n',
      'idempotency_key,destination,amount,amount_stroops\n',
      'idempotency_key,destination,amount,amount\n',
      'idempotency_key,destination,amount,colour\n',
      `idempotency_key,destination,amount\n"k,${payees[0]},1\n`,
      `idempotency_key,destination,amount\n`,
    ])
      assertError(await csv(text), 400);
  });

  it('400 for amounts that are more together than an account can hold, in JSON and as a CSV', async () => {
    const before = await kept();
    const most = 2n ** 63n - 1n;
    const rows = [row({ amount_stroops: most }), row({ amount_stroops: 1n })];
    const json = await post({ name: 'x', rows, expected_total_stroops: most + 1n });
    const lines = rows.map((each) => `${each.idempotency_key},${each.destination},${each.amount_stroops}`);
    const file = await csv(
      ['idempotency_key,destination,amount_stroops', ...lines].join('\n'),
      `&expected_total_stroops=${most + 1n}`,
    );
    for (const answer of [json, file]) {
      assertError(answer, 400, 'invalid_request');
      assert.deepEqual(problemsOf(answer), [[null, null, null]]);
      assert.match(answer.text, /are 9223372036854775808 stroops together/);
    }
    assert.deepEqual(await kept(), before);
  });

  it('amounts of a spreadsheet are read as one amount, and the report says how; what can be two is refused until the mark is named', async () => {
    const key = unique('row');
    const amounts = ['12,50', '1.234,50', '7'];
    const file = (all: string[]) =>
      [
        'sep=;',
        'idempotency_key;destination;amount;;',
        ...all.map((amount, at) => `${key}-${at};${payees[0]};${amount};;`),
        ';;;;',
      ].join('\r\n');
    const sure = (await csv(file(amounts), '&preview=true')).body.data;
    assert.deepEqual([sure.error_count, sure.reading_count], [0n, 2n]);
    assert.deepEqual(sure.readings, [
      { row: 1n, line: 3n, field: 'amount', text: '12,50', read_as: '12.5' },
      { row: 2n, line: 4n, field: 'amount', text: '1.234,50', read_as: '1234.5' },
    ]);
    assert.equal(sure.totals[0].amount_stroops, 12_540_000_000n);
    const unsure = [...amounts, '1.000'];
    const refused = await csv(file(unsure));
    assertError(refused, 400, 'invalid_request');
    assert.deepEqual(problemsOf(refused), [[4, 6, 'amount']]);
    assert.equal(refused.body.data.errors[0].code, 'decimal_mark_unknown');
    const totals = async (decimal: string) => {
      const { error_count, totals } = (await csv(file(unsure), `&preview=true&decimal=${decimal}`)).body.data;
      return [error_count, totals[0].amount_stroops];
    };
    assert.deepEqual(await totals('comma'), [0n, 22_540_000_000n]);
    assert.equal((await totals('point'))[0], 2n);
    const made = await post({ name: 'in JSON', csv: file(unsure), decimal: 'comma' });
    assert.equal(made.status, 201, made.text);
    assert.equal(made.body.data.totals[0].amount_stroops, 22_540_000_000n);
    assertFault(await csv(file(unsure), '&decimal=dot'), 'decimal');
  });

  it('columns of other names are what the caller says of them, and the report shows the header with an example', async () => {
    const key = unique('row');
    const text = `Schl\u00fcssel;Betrag;An;Wer;Notiz\n${key};12,50;${payees[0]};Ada;nichts\n`;
    const unknown = await post({ csv: text }, '?preview=true');
    assert.deepEqual(
      unknown.body.data.columns.map(({ name, column, example }: any) => [name, column, example]),
      [
        ['Schl\u00fcssel', null, key],
        ['Betrag', null, '12,50'],
        ['An', null, payees[0]],
        ['Wer', null, 'Ada'],
        ['Notiz', null, 'nichts'],
      ],
    );
    assert.ok(
      unknown.body.data.errors.every(({ code }: any) => code === 'wrong_columns'),
      unknown.text,
    );
    const columns = ['idempotency_key', 'amount', 'destination', 'reference', null].map((column, at) => ({
      name: unknown.body.data.columns[at].name,
      column,
    }));
    const known = await post({ csv: text, columns }, '?preview=true');
    assert.equal(known.status, 200, known.text);
    const [only] = known.body.data.sample;
    assert.equal(known.body.data.error_count, 0n, known.text);
    assert.deepEqual(
      [only.idempotency_key, only.destination, only.amount_stroops, only.reference],
      [key, payees[0], 125_000_000n, 'Ada'],
    );
    const twice = [...columns.slice(0, 4), { name: 'Notiz', column: 'amount' }];
    const refused = await post({ csv: text, columns: twice }, '?preview=true');
    assert.match(refused.body.data.errors[0].message, /"amount" twice/);
    const doubled = { csv: text.replace('Notiz', 'Betrag') };
    for (const given of [doubled, { ...doubled, columns: columns.slice(0, 4) }]) {
      const { errors } = (await post(given, '?preview=true')).body.data;
      assert.deepEqual(
        errors.map(({ code }: any) => code),
        ['equal_column_names'],
        'one of them alone is not meant by its name',
      );
      assert.match(errors[0].message, /several columns with the name "Betrag"/);
    }
    const left_out = [...columns.slice(0, 4), { name: 'Notiz', column: null }];
    const two_notes = text.replace('\n', ';Notiz\n').replace('nichts', 'nichts;auch');
    const without = await post({ csv: two_notes, columns: left_out }, '?preview=true');
    assert.equal(without.body.data.error_count, 0n, without.text);
    assertFault(
      await post({ csv: text, columns: [{ name: 'An', column: 'payee_name' }] }),
      '/columns/0/column',
    );
  });

  it('a file without keys has the same ones under the same name, and under another name it must be confirmed', async () => {
    const name = unique('May');
    const lines = payees.map((payee, at) => `${payee},${at + 1}`);
    const file = { csv: `destination,amount\n${lines.join('\n')}\n`, makes_keys: true };
    const unnamed = await post(file, '?preview=true');
    assert.deepEqual(problemsOf(unnamed), [[null, null, 'name']]);
    assertError(await post({ name, csv: file.csv }), 400, 'invalid_request');
    const first = await post({ name, ...file });
    assert.equal(first.status, 201, first.text);
    assert.deepEqual(
      (await listed(first.body.data)).map(({ idempotency_key }: any) => idempotency_key),
      [1, 2, 3].map((number) => `${name}-${number}`),
    );
    const again = await post({ name, ...file });
    assertError(again, 400, 'invalid_request');
    assert.deepEqual(problemsOf(again).length, 3, 'every key is used');
    const sorted = { csv: `destination,amount\n${lines.toReversed().join('\n')}\n`, makes_keys: true };
    for (const copy of [file, sorted]) {
      const renamed = await post({ name: unique('May'), ...copy });
      assertError(renamed, 409, 'duplicates_not_confirmed');
      assert.ok(renamed.body.data.has_made_keys);
      assert.deepEqual(
        renamed.body.data.warnings.map(({ code }: any) => code),
        Array(3).fill('same_payment'),
      );
    }
    await done(first.body.data, 'cancel');
    const free = await post({ name: unique('May'), ...file }, '?preview=true');
    assert.deepEqual([free.body.data.error_count, free.body.data.warning_count], [0n, 0n], free.text);
    const meant = await post({ name, ...file, confirm_duplicates: true });
    assert.equal(meant.status, 201, meant.text);
    await done(meant.body.data, 'start');
    const paid = await until(meant.body.data, 'completed');
    assert.equal(paid.counts.confirmed, 3n);
    assertError(await post({ name: unique('June'), ...file }), 409, 'duplicates_not_confirmed');
    assertError(await post({ name, ...file, confirm_duplicates: true }), 400, 'invalid_request');
    // One row of it in a longer file, and the same file with a column chosen as key, are noticed too.
    const longer = { csv: `destination,amount\n${payees[0]},99\n${payees[1]},2\n`, makes_keys: true };
    const [only, none] = (await post({ name: unique('June'), ...longer })).body.data.warnings;
    assert.deepEqual([only.row, only.code, none], [2n, 'same_payment', undefined]);
    const chosen = {
      csv: `No,destination,amount\n${unique('no')},${payees[0]},1\n`,
      columns: [{ name: 'No', column: 'idempotency_key' }],
    };
    assertError(await post({ name: unique('June'), ...chosen }), 409, 'duplicates_not_confirmed');
    const [muxed, with_memo] = [
      { csv: `destination,amount\n${muxedAddress(payees[0] ?? '', 5n)},8\n` },
      { csv: `destination,memo_id,amount\n${payees[0]},5,8\n` },
    ];
    assert.equal((await post({ name: unique('July'), ...muxed, makes_keys: true })).status, 201);
    const same = await post({ name: unique('July'), ...with_memo, makes_keys: true }, '?preview=true');
    assert.deepEqual(
      same.body.data.warnings.map(({ code }: any) => code),
      ['same_payment'],
      'an account with a memo is its M… address',
    );
    const own_key = { csv: `idempotency_key,destination,amount\n${unique('no')},${payees[0]},1\n` };
    assert.equal((await post({ name: unique('June'), ...own_key })).status, 201, 'a key of the file decides');
  });

  it('the report has the largest row of each asset, and counts the payees that the wallet has never paid', async () => {
    const paid = await made([row({ destination: payees[0] })]);
    await done(paid, 'start');
    await until(paid, 'completed');
    const rows = [
      row({ destination: payees[0], amount_stroops: 5n }),
      row({ destination: payees[1], amount_stroops: 9n, reference: 'Ada' }),
      row({ destination: payees[1], amount_stroops: 7n }),
    ];
    const { data } = (await post({ rows }, '?preview=true')).body;
    assert.deepEqual(data.totals[0].largest_row, {
      row: 2n,
      line: null,
      destination: payees[1],
      amount_stroops: 9n,
      reference: 'Ada',
    });
    assert.equal(data.new_payees, 1n);
    const spelled = await made([row({ destination: muxedAddress(payees[2] ?? '', 6n) })]);
    await done(spelled, 'start');
    await until(spelled, 'completed');
    const known = [
      row({ destination: muxedAddress(payees[2] ?? '', 6n) }),
      row({ destination: payees[2], memo_id: 6n, amount_stroops: 3n }),
    ];
    assert.equal((await post({ rows: known }, '?preview=true')).body.data.new_payees, 0n);
    const other_id = [row({ destination: muxedAddress(payees[2] ?? '', 8n) })];
    assert.equal((await post({ rows: other_id }, '?preview=true')).body.data.new_payees, 1n);
    assert.deepEqual(
      data.sample.map(({ new_payee }: any) => new_payee),
      [false, true, true],
    );
  });

  it('a CSV with semicolons, a byte order mark and units is read exactly', async () => {
    const key = unique('row');
    const text = `\ufeffidempotency_key;destination;amount;memo_id\r\n${key};${payees[0]};0.0000007;18446744073709551615\r\n`;
    const answer = await csv(text, '&expected_count=1&expected_total_stroops=7');
    assert.equal(answer.status, 201, answer.text);
    const [only] = await listed(answer.body.data);
    assert.deepEqual([only.amount_stroops, only.memo_id], [7n, 18446744073709551615n]);
  });

  it('400 for a key twice in the file, one that a withdrawal has, and one that waits in another payout', async () => {
    const key = unique('key');
    assert.equal(
      (await world.withdraw(wallet, { destination: payees[0], amount_stroops: 5n }, { key })).status,
      201,
    );
    const waiting = rowsOf(1);
    await made(waiting);
    const twice = row({ amount_stroops: 7n });
    const answer = await post({
      name: 'x',
      rows: [row({ idempotency_key: key }), ...waiting, twice, { ...twice, amount_stroops: 8n }],
    });
    assertError(answer, 400, 'invalid_request');
    assert.deepEqual(
      problemsOf(answer).map(([at]: any) => at),
      [1, 2, 4],
    );
  });

  it('409 for the same payment twice, until it is confirmed; a muxed address and a memo id are the same payee', async () => {
    const rows = [row(), row()];
    const refused = await post({ name: 'x', rows });
    assertError(refused, 409, 'duplicates_not_confirmed');
    assert.equal(refused.body.data.warnings[0].code, 'duplicate_payment');
    await made(rows, { confirm_duplicates: true });
  });

  it('400 when count or total is not what the sender has counted', async () => {
    const answer = await post({ name: 'x', rows: rowsOf(2), expected_count: 3, expected_total_stroops: 1 });
    assertError(answer, 400);
    assert.deepEqual(
      answer.body.data.errors.map(({ code }: any) => code),
      ['count_differs', 'total_differs'],
    );
  });

  it('400 for what a withdrawal would be refused for: a memo that is missing, a contract, the policy', async () => {
    await setPolicy({ max_withdrawal_stroops: 5_000 });
    const contract = 'CAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAD2KM';
    const muxed = contractAddress({ contract, muxed_id: 7n });
    const answer = await post({
      name: 'x',
      rows: [
        row({ amount_stroops: 6_000n }),
        row({ destination: contract }),
        row({ destination: muxed }),
        row(),
      ],
    });
    assertError(answer, 400);
    assert.deepEqual(
      answer.body.data.errors.map(({ row: at, code }: any) => [Number(at), code]),
      [
        [1, 'policy_amount_limit'],
        [2, 'destination_not_supported'],
        [3, 'destination_not_supported'],
      ],
    );
  });

  it('200 with ?preview=true gives totals, fees and warnings by the same check, and keeps nothing', async () => {
    const before = await kept();
    const answer = await post({ rows: [row(), row(), row({ amount_stroops: 10n ** 15n })] }, '?preview=true');
    assert.equal(answer.status, 200, answer.text);
    const report = answer.body.data;
    assert.deepEqual([report.rows, report.error_count, report.needs_confirmation], [3n, 0n, true]);
    assert.ok(report.fee_stroops >= 300n);
    assert.deepEqual(report.warnings.map(({ code }: any) => code).sort(), [
      'duplicate_payment',
      'op_underfunded',
    ]);
    assert.deepEqual(await kept(), before);
  });

  it('a file with a key of its own and a count is made once, and with another count the key is another request', async () => {
    const [{ idempotency_key, destination }] = [row()];
    const body = `idempotency_key,destination,amount\n${idempotency_key},${destination},1\n`;
    const headers = { 'content-type': 'text/csv', 'idempotency-key': unique('file') };
    const send = (count: number) =>
      world.api('POST', path(`?name=file&expected_count=${count}`), { token: world.token, headers, body });
    const first = await send(1);
    assert.equal(first.status, 201, first.text);
    assert.deepEqual((await send(1)).body.data.id, first.body.data.id);
    assertError(await send(2), 409, 'idempotency_key_mismatch');
  });

  it('400 above 10,000 rows, 415 for a CSV elsewhere, 404 for another team, 401 for an API key', async () => {
    assertFault(await post({ name: 'x', rows: rowsOf(10_001) }), '/rows');
    const elsewhere = await world.api('POST', `/v1/wallets/${wallet.id}/withdraw`, {
      token: world.token,
      headers: { 'content-type': 'text/csv', 'idempotency-key': unique('key') },
      body: 'x',
    });
    assertError(elsewhere, 415, 'unsupported_media_type');
    const { token } = await world.newUser();
    assertError(await post({ name: 'x', rows: rowsOf(1) }, '', token), 404);
    assertError(await post({ name: 'x', rows: rowsOf(1) }, '', wallet.api_key), 401, 'login_required');
  });
});

describe('retries', () => {
  it('429 for more at once than are checked in turn: each reads and checks a whole file', async () => {
    const payout = await made(rowsOf(1));
    await world.query(
      "update payout_rows set status = 'failed', failure_code = 'memo_required' where payout_id = $1",
      [payout.id],
    );
    const end = `update payouts set status = 'completed', started_at = now(), settled_at = now() where id = $1`;
    await world.query(end, [payout.id]);
    await world.query('begin');
    await world.query('select from payouts where id = $1 for update', [payout.id]); // so that the first check goes on
    const answers: Answer[] = [];
    const asked = Array.from({ length: 5 }, async () => answers.push(await act(payout, 'retry-failed')));
    await eventually('two are refused, while one is checked and two wait', () => answers.length === 2);
    await world.query('commit');
    await Promise.all(asked);
    for (const refused of answers.slice(0, 2)) assertError(refused, 429, 'too_many_waiting');
    assert.deepEqual(
      answers
        .slice(2)
        .map(({ status }) => status)
        .sort(),
      [201, 409, 409],
    );
  });
});

describe('a payout that is started', () => {
  it('pays each row once, as a withdrawal with the key of the row, and completes', async () => {
    const last = { destination: payees[1], amount_stroops: 2_000n, memo_id: 7n, reference: 'Ada' };
    const rows = [...rowsOf(5), row(last)];
    const payout = await made(rows);
    assert.equal((await done(payout, 'start')).status, 'running');
    const completed = await until(payout, 'completed');
    assert.equal(completed.counts.confirmed, 6n);
    assert.equal(completed.totals[0].confirmed_stroops, completed.totals[0].amount_stroops);
    const withdrawals = await withdrawalsOf(payout);
    assert.deepEqual(
      withdrawals.map(({ idempotency_key, status }) => [idempotency_key, status]),
      rows.map(({ idempotency_key }) => [idempotency_key, 'confirmed']),
    );
    for (const { withdrawal_id, stellar_tx_hash, status } of await listed(payout)) {
      assert.equal(status, 'confirmed');
      assert.ok(withdrawal_id && stellar_tx_hash);
    }
    const query = `?idempotency_key=${rows[5]?.idempotency_key}`;
    const found = await world.api('GET', `/v1/wallets/${wallet.id}/withdrawals${query}`, {
      token: world.token,
    });
    const { reference, payout_id, payout_row } = found.body.data.items[0];
    assert.deepEqual([reference, payout_id, payout_row], ['Ada', payout.id, 6n]);
    assertError(
      await world.withdraw(
        wallet,
        { destination: payees[0], amount_stroops: 1_000n },
        { key: String(rows[0]?.idempotency_key) },
      ),
      409,
      'idempotency_key_reused',
    );
    assertError(await act(payout, 'start'), 409, 'wrong_payout_status');
  });

  it('tells an endpoint that has chosen payout.completed, once, with the payout as its GET shows it', async () => {
    const url = 'https://receiver.example.com/payouts';
    const body = { url, events: ['payout.completed'] };
    const hook = await world.api('POST', `/v1/wallets/${wallet.id}/webhooks`, { token: world.token, body });
    assert.equal(hook.status, 201, hook.text);
    const payout = await made(rowsOf(2));
    await done(payout, 'start');
    const completed = await until(payout, 'completed');
    const events = await world.query('select * from webhook_events where wallet_id = $1', [wallet.id]);
    assert.deepEqual(
      events.map(({ type }) => type),
      ['payout.completed'],
    );
    assert.deepEqual(fromJson(events[0].body.toString()), { event: 'payout.completed', data: completed });
  });

  it('sums beyond 2^63 are exact in a payout that has them, whatever became of the rows', async () => {
    const most = 2n ** 63n - 1n;
    const payout = await made(rowsOf(3));
    await world.query('update payout_rows set amount_stroops = $1 where payout_id = $2', [most, payout.id]);
    for (const status of ['waiting', 'failed']) {
      await world.query('update payout_rows set status = $1 where payout_id = $2', [status, payout.id]);
      const answer = await world.api('GET', path(`/${payout.id}`), { token: world.token });
      assert.equal(answer.status, 200, answer.text);
      const [total] = answer.body.data.totals;
      assert.equal(total.amount_stroops, 3n * most);
      assert.equal(total.failed_stroops, status === 'failed' ? 3n * most : 0n);
    }
  });

  it('of many starts at once one succeeds', async () => {
    const payout = await made(rowsOf(3));
    const answers = await Promise.all(Array.from({ length: 6 }, () => act(payout, 'start')));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409, 409, 409]);
    await until(payout, 'completed');
    assert.equal((await withdrawalsOf(payout)).length, 3);
  });

  it('a draft that is cancelled is never paid, and its keys are free', async () => {
    const rows = rowsOf(2);
    const payout = await made(rows);
    assert.equal((await done(payout, 'cancel')).counts.cancelled, 2n);
    for (const verb of ['start', 'resume', 'pause', 'cancel'])
      assertError(await act(payout, verb), 409, 'wrong_payout_status');
    assert.deepEqual(await withdrawalsOf(payout), []);
    await made(rows);
  });

  it('503 for a cancel while a transaction that this database has forgotten may have paid a row', async () => {
    const rows = rowsOf(2);
    const payout = await made(rows);
    const forgotten = `insert into unmatched_transactions (hash, wallet_id, ledger, key_fingerprint, envelope_xdr, result_xdr)
                       values ($1, $2::text, 1, key_fingerprint($2::text, $3::text), '', '')`;
    await world.query(forgotten, [unique('hash'), wallet.id, rows[1]?.idempotency_key]);
    assertError(await act(payout, 'cancel'), 503, 'ledger_not_caught_up');
    assert.equal((await read(payout)).counts.waiting, 2n);
    await world.query('delete from unmatched_transactions where wallet_id = $1', [wallet.id]);
    assert.equal((await done(payout, 'cancel')).counts.cancelled, 2n);
  });

  it('of a cancelled payout exactly the rows that had begun are paid', async () => {
    const payout = await made(rowsOf(300));
    const { counts } = await whileOutcomesWait(world, async () => {
      await done(payout, 'start');
      await eventually('some rows begin', async () => (await withdrawalsOf(payout)).length > 0);
      return done(payout, 'cancel');
    });
    const begun = (await withdrawalsOf(payout)).length;
    assert.equal(Number(counts.cancelled) + begun, 300);
    const ended = await eventually('their outcomes', async () => {
      const now = await read(payout);
      return now.counts.pending === 0n ? now : null;
    });
    assert.deepEqual([Number(ended.counts.confirmed), ended.status], [begun, 'cancelled']);
    assert.equal((await withdrawalsOf(payout)).length, begun);
  });

  it('422 while the wallet is frozen: nothing begins', async () => {
    const payout = await made(rowsOf(2));
    await setPolicy({ frozen: true });
    assertError(await act(payout, 'start'), 422, 'policy_frozen');
    assert.equal((await read(payout)).status, 'draft');
    assert.deepEqual(await withdrawalsOf(payout), []);
  });

  it('a freeze while it runs pauses it, and takes no key for what waits', async () => {
    const payout = await made(rowsOf(2_000));
    await done(payout, 'start');
    await setPolicy({ frozen: true });
    const paused = await until(payout, 'paused');
    assert.equal(paused.reason.code, 'policy_frozen');
    const begun = (await withdrawalsOf(payout)).length;
    assert.equal(Number(paused.counts.waiting) + begun, 2_000);
    assertError(await act(payout, 'resume'), 422, 'policy_frozen');
    await done(payout, 'cancel');
  });

  it('a limit of 24 hours pauses it with the reason; the rest is paid once there is room', async () => {
    await setPolicy({ max_rolling_24h_stroops: 2_001 });
    const payout = await made(rowsOf(3));
    await done(payout, 'start');
    const paused = await until(payout, 'paused');
    assert.equal(paused.reason.code, 'policy_daily_limit');
    assert.match(paused.reason.message, /^Row 3: /);
    const settled = await eventually('the others are paid', async () => {
      const now = await read(payout);
      return now.counts.confirmed === 2n ? now : null;
    });
    assert.equal(settled.counts.waiting, 1n);
    await setPolicy({ max_rolling_24h_stroops: 10_000 });
    await done(payout, 'resume');
    await until(payout, 'completed');
  });

  it('a wallet that holds too little pauses it before a row is tried', async () => {
    const [{ available_stroops }] = (await post({ rows: rowsOf(1) }, '?preview=true')).body.data.totals;
    const payout = await made([row(), row({ amount_stroops: available_stroops })]);
    await done(payout, 'start');
    const paused = await until(payout, 'paused');
    assert.equal(paused.reason.code, 'wallet_unfunded');
    assert.equal((await withdrawalsOf(payout)).length, 1);
    await done(payout, 'cancel');
  });

  it('what the network fails is failed, and is retried as new rows with new keys', async () => {
    const absent = Keypair.random().publicKey();
    const rows = [row(), row({ destination: absent, amount_stroops: 9n })];
    const payout = await made(rows);
    await done(payout, 'start');
    const completed = await until(payout, 'completed');
    assert.deepEqual([completed.counts.confirmed, completed.counts.failed], [1n, 1n]);
    const [failed] = await listed(payout, '?status=failed');
    assert.equal(failed.failure.code, 'op_no_destination');
    const retry = await act(payout, 'retry-failed');
    assert.equal(retry.status, 201, retry.text);
    const [again] = await listed(retry.body.data);
    assert.equal(again.idempotency_key, `${rows[1]?.idempotency_key}·retry1`);
    assert.equal(retry.body.data.retry_of, payout.id);
    assertError(await act(payout, 'retry-failed'), 409, 'wrong_payout_status');
    await done(retry.body.data, 'start');
    await until(retry.body.data, 'completed');
    const second = await act(payout, 'retry-failed');
    assert.equal((await listed(second.body.data))[0].idempotency_key, `${rows[1]?.idempotency_key}·retry2`);
  });

  it('409 for a retry while rows may be paid, or when none has failed', async () => {
    const payout = await made(rowsOf(1));
    assertError(await act(payout, 'retry-failed'), 409, 'wrong_payout_status');
    await done(payout, 'start');
    await until(payout, 'completed');
    assertError(await act(payout, 'retry-failed'), 409, 'wrong_payout_status');
  });

  it('a row whose key was taken before it began: by the same payment it is that one, by another it is failed', async () => {
    const rows = [row({ reference: 'Ada' }), row({ amount_stroops: 1_001n })];
    const payout = await made(rows);
    const take = (index: number, amount_stroops: bigint) =>
      world.withdraw(
        wallet,
        { destination: payees[0], amount_stroops },
        { key: String(rows[index]?.idempotency_key) },
      );
    const same = await take(0, 1_000n);
    assert.equal(same.status, 201, same.text);
    assert.equal((await take(1, 77n)).status, 201);
    await done(payout, 'start');
    const completed = await until(payout, 'completed');
    assert.deepEqual([completed.counts.confirmed, completed.counts.failed], [1n, 1n]);
    const [paid, other] = await listed(payout);
    assert.equal(paid.withdrawal_id, same.body.data.id);
    assert.deepEqual([other.failure.code, other.withdrawal_id], ['idempotency_key_mismatch', null]);
    assert.deepEqual(await withdrawalsOf(payout), []);
  });

  it('a file that two processes accepted at once pays each row once, and nothing of it can be retried', async () => {
    const rows = rowsOf(2);
    const first = await made(rows);
    await done(first, 'cancel');
    const second = await made(rows);
    // As if the first were not cancelled: each process found the keys free before the other had kept its file.
    await world.query("update payout_rows set status = 'waiting' where payout_id = $1", [first.id]);
    await world.query(
      "update payouts set status = 'draft', reason_code = null, settled_at = null where id = $1",
      [first.id],
    );
    for (const payout of [first, second]) {
      await done(payout, 'start');
      const { counts } = await until(payout, 'completed');
      assert.deepEqual([counts.confirmed, counts.failed], [2n, 0n]);
      assertError(await act(payout, 'retry-failed'), 409, 'wrong_payout_status');
    }
    assert.deepEqual(await withdrawalsOf(second), []);
    const paid = await withdrawalsOf(first);
    const ids = (await listed(second)).map(({ withdrawal_id }: any) => withdrawal_id);
    assert.deepEqual(
      ids,
      paid.map(({ id }: any) => id),
    );
  });

  it('the result is a CSV that no spreadsheet calculates with, and pages by number', async () => {
    const payout = await made([row({ amount_stroops: 5n, reference: '=HYPERLINK("x")' }), ...rowsOf(2)]);
    const answer = await fetch(world.service.url + path(`/${payout.id}/rows`), {
      headers: { accept: 'text/csv', authorization: `Bearer ${world.token}` },
    });
    const text = await answer.text();
    assert.equal(answer.headers.get('content-type'), 'text/csv; charset=utf-8');
    assert.match(text, /^row,idempotency_key,.*\r\n1,/);
    assert.ok(text.includes(`,"'=HYPERLINK(""x"")",waiting,`), text);
    const first = await world.api('GET', path(`/${payout.id}/rows?limit=2`), { token: world.token });
    const { next_cursor, items } = first.body.data;
    assert.equal(items.length, 2);
    const rest = await world.api('GET', path(`/${payout.id}/rows?limit=2&cursor=${next_cursor}`), {
      token: world.token,
    });
    assert.deepEqual(
      rest.body.data.items.map(({ row: number }: any) => number),
      [3n],
    );
  });
});
