import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import {
  Account,
  Asset,
  type FeeBumpTransaction,
  Keypair,
  Operation,
  type Transaction,
  TransactionBuilder,
  xdr,
} from '@stellar/stellar-sdk';
import fc from 'fast-check';
import { PASSPHRASE, resultXdr } from '../../../test/support/ledger-xdr.ts';
import { muxedAddress } from '../address.ts';
import { isHashOf } from '../ledgers/ledger-proof.ts';
import { appliedTransaction, minTimeOf, sourcesOf } from './applied.ts';
import { envelopeHashes, innerTransaction } from './envelope.ts';

const tx_source = Keypair.random();
const wallet = Keypair.random();
const other = Keypair.random().publicKey();

type Build = { sequence?: string; fee?: string; source?: string; operations?: xdr.Operation[] };

const pay = Operation.payment({ destination: other, asset: Asset.native(), amount: '1' });
const create = Operation.createAccount({ destination: other, startingBalance: '1' });

function transaction({ sequence = '41', fee = '100', source, operations = [pay] }: Build = {}): Transaction {
  const account = source?.startsWith('M')
    ? { accountId: () => source, sequenceNumber: () => sequence, incrementSequenceNumber: () => undefined }
    : new Account(source ?? tx_source.publicKey(), sequence);
  const builder = new TransactionBuilder(account as Account, {
    fee,
    networkPassphrase: PASSPHRASE,
    timebounds: { minTime: 0, maxTime: 99 },
  });
  for (const operation of operations) builder.addOperation(operation);
  const built = builder.build();
  built.sign(tx_source);
  return built;
}

function bumped(inner: Transaction, fee = '200'): FeeBumpTransaction {
  const bump = TransactionBuilder.buildFeeBumpTransaction(wallet, fee, inner, PASSPHRASE);
  bump.sign(wallet);
  return bump;
}

const hashOf = (built: Transaction | FeeBumpTransaction) => Buffer.from(built.hash()).toString('hex');

const { opInner } = xdr.OperationResult;
const paid = opInner(xdr.OperationResultTr.payment(xdr.PaymentResult.paymentSuccess()));
const unpaid = opInner(xdr.OperationResultTr.payment(xdr.PaymentResult.paymentNoDestination()));
const created = opInner(xdr.OperationResultTr.createAccount(xdr.CreateAccountResult.createAccountSuccess()));
const R = xdr.TransactionResultResult;
const I = xdr.InnerTransactionResultResult;

function pair(inner: Transaction, result: xdr.InnerTransactionResultResult): xdr.InnerTransactionResultPair {
  return new xdr.InnerTransactionResultPair({
    transactionHash: inner.hash(),
    result: new xdr.InnerTransactionResult({
      feeCharged: 100n,
      result,
      ext: xdr.InnerTransactionResultExt.v0(),
    }),
  });
}

const bytes = (xdr_text: string) => Buffer.from(xdr_text, 'base64');

const read = (built: Transaction | FeeBumpTransaction, result_xdr: string) =>
  appliedTransaction(PASSPHRASE, { ledger: 7, envelope: bytes(built.toXdr()), result: bytes(result_xdr) });

test('a payment is decoded with its hash, accounts, sequence number, fee and outcome', () => {
  const built = transaction();
  assert.deepEqual(read(built, resultXdr(R.txSuccess([paid]))), {
    ledger: 7,
    hash: hashOf(built),
    inner_hash: hashOf(built),
    source_account: tx_source.publicKey(),
    sequence: 42n,
    fee_account: tx_source.publicKey(),
    successful: true,
    fee_stroops: 100n,
    failure_code: null,
    call_result: null,
  });
});

test('a fee-bump is decoded with its outer hash, its fee source, and the outcome of its inner transaction', () => {
  const inner = transaction({ fee: '0', source: muxedAddress(tx_source.publicKey(), 9n) });
  const outcomes: [xdr.TransactionResultResult, boolean, string | null][] = [
    [R.txFeeBumpInnerSuccess(pair(inner, I.txSuccess([paid]))), true, null],
    [R.txFeeBumpInnerFailed(pair(inner, I.txFailed([unpaid]))), false, 'op_no_destination'],
    [R.txFeeBumpInnerFailed(pair(inner, I.txBadSeq())), false, 'tx_bad_seq'],
  ];
  for (const [result, successful, failure_code] of outcomes) {
    assert.deepEqual(read(bumped(inner), resultXdr(result, 200n)), {
      ledger: 7,
      hash: hashOf(bumped(inner)),
      inner_hash: hashOf(inner),
      source_account: tx_source.publicKey(),
      sequence: 42n,
      fee_account: wallet.publicKey(),
      successful,
      fee_stroops: 200n,
      failure_code,
      call_result: null,
    });
  }
});

