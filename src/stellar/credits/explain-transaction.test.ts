import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { Asset, Claimant, Keypair, Operation, StrKey, xdr } from '@stellar/stellar-sdk';
import {
  address,
  call,
  contractEvent,
  create,
  i128,
  ledgerTransaction,
  type Made,
  merge,
  NETWORK,
  pay,
  payer,
  type Step,
  strictSend,
  symbol,
  text,
  transferEvent,
} from '../../../test/support/paying.ts';
import { muxedAddress } from '../address.ts';
import { creditsOf } from './credits.ts';
import { explainTransaction, type ReasonCode } from './explain-transaction.ts';

const wallet = Keypair.random().publicKey();
const other = Keypair.random().publicKey();
const usd = new Asset('USD', other);
const contract = StrKey.encodeContract(Buffer.alloc(32, 0x66));
const native = Asset.native();

const { OperationResultTr: Tr, OperationResult: Result } = xdr;
const plain = (operation: xdr.Operation, result: xdr.OperationResultTr): Step => ({ operation, result });
const explain = (made: Made) => explainTransaction(NETWORK, ledgerTransaction(made), wallet);

const claimable = plain(
  Operation.createClaimableBalance({ asset: native, amount: '5', claimants: [new Claimant(wallet)] }),
  Tr.createClaimableBalance(
    xdr.CreateClaimableBalanceResult.createClaimableBalanceSuccess(
      xdr.ClaimableBalanceId.claimableBalanceIdTypeV0(Buffer.alloc(32)),
    ),
  ),
);
const claimed = plain(
  Operation.claimClaimableBalance({ balanceId: '00'.repeat(36), source: wallet }),
  Tr.claimClaimableBalance(xdr.ClaimClaimableBalanceResult.claimClaimableBalanceSuccess()),
);
const clawedBack = plain(
  Operation.clawback({ asset: usd, amount: '5', from: muxedAddress(wallet, 3n), source: other }),
  Tr.clawback(xdr.ClawbackResult.clawbackSuccess()),
);
const allowed = plain(
  Operation.setTrustLineFlags({ trustor: wallet, asset: usd, flags: { authorized: true }, source: other }),
  Tr.setTrustLineFlags(xdr.SetTrustLineFlagsResult.setTrustLineFlagsSuccess()),
);
const trusted = plain(
  Operation.changeTrust({ asset: usd, source: wallet }),
  Tr.changeTrust(xdr.ChangeTrustResult.changeTrustSuccess()),
);
const bumped = plain(
  Operation.bumpSequence({ bumpTo: '5' }),
  Tr.bumpSequence(xdr.BumpSequenceResult.bumpSequenceSuccess()),
);
const token = (topics: xdr.ScVal[]) => call([contractEvent({ topics, data: i128(5n), contract })]);

const cases: [ReasonCode, string, Made][] = [
  ['credited', 'payment', { steps: [pay(muxedAddress(wallet, 7n), 5n)] }],
  ['credited', 'invoke_host_function', { steps: [call([transferEvent(payer, wallet, 5n)])] }],
  ['other_account', 'path_payment_strict_send', { steps: [strictSend(other, 5n)] }],
  ['zero_amount', 'create_account', { steps: [create(wallet, 0n)] }],
  ['zero_amount', 'invoke_host_function', { steps: [call([transferEvent(payer, wallet, 0n)])] }],
  ['burned', 'payment', { steps: [pay(wallet, 5n, new Asset('OWN', wallet))] }],
  ['paid_out', 'payment', { steps: [pay(other, 5n, native, wallet)] }],
  ['paid_out', 'account_merge', { steps: [merge(other, 5n, wallet)] }],
  [
    'paid_out',
    'invoke_host_function',
    { steps: [call([transferEvent(wallet, contract, 5n)])], source: wallet },
  ],
  ['contract_transfer', 'invoke_host_function', { steps: [call([transferEvent(wallet, contract, 5n)])] }],
  ['own_operation', 'claim_claimable_balance', { steps: [claimed] }],
  ['claimable_balance', 'create_claimable_balance', { steps: [claimable] }],
  ['clawed_back', 'clawback', { steps: [clawedBack] }],
  ['authorization_unchanged', 'set_trust_line_flags', { steps: [allowed] }],
  ['trust_line', 'change_trust', { steps: [trusted] }],
  [
    'other_contract',
    'invoke_host_function',
    { steps: [token([symbol('transfer'), address(payer), address(wallet), text('native')])] },
  ],
  ['other_contract', 'invoke_host_function', { steps: [token([symbol('mint'), address(wallet)])] }],
  ['no_transfer', 'invoke_host_function', { steps: [call([transferEvent(payer, other, 5n)])] }],
  ['meta_missing', 'invoke_host_function', { steps: [call([])], meta: null }],
  ['fee_source_only', 'payment', { steps: [pay(other, 5n)], form: 'fee_bump', fee_source: wallet }],
  ['fee_source_only', 'invoke_host_function', { steps: [call([])], form: 'fee_bump', fee_source: wallet }],
  ['not_a_payment', 'bump_sequence', { steps: [bumped] }],
];

