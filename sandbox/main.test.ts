import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import './ledger/missing-arms.ts';
import { Server } from '@stellar/stellar-sdk/rpc';

const BIN = join(import.meta.dirname, 'bin', 'stellar-sandbox.js');

function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs the command to its end. */
function result(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, ...args], { encoding: 'utf8' });
  return { status, stdout, stderr };
}

/** Starts the command in the folder `cwd`. Resolves when it says where it listens. */
async function start(t: TestContext, cwd: string, ...args: string[]) {
  const child = spawn(process.execPath, [BIN, '--port', '0', ...args], {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  const exited = once(child, 'exit') as Promise<[number | null]>;
  let output = '';
  for await (const chunk of child.stdout) {
    output += chunk;
    if (/Ledger +\S/.test(output)) break;
  }
  return {
    url: /Page +(\S+)/.exec(output)?.[1] ?? '',
    rpc_url: /RPC +(\S+)/.exec(output)?.[1] ?? '',
    async stop(): Promise<number | null> {
      child.kill('SIGTERM');
      return (await exited)[0];
    },
  };
}

test('the command starts a network that the SDK can use, and its ledger outlives a restart', async (t) => {
  const cwd = temporaryFolder(t);
  const first = await start(t, cwd, '--close-ms', '50');
  const server = new Server(first.rpc_url, { allowHttp: true });
  const { sequence } = await server.getLatestLedger();
  assert.equal(await first.stop(), 0);
  assert.ok(existsSync(join(cwd, 'data', 'sandbox', 'ledger.db')));
  const second = await start(t, cwd, '--close-ms', '50');
  const later = await new Server(second.rpc_url, { allowHttp: true }).getLatestLedger();
  assert.ok(later.sequence > sequence);
  assert.equal(await second.stop(), 0);
});

test('--faults opens /faults, --ephemeral writes no file, and a taken port is reported without a stack', async (t) => {
  const cwd = temporaryFolder(t);
  const sandbox = await start(t, cwd, '--faults', '--ephemeral');
  assert.equal((await fetch(`${sandbox.url}faults`)).status, 200);
  assert.equal(existsSync(join(cwd, 'data')), false);
  const { status, stderr } = result('--ephemeral', '--port', new URL(sandbox.url).port);
  assert.equal(status, 1);
  assert.match(stderr, /^Port \d+ is taken\. Choose another with --port/);
  assert.doesNotMatch(stderr, /^ +at /m);
  assert.equal(await sandbox.stop(), 0);
});

test('--version and --help answer, and a wrong option points to --help', () => {
  assert.match(result('--version').stdout, /^\d+\.\d+\.\d+\n$/);
  const { stdout } = result('--help');
  for (const option of ['--port', '--close-ms', '--virtual-clock', '--dir', '--ephemeral', '--faults'])
    assert.match(stdout, new RegExp(`^ +${option}\\b`, 'm'));
  for (const args of [
    ['--prot', '1'],
    ['--port', '65536'],
    ['--virtual-clock', '--close-ms', '50'],
    ['--protocol', '29'],
    ['serve'],
  ]) {
    const { status, stderr } = result(...args);
    assert.equal(status, 1, args.join(' '));
    assert.match(stderr, /--help/);
  }
});
