/**
 * A service between a network and a database that outlive it and obey the test: the network through a proxy that can
 * hold any answer, the database through locks that can hold any statement. So the service is killed at a chosen
 * instruction, and nothing in src/ knows of it.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import {
  FeeBumpTransaction,
  type Memo,
  scValToNative,
  TransactionBuilder,
  type xdr,
} from '@stellar/stellar-sdk/base';
import pg from 'pg';
import { pino } from 'pino';
import { type LedgerSummary, type Sandbox, startSandbox } from '../../sandbox/launch.ts';
import { type AppliedTransaction, refundIn } from '../oracle/ledger.ts';
import { createLedgerReader, type LedgerReading } from '../oracle/read-ledger.ts';
import { type Answer, type Call, call } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { type Ledger, openLedger } from '../support/ledger.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { type RpcProxy, startRpcProxy } from '../support/rpc-proxy.ts';
import { startService, type TestService, teller, temporaryDirectory } from '../support/service.ts';
import { DUE_NOW } from './gather.ts';

export type Wallet = { id: string; account: string; api_key: string };

export type ControlledService = {
  sandbox: Sandbox;
  ledger: Ledger;
  /** All that the ledgers have applied so far. */
  readLedger(): Promise<LedgerReading>;
  proxy: RpcProxy;
  service: TestService;
  token: string;
  /** An account that exists, for payments to go to. */
  sink: string;
  /** The account that pays the fees of all wallets (TREASURY_PAYS); null: each wallet pays its own. */
  treasury: string | null;
  /** Channels pay the fees of their transactions (CHANNEL_FEES=channel). */
  channels_pay: boolean;
  api(method: string, path: string, options?: Call): Promise<Answer>;
  query(sql: string, values?: unknown[]): Promise<any[]>;
  newWallet(): Promise<Wallet>;
  /** The one channel account. */
  newChannel(): Promise<string>;
  /** A statement that holds locks until released, from a connection of the test. */
  lock(...statements: string[]): Promise<Lock>;
  /** Until a statement of the service that contains one of `parts` (quotes left out) waits for a lock; gives that part. */
  blocked<Part extends string>(...parts: Part[]): Promise<Part>;
  /** kill -9. */
  kill(): Promise<void>;
  /** What the server does within a second by itself: it ends the sessions of the killed process. */
  endSessions(): Promise<void>;
  /** When the server is done with the statements that were blocked. */
  endStatements(): Promise<void>;
  /** Starts it again, with an honest network. */
  restart(): Promise<void>;
  /** Ends all leases, as after the time in which a killed process alone may work on its rows. */
  endLeases(): Promise<void>;
  /** Undoes what a test that failed may have left: lies, locks, and no service. */
  clear(): Promise<void>;
  stop(): Promise<void>;
};

export type Lock = { client: pg.Client; release(): Promise<void> };

/** A step that is never reached must not hold up the run. */
export const STEP_TIMEOUT_MS = 300_000;

const SESSIONS = `from pg_stat_activity where datname = current_database() and starts_with(application_name, 'stellar-teller ')`;

