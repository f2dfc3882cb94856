/** Movements that must never be credited. Each case mentions the account, or it would prove nothing. */
import { Asset, Claimant, Operation, StrKey, xdr } from '@stellar/stellar-sdk';
import {
  evil,
  issuer,
  neverCredited,
  neverPassedOver,
  other,
  usd,
  wallet,
} from '../../../test/support/crediting.ts';
import {
  call,
  create,
  ledgerTransaction,
  merge,
  mintEvent,
  pay,
  payer,
  type Step,
  strictReceive,
  strictSend,
  toMuxed,
  transferEvent,
  u64,
} from '../../../test/support/paying.ts';
import { muxedAddress } from '../address.ts';
import type { LedgerTransaction } from '../stellar.ts';

const { OperationResultTr: Tr, OperationResult: Result } = xdr;
const underfunded = Result.opInner(Tr.payment(xdr.PaymentResult.paymentUnderfunded()));
const ok = (step: Step) => Result.opInner(step.result);
const plain = (operation: xdr.Operation, result: xdr.OperationResultTr): Step => ({ operation, result });

neverCredited({
  // a failed transaction changes nothing
  'a payment in a transaction that failed later': {
    steps: [pay(wallet, 5n), pay(other, 1n)],
    failed: [ok(pay(wallet, 5n)), underfunded],
  },
  'a payment that failed': { steps: [pay(wallet, 5n)], failed: [underfunded] },
  'a payment in a fee-bump whose inner transaction failed': {
    steps: [pay(wallet, 5n), pay(other, 1n)],
    failed: [ok(pay(wallet, 5n)), underfunded],
    form: 'fee_bump',
  },
  'a payment in a version 0 transaction that failed': {
    steps: [pay(wallet, 5n)],
    failed: [underfunded],
    form: 'v0',
  },
  'an account created by a transaction that failed': {
    steps: [create(wallet, 5n), pay(other, 1n)],
    failed: [ok(create(wallet, 5n)), underfunded],
  },
  'a merge in a transaction that failed': {
    steps: [merge(wallet, 5n), pay(other, 1n)],
    failed: [ok(merge(wallet, 5n)), underfunded],
  },
  'a path payment in a transaction that failed': {
    steps: [strictSend(wallet, 5n), pay(other, 1n)],
    failed: [ok(strictSend(wallet, 5n)), underfunded],
  },
  'events in the meta of a call that failed': {
    steps: [call([transferEvent(payer, wallet, 5n)])],
    failed: [Result.opInner(Tr.invokeHostFunction(xdr.InvokeHostFunctionResult.invokeHostFunctionTrapped()))],
  },
  'events in the meta of a fee-bump’s call that failed': {
    steps: [call([transferEvent(payer, wallet, 5n)])],
    failed: [Result.opInner(Tr.invokeHostFunction(xdr.InvokeHostFunctionResult.invokeHostFunctionTrapped()))],
    form: 'fee_bump',
  },
  // an amount of 0 is no credit
  'a transfer of 0': { steps: [call([transferEvent(payer, wallet, 0n)])] },
  'a transfer of 0 to M…': { steps: [call([transferEvent(payer, wallet, toMuxed(0n, u64(7n)))])] },
  'a mint of 0': { steps: [call([mintEvent(wallet, 0n, usd)])] },
  'an account created with 0': { steps: [create(wallet, 0n)] },
  'a merge of an account that held 0': { steps: [merge(wallet, 0n, other)] },
  // the wallet is mentioned and receives nothing
  'a payment of the wallet to another': { steps: [pay(other, 5n, Asset.native(), wallet)], source: wallet },
  'a payment to another account with the wallet as the one who pays the fee': {
    steps: [pay(other, 5n)],
    form: 'fee_bump',
    fee_source: wallet,
  },
  'a transfer of the wallet to another': { steps: [call([transferEvent(wallet, other, 5n)])] },
  'a transfer of the wallet to a contract': { steps: [call([transferEvent(wallet, evil, 5n)])] },
  'the wallet merged into another account': { steps: [merge(other, 5n, wallet)] },
  'an account created by the wallet': { steps: [create(other, 5n, wallet)] },
  'a payment in the wallet’s own asset, which burns it': {
    steps: [pay(wallet, 5n, new Asset('OWN', wallet))],
  },
  'a path payment that ends in the wallet’s own asset': {
    steps: [
      strictSend(wallet, 5n, new Asset('OWN', wallet)),
      strictReceive(wallet, 5n, new Asset('OWN', wallet)),
    ],
  },
  'a transfer in the wallet’s own asset': {
    steps: [call([transferEvent(payer, wallet, 5n, new Asset('OWN', wallet))])],
  },
  'a payment to M… of another account with the wallet in the memo': {
    steps: [pay(muxedAddress(other, 7n), 5n)],
    memo: xdr.Memo.memoHash(StrKey.decodeEd25519PublicKey(wallet)),
  },
  // no payments
  'a claimable balance for the wallet': {
    steps: [
      plain(
        Operation.createClaimableBalance({
          asset: Asset.native(),
          amount: '5',
          claimants: [new Claimant(wallet)],
        }),
        Tr.createClaimableBalance(
          xdr.CreateClaimableBalanceResult.createClaimableBalanceSuccess(
            xdr.ClaimableBalanceId.claimableBalanceIdTypeV0(Buffer.alloc(32)),
          ),
        ),
      ),
    ],
  },
  'a claimable balance that the wallet claims itself': {
    steps: [
      plain(
        Operation.claimClaimableBalance({ balanceId: '00'.repeat(36), source: wallet }),
        Tr.claimClaimableBalance(xdr.ClaimClaimableBalanceResult.claimClaimableBalanceSuccess()),
      ),
    ],
  },
  'a trade of the wallet’s own offer': {
    steps: [
      plain(
        Operation.manageSellOffer({
          selling: usd,
          buying: Asset.native(),
          amount: '5',
          price: '1',
          source: wallet,
        }),
        Tr.manageSellOffer(
          xdr.ManageSellOfferResult.manageSellOfferSuccess(
            new xdr.ManageOfferSuccessResult({
              offersClaimed: [],
              offer: xdr.ManageOfferSuccessResultOffer.manageOfferDeleted(),
            }),
          ),
        ),
      ),
    ],
  },
  'a clawback from the wallet': {
    steps: [
      plain(
        Operation.clawback({ asset: usd, amount: '5', from: wallet, source: issuer }),
        Tr.clawback(xdr.ClawbackResult.clawbackSuccess()),
      ),
    ],
  },
  'an allowance to hold an asset': {
    steps: [
      plain(
        Operation.setTrustLineFlags({
          trustor: wallet,
          asset: usd,
          flags: { authorized: true },
          source: issuer,
        }),
        Tr.setTrustLineFlags(xdr.SetTrustLineFlagsResult.setTrustLineFlagsSuccess()),
      ),
    ],
  },
  'a withdrawal from a pool': {
    steps: [
      plain(
        Operation.liquidityPoolWithdraw({
          liquidityPoolId: '00'.repeat(32),
          amount: '5',
          minAmountA: '5',
          minAmountB: '5',
          source: wallet,
        }),
        Tr.liquidityPoolWithdraw(xdr.LiquidityPoolWithdrawResult.liquidityPoolWithdrawSuccess()),
      ),
    ],
  },
  'a payment that the wallet’s data tells of': {
    steps: [
      plain(
        Operation.manageData({ name: 'paid', value: Buffer.from(wallet), source: payer }),
        Tr.manageData(xdr.ManageDataResult.manageDataSuccess()),
      ),
    ],
  },
});

