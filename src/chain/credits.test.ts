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
import { muxedAddress } from './address.ts';
import { creditsOf, ledgerHash } from './credits.ts';

const PASSPHRASE = 'Standalone Network ; February 2017';
const payer = Keypair.random();
const other = Keypair.random();
const wallet = Keypair.random().publicKey();

type Build = { operations: xdr.Operation[]; memo?: Memo; source?: Keypair };

function transaction({ operations, memo, source = payer }: Build): Transaction {
  const builder = new TransactionBuilder(new Account(source.publicKey(), '1'), {
    fee: '100',
    networkPassphrase: PASSPHRASE,
    timebounds: { minTime: 0, maxTime: 99 },
    ...(memo && { memo }),
  });
  for (const operation of operations) builder.addOperation(operation);
  const built = builder.build();
  built.sign(source);
  return built;
}

function pay(destination: string, amount = '1', source?: string): xdr.Operation {
  return Operation.payment({ destination, amount, asset: Asset.native(), ...(source && { source }) });
}

const succeeded = new xdr.TransactionResult({
  feeCharged: 100n,
  result: xdr.TransactionResultResult.txSuccess([]),
  ext: xdr.TransactionResultExt.v0(),
}).toXdr('base64');

const failed = new xdr.TransactionResult({
  feeCharged: 100n,
  result: xdr.TransactionResultResult.txFailed([]),
  ext: xdr.TransactionResultExt.v0(),
}).toXdr('base64');

const read = (built: { toXdr(): string }, result_xdr = succeeded) =>
  creditsOf({ envelope_xdr: built.toXdr(), result_xdr });

test('a payment credits its destination, exactly', () => {
  const [credit, ...more] = read(transaction({ operations: [pay(wallet, '922337203685.4775807')] }));
  assert.deepEqual(more, []);
  assert.deepEqual(credit, {
    account: wallet,
    asset_code: 'native',
    asset_issuer: null,
    amount_stroops: 2n ** 63n - 1n,
    memo_id: null,
    source_account: payer.publicKey(),
    operation_index: 0,
    event_index: 0,
  });
});

test('a failed transaction credits nobody', () => {
  assert.deepEqual(read(transaction({ operations: [pay(wallet)] }), failed), []);
});

test('the muxed id wins over the memo id', () => {
  const id = 2n ** 64n - 1n;
  const [credit] = read(transaction({ operations: [pay(muxedAddress(wallet, id))], memo: Memo.id('7') }));
  assert.equal(credit?.account, wallet);
  assert.equal(credit?.memo_id, id);
});

test('a memo id is exact up to 2^64−1; other memos are none', () => {
  const memoId = (memo: Memo) => read(transaction({ operations: [pay(wallet)], memo }))[0]?.memo_id;
  assert.equal(memoId(Memo.id('18446744073709551615')), 2n ** 64n - 1n);
  assert.equal(memoId(Memo.id('0')), 0n);
  assert.equal(memoId(Memo.text('12345')), null);
  assert.equal(memoId(Memo.hash('00'.repeat(32))), null);
});

test('each paying operation is a credit of its own, under its own index', () => {
  const operations = [
    pay(wallet, '1'),
    Operation.bumpSequence({ bumpTo: '5' }),
    pay(other.publicKey(), '2'),
    Operation.createAccount({ destination: wallet, startingBalance: '3' }),
  ];
  const credits = read(transaction({ operations, memo: Memo.id('9') }));
  assert.deepEqual(
    credits.map(({ account, amount_stroops, operation_index, memo_id }) => [
      account,
      amount_stroops,
      operation_index,
      memo_id,
    ]),
    [
      [wallet, 10_000_000n, 0, 9n],
      [other.publicKey(), 20_000_000n, 2, 9n],
      [wallet, 30_000_000n, 3, 9n],
    ],
  );
});

test('the source is the paying operation’s own, as G…', () => {
  const muxed = muxedAddress(other.publicKey(), 5n);
  const [credit] = read(transaction({ operations: [pay(wallet, '1', muxed)] }));
  assert.equal(credit?.source_account, other.publicKey());
});

test('a fee-bump credits by its inner transaction, is named by its outer hash, and its fee source pays nobody', () => {
  const inner = transaction({ operations: [pay(wallet, '4')], memo: Memo.id('11') });
  const bump = TransactionBuilder.buildFeeBumpTransaction(other, '400', inner, PASSPHRASE);
  bump.sign(other);
  const result_xdr = new xdr.TransactionResult({
    feeCharged: 200n,
    result: xdr.TransactionResultResult.txFeeBumpInnerSuccess(
      new xdr.InnerTransactionResultPair({
        transactionHash: inner.hash(),
        result: new xdr.InnerTransactionResult({
          feeCharged: 0n,
          result: xdr.InnerTransactionResultResult.txSuccess([]),
          ext: xdr.InnerTransactionResultExt.v0(),
        }),
      }),
    ),
    ext: xdr.TransactionResultExt.v0(),
  }).toXdr('base64');
  const [credit] = read(bump, result_xdr);
  assert.equal(credit?.source_account, payer.publicKey());
  assert.equal(credit?.memo_id, 11n);
  assert.equal(ledgerHash(PASSPHRASE, bump.toXdr()), Buffer.from(bump.hash()).toString('hex'));
});

test('an issued asset is told by code and issuer', () => {
  const asset = new Asset('USDCOIN', other.publicKey());
  const operation = Operation.payment({ destination: wallet, amount: '5', asset });
  const [credit] = read(transaction({ operations: [operation] }));
  assert.equal(credit?.asset_code, 'USDCOIN');
  assert.equal(credit?.asset_issuer, other.publicKey());
});

test('an account created with nothing is no credit', () => {
  const operation = Operation.createAccount({ destination: wallet, startingBalance: '0' });
  assert.deepEqual(read(transaction({ operations: [operation] })), []);
});

test('garbage is an error, never "no credits"', () => {
  assert.throws(() => creditsOf({ envelope_xdr: 'AAAA', result_xdr: succeeded }));
  assert.throws(() =>
    creditsOf({ envelope_xdr: transaction({ operations: [pay(wallet)] }).toXdr(), result_xdr: '!' }),
  );
});
