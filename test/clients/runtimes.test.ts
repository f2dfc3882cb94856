/** The package as it is published, in every runtime that it is for: `npm run test:clients` brings the others than this Node. */
import assert from 'node:assert/strict';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, describe, it } from 'node:test';
import { stringifyExact, TellerClient } from '../../clients/typescript/src/index.ts';
import { launchChromium, whySkipped } from '../browser/chromium.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { launch, printed } from '../support/launch.ts';
import { seededRandom } from '../support/random.ts';
import { startRunningService } from '../support/running-service.ts';
import { listening } from './listening.ts';
import { installPackage, run } from './runtimes/package.ts';

/** Where `npm run test:clients` has put them. */
const TOOLS = process.env.CLIENT_RUNTIMES ?? '';
const { folder, files } = installPackage();
const RECEIVER_PORT = await freePort(seededRandom(`receiver ${process.pid}`));
const world = await startRunningService({ WEBHOOK_ALLOWED_HOSTS: `127.0.0.1:${RECEIVER_PORT}` });
after(() => world.stop());
const wallet = await world.newWallet();
const payee = await world.newWallet();
const SERVICE = JSON.stringify({
  base_url: world.service.url,
  token: world.token,
  api_key: wallet.api_key,
  wallet_id: wallet.id,
  destination: payee.account,
});

describe('the package', () => {
  it('has the built files, its README and its licence, and nothing else', () => {
    const others = files.filter((file) => !/^dist\/[a-z/-]+\.(js|js\.map|d\.ts)$/.test(file)).sort();
    assert.deepEqual(others, ['LICENSE', 'README.md', 'package.json']);
    assert.ok(files.includes('dist/index.js') && files.includes('dist/webhooks/express.d.ts'));
  });

  for (const [name, lib, types] of [
    ['Node', 'es2024', 'node'],
    ['browsers', 'es2024,dom,dom.iterable', ''],
  ] as const)
    it(`is typed for an integrator with the types of ${name}`, () => {
      const strict = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--module', 'nodenext'];
      const where = ['--target', 'es2022', '--lib', lib, '--types', types];
      const roots = ['--typeRoots', join(import.meta.dirname, '..', '..', 'node_modules', '@types')];
      run('tsc', [...strict, ...where, ...roots, 'consumer.ts'], folder);
    });
});

describe('the tables, withdrawals and errors', () => {
  const deno = join(TOOLS, 'node_modules', '.bin', 'deno');
  const runtimes: [name: string, command: string, args: string[]][] = [
    ['this Node', process.execPath, []],
    ['the oldest Node', join(TOOLS, 'node_modules', '.bin', 'node'), []],
    ['Deno', deno, ['run', '--allow-all', '--node-modules-dir=manual', '--no-lock']],
    ['Bun', join(TOOLS, 'node_modules', '.bin', 'bun'), []],
  ];
  for (const [name, command, args] of runtimes) {
    const skip =
      TOOLS !== '' && existsSync(command) ? false : 'npm run test:clients installs it where it can';
    it(`pass in ${name}`, { skip }, () => void run(command, [...args, 'main.mjs'], folder, { SERVICE }));
  }
});

describe('the tables in Chromium', { skip: whySkipped() }, () => {
  it('pass on a page', async () => {
    const server = createServer((request, answer) => {
      const file = join(folder, new URL(request.url ?? '/', 'http://x').pathname);
      if (!existsSync(file) || file === join(folder, '/'))
        return answer.setHeader('content-type', 'text/html').end('<p>');
      answer.setHeader('content-type', file.endsWith('.json') ? 'application/json' : 'text/javascript');
      answer.end(readFileSync(file));
    });
    const { url, stop } = await listening(server);
    const browser = await launchChromium();
    try {
      const page = await browser.newPage();
      await page.goto(url);
      const failures = await page.evaluate(async () => {
        const load = (path: string) => import(path);
        const read = async (name: string) => (await fetch(`/${name}.json`)).json();
        const { failuresOf } = await load('/conformance.mjs');
        const client = await load('/node_modules/stellar-teller-client/dist/index.js');
        return failuresOf(client, { signatures: await read('signatures'), integers: await read('integers') });
      });
      assert.deepEqual(failures, []);
    } finally {
      await browser.close();
      stop();
    }
  });
});

