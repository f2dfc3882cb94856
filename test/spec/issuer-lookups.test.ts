/** API.md section 5: `home_domain_check` with ISSUER_LOOKUPS. What domains say: src/stellar/home-domains/home-domains.test.ts. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { after, it } from 'node:test';
import { Operation } from '@stellar/stellar-sdk/base';
import { newIssuer } from '../support/issuers.ts';
import { startRunningService } from '../support/running-service.ts';

let connections = 0;
const inside = createServer((socket) => {
  connections++;
  socket.destroy();
});
inside.listen(0, '127.0.0.1');
await once(inside, 'listening');
const inside_at = `127.0.0.1:${(inside.address() as AddressInfo).port}`;
after(() => inside.close());

const world = await startRunningService({
  ISSUER_LOOKUPS: 'true',
  WEBHOOK_ALLOWED_HOSTS: `127.0.0.1,localhost,${inside_at}`,
});
after(() => world.stop());

it('names that lead inside are unreachable, what webhooks may reach too; assets are added and listed all the same', async () => {
  const { token, ledger } = world;
  const issuer = await newIssuer(ledger);
  const wallet = await world.newWallet();
  const path = `/v1/wallets/${wallet.id}/assets`;
  const added = await world.api('POST', path, { token, body: issuer.fields });
  assert.deepEqual([added.status, added.body.data.home_domain_check], [201, null], added.text);
  for (const homeDomain of [inside_at, 'localhost', '127.0.0.1', 'metadata.internal', 'a/b', '']) {
    await ledger.apply(issuer.key, [Operation.setOptions({ homeDomain })]);
    const shown = await world.api('GET', `${path}/${issuer.text}`, { token: wallet.api_key });
    const list = await world.api('GET', path, { token });
    for (const { home_domain, home_domain_check, status } of [shown.body.data, list.body.data.items[0]]) {
      const expected = homeDomain === '' ? [null, null] : [homeDomain, 'unreachable'];
      assert.deepEqual([home_domain, home_domain_check, status], [...expected, 'active']);
    }
  }
  assert.equal(connections, 0);
});
