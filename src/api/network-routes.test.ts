import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { readConfig } from '../config.ts';
import { createHttpApp } from '../http/http-app.ts';
import { createLog } from '../lib/log.ts';
import { KNOWN_PROTOCOL } from '../stellar/protocol/known-protocol.ts';
import type { SourceReport } from '../stellar/stellar.ts';
import { networkRoutes } from './network-routes.ts';

const ACCOUNT = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ';
const MASTER_KEY = Buffer.alloc(32, 7).toString('base64');

async function serviceWith(env: Record<string, string>, reports: SourceReport[] = []) {
  const app = createHttpApp(createLog('silent', false), { loopback_only: true });
  const config = readConfig({ DATA_DIR: '/nowhere', MASTER_KEY, ...env });
  networkRoutes(app, { config }, async () => reports);
  await app.ready();
  const described = await app.inject({ method: 'GET', url: '/v1/service' });
  const payload = { destination: ACCOUNT, amount_stroops: 1 };
  const paid = await app.inject({ method: 'POST', url: '/v1/sandbox/pay', payload });
  return { service: described.json().data, paid };
}

test('on testnet and public transactions are linked to an explorer, and nothing can be paid for a test: 404', async () => {
  for (const network of ['testnet', 'public']) {
    const rpc = { STELLAR_RPC_URL: 'https://rpc.example' };
    const { service, paid } = await serviceWith({ STELLAR_NETWORK: network, ...rpc });
    assert.equal(service.network, network);
    assert.deepEqual(service.explorer, {
      transaction: `https://stellar.expert/explorer/${network}/tx/{hash}`,
      account: `https://stellar.expert/explorer/${network}/account/{account}`,
    });
    assert.deepEqual(service.test_assets, []);
    assert.equal(paid.statusCode, 404);
    assert.equal(paid.json().error.code, 'not_found');
  }
});

test('on a private network there is no explorer', async () => {
  for (const network of ['sandbox', 'testnet']) {
    const own = { NETWORK_PASSPHRASE: 'Ours ; 2026', STELLAR_RPC_URL: 'http://127.0.0.1:8000/rpc' };
    const { service } = await serviceWith({ STELLAR_NETWORK: network, ...own });
    assert.equal(service.passphrase, 'Ours ; 2026');
    assert.equal(service.explorer, null);
    assert.deepEqual(service.test_assets, []);
  }
});

test('on the sandbox the explorer is the page of whichever sandbox it is on; without one nothing can be paid: 422', async () => {
  const { service } = await serviceWith({ STELLAR_RPC_URL: 'http://127.0.0.1:8123/rpc' });
  assert.deepEqual(service.explorer, {
    transaction: 'http://127.0.0.1:8123/#/transactions/{hash}',
    account: 'http://127.0.0.1:8123/#/accounts/{account}',
  });
  const without = await serviceWith({});
  assert.equal(without.service.explorer, null);
  assert.equal(without.paid.statusCode, 422);
  assert.match(without.paid.json().message, /No sandbox runs/);
});

test('protocols: of the network, of this version, and of each source; null where a source tells none', async () => {
  const reports: SourceReport[] = [
    { source: 1, usable: false, reason: '', detail: '', protocols: { network: null, supported: null } },
    { source: 2, usable: false, reason: '', detail: '', protocols: { network: 29, supported: 31 } },
  ];
  const { service } = await serviceWith({ STELLAR_RPC_URL: 'http://127.0.0.1:8123/rpc' }, reports);
  assert.equal(service.network_protocol, 29);
  assert.equal(service.known_protocol, KNOWN_PROTOCOL);
  assert.deepEqual(service.sources, [
    { source: 1, network_protocol: null, supported_protocol: null },
    { source: 2, network_protocol: 29, supported_protocol: 31 },
  ]);
  const { service: silent } = await serviceWith({});
  assert.deepEqual([silent.network_protocol, silent.sources], [null, []]);
});
