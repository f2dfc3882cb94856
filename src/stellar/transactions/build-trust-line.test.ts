import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { Account, Asset, Keypair, Operation, TransactionBuilder } from '@stellar/stellar-sdk';
import fc from 'fast-check';
import { buildTrustLine, LARGEST_LIMIT_STROOPS } from './build-trust-line.ts';
import { networkId } from './envelope.ts';

const PASSPHRASE = 'Standalone Network ; February 2017';
const wallet = Keypair.random();
const channel = Keypair.random();
const ISSUER = Keypair.random().publicKey();

const given = fc.record({
  by_channel: fc.boolean(),
  code: fc.stringMatching(/^[A-Za-z0-9]{1,12}$/),
  limit_stroops: fc.constantFrom(0n, LARGEST_LIMIT_STROOPS),
  sequence: fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }),
  min_time: fc.bigInt({ min: 0n, max: 2n ** 30n }),
  max_time: fc.bigInt({ min: 2n ** 30n + 1n, max: 2n ** 64n - 1n }),
});

const key = (pair: Keypair) => Buffer.from(pair.rawPublicKey());

test('property: the change of a trust line has the hash and bytes of the SDK, with either transaction source', () => {
  fc.assert(
    fc.property(given, ({ by_channel, code, limit_stroops, sequence, min_time, max_time }) => {
      const tx_source = by_channel ? channel : wallet;
      const limit = `${limit_stroops / 10_000_000n}.${`${limit_stroops % 10_000_000n}`.padStart(7, '0')}`;
      const asset = new Asset(code, ISSUER);
      const expected = new TransactionBuilder(new Account(tx_source.publicKey(), `${sequence - 1n}`), {
        fee: by_channel ? '0' : '100',
        networkPassphrase: PASSPHRASE,
        timebounds: { minTime: `${min_time}`, maxTime: `${max_time}` },
      })
        .addOperation(
          Operation.changeTrust({ asset, limit, ...(by_channel && { source: wallet.publicKey() }) }),
        )
        .build();
      const signers = by_channel ? [channel, wallet] : [wallet];
      expected.sign(...signers);
      const built = buildTrustLine(networkId(PASSPHRASE), {
        tx_source_public_key: key(tx_source),
        wallet_public_key: key(wallet),
        ...{ sequence, min_time, max_time, limit_stroops },
        fee_stroops: by_channel ? 0n : 100n,
        asset: { code, issuer: ISSUER },
      });
      assert.equal(built.hash.toString('hex'), Buffer.from(expected.hash()).toString('hex'));
      const signatures = signers.map((pair) => ({
        public_key: key(pair),
        signature: Buffer.from(pair.sign(built.hash)),
      }));
      assert.equal(built.envelopeWith(signatures), expected.toXdr());
    }),
    { numRuns: 500 },
  );
});

test('a negative limit, a code that is none and a time without end are refused', () => {
  const order = {
    tx_source_public_key: key(wallet),
    wallet_public_key: key(wallet),
    ...{ sequence: 1n, fee_stroops: 100n, min_time: 1n, max_time: 2n, limit_stroops: 0n },
    asset: { code: 'USDC', issuer: ISSUER },
  };
  const id = networkId(PASSPHRASE);
  buildTrustLine(id, order);
  assert.throws(() => buildTrustLine(id, { ...order, limit_stroops: -1n }));
  assert.throws(() => buildTrustLine(id, { ...order, limit_stroops: 2n ** 63n }));
  assert.throws(() => buildTrustLine(id, { ...order, asset: { code: 'A-B', issuer: ISSUER } }));
  assert.throws(() => buildTrustLine(id, { ...order, max_time: 0n }));
});