test('a transaction whose parts contradict each other is unusable', () => {
  const built = transaction();
  const two = transaction({ operations: [pay, create] });
  const bump = bumped(built);
  const good = resultXdr(R.txSuccess([paid]));
  const entries: [string, Transaction | FeeBumpTransaction, string][] = [
    ['garbage', built, 'AAAA'],
    ['no result', built, ''],
    ['an envelope instead of a result', built, built.toXdr()],
    ['a result with bytes to spare', built, Buffer.concat([bytes(good), Buffer.alloc(4)]).toString('base64')],
    ['more was charged than offered', built, resultXdr(R.txSuccess([paid]), 101n)],
    ['less than nothing was charged', built, resultXdr(R.txSuccess([paid]), -1n)],
    ['no operation result', built, resultXdr(R.txSuccess([]))],
    ['one operation result too many', built, resultXdr(R.txSuccess([paid, paid]))],
    ['one too few', two, resultXdr(R.txSuccess([paid]))],
    ['another kind of operation', built, resultXdr(R.txSuccess([created]))],
    ['kinds in another order', two, resultXdr(R.txSuccess([created, paid]))],
    ['success with a failed operation', built, resultXdr(R.txSuccess([unpaid]))],
    ['failure without one', built, resultXdr(R.txFailed([paid]))],
    ['a fee-bump’s result', built, resultXdr(R.txFeeBumpInnerSuccess(pair(built, I.txSuccess([paid]))))],
    ['a plain result of a fee-bump', bump, good],
    ['another inner transaction’s', bump, resultXdr(R.txFeeBumpInnerSuccess(pair(two, I.txSuccess([paid]))))],
    ['success around failure', bump, resultXdr(R.txFeeBumpInnerSuccess(pair(built, I.txFailed([unpaid]))))],
    ['failure around success', bump, resultXdr(R.txFeeBumpInnerFailed(pair(built, I.txSuccess([paid]))))],
    [
      'inner results that do not fit',
      bump,
      resultXdr(R.txFeeBumpInnerSuccess(pair(built, I.txSuccess([created])))),
    ],
  ];
  for (const [name, envelope, result_xdr] of entries)
    assert.ok('unusable' in read(envelope, result_xdr), name);
  for (const envelope_xdr of ['', 'AAAA', good]) {
    const entry = { ledger: 7, envelope: bytes(envelope_xdr), result: bytes(good) };
    assert.ok('unusable' in appliedTransaction(PASSPHRASE, entry), envelope_xdr);
  }
});

test('a passive offer’s result may have the type manageSellOffer, as stellar-core stores it', () => {
  const selling = Asset.native();
  const buying = new Asset('USD', other);
  const offer = Operation.createPassiveSellOffer({ selling, buying, amount: '1', price: '1' });
  const built = transaction({ operations: [offer] });
  const crossed = xdr.ManageSellOfferResult.manageSellOfferCrossSelf();
  for (const tr of [
    xdr.OperationResultTr.manageSellOffer(crossed),
    xdr.OperationResultTr.createPassiveSellOffer(crossed),
  ]) {
    const applied = read(built, resultXdr(R.txFailed([opInner(tr)])));
    assert(!('unusable' in applied));
    assert.equal(applied.failure_code, 'op_cross_self');
  }
});

const key = fc.uint8Array({ minLength: 32, maxLength: 32 });
const id = fc.option(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), { nil: null });
const signatures = fc.array(fc.uint8Array({ maxLength: 64 }), { maxLength: 20 });
const memo = fc.oneof(
  fc.constant(xdr.Memo.memoNone()),
  fc.string({ unit: 'binary-ascii', maxLength: 28 }).map((text) => xdr.Memo.memoText(text)),
);

type Parts = { source: [Uint8Array, bigint | null]; payer: [Uint8Array, bigint | null]; made: Uint8Array[] };

function muxed([ed25519, muxed_id]: Parts['source']): xdr.MuxedAccount {
  if (muxed_id === null) return xdr.MuxedAccount.keyTypeEd25519(ed25519);
  return xdr.MuxedAccount.keyTypeMuxedEd25519(new xdr.MuxedAccountMed25519({ id: muxed_id, ed25519 }));
}

