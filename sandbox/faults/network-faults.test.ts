import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { Account, Keypair, TransactionBuilder } from '@stellar/stellar-sdk/base';
import { sha256 } from '../ledger/bytes.ts';
import { transactionSetXdr } from '../ledger/transaction-set.ts';
import { SANDBOX_PASSPHRASE } from '../passphrase.ts';
import { admin, faultySandboxFor, hashOf } from '../testing/faulty-sandbox.ts';
import { closeUntilAnswered, FRIENDBOT_STROOPS, fund, sandboxFor, signed } from '../testing/rpc-client.ts';
import { pay, START_S } from '../testing/test-network.ts';

type Network = Awaited<ReturnType<typeof faultySandboxFor>>;

/** A payment that may be in a ledger up to this close time (unix seconds). */
async function expiring({ server, from, to }: Network, maxTime: number) {
  const { seqNum } = await server.getAccountEntry(from.publicKey());
  const account = new Account(from.publicKey(), seqNum.toString());
  const transaction = new TransactionBuilder(account, { fee: '100', networkPassphrase: SANDBOX_PASSPHRASE })
    .addOperation(pay(to, 1n))
    .setTimebounds(0, maxTime)
    .build();
  transaction.sign(from);
  return transaction;
}

describe('a halt', () => {
  test('closes no ledger until it ends; submissions are taken, and friendbot waits', async (t) => {
    const { sandbox, server, faults, payment, clock } = await faultySandboxFor(t, { close_ms: 0 });
    faults.network.halt();
    const { sequence } = await server.getLatestLedger();
    const transaction = await payment();
    assert.equal((await server.sendTransaction(transaction)).status, 'PENDING');
    assert.throws(() => sandbox.closeLedger(), /halted/);
    assert.throws(() => faults.network.close(), /halted/);
    const address = Keypair.random().publicKey();
    const funding = fetch(`${sandbox.friendbot_url}?addr=${address}`);
    await clock.advance(60_000);
    assert.equal((await server.getLatestLedger()).sequence, sequence);
    await assert.rejects(server.getHealth(), { code: -32603 });

    faults.network.resume();
    assert.equal((await closeUntilAnswered(sandbox, funding)).status, 200);
    assert.equal((await server.getTransaction(hashOf(transaction))).status, 'SUCCESS');
    assert.equal((await server.getHealth()).status, 'healthy');
  });

  test('holds the timer too', async (t) => {
    const { server, faults, clock } = await faultySandboxFor(t, { close_ms: 1_000 });
    const { sequence } = await server.getLatestLedger();
    faults.network.halt();
    for (let tick = 0; tick < 5; tick++) await clock.advance(1_000);
    assert.equal((await server.getLatestLedger()).sequence, sequence);
    faults.network.resume();
    for (let tick = 0; tick < 2; tick++) await clock.advance(1_000);
    assert.equal((await server.getLatestLedger()).sequence, sequence + 2);
  });

  test('of an hour may end with an earlier close time (Q11): a transaction that expired by the wall clock is applied', async (t) => {
    const network = await faultySandboxFor(t);
    const { sandbox, server, faults, clock } = network;
    const transaction = await expiring(network, START_S + 60);
    await server.sendTransaction(transaction);
    faults.network.halt();
    await clock.advance(3_600_000);
    faults.network.resume({ close_time_lag_seconds: 3_590 });
    assert.equal(sandbox.closeLedger().close_time, START_S + 10);
    assert.equal((await server.getTransaction(hashOf(transaction))).status, 'SUCCESS');
    assert.equal(sandbox.closeLedger().close_time, START_S + 3_600);
  });

  test('that ends with the right time expires waiting transactions: they are never applied', async (t) => {
    const network = await faultySandboxFor(t);
    const { sandbox, server, faults, clock } = network;
    const transaction = await expiring(network, START_S + 60);
    await server.sendTransaction(transaction);
    faults.network.halt();
    await clock.advance(3_600_000);
    faults.network.resume();
    assert.deepEqual(
      [sandbox.closeLedger().transaction_count, sandbox.closeLedger().transaction_count],
      [0, 0],
    );
    assert.equal((await server.getTransaction(hashOf(transaction))).status, 'NOT_FOUND');
  });
});

describe('clock skew', () => {
  test('moves close times away from the clock, and back; they never decrease', async (t) => {
    const { sandbox, faults, clock } = await faultySandboxFor(t);
    await clock.advance(100_000);
    faults.network.clock_skew({ seconds: 60 });
    assert.equal(sandbox.closeLedger().close_time, START_S + 160);
    faults.network.clock_skew({ seconds: -600 });
    assert.equal(sandbox.closeLedger().close_time, START_S + 161);
    await clock.advance(800_000);
    assert.equal(sandbox.closeLedger().close_time, START_S + 300);
    faults.network.clock_skew({ seconds: 0 });
    assert.equal(sandbox.closeLedger().close_time, START_S + 900);
  });

  test('ahead by a minute expires what the wall clock would still allow', async (t) => {
    const network = await faultySandboxFor(t);
    const transaction = await expiring(network, START_S + 30);
    await network.server.sendTransaction(transaction);
    network.faults.network.clock_skew({ seconds: 60 });
    assert.equal(network.sandbox.closeLedger().transaction_count, 0);
    assert.equal((await network.server.getTransaction(hashOf(transaction))).status, 'NOT_FOUND');
  });
});

