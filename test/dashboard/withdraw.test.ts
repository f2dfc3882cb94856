import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { Keypair } from '@stellar/stellar-sdk';
import type { Payee, WithdrawalPreview } from '../../dashboard/src/api/contract.ts';
import { toDestination, toPayee } from '../../dashboard/src/pages/withdraw/recipient.ts';
import {
  EMPTY_INPUT,
  isSamePayment,
  parseInput,
  type WithdrawalInput,
} from '../../dashboard/src/pages/withdraw/withdrawal-input.ts';
import { muxedAddress } from '../../src/stellar/address.ts';

const stored = new Map<string, string>();
Object.assign(globalThis, {
  sessionStorage: {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => stored.set(name, value),
  },
});
const { ApiError } = await import('../../dashboard/src/api/client.ts');
const { isRefusal } = await import('../../dashboard/src/pages/withdraw/refusals.ts');
const { changeDraft, draftOf, leaveShown, startAnother } = await import(
  '../../dashboard/src/pages/withdraw/draft.ts'
);

const { isImpossible } = await import('../../dashboard/src/pages/withdraw/impossible.ts');
const { paymentSum } = await import('../../dashboard/src/pages/withdraw/payment-sum.ts');

const ACCOUNT = Keypair.random().publicKey();
const ID = 2n ** 64n - 1n;

test('typed values become an exact request; surrounding spaces are ignored', () => {
  const read = parseInput({
    destination: ` ${ACCOUNT} `,
    amount: ' 900000000000.0000001',
    memo_id: ` ${ID} `,
  });
  assert.deepEqual(read.request, {
    destination: ACCOUNT,
    amount_stroops: 9_000_000_000_000_000_001n,
    memo_id: ID,
  });
});

test('the asset that a payee filled in goes with it, and the amount with the asset; what the user chose stays', () => {
  const usdc = { asset_code: 'USDC', asset_issuer: ACCOUNT };
  const payee = (asset: Pick<Payee, 'asset_code' | 'asset_issuer'>, memo_id: bigint | null = null) =>
    ({ destination: ACCOUNT, memo_id, ...asset }) as Payee;
  const any = payee({ asset_code: null, asset_issuer: null });
  const pinned = payee(usdc, 5n);
  const USDC = `USDC:${ACCOUNT}`;
  type Change = (now: WithdrawalInput) => Partial<WithdrawalInput>;
  const then = (typed: WithdrawalInput, ...changes: Change[]) => {
    let now = typed;
    for (const change of changes) now = { ...now, ...change(now) };
    return now;
  };
  const paste = (now: WithdrawalInput) => toDestination(now, 'G', now.memo_id === '5');
  const start = { ...EMPTY_INPUT, asset: 'EURC:G', amount: '7' };

  const named = then(start, (now) => toPayee(now, pinned));
  assert.deepEqual([named.asset, named.memo_id, named.amount], [USDC, '5', '']);
  assert.equal(then({ ...named, amount: '8' }, paste).amount, '', 'eight dollars are no eight euros');
  assert.equal(then(start, paste, (now) => toPayee(now, any)).amount, '7');
  assert.deepEqual(
    [paste, ((now) => toPayee(now, any)) as Change].map((change) => {
      const { asset, memo_id } = then(named, change);
      return [asset, memo_id];
    }),
    [
      ['EURC:G', ''],
      ['EURC:G', ''],
    ],
  );
  assert.equal(
    then(named, (now) => toPayee(now, payee({ ...usdc, asset_code: 'X' })), paste).asset,
    'EURC:G',
  );
  assert.equal(then({ ...named, asset: 'native', own_asset: undefined }, paste).asset, 'native');
  assert.equal(then({ ...start, asset: USDC }, (now) => toPayee(now, pinned), paste).asset, USDC);
});

test('an empty memo id is left out of the request', () => {
  const { request } = parseInput({ ...EMPTY_INPUT, destination: ACCOUNT, amount: '1' });
  assert.deepEqual(request, { destination: ACCOUNT, amount_stroops: 10_000_000n });
});

