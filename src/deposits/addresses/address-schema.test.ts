import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NETWORKS } from '../../config.ts';
import { showAddress } from './address-schema.ts';

const ADDRESS = {
  id: 'adr_1',
  wallet_id: 'wal_1',
  account: 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ',
  memo_id: 42n,
  label: null,
  metadata: null,
  metadata_version: 0,
  last_deposit_at: null,
  created_at: new Date(0),
};

test('a payment link names its network, except for the public one, which is SEP-7’s default', () => {
  const linkOn = (passphrase: string) => showAddress(ADDRESS, passphrase).uri;
  const on_public = `web+stellar:pay?destination=${ADDRESS.account}&memo=42&memo_type=MEMO_ID`;
  assert.equal(linkOn(NETWORKS.public.passphrase), on_public);
  assert.equal(
    linkOn(NETWORKS.testnet.passphrase),
    `${on_public}&network_passphrase=Test%20SDF%20Network%20%3B%20September%202015`,
  );
});
