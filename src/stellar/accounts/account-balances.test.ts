import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { Asset, Keypair, xdr } from '@stellar/stellar-sdk';
import { trustLineKey } from './account-balances.ts';

test('the key of a trust line is that of stellar-core', () => {
  const holder = 'GCC6I3EWR2RAVELK2LV6AQQZW2HACBPFGJ27BK642HM6DDSTPJG5ZELX';
  const usdc = { code: 'USDC', issuer: 'GBBD47IF6LWK7P7MDEVSCWR7DPUWV3NY3DTQEVFL4NAT4AQH3ZLLFLA5' };
  assert.equal(
    trustLineKey(holder, usdc),
    'AAAAAQAAAACF5GyWjqIKkWrS6+BCGbaOAQXlMnXwq9zR2eGOU3pN3AAAAAFVU0RDAAAAAEI+fQXy7K+/7BkrIVo/G+lq7bjY5wJUq+NBPgIH3lay',
  );
});

for (const code of ['A', 'USDC', 'ABCDE', 'LONGASSET123'])
  test(`the key of a trust line for ${code} is as the SDK writes it`, () => {
    const [holder, issuer] = [Keypair.random(), Keypair.random()];
    const accountId = xdr.PublicKey.publicKeyTypeEd25519(Buffer.from(holder.rawPublicKey()));
    const asset = new Asset(code, issuer.publicKey()).toTrustLineXdrObject();
    const key = xdr.LedgerKey.trustline(new xdr.LedgerKeyTrustLine({ accountId, asset }));
    assert.equal(trustLineKey(holder.publicKey(), { code, issuer: issuer.publicKey() }), key.toXdr('base64'));
  });