test('a memo id that contradicts the M… address is refused; the same id is accepted', () => {
  const destination = muxedAddress(ACCOUNT, ID);
  const other = parseInput({ destination, amount: '1', memo_id: '7' });
  assert.equal(other.request, null);
  assert.match(other.problems.memo_id ?? '', new RegExp(`contradicts.* ${ID}`));
  assert.equal(parseInput({ destination, amount: '1', memo_id: String(ID) }).request?.memo_id, ID);
});

test('a memo id must be a uint64 in digits', () => {
  for (const memo_id of ['-1', '1.0', '1e3', '007', 'invoice 7', String(ID + 1n)]) {
    const { request, problems } = parseInput({ destination: ACCOUNT, amount: '1', memo_id });
    assert.equal(request, null, memo_id);
    assert.match(problems.memo_id ?? '', /^A memo id is/);
  }
});

test('a reference is one line of at most 100 characters, of which an emoji is one; an empty one is left out', () => {
  const read = (reference: string) =>
    parseInput({ ...EMPTY_INPUT, destination: ACCOUNT, amount: '1', reference });
  assert.equal(read(' Order 4711 ').request?.reference, 'Order 4711');
  assert.equal(read('🧾'.repeat(100)).request?.reference, '🧾'.repeat(100));
  assert.equal(Object.hasOwn(read('  ').request ?? {}, 'reference'), false);
  for (const wrong of ['x'.repeat(101), '🧾'.repeat(101), 'two\tparts', 'two\nlines', 'a\u0000b']) {
    assert.equal(read(wrong).request, null, wrong);
    assert.match(read(wrong).problems.reference ?? '', /^A reference/);
  }
});

test('two payments are the same if destination, amount and memo id are', () => {
  const payment = { destination: ACCOUNT, amount_stroops: 5n };
  assert(isSamePayment(payment, { ...payment, memo_id: null }));
  assert(!isSamePayment(payment, { ...payment, memo_id: 0n }));
  assert(!isSamePayment(payment, { ...payment, amount_stroops: 6n }));
});

test('an M… address equals its account with its id as memo id; another id is another payment', () => {
  const muxed = { destination: muxedAddress(ACCOUNT, 7n), amount_stroops: 5n };
  assert(isSamePayment(muxed, { destination: ACCOUNT, amount_stroops: 5n, memo_id: 7n }));
  assert(isSamePayment(muxed, { ...muxed, memo_id: 7n }));
  assert(!isSamePayment(muxed, { destination: ACCOUNT, amount_stroops: 5n, memo_id: 8n }));
  assert(!isSamePayment(muxed, { destination: ACCOUNT, amount_stroops: 5n, memo_id: null }));
});

test('only a refusal by the service is a refusal; every other error leaves the outcome open', () => {
  const answered = (status: number, code: string) => new ApiError({ status, code, message: '' });
  for (const [status, code] of [
    [400, 'memo_required'],
    [401, 'unauthenticated'],
    [404, 'not_found'],
    [422, 'policy_frozen'],
    [503, 'network_unavailable'],
  ] as const)
    assert(isRefusal(answered(status, code)), code);
  for (const [status, code] of [
    [0, 'unreachable'],
    [409, 'idempotency_key_in_flight'],
    [500, 'internal_error'],
    [502, 'unreadable'],
    [503, 'unreadable'],
    [504, 'outcome_pending'],
  ] as const)
    assert(!isRefusal(answered(status, code)), `${status} ${code}`);
  assert(!isRefusal(new Error('anything else')));
});

test('a form keeps its key, whatever is typed, sent or refused; each wallet has its own', () => {
  const { key } = draftOf('wal_1');
  changeDraft('wal_1', { typed: { ...EMPTY_INPUT, amount: '5' } });
  changeDraft('wal_1', { state: 'sent' });
  changeDraft('wal_1', { state: 'reopened' });
  changeDraft('wal_1', { typed: { ...EMPTY_INPUT, amount: '6' } });
  assert.equal(draftOf('wal_1').key, key);
  assert.notEqual(draftOf('wal_2').key, key);
  startAnother('wal_1');
  assert.notEqual(draftOf('wal_1').key, key);
  assert.deepEqual(draftOf('wal_1').typed, EMPTY_INPUT);
});

