/** The package as it is published, in every runtime that it is for: `npm run test:clients` brings the others than this Node. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { launchChromium, whySkipped } from '../browser/chromium.ts';
import { startRunningService } from '../support/running-service.ts';
import { listening } from './listening.ts';
import { installPackage, run } from './runtimes/package.ts';

/** Where `npm run test:clients` has put them. */
const TOOLS = process.env.CLIENT_RUNTIMES ?? '';
const { folder, files } = installPackage();
const world = await startRunningService();
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
    const others = files.filter((file) => !/^dist\/[a-z/-]+\.(js|d\.ts)$/.test(file)).sort();
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
    const skip = existsSync(command) ? false : 'npm run test:clients installs it where it can';
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
