/** The ledgers that a bench makes where no recorded ones are. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { ledgersLike } from '../../bench/catch-up-ledgers.ts';
import { madeLedgers } from '../../bench/catch-up-made.ts';
import { paidAccounts } from '../../bench/catch-up-world.ts';
import { readLedgerCloseMeta } from '../../src/stellar/ledgers/ledger-close-meta.ts';
import { isWhole } from '../../src/stellar/ledgers/ledger-proof.ts';
import { checkChain } from '../../src/stellar/ledgers/ledger-range.ts';

const FOLDER = join(import.meta.dirname, '../../bench');
const WALLETS = 20;

test('ledgers made after them are proven, and follow each other', () => {
  const made = madeLedgers();
  const headers = [...ledgersLike(made, { first: 70, count: 4, now: 1_800_000_000 })].map(
    ({ sequence, meta }) => {
      const options = { method: 'bench', passphrase: made.passphrase, sequence };
      const { header, transactions } = readLedgerCloseMeta(options, meta);
      assert.ok(isWhole(header, transactions), `${sequence}`);
      return header;
    },
  );
  checkChain({ method: 'bench', after_ledger: 69, after_hash: null }, headers);
});

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
