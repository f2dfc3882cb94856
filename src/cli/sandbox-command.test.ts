import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { teller, temporaryDirectory } from '../../test/support/service.ts';
import { onlyOne } from '../sandbox/sandbox-network.ts';

const ROOT = join(import.meta.dirname, '..', '..');

type Running = { url: string; output: string; stop(signal?: NodeJS.Signals): Promise<number | null> };

/** `teller sandbox` as a person starts it, on any free port. */
async function start(t: TestContext, data_dir: string, ...args: string[]): Promise<Running> {
  const child: ChildProcess = spawn(process.execPath, ['bin/teller.js', 'sandbox', '--port', '0', ...args], {
    cwd: ROOT,
    env: { ...process.env, DATA_DIR: data_dir, LOG_LEVEL: 'warn', SANDBOX_CLOSE_MS: '50' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  const exited = once(child, 'exit') as Promise<[number | null]>;
  let output = '';
  for await (const chunk of child.stdout as NodeJS.ReadableStream) {
    output += chunk;
    if (output.includes('teller sandbox pay')) break;
  }
  return {
    url: /Page +(\S+)/.exec(output)?.[1] ?? '',
    output,
    async stop(signal = 'SIGTERM') {
      child.kill(signal);
      return (await exited)[0];
    },
  };
}

async function fund(url: string): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${url}explorer/fund`, { method: 'POST', headers, body: '{}' });
  const { address } = (await response.json()) as { address: string };
  return address;
}

async function exists(url: string, address: string): Promise<boolean> {
  return (await fetch(`${url}explorer/accounts/${address}`)).status === 200;
}

test('the sandbox alone says where everything is, pays, and ends well on a signal', async (t) => {
  const data_dir = temporaryDirectory();
  const sandbox = await start(t, data_dir);
  for (const part of ['RPC', 'Horizon', 'Friendbot', 'Passphrase', 'Root', 'Ledger']) {
    assert.match(sandbox.output, new RegExp(`^  ${part} +\\S`, 'm'));
  }
  const address = await fund(sandbox.url);
  const paid = await teller(['sandbox', 'pay', address, '25'], { DATA_DIR: data_dir });
  assert.equal(paid.code, 0, paid.output);
  assert.match(paid.output, /^Paid 25 to G/);
  assert.equal(await sandbox.stop('SIGINT'), 0);
});

test('its ledger goes on after a stop', async (t) => {
  const data_dir = temporaryDirectory();
  const first = await start(t, data_dir);
  const address = await fund(first.url);
  assert.equal(await first.stop(), 0);
  const second = await start(t, data_dir);
  assert.equal(await exists(second.url, address), true);
  assert.equal(await second.stop(), 0);
});

test('--ephemeral leaves nothing behind, and --virtual-clock does not wait for time', async (t) => {
  const data_dir = temporaryDirectory();
  const first = await start(t, data_dir, '--ephemeral', '--virtual-clock');
  const address = await fund(first.url);
  assert.equal(await first.stop(), 0);
  assert.equal(existsSync(join(data_dir, 'sandbox')), false);
  const second = await start(t, data_dir, '--ephemeral');
  assert.equal(await exists(second.url, address), false);
  assert.equal(await second.stop(), 0);
});

test('a command finds the sandbox whatever DATA_DIR is, and says where none runs', async (t) => {
  const data_dir = temporaryDirectory();
  const sandbox = await start(t, data_dir);
  const { port: SANDBOX_PORT } = new URL(sandbox.url);
  const address = await fund(sandbox.url);
  const stopped = temporaryDirectory();
  mkdirSync(join(stopped, 'sandbox'));
  writeFileSync(join(stopped, 'sandbox', 'rpc-url'), 'http://127.0.0.1:1/rpc');
  for (const DATA_DIR of [join(data_dir, 'other'), stopped]) {
    const { code, output } = await teller(['sandbox', 'pay', address, '25'], { DATA_DIR, SANDBOX_PORT });
    assert.match(output, /^Paid 25 to G/);
    assert.equal(code, 0);
  }
  assert.equal(await sandbox.stop(), 0);
  const none = await teller(['sandbox', 'pay', address, '25'], { DATA_DIR: data_dir, SANDBOX_PORT });
  assert.equal(
    none.output,
    `No sandbox runs on ${data_dir}, nor on port ${SANDBOX_PORT}. Start the service or \`teller sandbox\` first. Where it has another DATA_DIR or SANDBOX_PORT, set the same one here.\n`,
  );
  assert.equal(none.code, 1);
});