describe('a network reset', () => {
  test('starts again with the same passphrase, without accounts, history, queue and bans', async (t) => {
    const { sandbox, server, payment, from, to } = await faultySandboxFor(t);
    const applied = await payment();
    await server.sendTransaction(applied);
    for (let ledger = 0; ledger < 5; ledger++) sandbox.closeLedger();
    await server.sendTransaction(await payment());
    const before = await server.getLatestLedger();
    const { cursor } = await server.getTransactions({ startLedger: 2 });

    assert.equal((await admin(sandbox, 'POST', '/faults/network/reset', {})).status, 200);
    const after = await server.getLatestLedger();
    assert.ok(after.sequence < before.sequence);
    assert.equal((await server.getNetwork()).passphrase, SANDBOX_PASSPHRASE);
    assert.equal((await server.getTransaction(hashOf(applied))).status, 'NOT_FOUND');
    await assert.rejects(server.getAccountEntry(from.publicKey()));
    assert.equal(sandbox.closeLedger().transaction_count, 0);

    // stellar-rpc: a cursor after the latest ledger is no error; the page is empty and has the cursor 0.
    const page = await server.getTransactions({ pagination: { cursor } });
    assert.deepEqual([page.transactions, page.cursor], [[], '0']);
    assert.ok(BigInt(cursor) >> 32n > BigInt(page.latestLedger));
    await assert.rejects(server.getTransactions({ startLedger: before.sequence }), { code: -32600 });

    const refused = await server.sendTransaction(applied);
    assert.equal(refused.errorResult?.result.type, 'txNoAccount');
    const funding = fetch(`${sandbox.friendbot_url}?addr=${to.publicKey()}`);
    assert.equal((await closeUntilAnswered(sandbox, funding)).status, 200);
    assert.equal((await server.getAccountEntry(to.publicKey())).balance, FRIENDBOT_STROOPS);
  });

  test('is on disk: the next start finds the new network', async (t) => {
    const dir = mkdtempSync(join(tmpdir(), 'sandbox-'));
    t.after(() => rmSync(dir, { recursive: true }));
    const { sandbox, server, faults, from } = await faultySandboxFor(t, { dir });
    for (let ledger = 0; ledger < 10; ledger++) sandbox.closeLedger();
    faults.network.reset();
    const { id, sequence } = await server.getLatestLedger();
    await sandbox.stop();
    const again = await sandboxFor(t, { dir });
    const latest = await again.server.getLatestLedger();
    assert.deepEqual([latest.id, latest.sequence], [id, sequence]);
    await assert.rejects(again.server.getAccountEntry(from.publicKey()));
  });

  test('while friendbot has a request, still funds it', async (t) => {
    const { sandbox, faults } = await faultySandboxFor(t);
    const funding = fetch(`${sandbox.friendbot_url}?addr=${Keypair.random().publicKey()}`);
    faults.network.reset();
    assert.equal((await closeUntilAnswered(sandbox, funding)).status, 200);
  });
});

describe('a restart', () => {
  test('loses queue and bans: an applied transaction is txBAD_SEQ at once (Q8)', async (t) => {
    const { sandbox, server, faults, payment } = await faultySandboxFor(t);
    const applied = await payment();
    await server.sendTransaction(applied);
    sandbox.closeLedger();
    const waiting = await payment();
    await server.sendTransaction(waiting);
    assert.equal((await server.sendTransaction(applied)).status, 'TRY_AGAIN_LATER');
    faults.network.restart();
    const refused = await server.sendTransaction(applied);
    assert.deepEqual([refused.status, refused.errorResult?.result.type], ['ERROR', 'txBadSeq']);
    assert.equal(sandbox.closeLedger().transaction_count, 0);
    assert.equal((await server.sendTransaction(waiting)).status, 'PENDING');
  });
});

test('pruning moves the oldest ledger up at every node, and leaves balances alone', async (t) => {
  const { sandbox, server, faults, payment, to, balanceOf } = await faultySandboxFor(t);
  const transaction = await payment();
  await server.sendTransaction(transaction);
  const { sequence } = sandbox.closeLedger();
  sandbox.closeLedger();
  faults.network.prune({ oldest_ledger: sequence + 1 });
  assert.equal((await server.getHealth()).oldestLedger, sequence + 1);
  assert.equal((await server.getTransaction(hashOf(transaction))).status, 'NOT_FOUND');
  await assert.rejects(server.getTransactions({ startLedger: sequence }), { code: -32600 });
  assert.equal(await balanceOf(to), FRIENDBOT_STROOPS + 1n);
  assert.throws(() => faults.network.prune({ oldest_ledger: sequence + 9 }), /latest ledger/);
});