test('the key is stored with the form before anything is sent', () => {
  const { key } = draftOf('wal_3');
  const typed = { destination: ACCOUNT, amount: '5', memo_id: '' };
  changeDraft('wal_3', { typed });
  changeDraft('wal_3', { state: 'sent' });
  assert.deepEqual(JSON.parse([...stored.values()].at(-1) ?? ''), { key, typed, state: 'sent', lost: false });
});

test('a secret seed pasted as the destination is not stored', () => {
  const seed = Keypair.random().secret();
  changeDraft('wal_4', { typed: { ...EMPTY_INPUT, destination: seed } });
  assert.equal(draftOf('wal_4').typed.destination, seed);
  assert(![...stored.values()].some((text) => text.includes(seed)));
});

test('the figures beside a payment add up, whoever pays the fee', () => {
  const preview = {
    available_stroops: 1_000n,
    balance_after_stroops: 2_000n,
    fee_max_stroops: 100n,
    fee_paid_by: 'wallet',
    asset_issuer: null,
  } as WithdrawalPreview;
  const sumOf = (amount_stroops: bigint, more: Partial<WithdrawalPreview> = {}) =>
    paymentSum({ amount_stroops }, { ...preview, ...more }).map(({ stroops }) => stroops);
  const cases: [figures: (bigint | null)[], expected: (bigint | null)[]][] = [
    [sumOf(300n), [1_000n, -300n, -100n, 600n]],
    [sumOf(950n), [1_000n, -950n, -50n, 0n]],
    [sumOf(300n, { fee_paid_by: 'treasury' }), [1_000n, -300n, 700n]],
    [sumOf(300n, { asset_issuer: ACCOUNT }), [1_000n, -300n, 700n]],
    [sumOf(300n, { balance_after_stroops: null }), [1_000n, -300n, -100n, null]],
    [sumOf(2_000n), [1_000n, -2_000n, -100n, null]],
  ];
  for (const [figures, expected] of cases) {
    assert.deepEqual(figures, expected);
    const parts = figures.slice(0, -1).map((each) => each ?? 0n);
    if (figures.at(-1) !== null)
      assert.equal(
        parts.reduce((sum, each) => sum + each, 0n),
        figures.at(-1),
      );
  }
});

test('what cannot be paid now cannot be sent; what depends on an issuer or a payee can', () => {
  const preview = (would_send: boolean, ...codes: string[]) =>
    ({ would_send, problems: codes.map((code) => ({ code, message: '' })) }) as WithdrawalPreview;
  assert.ok(isImpossible(preview(false, 'policy_frozen')));
  assert.ok(isImpossible(preview(true, 'op_underfunded')));
  assert.ok(isImpossible(preview(true, 'op_no_trust', 'op_no_destination')));
  for (const code of ['op_no_trust', 'op_line_full', 'op_not_authorized', 'op_src_not_authorized'])
    assert.ok(!isImpossible(preview(true, code)), code);
  assert.ok(!isImpossible(preview(true)));
});

test('a page that opens leaves a withdrawal whose outcome was shown, and remembers it; any other stays', () => {
  changeDraft('shown', { state: 'sent' });
  const { key } = draftOf('shown');
  leaveShown('shown');
  assert.equal(draftOf('shown').key, key, 'its outcome was not shown yet');
  changeDraft('shown', { shown: 'wd_1' });
  leaveShown('shown');
  const next = draftOf('shown');
  assert.notEqual(next.key, key);
  assert.deepEqual([next.state, next.last, next.shown], ['new', 'wd_1', undefined]);
  leaveShown('shown');
  assert.equal(draftOf('shown').key, next.key);
});
