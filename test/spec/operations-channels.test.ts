/** `teller channels`, beside a running service whose channels pay their fees, killed in the middle, and without a service. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { describe, it } from 'node:test';
import { tellerStartedOnce as teller } from '../support/commands.ts';
import { eventually } from '../support/eventually.ts';
import { launchTeller } from '../support/launch.ts';
import { startRpcProxy } from '../support/rpc-proxy.ts';
import { startRunningService } from '../support/running-service.ts';
import { temporaryDirectory } from '../support/service.ts';

const world = await startRunningService({ CHANNEL_FEES: 'channel' }, { embedded: true });

const channels = (args: string[], env: Record<string, string> = {}) =>
  teller(['channels', ...args], { DATA_DIR: world.service.data_dir, WITHDRAW_VALID_SECONDS: '600', ...env });

async function countOf(status: string): Promise<number> {
  return Number((await world.query('select count(*) from channels where status = $1', [status]))[0].count);
}

describe('teller channels', () => {
  it('create makes so many while the service runs, tells how it goes, and keeps to CHANNELS_MAX', async () => {
    const made = await channels(['create', '21']);
    assert.equal(made.code, 0, made.output);
    assert.match(made.output, /19 active, 2 to be made\nDone: 21 channels are active\./);
    const more = await channels(['create', '10'], { CHANNELS_MAX: '23' });
    assert.match(more.output, /CHANNELS_MAX is 23: 2 are made, not 10/);
    assert.equal(await countOf('active'), 23);
    const full = await channels(['create', '1'], { CHANNELS_MAX: '23' });
    assert.notEqual(full.code, 0);
    assert.doesNotMatch(full.output, /^ +at /m);
  });

  it('create, killed in the middle, goes on where it was', async () => {
    const proxy = await startRpcProxy(world.service.rpc_url);
    let transactions = 0;
    const reached = proxy.hold('sendTransaction', 'answer', () => ++transactions >= 2);
    const { data_dir: DATA_DIR } = world.service;
    const env = { DATA_DIR, WITHDRAW_VALID_SECONDS: '600', STELLAR_RPC_URL: proxy.url };
    const launched = launchTeller(['channels', 'create', '40'], env);
    await reached;
    await launched.end('SIGKILL');
    await proxy.close();
    assert.deepEqual([await countOf('creating'), await countOf('active')], [21, 42]);
    const again = await channels(['create', '1']);
    assert.equal(again.code, 0, again.output);
    assert.deepEqual([await countOf('creating'), await countOf('active')], [0, 63]);
  });

  it('channels that the commands made empty are filled by the service, and pay the fees of withdrawals from then on', async () => {
    const wallet = await world.newWallet();
    const destination = (await world.ledger.fund()).publicKey();
    const payTwice = async () => {
      const pay = () => world.withdraw(wallet, { destination, amount_stroops: 10_000_000n });
      const answers = await Promise.all([pay(), pay()]);
      return answers
        .map(({ body }) => body.data)
        .toSorted((a, b) => (a.fee_paid_by < b.fee_paid_by ? -1 : 1));
    };
    await eventually('a fee that a channel paid', async () => {
      const [by_channel, by_wallet] = await payTwice();
      if (by_channel.fee_paid_by !== 'channel') return false;
      assert.deepEqual([by_channel.fee_stroops, by_channel.fee_bumps], [0n, 0n]);
      assert.equal(by_channel.stellar_tx_hash, by_channel.inner_tx_hash);
      assert.deepEqual(
        [by_wallet.fee_paid_by, by_wallet.fee_stroops, by_wallet.fee_bumps],
        ['wallet', 100n, 0n],
      );
      return true;
    });
    const [{ fees }] = await world.query(
      `select sum(fee_charged_stroops)::text as fees from withdrawals where fee_paid_by = 'channel'`,
    );
    const { output } = await teller(['treasury'], {
      DATA_DIR: world.service.data_dir,
      CHANNEL_FEES: 'channel',
    });
    assert.match(
      output,
      new RegExp(`by all channels: fees of \\d+ transactions: ${fees} stroops; they hold`),
    );
    const books = await teller(['reconcile'], { DATA_DIR: world.service.data_dir });
    assert.equal(books.code, 0, books.output);
  });

  it('retire takes one, some or all out of service, and merge gives their reserves back', async () => {
    const [line = ''] = (await channels([])).output.split('\n');
    const [, account = ''] = /^(G[A-Z2-7]{55}) active +sponsor G[A-Z2-7]{55} {2}free$/.exec(line) ?? [];
    assert.equal((await channels(['retire', account])).code, 0);
    assert.equal((await channels(['retire', '2'])).code, 0);
    assert.equal(await countOf('retired'), 3);
    assert.match((await channels(['merge'])).output, /Merged 3\./);
    assert.equal((await channels(['retire', '--all'])).code, 0);
    assert.equal(await countOf('active'), 0);
    for (const args of [
      ['retire', '--all', '2'],
      ['retire', account],
    ]) {
      const { code, output } = await channels(args);
      assert.notEqual(code, 0, args.join(' '));
      assert.doesNotMatch(output, /^ +at /m, output);
    }
  });

  it('on a DATA_DIR that is not the service’s nothing is reported well, and nothing is made', async () => {
    const DATA_DIR = temporaryDirectory();
    for (const command of [['tx-sources'], ['unmatched'], ['channels'], ['channels', 'retire', '--all']]) {
      const { code, output } = await teller(command, { DATA_DIR });
      assert.notEqual(code, 0, output);
      assert.match(output, /There is no database in/);
    }
    assert.deepEqual(readdirSync(DATA_DIR), []);
  });

  it('a database that does not answer is named without a stack', async () => {
    const DATABASE_URL = 'postgres://nobody@127.0.0.1:1/none';
    const MASTER_KEY = Buffer.alloc(32, 7).toString('base64');
    const { code, output } = await teller(['tx-sources'], { DATABASE_URL, MASTER_KEY });
    assert.notEqual(code, 0);
    assert.match(output, /Cannot connect to the database/);
    assert.doesNotMatch(output, /^ +at /m, output);
  });

  it('without a service the list is there, and what needs the network says so', async () => {
    const { data_dir } = world.service;
    await world.stop();
    const list = await channels(['list']);
    assert.match(list.output, /\n0 creating, 0 active, 60 retired, 3 merged\n$/);
    for (const [dir, message] of [
      [data_dir, /No Stellar source answered/],
      [temporaryDirectory(), /There is no database in/],
    ] as const) {
      const { code, output } = await channels(['merge'], { DATA_DIR: dir });
      assert.notEqual(code, 0);
      assert.match(output, message);
      assert.doesNotMatch(output, /^ +at /m, output);
    }
  });
});
