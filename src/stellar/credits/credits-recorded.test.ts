/**
 * Ledgers of real networks: for every account, the credits equal the growth of its balances and the nodes' own events, and
 * the filter finds every credited account in the envelope.
 */
import { strict as assert } from 'node:assert';
import { globSync } from 'node:fs';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { xdr } from '@stellar/stellar-sdk';
import { DATA, ledgersIn, missing, read } from '../../../sandbox/testing/recorded-ledgers.ts';
import { type Counts, compareCredits } from '../../../test/support/compare-credits.ts';
import { readLedgerCloseMeta } from '../ledgers/ledger-close-meta.ts';
import type { LedgerTransaction } from '../stellar.ts';
import { createAccountFilter } from './account-filter.ts';
import { MetaMissing } from './contract-events.ts';
import type { Credit, CreditKind } from './credit.ts';
import { creditsOf } from './credits.ts';

const PUBLIC = 'Public Global Stellar Network ; September 2015';
const STANDALONE = 'Standalone Network ; February 2017';

type Recording = {
  name: string;
  passphrase: string;
  /** Name in the folder of recorded data. */
  files: string;
  credits: Partial<Record<CreditKind, number>>;
  /** The least number of compared lines: otherwise the test has compared nothing. */
  balances: number;
  events: number;
};

const recordings: Recording[] = [
  {
    name: 'the public network, protocol 26',
    passphrase: PUBLIC,
    files: 'wallet-backend/ledger-6309*.xdr.gz',
    credits: {
      payment: 209,
      create_account: 6,
      path_payment_strict_send: 54,
      path_payment_strict_receive: 8,
      contract_transfer: 4,
    },
    balances: 552,
    events: 281,
  },
  {
    name: 'the public network, protocol 20, told with the events of today',
    passphrase: PUBLIC,
    files: 'wallet-backend/ledger-51000294.xdr.gz',
    credits: {
      payment: 17,
      create_account: 1,
      path_payment_strict_send: 11,
      path_payment_strict_receive: 5,
      contract_transfer: 1,
    },
    balances: 69,
    events: 35,
  },
  {
    name: 'the public network, protocol 21',
    passphrase: PUBLIC,
    files: 'stellar-go/compressxdr/**/*.zstd',
    credits: { payment: 9, path_payment_strict_send: 4, path_payment_strict_receive: 4 },
    balances: 28,
    events: 0,
  },
  {
    name: 'stellar-core’s load test of asset contracts, protocol 23',
    passphrase: STANDALONE,
    files: 'stellar-go/testdata/load-test-ledgers-v23-standalone.xdr.zstd',
    credits: { contract_transfer: 1000 },
    balances: 1200,
    events: 1000,
  },
  {
    name: 'stellar-core’s load test of asset contracts, protocol 24',
    passphrase: 'load test network',
    files: 'stellar-go/testdata/load-test-ledgers-v24.xdr.zstd',
    credits: { contract_transfer: 1000 },
    balances: 1200,
    events: 1000,
  },
  {
    name: 'a test network',
    passphrase: 'Test SDF Network ; September 2015',
    files: 'stellar-go/testdata/testbucket/*.zst',
    credits: { create_account: 5, account_merge: 1 },
    balances: 12,
    events: 0,
  },
  {
    name: 'stellar-core’s own tests',
    passphrase: '(V) (;,,;) (V)',
    files: 'stellar-horizon/*/*.xdr',
    credits: { payment: 23, create_account: 129, path_payment_strict_receive: 2, account_merge: 16 },
    balances: 361,
    events: 2,
  },
];

for (const { name, passphrase, files, ...expected } of recordings) {
  test(`credits in ledgers of ${name}, are those of balances and events`, {
    skip: missing(files.split('/')[0]),
  }, () => {
    const found = globSync(files, { cwd: DATA }).toSorted();
    assert.notEqual(found.length, 0);
    const ledgers = found.flatMap((file) => [...ledgersIn(file)]);
    assertReckoned(reckonAll(passphrase, ledgers), expected);
  });
}

test('credits in ledgers of stellar-core 19, are those of balances', () => {
  const file = join(import.meta.dirname, '../../../sandbox/testing/recordings/replay-core-19/meta.xdr.gz');
  const ledgers = [...ledgersIn(relative(DATA, file))];
  assertReckoned(reckonAll(STANDALONE, ledgers), {
    credits: {
      payment: 530,
      create_account: 66,
      path_payment_strict_send: 11,
      path_payment_strict_receive: 9,
    },
    balances: 1210,
    events: 0,
  });
});

function reckonAll(passphrase: string, ledgers: xdr.LedgerCloseMetaWire[]): Counts {
  const counts: Counts = { ledgers: ledgers.length };
  for (const transaction of ledgers.flatMap((ledger) => transactionsIn(passphrase, ledger)))
    assertAllMentioned(transaction, compareCredits(passphrase, transaction, counts));
  console.log(counts);
  return counts;
}

function transactionsIn(passphrase: string, ledger: xdr.LedgerCloseMetaWire): LedgerTransaction[] {
  const { v0, v1, v2 } = { v0: null, v1: null, v2: null, ...ledger };
  const sequence = (v2 ?? v1 ?? v0)?.ledgerHeader.header.ledgerSeq ?? 0;
  const bytes = Buffer.from(xdr.LedgerCloseMeta.schema.encode(ledger));
  return readLedgerCloseMeta({ method: 'recording', passphrase, sequence }, bytes).transactions;
}

function assertReckoned(counts: Counts, expected: Pick<Recording, 'credits' | 'balances' | 'events'>): void {
  const credits = Object.entries(counts).flatMap(([name, count]) =>
    name.startsWith('credits by ') ? [[name.slice('credits by '.length), count]] : [],
  );
  assert.deepEqual(Object.fromEntries(credits), expected.credits);
  assert.equal(counts['balances compared'] ?? 0, expected.balances);
  assert.equal(counts['events compared'] ?? 0, expected.events);
}

function assertAllMentioned({ hash, envelope }: LedgerTransaction, credits: Credit[]): void {
  for (const { account } of credits) {
    const filter = createAccountFilter();
    filter.add(account);
    assert.ok(filter.mentionedIn(envelope), `${hash} pays ${account}`);
  }
}

type HorizonRecord = { hash: string; envelope_xdr: string; result_xdr: string };

test('contract calls without metas, as Horizon gives them, never count as transactions that pay nobody', {
  skip: missing('js-stellar-sdk/horizon-corpus'),
}, () => {
  const { records } = JSON.parse(`${read('js-stellar-sdk/horizon-corpus/transactions.json')}`) as {
    records: HorizonRecord[];
  };
  assert.equal(records.length, 50);
  for (const { hash, envelope_xdr, result_xdr } of records) {
    const [envelope, result] = [Buffer.from(envelope_xdr, 'base64'), Buffer.from(result_xdr, 'base64')];
    assert.throws(() => creditsOf(PUBLIC, { ledger: 0, hash, envelope, result, meta: null }), MetaMissing);
  }
});