test('of several sandboxes that are not of DATA_DIR a command takes none', () => {
  const urls = ['http://127.0.0.1:8000/rpc', 'http://127.0.0.1:8001/rpc'];
  assert.throws(
    () => onlyOne(urls, { data_dir: '/d', where: 'here' }),
    /^Error: No sandbox runs on \/d, and several elsewhere: \S+, \S+\. Set DATA_DIR .* or STELLAR_RPC_URL/,
  );
});

test('--max-operations is what a ledger then takes', async (t) => {
  const sandbox = await start(t, temporaryDirectory(), '--ephemeral', '--max-operations', '7');
  await fund(sandbox.url);
  const network = await (await fetch(`${sandbox.url}explorer/network`)).json();
  assert.equal((network as { max_operations: number }).max_operations, 7);
  assert.equal(await sandbox.stop(), 0);
});

test('--protocol begins an older network, which goes on there and is upgraded while it runs', async (t) => {
  const data_dir = temporaryDirectory();
  const protocol = async ({ url }: Running) =>
    ((await (await fetch(`${url}explorer/network`)).json()) as { protocol_version: number }).protocol_version;
  const first = await start(t, data_dir, '--protocol', '28');
  assert.equal(await first.stop(), 0);
  const second = await start(t, data_dir);
  assert.equal(await protocol(second), 28);
  const upgrade = () => teller(['sandbox', 'upgrade'], { DATA_DIR: data_dir });
  const { code, output } = await upgrade();
  assert.equal(code, 0, output);
  assert.match(output, /^Ledger \d+ upgrades the network from protocol 28 to 30\.$/m);
  await fund(second.url); // a ledger later
  assert.equal(await protocol(second), 30);
  const refused = await upgrade();
  assert.equal(refused.code, 1, refused.output);
  assert.match(refused.output, /The network is at protocol 30: there is no way back\./);
  assert.equal(await second.stop(), 0);
});

test('a taken port and a folder in use are reported in words, without a stack', async (t) => {
  const data_dir = temporaryDirectory();
  const sandbox = await start(t, data_dir);
  const { port } = new URL(sandbox.url);
  const refused = async (args: string[], message: RegExp) => {
    const { code, output } = await teller(['sandbox', ...args], { DATA_DIR: data_dir });
    assert.equal(code, 1, output);
    assert.match(output, message);
    assert.doesNotMatch(output, /^ +at /m);
  };
  await refused(['--port', port, '--ephemeral'], /^Port \d+ is taken\. Choose another with --port/);
  await refused(['--port', '0'], /is in use by another process/);
  await refused(['--port', '65536'], /whole number from 0 to 65535/);
  await refused(['--close-ms', 'soon'], /whole number from 10 to 60000/);
  await refused(['--protocol', '29'], /It must be one of 26, 27, 28, 30\./);
  await refused(['--virtual-clock', '--close-ms', '50'], /cannot be used with/);
  await refused(['--ephemeral', '--dir', 'x'], /cannot be used with/);
});

test('a misspelt variable is named with a guess, and the sandbox does not start', async () => {
  const env = { DATA_DIR: temporaryDirectory(), WEBHOOK_ALOWED_HOSTS: 'localhost' };
  const { code, output } = await teller(['sandbox', '--port', '0', '--ephemeral'], env);
  assert.equal(code, 1, output);
  assert.match(output, /WEBHOOK_ALOWED_HOSTS is not a variable .* Did you mean WEBHOOK_ALLOWED_HOSTS\?/);
});
