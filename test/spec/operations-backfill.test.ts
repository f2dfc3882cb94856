/** `teller backfill` and `teller quarantine`, beside a running service, killed in the middle, and used wrongly. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { tellerStartedOnce as teller } from '../support/commands.ts';
import { eventually } from '../support/eventually.ts';
import { launchTeller } from '../support/launch.ts';
import { memoId } from '../support/ledger.ts';
import { startRpcProxy } from '../support/rpc-proxy.ts';
import { startRunningService } from '../support/running-service.ts';

const world = await startRunningService({}, { embedded: true });
after(() => world.stop());
const wallet = await world.newWallet();

const environment = () => ({ DATA_DIR: world.service.data_dir, WITHDRAW_VALID_SECONDS: '600' });
const run = (...args: string[]) => teller(args, environment());

/** One payment to a new address, recorded by the service. Gives the address's id. */
async function deposit(): Promise<string> {
  const options = { token: wallet.api_key, body: {} };
  const { body } = await world.api('POST', `/v1/wallets/${wallet.id}/addresses`, options);
  const payer = await world.ledger.fund();
  await world.ledger.pay(payer, wallet.account, 5n, { memo: memoId(body.data.memo_id) });
  await eventually('the deposit', async () => (await countOf(body.data.id)) === 1);
  return body.data.id;
}

async function countOf(address_id: string): Promise<number> {
  const rows = await world.query('select count(*) from deposits where address_id = $1', [address_id]);
  return Number(rows[0].count);
}

async function eventsOf(address_id: string): Promise<number> {
  const sql = `select count(*) from webhook_events where convert_from(body, 'utf8') like $1`;
  return Number((await world.query(sql, [`%${address_id}%`]))[0].count);
}

/** As a database looks in which the deposit is missing. */
async function forget(address_id: string): Promise<void> {
  await world.query('delete from deposits where address_id = $1', [address_id]);
  await world.query(`delete from webhook_events where convert_from(body, 'utf8') like $1`, [
    `%${address_id}%`,
  ]);
}

describe('teller backfill', () => {
  it('credits what is missing, once, while the service runs, and says what it did', async () => {
    const address_id = await deposit();
    await forget(address_id);
    const first = await run('backfill', '--from-ledger', '2');
    assert.equal(first.code, 0, first.output);
    assert.match(first.output, /Ledgers 2 to \d+ are read: 1 deposits were missing \(1 attributed\)/);
    const again = await run('backfill', '--from-ledger', '2', '--rpc-url', world.service.rpc_url);
    assert.equal(again.code, 0, again.output);
    assert.match(again.output, / 0 deposits were missing /);
    assert.deepEqual([await countOf(address_id), await eventsOf(address_id)], [1, 1]);
  });

  it('killed in the middle, goes on when it is run again', async () => {
    const address_id = await deposit();
    await forget(address_id);
    const proxy = await startRpcProxy(world.service.rpc_url);
    let pages = 0;
    const reached = proxy.hold('getLedgers', 'answer', () => ++pages === 3);
    const args = ['backfill', '--from-ledger', '2', '--rpc-url', proxy.url];
    const launched = launchTeller(args, environment(), { stdio: 'ignore' });
    await reached;
    await launched.end('SIGKILL');
    await proxy.close();
    const again = await run(...args.slice(0, 3));
    assert.equal(again.code, 0, again.output);
    assert.deepEqual([await countOf(address_id), await eventsOf(address_id)], [1, 1]);
  });

  it('says in one line what is wrong with a source, and ends with 1', async () => {
    const { code, output } = await run('backfill', '--from-ledger', '2', '--rpc-url', 'http://127.0.0.1:1/');
    assert.equal(code, 1);
    assert.match(output, /The network gives no usable answer \(source 1: /);
    assert.doesNotMatch(output, /^ +at /m);
  });

  it('refuses what makes no sense', async () => {
    for (const [args, expected] of [
      [[], /--from-ledger/],
      [['--from-ledger', '0'], /whole number from 2/],
      [['--from-ledger', '2', '--rpc-url', 'x'], /http\(s\) URL/],
      [['--from-ledger', '2', '--rpc-url', 'http://a', '--horizon-url', 'http://b'], /cannot be used with/],
      [['--from-ledger', '999999999'], /There is no ledger from 999999999/],
      [['--from-ledger', '2', '--to-ledger', '999999999'], /The newest ledger is \d+/],
    ] as [string[], RegExp][]) {
      const { code, output } = await run('backfill', ...args);
      assert.equal(code, 1, output);
      assert.match(output, expected);
      assert.doesNotMatch(output, /^ +at /m);
    }
  });
});

describe('teller quarantine', () => {
  it('says that none waits', async () => {
    for (const args of [[], ['list'], ['retry']]) {
      const { code, output } = await run('quarantine', ...args);
      assert.equal(code, 0, output);
      assert.match(output, /^No transaction waits in quarantine/m);
    }
  });
});
