/**
 * A service between a network and a database that outlive it and obey the test: the network through a proxy that can
 * hold any answer, the database through locks that can hold any statement. So the service is killed at a chosen
 * instruction, and nothing in src/ knows of it.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { FeeBumpTransaction, TransactionBuilder } from '@stellar/stellar-sdk/base';
import pg from 'pg';
import { pino } from 'pino';
import { type Sandbox, startSandbox } from '../../sandbox/launch.ts';
import { type Answer, type Call, call } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { type Ledger, openLedger } from '../support/ledger.ts';
import { type LedgerTransaction, readLedgerTruth } from '../support/ledger-truth.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { type RpcProxy, startRpcProxy } from '../support/rpc-proxy.ts';
import { startService, type TestService, temporaryDirectory } from '../support/service.ts';

export type Wallet = { id: string; account: string; api_key: string };

export type Stage = {
  sandbox: Sandbox;
  ledger: Ledger;
  proxy: RpcProxy;
  service: TestService;
  token: string;
  /** An account that exists, for payments to go to. */
  sink: string;
  api(method: string, path: string, options?: Call): Promise<Answer>;
  query(sql: string, values?: unknown[]): Promise<any[]>;
  newWallet(): Promise<Wallet>;
  /** A statement that holds locks until released, from a connection of the test. */
  lock(...statements: string[]): Promise<Lock>;
  /** Until a statement of the service that contains `part` (quotes left out) waits for a lock. */
  blocked(part: string): Promise<void>;
  /** kill -9. */
  kill(): Promise<void>;
  /** What the server does within a second by itself: it ends the sessions of the killed process. */
  endSessions(): Promise<void>;
  /** Starts it again, with an honest network. */
  restart(): Promise<void>;
  /** As if the time had passed after which another process takes up what a killed one had in hand. */
  endLeases(): Promise<void>;
  /** Undoes what a test that failed may have left: lies, locks, and no service. */
  clear(): Promise<void>;
  stop(): Promise<void>;
};

export type Lock = { client: pg.Client; release(): Promise<void> };

/** A step that is never reached must not hold up the run. */
export const STEP_TIMEOUT_MS = 90_000;

const SESSIONS = `from pg_stat_activity where datname = current_database() and application_name = 'stellar-teller'`;

/** What was set up before a failure is taken down again. */
export async function setStage(env: Record<string, string> = {}): Promise<Stage> {
  const closers: (() => Promise<unknown>)[] = [];
  const closeAll = async () => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  try {
    return await build(env, closers, closeAll);
  } catch (error) {
    await closeAll();
    throw error;
  }
}

async function build(
  env: Record<string, string>,
  closers: (() => Promise<unknown>)[],
  closeAll: () => Promise<void>,
): Promise<Stage> {
  const sandbox = await startSandbox({ port: 0, dir: null, close_ms: 100, log: pino({ level: 'silent' }) });
  closers.push(() => sandbox.stop());
  const ledger = await openLedger(sandbox.rpc_url);
  const proxy = await startRpcProxy(sandbox.rpc_url);
  closers.push(() => proxy.close());
  const storage = await createTestDatabase();
  closers.push(() => storage.drop());
  const pool = new pg.Pool({ connectionString: storage.url, max: 4 });
  pool.on('error', () => undefined); // a session that is ended while it idles
  closers.push(() => pool.end());
  const start = starter({
    // `host=` wins; the service wants some host before the path.
    DATABASE_URL: storage.url.replace('@/', '@localhost/'),
    MASTER_KEY: randomBytes(32).toString('base64'),
    STELLAR_RPC_URL: proxy.url,
    ...env,
  });
  const service = await start();
  closers.push(() => stage.service.stop());
  const token = await service.login();
  const sink = (await ledger.fund()).publicKey();
  const locks: Lock[] = [];
  let killed = false;
  const query = async (sql: string, values?: unknown[]) => (await pool.query(sql, values)).rows;

  const stage: Stage = {
    sandbox,
    ledger,
    proxy,
    service,
    token,
    sink,
    query,
    api: (method, path, options) => call(stage.service.url, method, path, options),
    async newWallet() {
      const made = await stage.api('POST', '/v1/wallets', { token, body: { name: 'crash' } });
      assert.equal(made.status, 201, made.text);
      return made.body.data;
    },
    async lock(...statements) {
      const taken = await lock(storage.url, statements);
      locks.push(taken);
      return taken;
    },
    async blocked(part) {
      const waiting = `select 1 ${SESSIONS} and wait_event_type = 'Lock' and replace(query, '"', '') like $1`;
      await eventually(`a blocked ${part}`, async () => (await query(waiting, [`%${part}%`])).length > 0);
    },
    async kill() {
      await stage.service.kill();
      killed = true;
    },
    async endSessions() {
      await query(`select pg_terminate_backend(pid) ${SESSIONS}`);
      await eventually(
        'the end of its sessions',
        async () => (await query(`select 1 ${SESSIONS}`)).length === 0,
      );
    },
    async restart() {
      proxy.honest();
      stage.service = await start();
      killed = false;
    },
    async endLeases() {
      await query(`update withdrawals set leased_until = now() where status in ('queued', 'signed')`);
      await query(`update webhook_deliveries set next_attempt_at = now() where status = 'pending'`);
    },
    async clear() {
      proxy.honest();
      for (const { release } of locks.splice(0)) await release();
      if (killed) await stage.restart();
    },
    async stop() {
      killed = false; // nobody needs it any more
      await stage.clear();
      await closeAll();
    },
  };
  return stage;
}