/** Envelope, result and meta that do not belong together. */
function contradictions(): Record<string, LedgerTransaction> {
  const paid = ledgerTransaction({ steps: [pay(wallet, 5n)] });
  const called = ledgerTransaction({ steps: [call([transferEvent(payer, wallet, 5n)])] });
  const sent = { steps: [strictSend(wallet, 5n)] };
  const replaced = (step: Step, made: Step) =>
    ledgerTransaction({ steps: [{ ...step, result: made.result }] });
  return {
    'another transaction’s result': { ...paid, result: called.result },
    'another network’s transaction': { ...paid, hash: '00'.repeat(32) },
    'a result with an operation too many': {
      ...paid,
      result: ledgerTransaction({ steps: [pay(wallet, 5n), pay(wallet, 5n)] }).result,
    },
    'a plain result for a fee-bump': {
      ...ledgerTransaction({ steps: [pay(wallet, 5n)], form: 'fee_bump' }),
      result: paid.result,
    },
    'success with a failed operation in it': ledgerTransaction({
      steps: [plain(pay(wallet, 5n).operation, Tr.payment(xdr.PaymentResult.paymentUnderfunded()))],
    }),
    'a path payment that arrived elsewhere': replaced(strictSend(wallet, 5n), strictSend(other, 5n)),
    'a path payment in another asset': replaced(strictSend(wallet, 5n), strictSend(wallet, 5n, usd)),
    'a path payment below its least amount': ledgerTransaction({ steps: [strictSend(wallet, 5n, usd, 6n)] }),
    'a path payment of another than its exact amount': replaced(
      strictReceive(wallet, 5n),
      strictReceive(wallet, 6n),
    ),
    'an envelope that does not decode': { ...ledgerTransaction(sent), envelope: Buffer.alloc(4) },
    'a result that does not decode': { ...ledgerTransaction(sent), result: Buffer.from('not XDR') },
  };
}

neverPassedOver(contradictions());
