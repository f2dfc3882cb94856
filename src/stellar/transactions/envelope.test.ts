import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { Account, Asset, Keypair, Memo, Operation, TransactionBuilder, xdr } from '@stellar/stellar-sdk';
import { envelopeHashes, paymentIn } from './envelope.ts';

const PASSPHRASE = 'Standalone Network ; February 2017';

test('a fee-bump has the ledger’s hash outside and the payment’s hash inside', () => {
  const source = Keypair.random();
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

test('a payment is decoded with its memo id or return hash; one with a text or hash memo is not in our form', () => {
  const destination = Keypair.random().publicKey();
  const hash = Buffer.alloc(32, 0xab);
  const told = (memo: Memo) => {
    const transaction = new TransactionBuilder(new Account(destination, '1'), {
      fee: '100',
      networkPassphrase: PASSPHRASE,
      timebounds: { minTime: 0, maxTime: 99 },
      memo,
    }).addOperation(Operation.payment({ destination, asset: Asset.native(), amount: '1' }));
    return paymentIn(transaction.build().toXdr());
  };
  const amount_stroops = 10_000_000n;
  const plain = { operation: 'payment', destination, amount_stroops, memo_id: null, memo_return: null };
  assert.deepEqual(told(Memo.none()), plain);
  assert.deepEqual(told(Memo.id('7')), { ...plain, memo_id: 7n });
  assert.deepEqual(told(Memo.return(hash)), { ...plain, memo_return: hash.toString('hex') });
  assert.equal(told(Memo.text('7')), null);
  assert.equal(told(Memo.hash(hash)), null);
});
