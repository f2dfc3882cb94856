/** What must never be credited, whoever tries. Each case names the account somewhere, or it would prove nothing. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { Asset, Claimant, Keypair, Operation, StrKey, xdr } from '@stellar/stellar-sdk';
import {
  address,
  call,
  contractEvent,
  create,
  type EventParts,
  i128,
  ledgerTransaction,
  type Made,
  map,
  merge,
  mintEvent,
  NETWORK,
  nameOf,
  pay,
  payer,
  type Step,
  strictReceive,
  strictSend,
  symbol,
  text,
  toMuxed,
  transferEvent,
  u64,
} from '../../test/support/paying.ts';
import { muxedAddress } from './address.ts';
import type { LedgerTransaction } from './chain.ts';
import { creditsOf } from './credits.ts';

const wallet = Keypair.random().publicKey();
const other = Keypair.random().publicKey();
const issuer = Keypair.random().publicKey();
const usd = new Asset('USD', issuer);
const evil = StrKey.encodeContract(Buffer.alloc(32, 0x66));
const native = Asset.native().contractId(NETWORK);

const { OperationResultTr: Tr, OperationResult: Result } = xdr;
const underfunded = Result.opInner(Tr.payment(xdr.PaymentResult.paymentUnderfunded()));
const ok = (step: Step) => Result.opInner(step.result);
const plain = (operation: xdr.Operation, result: xdr.OperationResultTr): Step => ({ operation, result });

/** An event as the native asset's contract writes it, with something else in it. */
function forged(parts: Partial<EventParts> = {}): Step {
  const topics = [symbol('transfer'), address(payer), address(wallet), text('native')];
  return call([contractEvent({ topics, data: i128(5n), contract: evil, ...parts })]);
}

/** An event of an asset by the contract of another. */
function lookAlike(claimed: string, contract: string): Step {
  return forged({ topics: [symbol('transfer'), address(payer), address(wallet), text(claimed)], contract });
}

/** The native asset's own contract says so, as it never would. */
const garbled = (data: xdr.ScVal) => call([transferEvent(payer, wallet, data)]);

function oneBitOff(contract: string): string {
  const id = Buffer.from(StrKey.decodeContract(contract));
  id[31] = (id[31] ?? 0) ^ 1;
  return StrKey.encodeContract(id);
}

