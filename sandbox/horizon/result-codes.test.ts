import assert from 'node:assert/strict';
import { test } from 'node:test';
import { xdr } from '@stellar/stellar-sdk/base';
import { transactionCode } from './result-codes.ts';

/** Codes of validators that freeze entries, which the sandbox never gives. */
const FROZEN = /Frozen/;

type Codes = { schema: { nameByValue: ReadonlyMap<number, string> } };

/** By OperationType: the arm of the result, and its codes. */
const OPERATIONS: [type: number, arm: string, codes: Codes][] = [
  [0, 'createAccountResult', xdr.CreateAccountResultCode],
  [1, 'paymentResult', xdr.PaymentResultCode],
  [2, 'pathPaymentStrictReceiveResult', xdr.PathPaymentStrictReceiveResultCode],
  [3, 'manageSellOfferResult', xdr.ManageSellOfferResultCode],
  [4, 'createPassiveSellOfferResult', xdr.ManageSellOfferResultCode],
  [5, 'setOptionsResult', xdr.SetOptionsResultCode],
  [6, 'changeTrustResult', xdr.ChangeTrustResultCode],
  [7, 'allowTrustResult', xdr.AllowTrustResultCode],
  [8, 'accountMergeResult', xdr.AccountMergeResultCode],
  [9, 'inflationResult', xdr.InflationResultCode],
  [10, 'manageDataResult', xdr.ManageDataResultCode],
  [11, 'bumpSeqResult', xdr.BumpSequenceResultCode],
  [12, 'manageBuyOfferResult', xdr.ManageBuyOfferResultCode],
  [13, 'pathPaymentStrictSendResult', xdr.PathPaymentStrictSendResultCode],
  [14, 'createClaimableBalanceResult', xdr.CreateClaimableBalanceResultCode],
  [15, 'claimClaimableBalanceResult', xdr.ClaimClaimableBalanceResultCode],
  [16, 'beginSponsoringFutureReservesResult', xdr.BeginSponsoringFutureReservesResultCode],
  [17, 'endSponsoringFutureReservesResult', xdr.EndSponsoringFutureReservesResultCode],
  [18, 'revokeSponsorshipResult', xdr.RevokeSponsorshipResultCode],
  [19, 'clawbackResult', xdr.ClawbackResultCode],
  [20, 'clawbackClaimableBalanceResult', xdr.ClawbackClaimableBalanceResultCode],
  [21, 'setTrustLineFlagsResult', xdr.SetTrustLineFlagsResultCode],
  [24, 'invokeHostFunctionResult', xdr.InvokeHostFunctionResultCode],
];

/** Where Horizon's word differs from the protocol's. */
const OTHERWISE: Record<string, string> = {
  createAccountAlreadyExist: 'op_already_exists',
  pathPaymentStrictReceiveOfferCrossSelf: 'op_cross_self',
  pathPaymentStrictReceiveOverSendmax: 'op_over_source_max',
  pathPaymentStrictSendOfferCrossSelf: 'op_cross_self',
  pathPaymentStrictSendUnderDestmin: 'op_under_dest_min',
  manageSellOfferSellNotAuthorized: 'sell_not_authorized',
  manageSellOfferBuyNotAuthorized: 'buy_not_authorized',
  manageSellOfferBuyNoIssuer: 'buy_no_issuer',
  manageSellOfferNotFound: 'op_offer_not_found',
  manageBuyOfferSellNotAuthorized: 'sell_not_authorized',
  manageBuyOfferBuyNotAuthorized: 'buy_not_authorized',
  manageBuyOfferBuyNoIssuer: 'buy_no_issuer',
  manageBuyOfferNotFound: 'op_offer_not_found',
  changeTrustNotAuthMaintainLiabilities: 'op_not_aut_maintain_liabilities',
  allowTrustNoTrustLine: 'op_no_trust',
  allowTrustTrustNotRequired: 'op_not_required',
  accountMergeSeqnumTooFar: 'op_seq_num_too_far',
  manageDataNameNotFound: 'op_data_name_not_found',
  manageDataInvalidName: 'op_data_invalid_name',
  clawbackClaimableBalanceNotIssuer: 'op_no_issuer',
  setTrustLineFlagsNoTrustLine: 'op_no_trust',
  invokeHostFunctionTrapped: 'function_trapped',
  invokeHostFunctionResourceLimitExceeded: 'resource_limit_exceeded',
  invokeHostFunctionEntryArchived: 'entry_archived',
  invokeHostFunctionInsufficientRefundableFee: 'insufficient_refundable_fee',
  opNoAccount: 'op_no_source_account',
  txNoAccount: 'tx_no_source_account',
  txBadMinSeqAgeOrGap: 'tx_bad_minseq_age_or_gap',
};

for (const [type, arm, { schema }] of OPERATIONS) {
  test(`every code of ${arm} has Horizon's name`, () => {
    const prefix = commonStart([...schema.nameByValue.values()]);
    for (const [code, name] of schema.nameByValue) {
      if (FROZEN.test(name)) continue;
      const result = { code: 0, tr: { type, [arm]: { code } } } as xdr.OperationResultWire;
      const expected = OTHERWISE[name] ?? `op_${snakeCase(name.slice(prefix.length))}`;
      assert.deepEqual(codesOf({ code: -1, results: [result] }), {
        transaction: 'tx_failed',
        operations: [expected],
      });
    }
  });
}

test('operations that never came to a result of their own have one all the same', () => {
  for (const [code, name] of xdr.OperationResultCode.schema.nameByValue) {
    if (code === 0) continue;
    const results = [{ code } as xdr.OperationResultWire];
    assert.deepEqual(codesOf({ code: -1, results }).operations, [OTHERWISE[name] ?? snakeCase(name)]);
  }
});

test("every code of a transaction that this network can give has Horizon's name", () => {
  for (const [code, name] of xdr.TransactionResultCode.schema.nameByValue) {
    if (code >= -1 || code === -13) continue;
    const transaction = OTHERWISE[name] ?? snakeCase(name);
    assert.deepEqual(codesOf({ code } as xdr.TransactionResultResultWire), { transaction });
  }
});

test('a fee-bump that failed inside shows the inner code and its operations; one that failed itself neither', () => {
  const failed: xdr.OperationResultWire = { code: 0, tr: { type: 1, paymentResult: { code: -2 } } };
  const inner: xdr.InnerTransactionResultWire = {
    feeCharged: 100n,
    result: { code: -1, results: [failed] },
    ext: { v: 0 },
  };
  assert.deepEqual(
    codesOf({ code: -13, innerResultPair: { transactionHash: new Uint8Array(32), result: inner } }),
    {
      transaction: 'tx_fee_bump_inner_failed',
      inner_transaction: 'tx_failed',
      operations: ['op_underfunded'],
    },
  );
  assert.deepEqual(codesOf({ code: -7 }), { transaction: 'tx_insufficient_balance' });
});

function codesOf(result: xdr.TransactionResultResultWire) {
  return transactionCode({ feeCharged: 100n, result, ext: { v: 0 } });
}

function commonStart(names: string[]): string {
  const success = names.find((name) => name.endsWith('Success')) ?? '';
  return success.slice(0, -'Success'.length);
}

function snakeCase(name: string): string {
  return name
    .replace(/([A-Z])/g, '_$1')
    .toLowerCase()
    .replace(/^_/, '');
}
