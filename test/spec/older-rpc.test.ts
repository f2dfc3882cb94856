/** With the oldest stellar-rpc that the service can use. `npm run test:long` runs with it what depends on it. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { startRpcProxy } from '../support/rpc-proxy.ts';
import { startRunningService } from '../support/running-service.ts';
import { teller } from '../support/service.ts';

const world = await startRunningService(
  { LOG_LEVEL: 'info' },
  { embedded: true, args: ['--rpc-like', '22', '--faults'] },
);
after(() => world.stop());

const faults = new URL('/faults', world.service.rpc_url);
const headers = { 'content-type': 'application/json' };
const json = (body: object) => ({ method: 'POST', headers, body: JSON.stringify(body) });
const network = async () => (await world.service.checks()).network as { ok: boolean; message: string };
const sources = (env: Record<string, string> = {}) =>
  teller(['sources'], { DATA_DIR: world.service.data_dir, ...env });

describe('a stellar-rpc of version 22', () => {
  it('is enough: a deposit is credited, a withdrawal is confirmed, the service is ready', async () => {
    const wallet = await world.newWallet();
    const payer = await world.ledger.fund();
    const { hash } = await world.ledger.pay(payer, wallet.account, 50n);
    const [deposit] = await world.depositsOf(wallet, hash);
    assert.equal(deposit.amount_stroops, 50n);
    const destination = payer.publicKey();
    const { status, body } = await world.withdraw(wallet, { destination, amount_stroops: 7n });
    assert.deepEqual([status, body.data.status], [201, 'confirmed']);
    await eventually('the service is ready', async () => (await world.api('GET', '/readyz')).status === 200);
  });

  it('is shown with its version and what it lacks, by the log and by `teller sources`', async () => {
    const { code, output } = await sources();
    assert.equal(code, 0, output);
    assert.match(output, /source 1: Stellar RPC 22\.1\.5/);
    assert.match(output, /ledgers 1 to \d+; the newest closed -?\d+ s ago/);
    assert.match(output, /no close times in getHealth/);
    assert.match(output, /no header in getLatestLedger/);
    assert.match(world.service.output(), /a source of the network is usable.*/);
  });
});

describe('a source that cannot be used', () => {
  it('makes the network not ok, with its reason in one line, until it can be used again', async () => {
    const fault = { on: 'getLedgers', kind: 'rpc_error', code: -32601, message: 'method not found' };
    await fetch(faults, json({ ...fault, times: null }));
    const told = await eventually('readiness that tells of it', async () => {
      const { ok, message } = await network();
      return ok ? null : message;
    });
    assert.equal(told, 'source 1: getLedgers: -32601 method not found');
    const { code, output } = await sources();
    assert.equal(code, 1, output);
    const [source, network_line, ...others] = output.trimEnd().split('\n');
    assert.equal(source, 'source 1: cannot be used: getLedgers: -32601 method not found');
    assert.match(network_line ?? '', /^network: protocol \d+; this version \(.*\) reads up to protocol \d+$/);
    assert.deepEqual(others, []);
    await fetch(faults, { method: 'DELETE' });
    await eventually('readiness again', async () => (await network()).ok);
    const lines = world.service.output().match(/a source of the network is not usable/g);
    assert.equal(lines?.length, 1, 'one line in the log');
  });
});

describe('`teller sources` about protocols', () => {
  const KNOWN = 30;
  const lastLines = (output: string, count: number) => output.trimEnd().split('\n').slice(-count);

  it('warns of a source that supports a newer one, and ends with an error once the network is there', async (t) => {
    const proxy = await startRpcProxy(world.service.rpc_url);
    t.after(() => proxy.close());
    const asked = { STELLAR_NETWORK: 'sandbox', STELLAR_RPC_URL: `${world.service.rpc_url},${proxy.url}` };
    const supports_next = { version: '31.0.0', protocolVersion: KNOWN + 1 };
    proxy.treat('getVersionInfo', (call) => call.result(supports_next));
    const before = await sources(asked);
    assert.equal(before.code, 0, before.output);
    assert.match(
      before.output,
      new RegExp(`^  protocol \\d+; it supports protocol ${KNOWN + 1} and below$`, 'm'),
    );
    const [network_line, warning] = lastLines(before.output, 2);
    assert.match(
      network_line ?? '',
      new RegExp(`^network: protocol \\d+; .* reads up to protocol ${KNOWN}$`),
    );
    assert.match(
      warning ?? '',
      new RegExp(`^warning: Source 2 supports protocol ${KNOWN + 1}; .*: upgrade it before`),
    );

    proxy.treat('getLatestLedger', async (call) => {
      const { result } = await call.forward();
      call.result({ ...result, headerXdr: 'AAAA' });
    });
    proxy.treat('getNetwork', async (call) => {
      const { result } = await call.forward();
      call.result({ ...result, protocolVersion: KNOWN + 1 });
    });
    const after_it = await sources({ ...asked, STELLAR_RPC_URL: proxy.url });
    assert.equal(after_it.code, 1, after_it.output);
    const [source, , error] = after_it.output.trimEnd().split('\n');
    assert.match(
      source ?? '',
      new RegExp(`^source 1: cannot be used: getLatestLedger: .* protocol ${KNOWN + 1}; this version of`),
    );
    assert.match(
      error ?? '',
      new RegExp(
        `^error: The network is at protocol ${KNOWN + 1}; .* reads up to protocol ${KNOWN}: upgrade it\\.$`,
      ),
    );
  });
});