describe('what the documents show', () => {
  const examples = join(import.meta.dirname, '..', '..', 'examples');
  const copied = (name: string) => {
    cpSync(join(examples, name), join(folder, name));
    return name;
  };

  it('the tour of the README works when it is pasted', async () => {
    const readme = readFileSync(join(folder, 'node_modules', 'stellar-teller-client', 'README.md'), 'utf8');
    const tour = /^```js tour\n(.*?)^```$/ms.exec(readme)?.[1] ?? '';
    writeFileSync(join(folder, 'tour.mjs'), tour.replaceAll('4000', String(RECEIVER_PORT)));
    const { password } = JSON.parse(readFileSync(join(world.service.data_dir, 'demo-login'), 'utf8'));
    const printed = run(process.execPath, ['tour.mjs'], folder, {
      API_URL: world.service.url,
      PASSWORD: password,
    });
    assert.match(printed, /^customer 42 paid 255000000 stroops\nconfirmed [0-9a-f]{64}\n/);
    assert.match(printed, /withdrawal 150000000n\ndeposit 255000000n\n/);
  });

  it('examples/payer.mjs pays each order once, however often it is started', async () => {
    const owner = new TellerClient({ base_url: world.service.url, token: world.token });
    const user = await owner.serviceUsers.create({ name: 'Payer', role: 'operator' });
    assert.ok('client_secret' in user && user.client_secret !== null);
    const order = { destination: payee.account, amount_stroops: 1_000_000n, memo_id: 18446744073709551615n };
    writeFileSync(join(folder, 'orders.jsonl'), `${stringifyExact(order)}\n`.repeat(3));
    const own = await world.newWallet();
    const env = {
      API_URL: world.service.url,
      CLIENT_ID: user.client_id,
      CLIENT_SECRET: user.client_secret,
    };
    const start = () => run(process.execPath, [copied('payer.mjs'), own.id, 'orders.jsonl'], folder, env);
    const first = start().split('\n').sort();
    assert.match(first.join('\n'), /^\n1 confirmed [0-9a-f]{64}\n2 confirmed [0-9a-f]{64}\n3 confirmed /);
    assert.deepEqual(start().split('\n').sort(), first);
    const paid = await owner.withdrawals.list(own.id).all();
    assert.equal(paid.length, 3);
    assert.ok(paid.every(({ memo_id }) => memo_id === order.memo_id));
  });

  it('examples/receiver-with-client.mjs credits a deposit once, by webhook and by the events', async () => {
    const shop = new TellerClient({ base_url: world.service.url, api_key: wallet.api_key });
    const owner = new TellerClient({ base_url: world.service.url, token: world.token });
    const url = `http://127.0.0.1:${RECEIVER_PORT}/hooks`;
    const { id, signing_secret } = await shop.webhooks.register(wallet.id, { url });
    copied('once.mjs');
    const args = [copied('receiver-with-client.mjs'), String(signing_secret), String(RECEIVER_PORT)];
    const env = { API_URL: world.service.url, API_KEY: wallet.api_key, WALLET: wallet.id };
    const receiver = launch(args, env, { root: folder });
    await printed(receiver, /(listening)/);
    const address = await shop.addresses.create(wallet.id, { metadata_text: '{"customer": 42}' });
    await owner.sandbox.pay({ destination: address.address, amount_stroops: 7n });
    await eventually('the delivery is acknowledged', async () => {
      const { items } = await shop.webhooks.listDeliveries(wallet.id, id).first();
      return items[0]?.status === 'delivered' ? items : null;
    });
    const database = new DatabaseSync(join(folder, 'receiver.sqlite'), { timeout: 5000 });
    const read = database.prepare('select sequence from places where stream = ?');
    await eventually('the event is read too', () => read.get(wallet.id));
    await receiver.end('SIGTERM');
    const credits = database.prepare('select metadata, asset_code, amount_stroops from credits').all();
    assert.deepEqual(
      credits.map((row) => ({ ...row })),
      [{ metadata: '{"customer": 42}', asset_code: 'native', amount_stroops: 7 }],
    );
    database.close();
  });
});