/** What was set up before a failure is taken down again. */
export async function startControlledService(env: Record<string, string> = {}): Promise<ControlledService> {
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
): Promise<ControlledService> {
  const sandbox = await startSandbox({
    port: 0,
    dir: null,
    close_ms: 100,
    step_ms: 1000,
    log: pino({ level: 'silent' }),
  });
  closers.push(() => sandbox.stop());
  const ledger = await openLedger(sandbox.rpc_url);
  const proxy = await startRpcProxy(sandbox.rpc_url);
  closers.push(() => proxy.close());
  const storage = await createTestDatabase();
  closers.push(() => storage.drop());
  const pool = new pg.Pool({ connectionString: storage.url, max: 4 });
  pool.on('error', () => undefined); // a session that is ended while it idles
  closers.push(() => pool.end());
  // When a statement of a dead client ends is for the test to say, not for how soon the server looks.
  const name = new URL(storage.url).pathname.slice(1);
  await pool.query(`alter database ${name} set client_connection_check_interval = 0`);
  const environment = {
    DATABASE_URL: storage.url,
    MASTER_KEY: randomBytes(32).toString('base64'),
    STELLAR_RPC_URL: proxy.url,
    CHANNELS_MAX: '0', // a wallet's tx_source is its own account, so that a test can block it
    DATA_DIR: temporaryDirectory(),
    ...env,
  };
  const start = () => startService({ data_dir: environment.DATA_DIR, env: environment });
  const service = await start();
  closers.push(() => stage.service.stop());
  const token = await service.login();
  const sink = (await ledger.fund()).publicKey();
  const locks: Lock[] = [];
  let killed = false;
  let blocked_pids: number[] = [];
  const query = async (sql: string, values?: unknown[]) => (await pool.query(sql, values)).rows;
  const treasury = env.TREASURY_PAYS ? (await query('select account from treasury'))[0].account : null;

  const stage: ControlledService = {
    sandbox,
    ledger,
    readLedger: createLedgerReader(sandbox.rpc_url, ledger.passphrase),
    proxy,
    service,
    token,
    sink,
    treasury,
    channels_pay: env.CHANNEL_FEES === 'channel',
    query,
    api: (method, path, options) => call(stage.service.url, method, path, options),
    async newWallet() {
      const made = await stage.api('POST', '/v1/wallets', { token, body: { name: 'crash' } });
      assert.equal(made.status, 201, made.text);
      return made.body.data;
    },
    async newChannel() {
      const { code, output } = await teller(['channels', 'create', '1'], {
        ...environment,
        CHANNELS_MAX: '1',
      });
      assert.equal(code, 0, output);
      return (await query('select account from channels'))[0].account;
    },
    async lock(...statements) {
      const taken = await lock(storage.url, statements);
      locks.push(taken);
      return taken;
    },
    async blocked(...parts) {
      const waiting = `select pid ${SESSIONS} and wait_event_type = 'Lock' and replace(query, '"', '') like $1`;
      return eventually(`a blocked ${parts.join(' or ')}`, async () => {
        for (const part of parts) {
          blocked_pids = (await query(waiting, [`%${part}%`])).map(({ pid }) => pid);
          if (blocked_pids.length > 0) return part;
        }
        return null;
      });
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
    async endStatements() {
      const active = `select 1 ${SESSIONS} and state = 'active' and pid = any($1)`;
      await eventually(
        'the end of its statements',
        async () => (await query(active, [blocked_pids])).length === 0,
      );
    },
    async restart() {
      proxy.honest();
      stage.service = await start();
      killed = false;
    },
    async endLeases() {
      await query(`update withdrawals set leased_until = now() where status in ('queued', 'signed')`);
      await query(DUE_NOW);
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

/** `memo`: its memo id, or the hash that it refunds: no other order's, so that its payments on the ledger can be counted. */
export type Order = {
  wallet: Wallet;
  key: string;
  destination: string;
  memo: string;
  amount_stroops: bigint;
  /** The deposit that it refunds. */
  refund_of: string | null;
  /** CODE:ISSUER of what is paid; null for the native asset. */
  asset: string | null;
  /** The order pays nothing: it adds the asset to the wallet. */
  adds_asset: boolean;
};

/** What tells its transactions from those of all others. */
type OrderName = Pick<Order, 'memo'> & Partial<Pick<Order, 'asset' | 'adds_asset'>>;

const NATIVE_PAYMENT = { refund_of: null, asset: null, adds_asset: false };

let serial = 0;

export function newOrder({ sink: destination }: ControlledService, wallet: Wallet): Order {
  const memo = `${2n ** 62n + BigInt(++serial)}`;
  const amount_stroops = 1_000_000n + BigInt(serial);
  return { wallet, key: `step-${serial}`, destination, memo, amount_stroops, ...NATIVE_PAYMENT };
}

/** Pays an asset that the wallet and the destination have. */
export function newAssetOrder(
  stage: ControlledService,
  wallet: Wallet,
  { asset, destination }: { asset: string; destination: string },
): Order {
  return { ...newOrder(stage, wallet), asset, destination };
}

/** Pays a contract without an id: its amount names it. */
export function newContractOrder(stage: ControlledService, wallet: Wallet, destination: string): Order {
  const order = newOrder(stage, wallet);
  return { ...order, destination, memo: contractMemo(order.amount_stroops) };
}

/** In place of the memo that a transfer to a contract does not have. */
const contractMemo = (amount_stroops: bigint) => `${amount_stroops} to a contract`;
const isContract = (address: string) => address.startsWith('C');

/** Adds an asset with a code of its own. The row of a first addition has this key. */
export function newAddition(wallet: Wallet, issuer: string): Order {
  const asset = `CODE${++serial}:${issuer}`;
  const key = `add_trust_line·${wallet.id}·${asset}·1`;
  return {
    wallet,
    key,
    destination: issuer,
    memo: '',
    amount_stroops: 0n,
    refund_of: null,
    asset,
    adds_asset: true,
  };
}

/** Makes a deposit that names no address, and returns the order that refunds it. */
export async function newRefund(stage: ControlledService, wallet: Wallet): Promise<Order> {
  const payer = await stage.ledger.fund();
  const amount_stroops = 1_000_000n + BigInt(++serial);
  const { hash } = await stage.ledger.pay(payer, wallet.account, amount_stroops);
  const recorded = async () =>
    (await stage.query('select id from deposits where stellar_tx_hash = $1', [hash]))[0];
  const { id } = await eventually('the deposit', recorded);
  const key = `refund·${id}·1`;
  return {
    wallet,
    key,
    destination: payer.publicKey(),
    memo: hash,
    amount_stroops,
    ...NATIVE_PAYMENT,
    refund_of: id,
  };
}

/** `prefer`: the header of a withdrawal that is not to be held until its outcome. */
export function withdraw(stage: ControlledService, order: Order, prefer?: string): Promise<Answer> {
  const { wallet, key, destination, memo, amount_stroops, refund_of } = order;
  const { token } = stage;
  const path = `/v1/wallets/${wallet.id}`;
  if (refund_of !== null) return stage.api('POST', `${path}/deposits/${refund_of}/refund`, { token });
  const [asset_code, asset_issuer] = order.asset?.split(':') ?? [];
  const asset = order.asset === null ? {} : { asset_code, asset_issuer };
  if (order.adds_asset) return stage.api('POST', `${path}/assets`, { token, body: asset });
  return stage.api('POST', `${path}/withdraw`, {
    token,
    headers: { 'idempotency-key': key, ...(prefer && { prefer }) },
    body: {
      destination,
      amount_stroops,
      ...(isContract(destination) ? {} : { memo_id: BigInt(memo) }),
      ...asset,
    },
  });
}

/** Its row, as soon as that the claim is committed. */
export const claimed = (stage: ControlledService, order: Order): Promise<any> =>
  eventually(`the claim of ${order.key}`, () => rowOf(stage, order));

/** Sends the same request again until the answer has the outcome: 201, or 409 with the withdrawal. */
export function untilOutcome(stage: ControlledService, order: Order, patience_ms?: number): Promise<Answer> {
  const ask = async () => {
    const answer = await withdraw(stage, order);
    const { status, body } = answer;
    const { code } = body.error ?? {};
    const refunded = code === 'deposit_refunded' && body.data.status !== 'pending';
    const added = order.adds_asset && status === 200;
    return status === 201 || code === 'idempotency_key_reused' || refunded || added ? answer : null;
  };
  return eventually(`the outcome of ${order.key}`, ask, patience_ms);
}

export async function rowOf(stage: ControlledService, { key }: Order): Promise<any> {
  return (await stage.query('select * from withdrawals where idempotency_key = $1', [key]))[0];
}

/** What the ledger has of it, successful or not, whoever paid the fee. */
export async function paymentsOf(
  stage: ControlledService,
  { memo, asset, adds_asset }: OrderName,
): Promise<AppliedTransaction[]> {
  const { transactions } = await stage.readLedger();
  if (adds_asset) return transactions.filter(({ trust_lines }) => trust_lines[0]?.asset === asset);
  const nameOf = (one: AppliedTransaction) => {
    const [payment] = one.payments;
    return payment && isContract(payment.destination)
      ? contractMemo(payment.amount_stroops)
      : (refundIn(one) ?? one.memo.value);
  };
  return transactions.filter((one) => nameOf(one) === memo);
}

/** Every envelope that the network was ever sent for the order. */
export function envelopesOf(stage: ControlledService, order: OrderName): Envelope[] {
  const sent = stage.proxy.calls.filter(({ method }) => method === 'sendTransaction');
  const all = new Set(sent.map(({ params }) => params.transaction as string));
  return [...all].map((xdr) => parse(xdr, stage)).filter((envelope) => isOf(order, envelope));
}

/** Whether the envelope is about the order. */
export function isOf(order: OrderName, { memo, trusted }: Pick<Envelope, 'memo' | 'trusted'>): boolean {
  return order.adds_asset ? trusted === order.asset : memo === order.memo;
}

type Envelope = {
  xdr: string;
  hash: string;
  is_fee_bump: boolean;
  fee_stroops: bigint;
  /** The hash of the inner transaction. */
  inner_hash: string;
  source: string;
  memo: string;
  /** The asset whose trust line it changes. */
  trusted: string | null;
};

export function parse(envelope_xdr: string, { ledger }: ControlledService): Envelope {
  const parsed = TransactionBuilder.fromXDR(envelope_xdr, ledger.passphrase);
  const is_fee_bump = parsed instanceof FeeBumpTransaction;
  const inner = is_fee_bump ? parsed.innerTransaction : parsed;
  const hex = (hash: Uint8Array) => Buffer.from(hash).toString('hex');
  const [operation] = inner.operations;
  const change = inner.operations.find(({ type }) => type === 'changeTrust');
  return {
    xdr: envelope_xdr,
    hash: hex(parsed.hash()),
    is_fee_bump,
    fee_stroops: BigInt(parsed.fee),
    inner_hash: hex(inner.hash()),
    source: inner.source,
    memo: operation?.type === 'invokeHostFunction' ? calledWith(operation.func) : memoText(inner.memo),
    trusted: change?.type === 'changeTrust' ? `${change.line}` : null,
  };
}

function calledWith(called: xdr.HostFunction): string {
  if (called.type !== 'hostFunctionTypeInvokeContract') return '';
  const [, , amount] = called.invokeContract.args;
  return amount ? contractMemo(scValToNative(amount)) : '';
}

/** Asserts the same as `assertPaid`, and that the wallet can go on. Returns the row of the withdrawal. */
export async function assertPaidOnce(stage: ControlledService, order: Order, told: Answer): Promise<any> {
  const row = await assertPaid(stage, order, told);
  await assertTxSourceIsFree(stage, order, row);
  return row;
}

/**
 * The truth about a withdrawal that went through: told as the ledger has it, paid once, by the only transaction that
 * was ever sent, bumped or not. Gives its row.
 */
export async function assertPaid(stage: ControlledService, order: Order, told: Answer): Promise<any> {
  const payments = await paymentsOf(stage, order);
  const row = await rowOf(stage, order);
  assert.equal(payments.length, 1, `${payments.length} payments on the ledger`);
  assert.equal(payments[0]?.successful, true);
  const { fee_account, paid_by } = payerOf(stage, order, row);
  assert.equal(payments[0]?.fee_account, fee_account, 'who pays the fee');
  assert.equal(row.fee_paid_by, paid_by);
  assertOneTransaction(stage, order, row);
  if (order.adds_asset) {
    assert.equal(payments[0]?.trust_lines[0]?.source, order.wallet.account);
    assert.equal(told.body.data.status, 'active', told.text);
    assert.deepEqual([row.status, row.stellar_tx_hash], ['confirmed', payments[0]?.hash]);
    return row;
  }
  assert.equal(payments[0]?.payments[0]?.asset, order.asset ?? 'native');
  assert.equal(payments[0]?.payments[0]?.source, order.wallet.account);
  assert.equal(payments[0]?.payments[0]?.destination_address, order.destination);
  assert.equal(payments[0]?.payments[0]?.amount_stroops, order.amount_stroops);
  assert.equal(told.body.data.status, 'confirmed', told.text);
  assert.equal(told.body.data.stellar_tx_hash, payments[0]?.hash);
  assert.equal(told.body.data.ledger, BigInt(payments[0]?.ledger ?? 0));
  assert.equal(told.body.data.fee_stroops, paid_by === 'wallet' ? payments[0]?.fee_stroops : 0n);
  return row;
}

/** Returns who is to pay the fee of the row. */
function payerOf({ treasury, channels_pay }: ControlledService, { wallet }: Order, { tx_source }: any) {
  if (channels_pay && tx_source !== wallet.account) return { fee_account: tx_source, paid_by: 'channel' };
  if (treasury !== null) return { fee_account: treasury, paid_by: 'treasury' };
  return { fee_account: wallet.account, paid_by: 'wallet' };
}

/** Fee-bumps of one transaction compete for its sequence number: any number of them is paid once at most. */
export function assertOneTransaction(stage: ControlledService, order: Order, row: any): void {
  const envelopes = envelopesOf(stage, order);
  const inner = new Set(envelopes.map(({ inner_hash }) => inner_hash));
  assert.deepEqual([...inner], [row.inner_tx_hash], 'one transaction only');
  const known = [row.inner_tx_hash, ...row.fee_bump_hashes];
  for (const { hash } of envelopes)
    assert.ok(known.includes(hash), `${hash} was sent, and the row does not know it`);
}

export async function assertTxSourceIsFree(
  stage: ControlledService,
  { wallet }: Order,
  row: any,
): Promise<void> {
  assert.deepEqual(await stage.query('select * from tx_sources where withdrawal_id = $1', [row.id]), []);
  await signingGoesOn(stage);
  const next = newOrder(stage, wallet);
  const told = await untilOutcome(stage, next);
  assert.equal(told.body.data.status, 'confirmed', `the wallet's next withdrawal: ${told.text}`);
  assert.equal((await paymentsOf(stage, next)).length, 1);
}

/** Ledgers at a time: a third of the validity, which the withdrawal cursor may be behind, is more than these. */
const LEDGERS_AT_ONCE = 50;

/** Ledger time without waiting (every close is a second at least), in steps that the withdrawal cursor keeps up with. */
export async function passLedgerTime(stage: ControlledService, until: bigint): Promise<void> {
  for (let close_time = 0n; close_time <= until; ) {
    const closed = closeLedgers(stage, LEDGERS_AT_ONCE);
    close_time = BigInt(closed.close_time);
    await isProcessed(stage, closed.sequence);
  }
}

export function closeLedgersPast({ sandbox }: ControlledService, max_time: bigint | string): void {
  while (BigInt(sandbox.closeLedger().close_time) < BigInt(max_time) + 2n);
}

function closeLedgers({ sandbox }: ControlledService, count: number): LedgerSummary {
  let closed = sandbox.closeLedger();
  for (let left = count - 1; left > 0; left--) closed = sandbox.closeLedger();
  return closed;
}

function isProcessed(stage: ControlledService, ledger: number): Promise<unknown> {
  const reached = 'select 1 from withdrawal_cursor where ledger >= $1';
  return eventually(
    `ledger ${ledger} in the accounts`,
    async () => (await stage.query(reached, [ledger]))[0],
  );
}

/** After ledgers were missed nothing is signed until what could be in flight is dead: that time passes here. */
export async function signingGoesOn(stage: ControlledService): Promise<void> {
  await isProcessed(stage, stage.sandbox.closeLedger().sequence);
  const [cursor] = await stage.query('select * from withdrawal_cursor');
  if (BigInt(cursor.close_time) <= BigInt(cursor.sign_after))
    await passLedgerTime(stage, BigInt(cursor.sign_after));
}

/** As text, whatever its type: the digits of an id, the hex of a hash. */
function memoText({ value }: Memo): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : `${value}`;
}
