import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import { Asset, StrKey } from '@stellar/stellar-sdk';
import { NETWORKS } from '../../config.ts';
import { checkAsset, knownAssets } from './known-assets.ts';

const OTHER = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ';
const PUBLIC = NETWORKS.public.passphrase;
const [usdc] = knownAssets(PUBLIC);
assert(usdc);

const warningOf = (asset_code: string, asset_issuer = OTHER, passphrase: string = PUBLIC) =>
  checkAsset(passphrase, { asset_code, asset_issuer }).warning;

describe('the assets that the service knows', () => {
  /** The ids of their contracts as other people publish them: one wrong character in an issuer changes all of the id. */
  const CONTRACTS = {
    [PUBLIC]: {
      USDC: 'CCW67TSZV3SSS2HXMBQ5JFGCKJNXKZM7UQUWUZPUTHXSTZLEO7SJMI75',
      EURC: 'CDTKPWPLOURQA2SGTKTUQOWRCBZEORB4BWBOMJ3D3ZTQQSGE5F6JBQLV',
    },
    [NETWORKS.testnet.passphrase]: {
      USDC: 'CBIELTK6YBZJU5UP2WWQEUCYKLPU6AUNZ2BQ4WWFEIE3USCIHMXQDAMA',
      EURC: 'CCUUDM434BMZMYWYDITHFXHDMIVTGGD6T2I5UKNX5BSLXLW7HVR4MCGZ',
    },
  };

  it('have valid issuers, and the contracts that are known of them', () => {
    for (const [passphrase, contracts] of Object.entries(CONTRACTS)) {
      const known = knownAssets(passphrase);
      for (const { asset_issuer } of known) assert.ok(StrKey.isValidEd25519PublicKey(asset_issuer));
      const derived = known.map((each) => [
        each.asset_code,
        new Asset(each.asset_code, each.asset_issuer).contractId(passphrase),
      ]);
      assert.deepEqual(Object.fromEntries(derived), contracts);
    }
  });

  it('are verified on their own network only, and have no warning', () => {
    for (const passphrase of Object.keys(CONTRACTS))
      for (const known of knownAssets(passphrase)) {
        assert.deepEqual(checkAsset(passphrase, known), { verified: true, warning: null });
        for (const other of Object.values(NETWORKS).map((network) => network.passphrase))
          if (other !== passphrase) assert.equal(checkAsset(other, known).verified, false);
      }
    assert.deepEqual(knownAssets(NETWORKS.sandbox.passphrase), []);
    assert.deepEqual(knownAssets('Ours ; 2026'), []);
  });
});

describe('the warning', () => {
  it('names the issuer of the known asset that has the code, in upper or lower case', () => {
    for (const code of ['USDC', 'usdc', 'UsDc']) {
      assert.match(
        warningOf(code) ?? '',
        new RegExp(`^This is not the USDC of ${usdc.asset_issuer}: anybody`),
      );
      assert.equal(checkAsset(PUBLIC, { asset_code: code, asset_issuer: OTHER }).verified, false);
    }
    assert.match(
      warningOf('usdc', usdc.asset_issuer) ?? '',
      /not the USDC/,
      'another code of the issuer itself',
    );
  });

  it('is there for codes that only look like the code of a known asset', () => {
    for (const code of ['U5DC', 'u5dc', 'USOC', 'US0C'])
      assert.match(warningOf(code) ?? '', /not the USDC/, code);
    for (const code of ['USD', 'USDT', 'USDCX', 'AUSDC', 'USD1', 'CDSU', 'EUR', 'BTC'])
      assert.equal(warningOf(code), null, code);
  });

  it('is there on every network for codes that look like the native asset', () => {
    for (const { passphrase } of Object.values(NETWORKS))
      for (const code of ['XLM', 'xlm', 'XIM', 'X1M', 'xIm', 'NATIVE', 'Native', 'nat1ve', 'NATlVE'])
        assert.match(warningOf(code, OTHER, passphrase) ?? '', /^This is not the native asset \(XLM\)/, code);
    for (const code of ['XLMX', 'yXLM', 'XL', 'NATIVES']) assert.equal(warningOf(code), null, code);
  });
});
