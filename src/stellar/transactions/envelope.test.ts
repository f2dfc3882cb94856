import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { Account, Asset, Keypair, Memo, Operation, TransactionBuilder, xdr } from '@stellar/stellar-sdk';
import { NATIVE } from '../asset.ts';
import { envelopeHashes, paymentIn, trustLineIn } from './envelope.ts';

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
    return paymentIn(PASSPHRASE, transaction.build().toXdr());
  };
  const amount_stroops = 10_000_000n;
  const plain = {
    operation: 'payment',
    ...NATIVE,
    destination,
    amount_stroops,
    memo_id: null,
    memo_return: null,
  };
  assert.deepEqual(told(Memo.none()), plain);
  assert.deepEqual(told(Memo.id('7')), { ...plain, memo_id: 7n });
  assert.deepEqual(told(Memo.return(hash)), { ...plain, memo_return: hash.toString('hex') });
  assert.equal(told(Memo.text('7')), null);
  assert.equal(told(Memo.hash(hash)), null);
});

/** The envelope of a transaction with these operations. */
function envelopeOf(operations: xdr.Operation[], memo: Memo = Memo.none()): string {
  const builder = new TransactionBuilder(new Account(Keypair.random().publicKey(), '1'), {
    fee: '100',
    networkPassphrase: PASSPHRASE,
    timebounds: { minTime: 0, maxTime: 99 },
    memo,
  });
  for (const operation of operations) builder.addOperation(operation);
  return builder.build().toXdr();
}

test('a payment of an issued asset is decoded with its asset', () => {
  const [destination, issuer] = [Keypair.random().publicKey(), Keypair.random().publicKey()];
  for (const code of ['A', 'USDC', 'LONGASSET123']) {
    const envelope = envelopeOf([
      Operation.payment({ destination, asset: new Asset(code, issuer), amount: '0.0000001' }),
    ]);
    assert.deepEqual(paymentIn(PASSPHRASE, envelope), {
      operation: 'asset_payment',
      asset_code: code,
      asset_issuer: issuer,
      destination,
      amount_stroops: 1n,
      memo_id: null,
      memo_return: null,
    });
    assert.equal(trustLineIn(envelope), null);
  }
});

test('the change of a trust line is decoded in our form only', () => {
  const asset = new Asset('USDC', Keypair.random().publicKey());
  const fields = { asset_code: 'USDC', asset_issuer: asset.getIssuer() };
  const added = Operation.changeTrust({ asset });
  assert.deepEqual(trustLineIn(envelopeOf([added])), { operation: 'add_trust_line', ...fields });
  const removed = trustLineIn(envelopeOf([Operation.changeTrust({ asset, limit: '0' })]));
  assert.deepEqual(removed, { operation: 'remove_trust_line', ...fields });
  for (const other of [
    envelopeOf([Operation.changeTrust({ asset, limit: '5' })]),
    envelopeOf([added, added]),
    envelopeOf([added], Memo.id('7')),
    envelopeOf([Operation.bumpSequence({ bumpTo: '9' })]),
  ])
    assert.equal(trustLineIn(other), null);
  assert.equal(paymentIn(PASSPHRASE, envelopeOf([added])), null);
});