const nothing: Record<string, Made> = {
  // nothing in a failed transaction happened
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
  // nothing is worth nothing
  'a transfer of 0': { steps: [call([transferEvent(payer, wallet, 0n)])] },
  'a transfer of 0 to M…': { steps: [call([transferEvent(payer, wallet, toMuxed(0n, u64(7n)))])] },
  'a mint of 0': { steps: [call([mintEvent(wallet, 0n, usd)])] },
  'an account created with 0': { steps: [create(wallet, 0n)] },
  'a merge of an account that held 0': { steps: [merge(wallet, 0n, other)] },
  // the wallet is in it, and gets nothing
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
  'a payment in the wallet’s own asset, which ceases to be': {
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
  // amounts that were asked for, and did not move
  'a call that was asked to pay the wallet, and moved nothing': {
    steps: [call([], [address(payer), address(wallet), i128(5n)])],
  },
  'a call that was asked to pay the wallet, and paid another': {
    steps: [call([transferEvent(payer, other, 5n)], [address(payer), address(wallet), i128(5n)])],
  },
  // other events of an asset's contract
  ...Object.fromEntries(
    ['approve', 'burn', 'clawback', 'set_admin', 'set_authorized', 'fee', 'Transfer', 'transfer '].map(
      (name) => [
        `the event "${name}" of the native asset’s contract`,
        {
          steps: [
            call([
              contractEvent({
                topics: [
                  name.trim() === name ? symbol(name) : text(name),
                  address(payer),
                  address(wallet),
                  text('native'),
                ],
                data: i128(5n),
                contract: native,
              }),
            ]),
          ],
        },
      ],
    ),
  ),
  'a transfer as a system event': {
    steps: [forged({ contract: native, type: xdr.ContractEventType.system })],
  },
  'a transfer as a diagnostic event': {
    steps: [forged({ contract: native, type: xdr.ContractEventType.diagnostic })],
  },
  // what foreign contracts write
  'a foreign contract’s transfer of "native"': { steps: [forged()] },
  'a foreign contract’s mint': {
    steps: [forged({ topics: [symbol('mint'), address(wallet), text(nameOf(usd))] })],
  },
  'a contract whose id is one bit off': { steps: [forged({ contract: oneBitOff(native) })] },
  'the native asset’s contract on another network': {
    steps: [forged({ contract: Asset.native().contractId('Test SDF Network ; September 2015') })],
  },
  'an issued asset’s contract on another network': {
    steps: [lookAlike(nameOf(usd), usd.contractId('Test SDF Network ; September 2015'))],
  },
  'the same code of another issuer': {
    steps: [lookAlike(nameOf(usd), new Asset('USD', other).contractId(NETWORK))],
  },
  'an issued asset that says it is native': { steps: [lookAlike('native', usd.contractId(NETWORK))] },
  'an issued asset with the code of the native one': {
    steps: [lookAlike('native', new Asset('native', other).contractId(NETWORK))],
  },
  'a code in another case': { steps: [lookAlike(`usd:${issuer}`, usd.contractId(NETWORK))] },
  'a code with zero bytes behind it': { steps: [lookAlike(`USD\0:${issuer}`, usd.contractId(NETWORK))] },
  'a code with a space behind it': { steps: [lookAlike(`USD :${issuer}`, usd.contractId(NETWORK))] },
  'a name with a line behind it': { steps: [lookAlike(`${nameOf(usd)}\n`, usd.contractId(NETWORK))] },
  'an issuer whose checksum is wrong': {
    steps: [
      lookAlike(`USD:${issuer.slice(0, -1)}${issuer.endsWith('A') ? 'B' : 'A'}`, usd.contractId(NETWORK)),
    ],
  },
  'a name that is no text': {
    steps: [
      forged({
        topics: [
          symbol('transfer'),
          address(payer),
          address(wallet),
          xdr.ScVal.scvString(Buffer.from([0xff])),
        ],
      }),
    ],
  },
  'a token that names no asset (SEP-41)': {
    steps: [forged({ topics: [symbol('transfer'), address(payer), address(wallet)] })],
  },
  'an event of no contract': {
    steps: [
      call([
        new xdr.ContractEvent({
          ext: xdr.ExtensionPoint.v0(),
          contractId: null,
          type: xdr.ContractEventType.contract,
          body: transferEvent(payer, wallet, 5n).body,
        }),
      ]),
    ],
  },
  // poison of foreign contracts says as little, and stops nothing
  'a foreign transfer with an empty map': { steps: [forged({ data: xdr.ScVal.scvMap([]) })] },
  'a foreign transfer with no map': { steps: [forged({ data: xdr.ScVal.scvMap(null) })] },
  'a foreign transfer with a muxed id that is a map': { steps: [forged({ data: toMuxed(5n, map({})) })] },
  'a foreign transfer with no topics but its name': { steps: [forged({ topics: [symbol('transfer')] })] },
  'a foreign transfer to M…': {
    steps: [forged({ topics: [symbol('transfer'), address(payer), address(muxedAddress(wallet, 7n))] })],
  },
  'a foreign transfer to a pool': {
    steps: [
      forged({
        topics: [symbol('transfer'), address(wallet), address(StrKey.encodeLiquidityPool(Buffer.alloc(32)))],
      }),
    ],
  },
  'a foreign event with no topics at all': { steps: [forged({ topics: [], data: address(wallet) })] },
};

for (const [name, made] of Object.entries(nothing)) {
  test(`never credited: ${name}`, () => {
    const credits = creditsOf(NETWORK, ledgerTransaction(made));
    assert.deepEqual(
      credits.filter(({ account }) => account === wallet),
      [],
    );
  });
}

/** What an asset's own contract never wrote, or no ledger ever held: nothing can be said, and a person has to look. */
const refused: Record<string, LedgerTransaction> = {
  'a negative amount': ledgerTransaction({ steps: [garbled(i128(-5n))] }),
  'an amount beyond int64': ledgerTransaction({ steps: [garbled(i128(2n ** 63n))] }),
  'the smallest i128': ledgerTransaction({ steps: [garbled(i128(-(2n ** 127n)))] }),
  'an amount that is no i128': ledgerTransaction({ steps: [garbled(u64(5n))] }),
  'an empty map for an amount': ledgerTransaction({ steps: [garbled(xdr.ScVal.scvMap([]))] }),
  'no map for an amount': ledgerTransaction({ steps: [garbled(xdr.ScVal.scvMap(null))] }),
  'a map without a muxed id': ledgerTransaction({ steps: [garbled(map({ amount: i128(5n) }))] }),
  'a map without an amount': ledgerTransaction({ steps: [garbled(map({ to_muxed_id: u64(5n) }))] }),
  'a map with one field more': ledgerTransaction({
    steps: [garbled(map({ amount: i128(5n), more: u64(5n), to_muxed_id: u64(5n) }))],
  }),
  'a map with a field twice': ledgerTransaction({
    steps: [
      garbled(
        xdr.ScVal.scvMap(
          ['amount', 'amount', 'to_muxed_id'].map(
            (name) => new xdr.ScMapEntry({ key: symbol(name), val: name === 'amount' ? i128(5n) : u64(5n) }),
          ),
        ),
      ),
    ],
  }),
  'a transfer whose topics name M…': ledgerTransaction({
    steps: [
      forged({
        topics: [symbol('transfer'), address(payer), address(muxedAddress(wallet, 7n)), text('native')],
        contract: native,
      }),
    ],
  }),
  'a muxed id that is an i128': ledgerTransaction({ steps: [garbled(toMuxed(5n, i128(7n)))] }),
  'a muxed id that is a boolean': ledgerTransaction({
    steps: [garbled(toMuxed(5n, xdr.ScVal.scvBool(true)))],
  }),
  'a transfer with a topic more than is known': ledgerTransaction({
    steps: [
      forged({
        topics: [symbol('transfer'), address(payer), address(wallet), text('native'), u64(1n)],
        contract: native,
      }),
    ],
  }),
  'a mint of the native asset': ledgerTransaction({ steps: [call([mintEvent(wallet, 5n, Asset.native())])] }),
  ...contradictions(),
};

/** Envelope, result and meta of transactions that are not one. */
function contradictions(): Record<string, LedgerTransaction> {
  const paid = ledgerTransaction({ steps: [pay(wallet, 5n)] });
  const called = ledgerTransaction({ steps: [call([transferEvent(payer, wallet, 5n)])] });
  const more = ledgerTransaction({ steps: [call([transferEvent(payer, wallet, 500n)])] });
  const none = ledgerTransaction({ steps: [call([])] });
  const sent = { steps: [strictSend(wallet, 5n)] };
  const replaced = (step: Step, made: Step) =>
    ledgerTransaction({ steps: [{ ...step, result: made.result }] });
  return {
    'events that do not hash to the result': { ...called, meta: more.meta },
    'events that were left out': { ...called, meta: none.meta },
    'events that were put in': { ...none, meta: called.meta },
    'a meta with events outside the operation': { ...called, meta: paid.meta },
    'a meta that is cut': { ...called, meta: called.meta?.subarray(0, -4) ?? null },
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

for (const [name, transaction] of Object.entries(refused)) {
  test(`never credited, and never passed over: ${name}`, () => {
    assert.throws(() => creditsOf(NETWORK, transaction), Error);
  });
}

test('the same events by the contract of the asset that they name are credited', () => {
  const steps = [forged({ contract: native }), lookAlike(nameOf(usd), usd.contractId(NETWORK))];
  const credits = steps.flatMap((step) => creditsOf(NETWORK, ledgerTransaction({ steps: [step] })));
  assert.deepEqual(
    credits.map(({ account, asset_code, amount_stroops }) => [account, asset_code, amount_stroops]),
    [
      [wallet, 'native', 5n],
      [wallet, 'USD', 5n],
    ],
  );
});

test('never credited: what a transaction, a diagnosis or an operation without effect says in the meta', () => {
  const { meta, ...transaction } = ledgerTransaction({ steps: [pay(other, 1n)] });
  const decoded = xdr.TransactionMeta.fromXdr(meta as Buffer);
  assert(decoded.type === 'v4');
  const event = transferEvent(payer, wallet, 5n);
  const { after } = { after: xdr.TransactionEventStage.transactionEventStageAfterTx };
  const told = new xdr.TransactionMetaV4({
    ...decoded.v4,
    events: [new xdr.TransactionEvent({ stage: after, event })],
    operations: [new xdr.OperationMetaV2({ ext: xdr.ExtensionPoint.v0(), changes: [], events: [event] })],
    diagnosticEvents: [new xdr.DiagnosticEvent({ inSuccessfulContractCall: true, event })],
  });
  const credits = creditsOf(NETWORK, {
    ...transaction,
    meta: Buffer.from(xdr.TransactionMeta.v4(told).toXdr()),
  });
  assert.deepEqual(
    credits.map(({ account }) => account),
    [other],
  );
});
