import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { atOnce } from '../../lib/in-parts.ts';
import { readCsv } from './payout-csv.ts';
import { resultCsv } from './payout-result.ts';
import type { ShownRow } from './payout-row-store.ts';
import { rowOfCsv } from './read-rows.ts';

const ROW: ShownRow = {
  payout_id: 'pay_1',
  number: 1,
  owner_id: 'usr_1',
  idempotency_key: 'k',
  destination: 'G',
  amount_stroops: 1n,
  asset_code: 'native',
  asset_issuer: null,
  memo_id: null,
  reference: null,
  row_hash: '',
  status: 'waiting',
  withdrawal_id: null,
  failure_code: null,
  failure_message: null,
  stellar_tx_hash: null,
};

test('no reference begins with what a spreadsheet calculates, and an upload gives the same reference back', async () => {
  for (const reference of ['=1+1', '+1', '-1', '@SUM(A1)', '＝1', '＋1', '－1', '＠1']) {
    const result = resultCsv([{ ...ROW, reference }]);
    assert.ok(result.includes(`"'${reference}"`), result);
    const field = `"'${reference}"`;
    const text = `idempotency_key,destination,amount,reference\nk,G,1,${field}\n`;
    const [row] = atOnce(readCsv(text)).rows;
    assert(row);
    assert.equal(rowOfCsv(row, { decimal: undefined, separator: ',' }).given.reference, reference);
  }
});
