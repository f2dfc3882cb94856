import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { Asset, Operation, StrKey, xdr } from '@stellar/stellar-sdk';
import { creditsIn, issuer, other, wallet } from '../../../test/support/crediting.ts';
import {
  call,
  contractEvent,
  create,
  type Made,
  merge,
  mintEvent,
  pay,
  payer,
  type Step,
  sponsor,
  strictReceive,
  strictSend,
  symbol,
  text,
  toMuxed,
  transferEvent,
  u64,
} from '../../../test/support/paying.ts';
import { muxedAddress } from '../address.ts';
import { MetaMissing } from './contract-events.ts';
import type { Credit, CreditKind } from './credit.ts';

const usd = new Asset('USDCOIN', issuer);
const contract = StrKey.encodeContract(Buffer.alloc(32, 7));

const hash = Buffer.alloc(32, 0xab);

const native = { asset_code: 'native', asset_issuer: null };
const issued = { asset_code: 'USDCOIN', asset_issuer: issuer };

type WayIn = {
  kind: CreditKind;
  /** Operations that pay these amounts to an address. */
  steps: (to: string, amounts: bigint[]) => Step[];
  expected: Partial<Credit>;
  /** create_account takes no M… address. */
  muxable?: false;
};

/** Data of a transfer event to this address. An M… address adds an id to the amount. */
function amountTo(to: string, stroops: bigint): xdr.ScVal | bigint {
  return to.startsWith('M') ? toMuxed(stroops, u64(MUXED_ID)) : stroops;
}

const MUXED_ID = 2n ** 64n - 1n;
const transfers = (from: string, asset?: Asset) => (to: string, amounts: bigint[]) => [
  call(
    amounts.map((amount) =>
      transferEvent(from, to.startsWith('M') ? wallet : to, amountTo(to, amount), asset),
    ),
  ),
];
const mints = (admin?: string) => (to: string, amounts: bigint[]) => [
  call(
    amounts.map((amount) => mintEvent(to.startsWith('M') ? wallet : to, amountTo(to, amount), usd, admin)),
  ),
];
const each = (step: (to: string, amount: bigint) => Step) => (to: string, amounts: bigint[]) =>
  amounts.map((amount) => step(to, amount));

const byPayer = { source_account: payer };
const waysIn: WayIn[] = [
  { kind: 'payment', steps: each(pay), expected: { ...native, ...byPayer } },
  { kind: 'payment', steps: each((to, amount) => pay(to, amount, usd)), expected: { ...issued, ...byPayer } },
  { kind: 'create_account', steps: each(create), expected: { ...native, ...byPayer }, muxable: false },
  { kind: 'path_payment_strict_send', steps: each(strictSend), expected: { ...native, ...byPayer } },
  {
    kind: 'path_payment_strict_send',
    steps: each((to, amount) => strictSend(to, amount, usd)),
    expected: { ...issued, ...byPayer },
  },
  { kind: 'path_payment_strict_receive', steps: each(strictReceive), expected: { ...native, ...byPayer } },
  {
    kind: 'path_payment_strict_receive',
    steps: each((to, amount) => strictReceive(to, amount, usd)),
    expected: { ...issued, ...byPayer },
  },
  {
    kind: 'account_merge',
    steps: each((to, amount) => merge(to, amount, other)),
    expected: { ...native, source_account: other },
  },
  { kind: 'contract_transfer', steps: transfers(payer), expected: { ...native, ...byPayer } },
  {
    kind: 'contract_transfer',
    steps: transfers(contract),
    expected: { ...native, source_account: contract },
  },
  {
    kind: 'contract_transfer',
    steps: transfers(contract, usd),
    expected: { ...issued, source_account: contract },
  },
  { kind: 'contract_mint', steps: mints(), expected: { ...issued, source_account: issuer } },
  { kind: 'contract_mint', steps: mints(issuer), expected: { ...issued, source_account: issuer } },
];

const memos: [xdr.Memo, Credit['memo']][] = [
  [xdr.Memo.memoNone(), { type: 'none', value: null }],
  [xdr.Memo.memoId(2n ** 64n - 1n), { type: 'id', value: '18446744073709551615' }],
  [xdr.Memo.memoText('007 é'), { type: 'text', value: '007 é' }],
  [xdr.Memo.memoHash(hash), { type: 'hash', value: hash.toString('base64') }],
  [xdr.Memo.memoReturn(hash), { type: 'return', value: hash.toString('base64') }],
];

for (const { kind, steps, expected, muxable } of waysIn) {
  const isCall = kind.startsWith('contract');
  const forms = isCall ? (['plain', 'fee_bump'] as const) : (['plain', 'v0', 'fee_bump'] as const);
  const name = `${kind} of ${expected.asset_code} from ${expected.source_account?.[0]}…`;
  test(`${name} credits what was moved, in every form, to G… and M…, with every memo, once and 100 times`, () => {
    for (const form of forms) {
      for (const to of muxable === false ? [wallet] : [wallet, muxedAddress(wallet, MUXED_ID)]) {
        for (const [memo, told] of memos) {
          for (const count of [1, 100]) {
            const amounts = Array.from({ length: count }, (_, index) => 2n ** 63n - 1n - BigInt(index));
            const credits = creditsIn({ steps: steps(to, amounts), memo, form });
            assert.deepEqual(
              credits,
              amounts.map((amount_stroops, index) => ({
                account: wallet,
                amount_stroops,
                kind,
                ...expected,
                source_account_muxed: null,
                muxed_id: to === wallet ? null : MUXED_ID,
                memo: told,
                operation_index: isCall ? 0 : index,
                event_index: isCall ? index : 0,
              })),
            );
          }
        }
      }
    }
  });
}

