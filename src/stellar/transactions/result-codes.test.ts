import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { xdr } from '@stellar/stellar-sdk';
import { failureMessage, operationCode, outcomeOf } from './result-codes.ts';

function result(inner: xdr.TransactionResultResult): xdr.TransactionResult {
  return new xdr.TransactionResult({ feeCharged: 100n, result: inner, ext: xdr.TransactionResultExt.v0() });
}

function operations(...trs: xdr.OperationResultTr[]): xdr.OperationResult[] {
  return trs.map((tr) => xdr.OperationResult.opInner(tr));
}

const paid = xdr.OperationResultTr.payment(xdr.PaymentResult.paymentSuccess());

test('success has no failure code', () => {
  assert.deepEqual(outcomeOf(result(xdr.TransactionResultResult.txSuccess(operations(paid)))), {
    successful: true,
    fee_stroops: 100n,
    failure_code: null,
    call_result: null,
  });
});

test('the first failed operation names the failure, in the words of Horizon', () => {
  const codes: [xdr.OperationResult, string][] = [
    ...operations(
      xdr.OperationResultTr.payment(xdr.PaymentResult.paymentNoDestination()),
      xdr.OperationResultTr.payment(xdr.PaymentResult.paymentUnderfunded()),
      xdr.OperationResultTr.payment(xdr.PaymentResult.paymentLineFull()),
      xdr.OperationResultTr.createAccount(xdr.CreateAccountResult.createAccountLowReserve()),
      xdr.OperationResultTr.createAccount(xdr.CreateAccountResult.createAccountAlreadyExist()),
    ).map((operation, i): [xdr.OperationResult, string] => [
      operation,
      ['op_no_destination', 'op_underfunded', 'op_line_full', 'op_low_reserve', 'op_already_exists'][i] ?? '',
    ]),
    [xdr.OperationResult.opBadAuth(), 'op_bad_auth'],
    [xdr.OperationResult.opNoAccount(), 'op_no_source_account'],
  ];
  for (const [operation, code] of codes) {
    const failed = xdr.TransactionResultResult.txFailed([...operations(paid), operation]);
    assert.equal(outcomeOf(result(failed)).failure_code, code);
  }
});

test('a failure of the whole transaction has its own code', () => {
  assert.equal(outcomeOf(result(xdr.TransactionResultResult.txBadSeq())).failure_code, 'tx_bad_seq');
  assert.equal(
    outcomeOf(result(xdr.TransactionResultResult.txNoAccount())).failure_code,
    'tx_no_source_account',
  );
  assert.equal(
    outcomeOf(result(xdr.TransactionResultResult.txInsufficientBalance())).failure_code,
    'tx_insufficient_balance',
  );
});

test('too little of an issued asset says nothing of reserve and fee, which are native', () => {
  assert.match(failureMessage('op_underfunded'), /above its reserve .* the fee/);
  const { issuer } = { issuer: 'GBBD47IF6LWK7P7MDEVSCWR7DPUWV3NY3DTQEVFL4NAT4AQH3ZLLFLA5' };
  assert.equal(
    failureMessage('op_underfunded', issuer),
    'The wallet does not hold enough of the asset to pay this amount.',
  );
  assert.equal(failureMessage('op_line_full', issuer), failureMessage('op_line_full'));
});

test('a frozen ledger entry has its own code and sentence, for a transaction and for a claim', () => {
  const { failure_code } = outcomeOf(result(xdr.TransactionResultResult.txFrozenKeyAccessed()));
  assert.equal(failure_code, 'tx_frozen_key_accessed');
  assert.match(
    failureMessage('tx_frozen_key_accessed'),
    /^The network has frozen an account or a trust line/,
  );
  const frozen = xdr.ClaimClaimableBalanceResult.claimClaimableBalanceTrustlineFrozen();
  const failed = xdr.TransactionResultResult.txFailed(
    operations(xdr.OperationResultTr.claimClaimableBalance(frozen)),
  );
  assert.equal(outcomeOf(result(failed)).failure_code, 'op_trustline_frozen');
});

test('a failed inner transaction has its own result’s code, and the fee of the fee-bump', () => {
  const inner = new xdr.InnerTransactionResult({
    feeCharged: 0n,
    result: xdr.InnerTransactionResultResult.txFailed(
      operations(xdr.OperationResultTr.payment(xdr.PaymentResult.paymentNoDestination())),
    ),
    ext: xdr.InnerTransactionResultExt.v0(),
  });
  const pair = new xdr.InnerTransactionResultPair({ transactionHash: new Uint8Array(32), result: inner });
  const outcome = outcomeOf(result(xdr.TransactionResultResult.txFeeBumpInnerFailed(pair)));
  assert.deepEqual(outcome, {
    successful: false,
    fee_stroops: 100n,
    failure_code: 'op_no_destination',
    call_result: null,
  });
});

test('a successful operation of any kind has no code, and a failed one has Horizon’s code', () => {
  /** A result of this operation type with this code. Zeros fill the fields of a success. */
  const resultOf = (type: number, code: number): xdr.OperationResult => {
    for (let length = 12; length < 300; length += 4) {
      const bytes = Buffer.alloc(length);
      bytes.writeInt32BE(type, 4);
      bytes.writeInt32BE(code, 8);
      try {
        return xdr.OperationResult.fromXdr(bytes);
      } catch {} // it is longer
    }
    assert.fail(`operation ${type} has no result ${code}`);
  };
  for (let type = 0; type <= 26; type++) {
    assert.equal(operationCode(resultOf(type, 0)), null, `${type}`);
    assert.match(operationCode(resultOf(type, -1)) ?? '', /^op_[a-z_]+$/, `${type}`);
  }
  assert.equal(operationCode(resultOf(4, -8)), 'op_cross_self', 'of a passive offer');
});
