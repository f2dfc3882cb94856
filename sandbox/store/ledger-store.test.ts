import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { Asset, Keypair, Operation } from '@stellar/stellar-sdk/base';
import { Server } from '@stellar/stellar-sdk/rpc';
import { SANDBOX_PASSPHRASE } from '../passphrase.ts';
import { closeUntilAnswered, FRIENDBOT_STROOPS, fund, sandboxFor, signed } from '../testing/rpc-client.ts';
import { pay, TestNetwork, UNIT } from '../testing/test-network.ts';
import { LedgerStore } from './ledger-store.ts';

function folder(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'sandbox-'));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

test('a network reopened on its folder goes on where it was', (t) => {
  const dir = folder(t);
  const first = new TestNetwork({ store: new LedgerStore(dir, SANDBOX_PASSPHRASE) });
  const [from, to] = first.accounts(100n * UNIT, 5n * UNIT) as [Keypair, Keypair];
  const transaction = first.build(from, [pay(to, UNIT)]);
  first.applied(transaction);
  const { header, hash } = first.network.latest;
  first.network.store.close();

  const store = new LedgerStore(dir, SANDBOX_PASSPHRASE);
  t.after(() => store.close());
  const again = new TestNetwork({ store });
  const next = again.network.latest.header;
  assert.equal(next.ledgerSeq, header.ledgerSeq + 1);
  assert.deepEqual(Buffer.from(next.previousLedgerHash), Buffer.from(hash));
  assert.equal(again.balance(to), 6n * UNIT);
  assert.equal(store.transaction({ oldest: 1, latest: 9 }, Buffer.from(transaction.hash()))?.successful, 1);
  assert.equal(again.submit(transaction).error, 'txBadSeq', 'the ban list is memory only (Q8)');
});

test('a folder in use is refused with a message for people, and free again afterwards', async (t) => {
  const dir = folder(t);
  const child = await startProcess(t, dir);
  assert.throws(() => new LedgerStore(dir, SANDBOX_PASSPHRASE), /is in use by another process/);
  await kill(child);
  new LedgerStore(dir, SANDBOX_PASSPHRASE).close();
});

test('a folder of another network is refused', (t) => {
  const dir = folder(t);
  new LedgerStore(dir, SANDBOX_PASSPHRASE).close();
  assert.throws(() => new LedgerStore(dir, 'Another network'), /ledger of another network/);
});

test('a folder whose ledger.db is something else is refused with a message for people, and left alone', (t) => {
  const other = folder(t);
  const db = new DatabaseSync(join(other, 'ledger.db'));
  db.exec('CREATE TABLE notes (text TEXT)');
  db.close();
  const junk = folder(t);
  writeFileSync(join(junk, 'ledger.db'), 'not a database at all '.repeat(100));
  for (const dir of [other, junk]) {
    const before = readFileSync(join(dir, 'ledger.db'));
    assert.throws(() => new LedgerStore(dir, SANDBOX_PASSPHRASE), /not a ledger of the sandbox/);
    assert.throws(() => new LedgerStore(dir, SANDBOX_PASSPHRASE), /not a ledger of the sandbox/);
    if (dir === junk) assert.deepEqual(readFileSync(join(dir, 'ledger.db')), before);
  }
});

test('no ledger and no payment that was ever shown is lost by kill -9', async (t) => {
  const dir = folder(t);
  const payer = Keypair.random();
  const receiver = Keypair.random();
  let child = await startProcess(t, dir);
  let server = new Server(child.rpc_url, { allowHttp: true });
  await server.fundAddress(payer.publicKey());
  await server.fundAddress(receiver.publicKey());

  let seen = 0;
  for (let round = 1; round <= 4; round++) {
    const payment = Operation.payment({
      destination: receiver.publicKey(),
      asset: Asset.native(),
      amount: '1',
    });
    const transaction = await signed(server, payer, [payment]);
    const { hash, status } = await server.sendTransaction(transaction);
    assert.equal(status, 'PENDING');
    while ((await server.getTransaction(hash)).status !== 'SUCCESS');
    seen = (await server.getLatestLedger()).sequence;
    await kill(child);

    child = await startProcess(t, dir);
    server = new Server(child.rpc_url, { allowHttp: true });
    assert.ok((await server.getLatestLedger()).sequence >= seen);
    assert.equal((await server.getTransaction(hash)).status, 'SUCCESS');
    const { balance } = await server.getAccountEntry(receiver.publicKey());
    assert.equal(balance, FRIENDBOT_STROOPS + BigInt(round) * UNIT);
  }
});

test('ledgers older than the retention window are forgotten, balances are not', async (t) => {
  const { sandbox, server } = await sandboxFor(t, { retention_ledgers: 3 });
  const [first] = (await fund(sandbox, 1)) as [Keypair];
  for (let ledger = 0; ledger < 5; ledger++) sandbox.closeLedger();
  const { oldestLedger, latestLedger } = await server.getHealth();
  assert.equal(latestLedger - oldestLedger + 1, 3);
  assert.equal((await server.getAccountEntry(first.publicKey())).balance, FRIENDBOT_STROOPS);
  await assert.rejects(server.getTransactions({ startLedger: oldestLedger - 1 }), { code: -32600 });
  await closeUntilAnswered(sandbox, server.fundAddress(Keypair.random().publicKey()));
});

type Running = { process: ChildProcess; rpc_url: string };

/** A sandbox in its own process that closes ledgers without a pause until it is killed. */
const PROGRAM = `
  import { pino } from 'pino';
  const { startSandbox } = await import(process.argv[1]);
  const log = pino({ level: 'silent' });
  const { rpc_url } = await startSandbox({ port: 0, dir: process.argv[2], close_ms: 20, log });
  process.stdout.write(rpc_url);
`;

async function startProcess(t: TestContext, dir: string): Promise<Running> {
  const launch = new URL('../launch.ts', import.meta.url).href;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', PROGRAM, launch, dir], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  const [url] = (await once(child.stdout, 'data')) as [Buffer];
  return { process: child, rpc_url: url.toString() };
}

async function kill({ process: child }: Running): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}