/** An envelope of each version, with any accounts, memo and signatures. */
const envelopes = fc
  .record({
    source: fc.tuple(key, id),
    payer: fc.tuple(key, id),
    made: signatures,
    memo,
    kind: fc.constantFrom('v0', 'v1', 'fee_bump'),
  })
  .map(({ source, payer, made, memo, kind }) => {
    const decorated = made.map(
      (signature) => new xdr.DecoratedSignature({ hint: new Uint8Array(4), signature }),
    );
    const common = { fee: 100, seqNum: 5n, memo, operations: [pay] };
    if (kind === 'v0') {
      const sourceAccountEd25519 = source[0];
      const ext = xdr.TransactionV0Ext.v0();
      const tx = new xdr.TransactionV0({ ...common, sourceAccountEd25519, timeBounds: null, ext });
      return xdr.TransactionEnvelope.envelopeTypeTxV0(
        new xdr.TransactionV0Envelope({ tx, signatures: decorated }),
      );
    }
    const cond = xdr.Preconditions.precondNone();
    const ext = xdr.TransactionExt.v0();
    const tx = new xdr.Transaction({ ...common, sourceAccount: muxed(source), cond, ext });
    const v1 = new xdr.TransactionV1Envelope({ tx, signatures: decorated });
    if (kind === 'v1') return xdr.TransactionEnvelope.envelopeTypeTx(v1);
    const bump = new xdr.FeeBumpTransaction({
      feeSource: muxed(payer),
      fee: 200n,
      innerTx: xdr.FeeBumpTransactionInnerTx.envelopeTypeTx(v1),
      ext: xdr.FeeBumpTransactionExt.v0(),
    });
    return xdr.TransactionEnvelope.envelopeTypeTxFeeBump(
      new xdr.FeeBumpTransactionEnvelope({ tx: bump, signatures: decorated }),
    );
  });

test('property: the sources in the raw bytes equal the decoded ones, in any envelope', () => {
  fc.assert(
    fc.property(envelopes, (envelope) => {
      const encoded = Buffer.from(envelope.toXdr());
      const isBump = envelope.type === 'envelopeTypeTxFeeBump';
      const inner = isBump ? envelope.feeBump.tx.innerTx.v1 : null;
      const hash = inner && envelopeHashes(PASSPHRASE, xdr.TransactionEnvelope.envelopeTypeTx(inner)).hash;
      const result = bytes(resultXdr(hash ? R.txFeeBumpInnerFailed(badAuth(hash)) : R.txBadAuth()));
      const decoded = appliedTransaction(PASSPHRASE, { ledger: 7, envelope: encoded, result });
      assert.ok(!('unusable' in decoded), 'unusable' in decoded ? decoded.unusable : '');
      const { source_account, fee_account } = decoded;
      assert.deepEqual(sourcesOf(encoded), { source_account, fee_account });
      assert.equal(minTimeOf(encoded), timeBoundsOf(envelope)?.minTime ?? null);
      assert.ok(isHashOf(PASSPHRASE, encoded, decoded.hash));
      assert.ok(!isHashOf('another network', encoded, decoded.hash));
    }),
    { numRuns: 1000 },
  );
});

/** Of a transaction whose only condition is its time, which is not of version 0. */
function timeBoundsOf(envelope: xdr.TransactionEnvelope): xdr.TimeBounds | null {
  if (envelope.type === 'envelopeTypeTxV0') return null;
  const { cond } = innerTransaction(envelope);
  return cond.type === 'precondTime' ? cond.timeBounds : null;
}

function badAuth(hash: string): xdr.InnerTransactionResultPair {
  const transactionHash = Buffer.from(hash, 'hex');
  const ext = xdr.InnerTransactionResultExt.v0();
  const result = new xdr.InnerTransactionResult({ feeCharged: 0n, result: I.txBadAuth(), ext });
  return new xdr.InnerTransactionResultPair({ transactionHash, result });
}

test('property: bytes that are no envelope give no sources, and nothing throws', () => {
  for (const text of ['', 'AAAA', 'AAAAAg==', 'AAAABQ==', 'AAAAAgAAAAE=', '/////w==']) {
    assert.equal(sourcesOf(bytes(text)), null, text);
  }
  fc.assert(
    fc.property(envelopes, fc.nat({ max: 300 }), (envelope, length) => {
      const encoded = Buffer.from(envelope.toXdr());
      const cut = encoded.subarray(0, length);
      const whole = sourcesOf(encoded);
      const seen = sourcesOf(cut);
      assert.ok([null, minTimeOf(encoded)].includes(minTimeOf(cut)));
      assert.ok(seen === null || JSON.stringify(seen) === JSON.stringify(whole));
      assert.ok(!isHashOf(PASSPHRASE, cut, '00'.repeat(32)));
    }),
  );
});
