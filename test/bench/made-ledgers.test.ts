/** The ledgers that a bench makes where no recorded ones are. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { madeLedgers } from '../../bench/catch-up-made.ts';
import { paidAccounts } from '../../bench/catch-up-world.ts';

const FOLDER = join(import.meta.dirname, '../../bench');
const WALLETS = 20;

test('the ledgers of one process pay the wallets that another process makes for them', () => {
  const script = `
    import { madeLedgers } from '${FOLDER}/catch-up-made.ts';
    import { paidAccounts } from '${FOLDER}/catch-up-world.ts';
    console.log(JSON.stringify(paidAccounts(madeLedgers(), ${WALLETS})));`;
  const elsewhere = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
  });
  const here = paidAccounts(madeLedgers(), WALLETS);
  assert.equal(here.length, WALLETS);
  assert.deepEqual(here, JSON.parse(elsewhere));
});
