import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import {
  Account,
  Asset,
  Keypair,
  Memo,
  Operation,
  type Transaction,
  TransactionBuilder,
  xdr,
} from '@stellar/stellar-sdk';
import fc from 'fast-check';
import { muxedAddress, parseAddress, publicKeyOf } from './address.ts';
import { buildPayment, envelopeHashes } from './payment.ts';

const PASSPHRASE = 'Standalone Network ; February 2017';
const source = Keypair.random();

const int64 = fc.bigInt({ min: 1n, max: 2n ** 63n - 1n });
const uint64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const order = fc.record({
  sequence: fc.bigInt({ min: 1n, max: 2n ** 62n }),
  fee_stroops: fc.bigInt({ min: 100n, max: 100_000n }),
  max_time: fc.bigInt({ min: 1n, max: 4_000_000_000n }),
  amount_stroops: int64,
  memo_id: fc.option(uint64),
  muxed_id: fc.option(uint64),
  seed: fc.uint8Array({ minLength: 32, maxLength: 32 }),
});
type Order = typeof order extends fc.Arbitrary<infer T> ? T : never;

function destinationOf({ seed, muxed_id }: Order): string {
  const account = Keypair.fromRawEd25519Seed(seed).publicKey();
  return muxed_id === null ? account : muxedAddress(account, muxed_id);
}

/** The same transaction as the SDK's builder makes it. */
function bySdk(given: Order, operation: 'payment' | 'create_account'): Transaction {
  const destination = destinationOf(given);
  const units = `${given.amount_stroops / 10_000_000n}.${`${given.amount_stroops % 10_000_000n}`.padStart(7, '0')}`;
  const account = new Account(source.publicKey(), `${given.sequence - 1n}`);
  const options = {
    fee: `${given.fee_stroops}`,
    networkPassphrase: PASSPHRASE,
    timebounds: { minTime: 0, maxTime: Number(given.max_time) },
    ...(given.memo_id !== null && { memo: Memo.id(`${given.memo_id}`) }),
  };
  const body =
    operation === 'payment'
      ? Operation.payment({ destination, asset: Asset.native(), amount: units })
      : Operation.createAccount({ destination, startingBalance: units });
  return new TransactionBuilder(account, options).addOperation(body).build();
}

for (const operation of ['payment', 'create_account'] as const) {
  test(`property: ${operation} has the hash and envelope that the SDK gives it`, () => {
    fc.assert(
      fc.property(order, (given) => {
        if (operation === 'create_account' && given.muxed_id !== null) return;
        const expected = bySdk(given, operation);
        const destination = parseAddress(destinationOf(given));
        assert(destination);
        const built = buildPayment(PASSPHRASE, {
          ...given,
          source_public_key: publicKeyOf(source.publicKey()),
          operation,
          destination,
        });
        assert.equal(built.hash.toString('hex'), Buffer.from(expected.hash()).toString('hex'));
        expected.sign(source);
        assert.equal(built.envelopeWith(Buffer.from(source.sign(built.hash))), expected.toXdr());
      }),
      { numRuns: 200 },
    );
  });
}

test('a fee-bump has the ledger’s hash outside and the payment’s hash inside', () => {
  const inner = new TransactionBuilder(new Account(source.publicKey(), '1'), {
    fee: '100',
    networkPassphrase: PASSPHRASE,
    timebounds: { minTime: 0, maxTime: 99 },
  })
    .addOperation(Operation.payment({ destination: source.publicKey(), asset: Asset.native(), amount: '1' }))
    .build();
  inner.sign(source);
  const bump = TransactionBuilder.buildFeeBumpTransaction(source, '400', inner, PASSPHRASE);
  bump.sign(source);
  const hashes = envelopeHashes(PASSPHRASE, xdr.TransactionEnvelope.fromXdr(bump.toXdr(), 'base64'));
  assert.equal(hashes.hash, Buffer.from(bump.hash()).toString('hex'));
  assert.equal(hashes.inner_hash, Buffer.from(inner.hash()).toString('hex'));
});
