import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import type { Keypair } from '@stellar/stellar-sdk/base';
import { SANDBOX_PASSPHRASE } from '../passphrase.ts';
import { pay, TestNetwork, UNIT } from '../testing/test-network.ts';
import { LedgerStore } from './ledger-store.ts';

const ALL = { oldest: 1, latest: 1000 };

/** The ledgers of the account's transactions. */
function ledgersOf(store: LedgerStore, key: Keypair, participants_only: boolean): number[] {
  const account = { ed25519: key.rawPublicKey(), participants_only };
  const query = { from: { ledger: 0, application_order: 0 }, order: 'asc', limit: 100, account } as const;
  return store.transactions(ALL, { ...query, include_failed: true }).map(({ ledger }) => ledger);
}

test('finds the transactions of source, fee source and receiver, failed ones too', () => {
  const net = new TestNetwork();
  const { store } = net.network;
  const [from, to, payer, nobody] = net.accounts(...Array.from({ length: 4 }, () => 100n * UNIT)) as [
    Keypair,
    Keypair,
    Keypair,
    Keypair,
  ];
  net.applied(net.feeBump(net.build(from, [pay(to, UNIT)]), payer, '200'));
  net.applied(net.build(from, [pay(to, 1000n * UNIT)]));
  for (const key of [from, to]) assert.deepEqual(ledgersOf(store, key, true), [3, 4, 5]);
  assert.deepEqual(ledgersOf(store, payer, true), [3, 4]);
  assert.deepEqual(ledgersOf(store, nobody, true), [3]);
  assert.equal(store.hasTransactionsOf(ALL, nobody.rawPublicKey()), true);
  assert.equal(store.hasTransactionsOf({ oldest: 4, latest: 5 }, nobody.rawPublicKey()), false);
});

test('forgets what the history forgets', () => {
  const net = new TestNetwork({ retention_ledgers: 2 });
  const [from, to] = net.accounts(100n * UNIT, 5n * UNIT) as [Keypair, Keypair];
  net.applied(net.build(from, [pay(to, UNIT)]));
  assert.deepEqual(ledgersOf(net.network.store, to, false), [3, 4]);
  net.close();
  net.close();
  assert.deepEqual(ledgersOf(net.network.store, to, false), []);
});

test('a folder of before there was an index is left as it is, and named for what it is', (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'sandbox-'));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  const tables = () => {
    const db = new DatabaseSync(join(dir, 'ledger.db'));
    const rows = db.prepare('SELECT name FROM sqlite_schema ORDER BY name').all();
    db.close();
    return rows.map(({ name }) => name);
  };
  const former = new DatabaseSync(join(dir, 'ledger.db'));
  former.exec('CREATE TABLE network (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT');
  const insert = former.prepare('INSERT INTO network VALUES (?, ?)');
  insert.run('passphrase', SANDBOX_PASSPHRASE);
  insert.run('schema_version', '1');
  former.close();
  const before = tables();
  assert.throws(
    () => new LedgerStore(dir, SANDBOX_PASSPHRASE),
    /written by another version .*Move the folder away/,
  );
  assert.deepEqual(tables(), before);
});