function starter(env: Record<string, string>): () => Promise<TestService> {
  const data_dir = temporaryDirectory();
  return () => startService({ data_dir, env });
}

async function lock(url: string, statements: string[]): Promise<Lock> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('begin');
  for (const statement of statements) await client.query(statement);
  const ended: { promise?: Promise<void> } = {};
  const release = () => {
    ended.promise ??= client.end(); // which rolls back
    return ended.promise;
  };
  return { client, release };
}

// withdrawals on the stage

export type Order = { wallet: Wallet; key: string; memo_id: bigint; amount_stroops: bigint };

let serial = 0;

/** Its memo id is no other order's, so that its payments on the ledger can be counted. */
export function newOrder(wallet: Wallet): Order {
  const memo_id = 2n ** 62n + BigInt(++serial);
  return { wallet, key: `step-${serial}`, memo_id, amount_stroops: 1_000_000n + BigInt(serial) };
}

export function withdraw(stage: Stage, { wallet, key, memo_id, amount_stroops }: Order): Promise<Answer> {
  return stage.api('POST', `/v1/wallets/${wallet.id}/withdraw`, {
    token: stage.token,
    headers: { 'idempotency-key': key },
    body: { destination: stage.sink, amount_stroops, memo_id },
  });
}

/** Asks with the same key until the outcome is told: 201, or 409 with what is done. */
export function untilSettled(stage: Stage, order: Order, patience_ms?: number): Promise<Answer> {
  const ask = async () => {
    const answer = await withdraw(stage, order);
    const { status, body } = answer;
    return status === 201 || body.error?.code === 'idempotency_key_reused' ? answer : null;
  };
  return eventually(`the outcome of ${order.key}`, ask, patience_ms);
}

export async function rowOf(stage: Stage, { key }: Order): Promise<any> {
  return (await stage.query('select * from withdrawals where idempotency_key = $1', [key]))[0];
}

/** What the ledger has of it, successful or not. */
export async function paymentsOf(stage: Stage, { memo_id, wallet }: Order): Promise<LedgerTransaction[]> {
  const { transactions } = await readLedgerTruth(stage.ledger.server, stage.ledger.passphrase);
  return transactions.filter((one) => one.memo_id === memo_id && one.fee_account === wallet.account);
}

/** Every envelope that the network was ever sent for the order. */
export function envelopesOf(stage: Stage, order: Order): Set<string> {
  const sent = stage.proxy.calls.filter(({ method }) => method === 'sendTransaction');
  const all = new Set(sent.map(({ params }) => params.transaction as string));
  return new Set([...all].filter((xdr) => parse(xdr, stage).memo === `${order.memo_id}`));
}

/** Of the transaction itself, inside a fee-bump. */
export function parse(
  envelope_xdr: string,
  { ledger }: Stage,
): { source: string; hash: string; memo: string } {
  const parsed = TransactionBuilder.fromXDR(envelope_xdr, ledger.passphrase);
  const inner = parsed instanceof FeeBumpTransaction ? parsed.innerTransaction : parsed;
  const hash = Buffer.from(inner.hash()).toString('hex');
  return { source: inner.source, hash, memo: `${inner.memo.value}` };
}

/**
 * The truth about a withdrawal that went through: told as the ledger has it, paid once, by the only envelope that was
 * ever sent, and the wallet can go on. Gives its row.
 */
export async function assertPaidOnce(stage: Stage, order: Order, told: Answer): Promise<any> {
  const payments = await paymentsOf(stage, order);
  const row = await rowOf(stage, order);
  assert.equal(payments.length, 1, `${payments.length} payments on the ledger`);
  assert.equal(payments[0]?.successful, true);
  assert.equal(payments[0]?.payments[0]?.amount_stroops, order.amount_stroops);
  assert.equal(told.body.data.status, 'confirmed', told.text);
  assert.equal(told.body.data.stellar_tx_hash, payments[0]?.hash);
  assert.equal(told.body.data.ledger, BigInt(payments[0]?.ledger ?? 0));
  assert.equal(told.body.data.fee_stroops, payments[0]?.fee_stroops);
  assert.deepEqual([...envelopesOf(stage, order)], [row.envelope_xdr], 'one envelope only');
  await assertLaneIsFree(stage, order);
  return row;
}

export async function assertLaneIsFree(stage: Stage, { wallet }: Order): Promise<void> {
  const [lane] = await stage.query('select * from lanes where account = $1', [wallet.account]);
  assert.equal(lane.holder, null);
  const next = newOrder(wallet);
  const told = await untilSettled(stage, next);
  assert.equal(told.body.data.status, 'confirmed', `the wallet's next withdrawal: ${told.text}`);
  assert.equal((await paymentsOf(stage, next)).length, 1);
}

/** Ledger time without waiting: every close is a second at least. */
export function closeLedgersPast({ sandbox }: Stage, max_time: bigint | string): void {
  while (BigInt(sandbox.closeLedger().close_time) < BigInt(max_time) + 2n);
}
