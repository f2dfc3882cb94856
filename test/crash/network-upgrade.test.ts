/**
 * The network applies the upgrade to protocol 30 while two services run with deposits and withdrawals in flight: one reads
 * Stellar RPC and goes on, one reads Horizon and is killed just after the ledger of the upgrade. From that ledger on both
 * read headers that the SDK does not know, and the first one sees two ledgers a second.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { Asset, type Keypair, Operation, TransactionBuilder } from '@stellar/stellar-sdk/base';
import pg from 'pg';
import { pino } from 'pino';
import { startSandbox } from '../../sandbox/launch.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createLog } from '../../src/lib/log.ts';
import { createMetrics } from '../../src/lib/metrics.ts';
import { createStellar } from '../../src/stellar/sources/create-stellar.ts';
import { createLedgerReader } from '../oracle/read-ledger.ts';
import { eventually } from '../support/eventually.ts';
import { isLong } from '../support/form.ts';
import { openLedger } from '../support/ledger.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { type Protocol30Network, startProtocol30Network } from '../support/protocol-30-network.ts';
import { startService, type TestService, teller, temporaryDirectory } from '../support/service.ts';

/** Of each service. */
const WITHDRAWALS = isLong ? 300 : 30;
const CHANNELS = 10;
const CLOSE_MS = 100;

const closers: (() => Promise<unknown>)[] = [];
after(async () => {
  for (const close of closers.reverse()) await close();
});

const log = pino({ level: 'silent' });
const sandbox = await startSandbox({ port: 0, dir: null, close_ms: 0, protocol: 28, log });
closers.push(() => sandbox.stop());
const upstream = { rpc_url: sandbox.rpc_url, horizon_url: sandbox.url };
const network = await startProtocol30Network(upstream, { two_a_second: true });
closers.push(() => network.close());
const horizon = await startProtocol30Network(upstream);
closers.push(() => horizon.close());

let timer: NodeJS.Timeout | undefined;
const goOn = () => {
  timer = setInterval(() => sandbox.closeLedger(), CLOSE_MS);
};
const pause = () => clearInterval(timer);
closers.push(async () => pause());
goOn();

const ledger = await openLedger(sandbox.rpc_url);
const readLedger = createLedgerReader(sandbox.rpc_url, sandbox.passphrase);
const payer = await ledger.fund();
const second_payer = await ledger.fund();
const sink = (await ledger.fund()).publicKey();

type Order = { key: string; memo_id: bigint };
let serial = 0;
const newOrders = (count: number): Order[] =>
  Array.from({ length: count }, () => ({ key: `order-${++serial}`, memo_id: 2n ** 62n + BigInt(serial) }));

/** A service with a database of its own, and a wallet with a deposit address. */
async function newService(source: Record<string, string>) {
  const storage = await createTestDatabase();
  closers.push(() => storage.drop());
  const db = new pg.Pool({ connectionString: storage.url, max: 2 });
  closers.push(() => db.end());
  const environment = {
    DATABASE_URL: storage.url,
    MASTER_KEY: randomBytes(32).toString('base64'),
    DATA_DIR: temporaryDirectory(),
    // While everything stands still for the upgrade, and on a slow machine, an outcome takes longer than the 45 s of the sandbox.
    WITHDRAW_WAIT_SECONDS: '180',
    ...source,
  };
  const start = () => startService({ data_dir: environment.DATA_DIR, env: environment });
  const running = { service: await start() };
  closers.push(() => running.service.stop());
  const token = await running.service.login();
  const api: TestService['api'] = (...call) => running.service.api(...call);
  const made = async (path: string, body: object) => {
    const answer = await api('POST', `/v1/wallets${path}`, { token, body });
    assert.equal(answer.status, 201, answer.text);
    return answer.body.data;
  };
  const wallet = await made('', { name: 'Main' });
  const path = `/v1/wallets/${wallet.id}`;
  const { address } = await made(`/${wallet.id}/addresses`, { metadata: { customer: 42 } });
  return {
    wallet,
    address: address as string,
    environment,
    start,
    running,
    api,
    count: async (sql: string) => Number((await db.query(`select count(*) ${sql}`)).rows[0].count),
    withdraw: ({ key, memo_id }: Order) =>
      api('POST', `${path}/withdraw`, {
        token,
        headers: { 'idempotency-key': key },
        body: { destination: sink, amount_stroops: 1_000_000n, memo_id },
      }),
    /** The wallet's deposit out of the transaction. */
    deposit: (hash: string) =>
      eventually(`the deposit out of ${hash}`, async () => {
        const { body } = await api('GET', `${path}/deposits?limit=200`, { token });
        return body.data.items.find((item: any) => item.stellar_tx_hash === hash);
      }),
    /** Books and ledger agree at a ledger after `sequence`. */
    reconciled: (sequence: number) =>
      eventually(`a reconciliation after ledger ${sequence}`, async () => {
        const { body } = await api('GET', `${path}/reconciliation`, { token });
        return body.data?.agrees && body.data.ledger > sequence;
      }),
  };
}

/** Sends a payment, which waits for the next ledger. Gives its hash. */
async function send(source: Keypair, destination: string): Promise<string> {
  const account = await ledger.server.getAccount(source.publicKey());
  const transaction = new TransactionBuilder(account, { fee: '1000', networkPassphrase: ledger.passphrase })
    .addOperation(Operation.payment({ destination, asset: Asset.native(), amount: '5' }))
    .setTimeout(0)
    .build();
  transaction.sign(source);
  const { status, hash } = await ledger.server.sendTransaction(transaction);
  assert.equal(status, 'PENDING');
  return hash;
}

