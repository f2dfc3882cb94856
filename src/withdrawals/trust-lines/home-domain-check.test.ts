/** `home_domain_check` in the API, with a server that plays the domain of an issuer. */
import { strict as assert } from 'node:assert';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { Operation } from '@stellar/stellar-sdk/base';
import { closingLedgers, startInProcess } from '../../../test/support/in-process-service.ts';
import { newIssuer } from '../../../test/support/issuers.ts';
import { openLedger } from '../../../test/support/ledger.ts';
import { WILDCARD_CERTIFICATE } from '../../../test/support/test-certificate.ts';
import { buildApp } from '../../api/app.ts';
import { mintApiKey } from '../../auth/keys/api-keys.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { parseExemptions } from '../../outgoing/public-url.ts';
import { createHomeDomains, NO_LOOKUPS } from '../../stellar/home-domains/home-domains.ts';
import { createWithdrawalEngine } from '../engine/engine.ts';
import type { EngineDeps } from '../engine/hooks.ts';

const HOST = '127.0.0.2';

const world = await startInProcess();
const { sandbox, deps } = world;
const ledger = await openLedger(sandbox.rpc_url);
const issuer = await closingLedgers(sandbox, newIssuer(ledger));
const without = await closingLedgers(sandbox, newIssuer(ledger, 'EURC'));
const requests: string[] = [];
const server = createServer(WILDCARD_CERTIFICATE, (request, response) => {
  requests.push(`${request.headers.host?.split(':')[0]} ${request.url}`);
  const { asset_code, asset_issuer } = issuer.fields;
  response.end(`[[CURRENCIES]]\ncode = "${asset_code}"\nissuer = "${asset_issuer}"\n`);
});
server.listen(0, HOST);
await once(server, 'listening');
const wallet = await world.wallet();
const { api_key } = await mintApiKey(deps, wallet.id);
const apps: HttpApp[] = [];
after(async () => {
  for (const app of apps) await app.close();
  server.closeAllConnections();
  server.close();
  await world.close();
});

async function appWith(home_domains: EngineDeps['home_domains']) {
  const parts: EngineDeps = { ...deps, home_domains };
  const app = await buildApp(parts, createWithdrawalEngine(parts));
  apps.push(app);
  return async (path: string) => {
    const url = `/v1/wallets/${wallet.id}/assets${path}`;
    const answer = await app.inject({ url, headers: { authorization: `Bearer ${api_key}` } });
    assert.equal(answer.statusCode, 200, answer.body);
    return answer.json().data;
  };
}

const checking = createHomeDomains({
  clock: deps.clock,
  log: deps.log,
  resolve: async () => [HOST],
  ca: WILDCARD_CERTIFICATE.cert,
  exemptions: parseExemptions([`${HOST}/32`]),
  port: (server.address() as AddressInfo).port,
});
const setDomain = (homeDomain: string) =>
  closingLedgers(sandbox, ledger.apply(issuer.key, [Operation.setOptions({ homeDomain })]));

test('the check says whether the domain names the asset, and `verified` stays false', async () => {
  const get = await appWith(checking);
  await setDomain('Example.com');
  const shown = await get(`/${issuer.text}`);
  assert.deepEqual(
    [shown.home_domain, shown.home_domain_check, shown.verified],
    ['Example.com', 'confirmed', false],
  );
  const other = `DOLLAR:${issuer.fields.asset_issuer}`;
  assert.equal((await get(`/${other}`)).home_domain_check, 'not_confirmed');
  assert.deepEqual(requests, ['example.com /.well-known/stellar.toml']);
  for (const domain of ['localhost', '127.0.0.2', 'example.com:8443']) {
    await setDomain(domain);
    const { home_domain, home_domain_check } = await get(`/${issuer.text}`);
    assert.deepEqual([home_domain, home_domain_check], [domain, 'unreachable']);
  }
  assert.equal(requests.length, 1);
});

test('null without a domain, and while look-ups are off', async () => {
  assert.equal((await (await appWith(checking))(`/${without.text}`)).home_domain_check, null);
  await setDomain('off.example.com');
  const get = await appWith(NO_LOOKUPS);
  const { home_domain, home_domain_check } = await get(`/${issuer.text}`);
  assert.deepEqual([home_domain, home_domain_check], ['off.example.com', null]);
  assert.deepEqual(
    requests.filter((request) => request.startsWith('off')),
    [],
  );
});