for (const [reason, type, made] of cases) {
  test(`explained: ${type}, ${reason}`, () => {
    const [operation, ...more] = explain(made).operations;
    assert.deepEqual(more, []);
    assert.equal(operation?.reason, reason);
    assert.equal(operation.type, type);
    assert.match(operation.message, /^[A-Z].+\.$/);
    assert.equal(operation.credits.length, reason === 'credited' ? 1 : 0);
    if (made.meta === null) return;
    const credits = creditsOf(NETWORK, ledgerTransaction(made)).filter(({ account }) => account === wallet);
    assert.deepEqual(operation.credits, credits);
  });
}

test('explained: what a contract moved out of the account names its asset, as a payment does', () => {
  const moved = transferEvent(wallet, contract, 5n, usd);
  for (const source of [wallet, payer]) {
    const [operation] = explain({ steps: [call([moved])], source }).operations;
    assert.equal(operation?.reason, source === wallet ? 'paid_out' : 'contract_transfer');
    assert.match(operation.message, new RegExp(`The asset is USD:${other}\\.$`));
  }
});

test('explained: the failed operation by its own code, the others by the failed transaction', () => {
  const underfunded = Result.opInner(Tr.payment(xdr.PaymentResult.paymentUnderfunded()));
  const steps = [pay(wallet, 5n), pay(other, 9n)];
  const failed = [Result.opInner(steps[0]?.result as xdr.OperationResultTr), underfunded];
  for (const form of ['plain', 'fee_bump'] as const) {
    const told = explain({ steps, failed, form, memo: xdr.Memo.memoId(7n) });
    assert.equal(told.successful, false);
    assert.equal(told.failure_code, 'op_underfunded');
    assert.equal(told.fee_bump, form === 'fee_bump');
    assert.deepEqual(told.memo, { type: 'id', value: '7' });
    assert.deepEqual(
      told.operations.map(({ reason, credits }) => [reason, credits]),
      [
        ['transaction_failed', []],
        ['operation_failed', []],
      ],
    );
    assert.match(told.operations[1]?.message ?? '', /\(op_underfunded\)/);
  }
});

test('explained: each of many operations under its own index, with its payment', () => {
  const steps = [pay(other, 1n), pay(wallet, 2n), bumped, pay(wallet, 3n, usd)];
  const { operations, successful, failure_code } = explain({ steps });
  assert.deepEqual([successful, failure_code], [true, null]);
  assert.deepEqual(
    operations.map(({ operation_index, reason, credits }) => [
      operation_index,
      reason,
      credits[0]?.amount_stroops,
    ]),
    [
      [0, 'other_account', undefined],
      [1, 'credited', 2n],
      [2, 'not_a_payment', undefined],
      [3, 'credited', 3n],
    ],
  );
});

test('explained: events that do not match the result are not provable by this source', () => {
  const transaction = ledgerTransaction({ steps: [call([])] });
  const { meta } = ledgerTransaction({ steps: [call([transferEvent(payer, wallet, 5n)])] });
  const [operation] = explainTransaction(NETWORK, { ...transaction, meta }, wallet).operations;
  assert.equal(operation?.reason, 'events_not_provable');
  assert.deepEqual(operation.credits, []);
});

test('a transaction that contradicts itself is not explained', () => {
  const transaction = ledgerTransaction({ steps: [pay(wallet, 5n)] });
  const { result } = ledgerTransaction({ steps: [merge(wallet, 5n)] });
  assert.throws(() => explainTransaction(NETWORK, { ...transaction, result }, wallet));
});
