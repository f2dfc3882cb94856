import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { Account, Asset, Keypair, Operation, TransactionBuilder, xdr } from '@stellar/stellar-sdk';
import { envelopeHashes } from './envelope.ts';

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
