import { strict as assert } from 'node:assert';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import {
  Account,
  Asset,
  Keypair,
  Networks,
  Operation,
  TransactionBuilder,
  type xdr,
} from '@stellar/stellar-sdk';
import fc from 'fast-check';
import { buildTrustLine, LARGEST_LIMIT_STROOPS } from './build-trust-line.ts';
import { networkId, operationCountIn, trustLineIn } from './envelope.ts';

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
        sequence,
        min_time,
        max_time,
        limit_stroops,
        sponsor_public_key: null,
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

/** Keys and bytes as a real stellar-core took them: the channel's envelope, without signatures. */
const VECTOR = {
  hash: 'd1753365e75d1176cc52ee52f01fab71492f31118feb9e4b06c0172696100e81',
  envelope:
    'AAAAAgAAAACn31lDFxREOChl+6NqEwBGM/yV9sUq0ft0mGw4gXmvjQAAASwAAAAAAAAAKgAAAAEAAAAAAAAAAAAAAABrSdIAAAAAAAAAAAMAAAABAAAA' +
    'AL15JcHYxWd4tuR0vS828zS/gWPiY/P1c1hy6F1aVUKqAAAAEAAAAACF5GyWjqIKkWrS6+BCGbaOAQXlMnXwq9zR2eGOU3pN3AAAAAEAAAAAheRslo6i' +
    'CpFq0uvgQhm2jgEF5TJ18Kvc0dnhjlN6TdwAAAAGAAAAAVVTREMAAAAAQj59BfLsr7/sGSshWj8b6WrtuNjnAlSr40E+AgfeVrJ//////////wAAAAEA' +
    'AAAAheRslo6iCpFq0uvgQhm2jgEF5TJ18Kvc0dnhjlN6TdwAAAARAAAAAAAAAAA=',
};

test('a sponsored trust line has the bytes that a real core took, but for the fee, which a fee-bump pays', () => {
  const keyOf = (text: string) => Keypair.fromRawEd25519Seed(hash('sha256', text, 'buffer'));
  const [sponsor, lent, owner] = ['treasury', 'channel', 'wallet'].map((name) =>
    key(keyOf(`teller vector ${name}`)),
  ) as [Buffer, Buffer, Buffer];
  const built = buildTrustLine(networkId('Test SDF Network ; September 2015'), {
    tx_source_public_key: lent,
    wallet_public_key: owner,
    sequence: 42n,
    fee_stroops: 0n,
    min_time: 0n,
    max_time: 1_800_000_000n,
    asset: { code: 'USDC', issuer: 'GBBD47IF6LWK7P7MDEVSCWR7DPUWV3NY3DTQEVFL4NAT4AQH3ZLLFLA5' },
    limit_stroops: LARGEST_LIMIT_STROOPS,
    sponsor_public_key: sponsor,
  });
  const expected = Buffer.from(VECTOR.envelope, 'base64');
  const FEE_AT = 4 + 36;
  assert.equal(expected.readUInt32BE(FEE_AT), 300);
  const vector_hash = TransactionBuilder.fromXDR(VECTOR.envelope, Networks.TESTNET).hash();
  assert.equal(Buffer.from(vector_hash).toString('hex'), VECTOR.hash);
  expected.writeUInt32BE(0, FEE_AT);
  assert.equal(built.envelopeWith([]), expected.toString('base64'));
});