test('operations that pay nobody are counted too: an index is the operation’s place in its transaction', () => {
  const bump = {
    operation: Operation.bumpSequence({ bumpTo: '5' }),
    result: xdr.OperationResultTr.bumpSequence(xdr.BumpSequenceResult.bumpSequenceSuccess()),
  };
  const steps = [bump, pay(wallet, 1n), create(other, 0n), pay(other, 2n), bump, merge(wallet, 3n, other)];
  assert.deepEqual(
    creditsIn({ steps }).map(({ account, operation_index }) => [account, operation_index]),
    [
      [wallet, 1],
      [other, 3],
      [wallet, 5],
    ],
  );
});

test('an event’s index is its place among all events of its operation, events of other contracts included', () => {
  const foreign = contractEvent({ topics: [symbol('swap')], data: text('x'), contract });
  const system = contractEvent({
    topics: [symbol('executable_update')],
    data: text('x'),
    contract,
    type: xdr.ContractEventType.system,
  });
  const events = [foreign, transferEvent(payer, contract, 5n), transferEvent(contract, wallet, 4n), system];
  const [credit, ...more] = creditsIn({ steps: [call([...events, transferEvent(contract, other, 1n)])] });
  assert.equal(credit?.event_index, 2);
  assert.deepEqual(
    more.map(({ account, event_index }) => [account, event_index]),
    [[other, 4]],
  );
});

test('a transfer from contract to contract is no credit, even with an amount that no account could hold', () => {
  assert.deepEqual(creditsIn({ steps: [call([transferEvent(payer, contract, 2n ** 100n)])] }), []);
});

test('the source is that of the paying operation as G…, else that of the transaction, never the fee source', () => {
  const muxed = muxedAddress(other, 5n);
  const sources = (made: Made) => creditsIn(made).map(({ source_account }) => source_account);
  const steps = [pay(wallet, 1n, Asset.native(), muxed), pay(wallet, 1n)];
  assert.deepEqual(sources({ steps, source: muxedAddress(payer, 9n) }), [other, payer]);
  assert.deepEqual(sources({ steps, form: 'fee_bump', fee_source: sponsor }), [other, payer]);
});

test('a muxed source is given too, as M…, for every kind of operation, and never for a contract’s event', () => {
  const [from_operation, source] = [muxedAddress(other, 2n ** 64n - 1n), muxedAddress(payer, 0n)];
  const muxedSources = (made: Made) =>
    creditsIn(made).map(({ source_account_muxed }) => source_account_muxed);
  const steps = [pay(wallet, 1n, Asset.native(), from_operation), pay(wallet, 1n)];
  assert.deepEqual(muxedSources({ steps, source }), [from_operation, source]);
  assert.deepEqual(muxedSources({ steps, form: 'fee_bump', fee_source: source }), [from_operation, null]);
  for (const step of [
    create(wallet, 1n),
    strictSend(wallet, 1n),
    strictReceive(wallet, 1n),
    merge(wallet, 1n),
  ]) {
    assert.deepEqual(muxedSources({ steps: [step], source }), [source]);
  }
  assert.deepEqual(muxedSources({ steps: [call([transferEvent(payer, wallet, 6n)])], source }), [null]);
});

test('a payment to oneself is a credit', () => {
  const steps = [pay(wallet, 5n, Asset.native(), wallet), call([transferEvent(wallet, wallet, 6n)])];
  const amounts = steps.map((step) =>
    creditsIn({ steps: [step] }).map(({ amount_stroops }) => amount_stroops),
  );
  assert.deepEqual(amounts, [[5n], [6n]]);
});

test('a to_muxed_id of text or bytes is no id, and its transfer is still a credit', () => {
  for (const id of [text('42'), xdr.ScVal.scvBytes(hash)]) {
    const [credit] = creditsIn({ steps: [call([transferEvent(payer, wallet, toMuxed(9n, id))])] });
    assert.equal(credit?.amount_stroops, 9n);
    assert.equal(credit?.muxed_id, null);
  }
});

test('a memo text that PostgreSQL cannot store is given as bytes, never as digits', () => {
  const memoOf = (bytes: Buffer) =>
    creditsIn({ steps: [pay(wallet, 1n)], memo: xdr.Memo.memoText(bytes) })[0]?.memo;
  const digitsInBase64 = Buffer.from('1234', 'base64');
  assert.deepEqual(memoOf(digitsInBase64), { type: 'text', value: 'base64:1234' });
  assert.deepEqual(memoOf(Buffer.from('42\0')), { type: 'text', value: 'base64:NDIA' });
  assert.deepEqual(memoOf(Buffer.from('\ufeff42')), { type: 'text', value: '\ufeff42' });
  assert.deepEqual(memoOf(Buffer.alloc(0)), { type: 'text', value: '' });
});

test('events are read from metas before protocol 23 too', () => {
  const steps = [call([transferEvent(payer, wallet, 3n)])];
  assert.deepEqual(creditsIn({ steps, meta: 'v3' }), creditsIn({ steps }));
});

test('a contract call without its meta is distinguished from one that pays nobody', () => {
  const steps = [call([])];
  assert.throws(() => creditsIn({ steps, meta: null }), MetaMissing);
  assert.deepEqual(creditsIn({ steps }), []);
  assert.deepEqual(
    creditsIn({ steps: [pay(wallet, 1n)], meta: null }).length,
    1,
    'classic operations need none',
  );
});