test('capacity 0 means no operation in a ledger, 1 means one, null as many as at the start', async (t) => {
  const { sandbox, server, faults } = await faultySandboxFor(t);
  const keys = await fund(sandbox, 4);
  for (const key of keys) await server.sendTransaction(await signed(server, key, [pay(key, 1n)]));
  faults.network.capacity({ max_operations: 0 });
  assert.equal(sandbox.closeLedger().transaction_count, 0);
  faults.network.capacity({ max_operations: 1 });
  assert.equal(sandbox.closeLedger().transaction_count, 1);
  assert.equal((await server.getLatestLedger()).headerXdr.maxTxSetSize, 1);
  faults.network.capacity({ max_operations: null });
  assert.equal(sandbox.closeLedger().transaction_count, 3);
});

test('capacity usage is computed from the capacity of each ledger, even if that is 0', async (t) => {
  const { sandbox, server, faults, payment } = await faultySandboxFor(t);
  const usage = async () => {
    const response = await fetch(`${sandbox.url}fee_stats`);
    return Object(await response.json()).ledger_capacity_usage;
  };
  faults.network.capacity({ max_operations: 0 });
  faults.network.close({ ledgers: 5 });
  assert.equal(await usage(), '0');
  faults.network.capacity({ max_operations: 4 });
  faults.network.close();
  await server.sendTransaction(await payment());
  faults.network.close();
  await server.sendTransaction(await payment());
  faults.network.close();
  assert.equal(await usage(), '0.17'); // 2 operations of 0 + 0 + 4 + 4 + 4
});

test('ledgers close on command', async (t) => {
  const { sandbox, server } = await faultySandboxFor(t);
  const { sequence } = await server.getLatestLedger();
  const { json } = await admin(sandbox, 'POST', '/faults/network/close', { ledgers: 12 });
  assert.equal(json.network.latest_ledger, sequence + 12);
  assert.equal((await server.getLatestLedger()).sequence, sequence + 12);
});

describe('a dropped transaction set (CAP-83)', () => {
  for (const [protocol, arm] of [
    [28, 2],
    [30, 4],
  ] as const) {
    test(`at protocol ${protocol} leaves its transactions pending and charges nothing; the next ledger has them`, async (t) => {
      const { sandbox, server, faults, from, payment, balanceOf } = await faultySandboxFor(t, { protocol });
      const before = await balanceOf(from);
      faults.network.drop_sets();
      sandbox.closeLedger(); // An empty set is not counted.
      const transaction = await payment();
      await server.sendTransaction(transaction);
      const { sequence, transaction_count } = sandbox.closeLedger();
      assert.equal(transaction_count, 0);
      assert.equal(await balanceOf(from), before);
      assert.equal((await server.getTransaction(hashOf(transaction))).status, 'NOT_FOUND');
      assert.equal((await server.sendTransaction(transaction)).status, 'DUPLICATE');
      assert.equal(sandbox.closeLedger().transaction_count, 1);
      assert.equal((await server.getTransaction(hashOf(transaction))).status, 'SUCCESS');

      const { ledgers } = await server.getLedgers({ startLedger: sequence, pagination: { limit: 1 } });
      const { header } = (ledgers[0] ?? assert.fail()).headerXdr.toXdrObject();
      assert.deepEqual(header.scpValue.txSetHash, new Uint8Array(32));
      assert.equal(header.scpValue.ext.v as number, arm);
      const [proposal] = Object.values(header.scpValue.ext).filter((field) => typeof field === 'object');
      assert.deepEqual(proposal.previousLedgerHash, header.previousLedgerHash);
      assert.equal(proposal.previousLedgerVersion, protocol);
      const envelope = transaction.toEnvelope().toXdr();
      const set = transactionSetXdr(header.previousLedgerHash, 100n, [{ envelope, contract: false }]);
      assert.deepEqual(Buffer.from(proposal.txSetHash), sha256(set));
    });
  }

  test('below protocol 28 is refused, and so is another number of sets', async (t) => {
    const { sandbox, faults } = await faultySandboxFor(t, { protocol: 27 });
    assert.throws(() => faults.network.drop_sets(), /protocol 27 drops no transaction set/);
    const path = '/faults/network/drop_sets';
    assert.equal((await admin(sandbox, 'POST', path, { sets: -1 })).status, 400);
    const { json } = await admin(sandbox, 'POST', '/faults/network/upgrade', { protocol: 28 });
    assert.equal(json.network.upgrade_to, 28);
    sandbox.closeLedger();
    assert.equal((await admin(sandbox, 'POST', path, { sets: 2 })).json.network.sets_to_drop, 2);
    const again = await admin(sandbox, 'POST', '/faults/network/upgrade', { protocol: 28 });
    assert.match(again.json.errors[0].message, /at protocol 28: there is no way back/);
  });
});

test('ledgers closed on demand may share a second', async (t) => {
  const { sandbox } = await faultySandboxFor(t);
  const { close_time } = sandbox.closeLedger();
  const { json } = await admin(sandbox, 'POST', '/faults/network/close', { ledgers: 3, step_ms: 1 });
  assert.equal(json.network.latest_ledger_close_time, close_time);
  assert.equal((await admin(sandbox, 'POST', '/faults/network/close', { step_ms: 0 })).status, 400);
});