test('property: a sponsored trust line has the hash and bytes of the SDK, with either transaction source and fee', () => {
  const treasury = Keypair.random();
  const own_fee = fc.constantFrom(0n, 300n);
  fc.assert(
    fc.property(given, own_fee, ({ by_channel, code, sequence, min_time, max_time }, own_fee_stroops) => {
      const tx_source = by_channel ? channel : wallet;
      const fee_stroops = by_channel ? 0n : own_fee_stroops;
      const source = by_channel ? { source: wallet.publicKey() } : {};
      const expected = new TransactionBuilder(new Account(tx_source.publicKey(), `${sequence - 1n}`), {
        fee: `${fee_stroops / 3n}`, // the builder multiplies it by the number of operations
        networkPassphrase: PASSPHRASE,
        timebounds: { minTime: `${min_time}`, maxTime: `${max_time}` },
      })
        .addOperation(
          Operation.beginSponsoringFutureReserves({
            sponsoredId: wallet.publicKey(),
            source: treasury.publicKey(),
          }),
        )
        .addOperation(Operation.changeTrust({ asset: new Asset(code, ISSUER), ...source }))
        .addOperation(Operation.endSponsoringFutureReserves(source))
        .build();
      const signers = by_channel ? [channel, wallet, treasury] : [wallet, treasury];
      expected.sign(...signers);
      const built = buildTrustLine(networkId(PASSPHRASE), {
        tx_source_public_key: key(tx_source),
        wallet_public_key: key(wallet),
        sequence,
        min_time,
        max_time,
        fee_stroops,
        limit_stroops: LARGEST_LIMIT_STROOPS,
        sponsor_public_key: key(treasury),
        asset: { code, issuer: ISSUER },
      });
      assert.equal(built.hash.toString('hex'), Buffer.from(expected.hash()).toString('hex'));
      const signatures = signers.map((pair) => ({
        public_key: key(pair),
        signature: Buffer.from(pair.sign(built.hash)),
      }));
      const envelope = built.envelopeWith(signatures);
      assert.equal(envelope, expected.toXdr());
      assert.deepEqual(trustLineIn(envelope), {
        operation: 'add_trust_line',
        asset_code: code,
        asset_issuer: ISSUER,
      });
      assert.equal(operationCountIn(envelope), 3n);
    }),
    { numRuns: 300 },
  );
});

test('a sponsorship around another operation, of another account, or of a removal is not a trust line of ours', () => {
  const [treasury, other] = [Keypair.random(), Keypair.random()];
  const envelopeOf = (...operations: xdr.Operation[]) => {
    const builder = new TransactionBuilder(new Account(wallet.publicKey(), '1'), {
      fee: '100',
      networkPassphrase: PASSPHRASE,
      timebounds: { minTime: 0, maxTime: 1 },
    });
    for (const operation of operations) builder.addOperation(operation);
    return builder.build().toXdr();
  };
  const begin = (sponsoredId = wallet.publicKey()) =>
    Operation.beginSponsoringFutureReserves({ sponsoredId, source: treasury.publicKey() });
  const end = (source?: string) => Operation.endSponsoringFutureReserves(source ? { source } : {});
  const asset = new Asset('USDC', ISSUER);
  const trust = (more: { limit?: string; source?: string } = {}) => Operation.changeTrust({ asset, ...more });
  assert.ok(trustLineIn(envelopeOf(begin(), trust(), end())));
  const payment = Operation.payment({ destination: ISSUER, asset, amount: '1' });
  for (const envelope of [
    envelopeOf(begin(), trust({ limit: '0' }), end()),
    envelopeOf(begin(), trust({ limit: '5' }), end()),
    envelopeOf(begin(), payment, end()),
    envelopeOf(begin(other.publicKey()), trust(), end(other.publicKey())),
    envelopeOf(begin(), trust({ source: other.publicKey() }), end()),
    envelopeOf(begin(), trust(), trust()),
    envelopeOf(begin(), trust(), end(), payment),
    envelopeOf(begin(), end()),
  ])
    assert.equal(trustLineIn(envelope), null);
});

test('a negative limit, an invalid code and a time without end are refused', () => {
  const order = {
    tx_source_public_key: key(wallet),
    wallet_public_key: key(wallet),
    sequence: 1n,
    fee_stroops: 100n,
    min_time: 1n,
    max_time: 2n,
    limit_stroops: 0n,
    sponsor_public_key: null,
    asset: { code: 'USDC', issuer: ISSUER },
  };
  const id = networkId(PASSPHRASE);
  buildTrustLine(id, order);
  assert.throws(() => buildTrustLine(id, { ...order, limit_stroops: -1n }));
  assert.throws(() => buildTrustLine(id, { ...order, limit_stroops: 2n ** 63n }));
  assert.throws(() => buildTrustLine(id, { ...order, asset: { code: 'A-B', issuer: ISSUER } }));
  assert.throws(() => buildTrustLine(id, { ...order, max_time: 0n }));
  assert.throws(() => buildTrustLine(id, { ...order, sponsor_public_key: key(wallet) }), /sponsor itself/);
});