/** Each order has exactly one payment on the ledger; gives the ledgers that have them. */
async function ledgersOf(orders: Order[]): Promise<number[]> {
  const { transactions } = await readLedger();
  return orders.map(({ key, memo_id }) => {
    const [paid, ...others] = transactions.filter(({ memo }) => memo.value === `${memo_id}`);
    assert.ok(paid?.successful && others.length === 0, key);
    return paid.ledger;
  });
}

describe('a network that applies the upgrade to protocol 30', () => {
  it('is crossed without a restart, and by a kill, with every deposit credited and every withdrawal paid once', async () => {
    const [over, killed] = await Promise.all([
      newService({ STELLAR_RPC_URL: network.rpc_url }),
      newService({ STELLAR_RPC_URL: '', HORIZON_URL: horizon.horizon_url }),
    ]);
    for (const { environment } of [over, killed]) {
      const channels = await teller(['channels', 'create', `${CHANNELS}`], environment);
      assert.equal(channels.code, 0, channels.output);
    }
    for (const { address, deposit } of [over, killed])
      assert.equal((await deposit((await ledger.pay(payer, address, 50_000_000n)).hash)).status, 'confirmed');

    // Nothing closes until envelopes of both services wait for the ledger of the upgrade, and deposits too.
    pause();
    const orders = newOrders(WITHDRAWALS);
    const others = newOrders(WITHDRAWALS);
    const answers = Promise.all(orders.map(over.withdraw));
    const lost = Promise.allSettled(others.map(killed.withdraw));
    for (const { count } of [over, killed])
      await eventually(
        'withdrawals in flight',
        async () =>
          (await count(`from withdrawals where status = 'signed' and committed_at is not null`)) >= CHANNELS,
      );
    const sent = ({ answered }: Protocol30Network, name: string) =>
      eventually(
        'envelopes at the network',
        () => answered.filter((each) => each === name).length >= CHANNELS,
      );
    await sent(network, 'sendTransaction');
    await sent(horizon, '/transactions_async');
    const inside = [await send(payer, over.address), await send(second_payer, killed.address)] as const;
    const upgrade = await network.upgrade();
    assert.equal(await horizon.upgrade(), upgrade);
    assert.equal(sandbox.closeLedger().sequence, upgrade);
    await killed.running.service.kill();
    goOn();
    await lost;
    await eventually('ledgers of protocol 30', async () => (await readLedger()).latest_ledger > upgrade + 5);
    killed.running.service = await killed.start();

    assert.equal((await over.deposit(inside[0])).ledger, BigInt(upgrade));
    assert.equal((await killed.deposit(inside[1])).ledger, BigInt(upgrade));
    for (const { status, text } of await answers) assert.equal(status, 201, text);
    for (const order of others) {
      const done = await eventually(`the outcome of ${order.key}`, async () => {
        const { status, body } = await killed.withdraw(order);
        return (status === 201 || status === 409) && body.data.status !== 'pending' ? body.data : null;
      });
      assert.equal(done.status, 'confirmed');
    }
    for (const { address, deposit } of [over, killed])
      assert.equal((await deposit((await ledger.pay(payer, address, 50_000_000n)).hash)).status, 'confirmed');

    for (const each of [orders, others]) {
      const paid_in = await ledgersOf(each);
      assert.ok(paid_in.includes(upgrade) && paid_in.some((sequence) => sequence > upgrade), `${paid_in}`);
    }
    const { latest_ledger } = await readLedger();
    for (const { reconciled, running } of [over, killed]) {
      await reconciled(latest_ledger);
      assert.deepEqual(
        Object.entries(await running.service.checks()).filter(([, { ok }]) => !ok),
        [],
      );
    }
    const complaints = over.running.service.output().match(/.*"level":[45]0.*/g) ?? [];
    assert.deepEqual(
      complaints.filter((line) => !line.includes('runs as root')),
      [],
    );
  });

  it('is where a service can start for the first time, and pay', async () => {
    const fresh = await newService({ STELLAR_RPC_URL: network.rpc_url });
    const { hash } = await ledger.pay(payer, fresh.address, 50_000_000n);
    assert.equal((await fresh.deposit(hash)).status, 'confirmed');
    const orders = newOrders(1);
    for (const { status, text } of await Promise.all(orders.map(fresh.withdraw)))
      assert.equal(status, 201, text);
    await ledgersOf(orders);
  });

  it('leaves a source behind that did not apply it: its ledgers are refused as another chain', async (t) => {
    const stellarOf = (...rpc_urls: string[]) => {
      const log = createLog('silent', false);
      const options = { rpc_urls, horizon_urls: [], passphrase: ledger.passphrase };
      const stellar = createStellar({ ...options, clock: systemClock, log, metrics: createMetrics() });
      t.after(() => stellar.close());
      return stellar;
    };
    const of = async (rpc_url: string, sequence: number) => {
      const range = await stellarOf(rpc_url).readLedgersAfter(sequence - 1, null);
      assert(range.read === 'ledgers');
      return range.hashes[1] as string;
    };
    const sequence = (await readLedger()).latest_ledger;
    const hash = await of(network.rpc_url, sequence);
    assert.notEqual(hash, await of(sandbox.rpc_url, sequence));
    const anchor = { ledger: sequence, hash };
    await eventually('another ledger', async () => (await readLedger()).latest_ledger > sequence);

    const both = stellarOf(sandbox.rpc_url, network.rpc_url);
    const range = await both.readLedgersAfter(sequence, anchor);
    assert.equal(range.read === 'ledgers' && range.hashes[0], hash);
    const [behind] = await both.sources();
    assert.match(behind?.usable === false ? behind.reason : '', /does not follow the ledger/);
    assert.deepEqual(await stellarOf(sandbox.rpc_url).readLedgersAfter(sequence, anchor), {
      read: 'other_chain',
    });
  });
});
