import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Credit, Memo } from '../../stellar/credits/credit.ts';
import {
  addressKey,
  attribute,
  keysToLookUp,
  type LedgerCredit,
  type WalletsByAccount,
} from './attribute.ts';

const UINT64_MAX = 2n ** 64n - 1n;
const none: Memo = { type: 'none', value: null };

function credit(parts: Partial<Credit> = {}): LedgerCredit {
  return {
    account: 'GWALLET',
    asset_code: 'native',
    asset_issuer: null,
    amount_stroops: 5n,
    kind: 'payment',
    muxed_id: null,
    memo: none,
    source_account: 'GPAYER',
    source_account_muxed: null,
    operation_index: 0,
    event_index: 0,
    ledger: 7,
    hash: 'ab',
    ...parts,
  };
}

const wallets = (numeric_memo_text = false): WalletsByAccount =>
  new Map([['GWALLET', { id: 'wal_1', numeric_memo_text }]]);
const every = (memo_id: bigint) => new Map([[addressKey({ wallet_id: 'wal_1', memo_id }), `adr_${memo_id}`]]);

/** The id of the credit, and the address of a wallet that has an address with this id only. */
function attributed(parts: Partial<Credit>, options: { numeric_memo_text?: boolean; address?: bigint } = {}) {
  const known = wallets(options.numeric_memo_text);
  const [found] = attribute([credit(parts)], known, every(options.address ?? 7n));
  const [key] = keysToLookUp([credit(parts)], known);
  if (found?.address_id) assert.deepEqual(key, { wallet_id: 'wal_1', memo_id: found.memo_id });
  return { memo_id: found?.memo_id, address_id: found?.address_id };
}

const byId = { memo_id: 7n, address_id: 'adr_7' };

test('the muxed id counts, whatever the memo says; else MEMO_ID does', () => {
  const memos: Memo[] = [
    none,
    { type: 'id', value: '8' },
    { type: 'text', value: '8' },
    { type: 'hash', value: '' },
  ];
  for (const memo of memos) {
    for (const numeric_memo_text of [false, true])
      assert.deepEqual(attributed({ muxed_id: 7n, memo }, { numeric_memo_text }), byId);
  }
  assert.deepEqual(attributed({ memo: { type: 'id', value: '7' } }), byId);
});

test('an unknown muxed id does not fall back to the memo', () => {
  const memo: Memo = { type: 'id', value: '7' };
  assert.deepEqual(attributed({ muxed_id: 9n, memo }), { memo_id: 9n, address_id: null });
  assert.deepEqual(attributed({ muxed_id: 0n, memo }), { memo_id: 0n, address_id: null });
});

test('a memo text of digits counts only if the wallet’s setting is on', () => {
  const memo: Memo = { type: 'text', value: '7' };
  assert.deepEqual(attributed({ memo }), { memo_id: null, address_id: null });
  assert.deepEqual(attributed({ memo }, { numeric_memo_text: true }), byId);
});

test('a memo text counts only if it is written exactly as an id', () => {
  const others = [
    '',
    '07',
    '+7',
    '-7',
    ' 7',
    '7 ',
    '7\n',
    '7.0',
    '7e0',
    '0x7',
    '٧',
    '7\u200b',
    '\ufeff7',
    '1_000',
    'base64:7',
  ];
  for (const value of [...others, `${UINT64_MAX + 1n}`, '99999999999999999999', '1'.repeat(28)]) {
    const found = attributed({ memo: { type: 'text', value } }, { numeric_memo_text: true });
    assert.deepEqual(found, { memo_id: null, address_id: null }, JSON.stringify(value));
  }
});

test('a hash and a return hash are no ids, whatever they look like', () => {
  for (const type of ['hash', 'return'] as const) {
    const found = attributed({ memo: { type, value: '7' } }, { numeric_memo_text: true });
    assert.deepEqual(found, { memo_id: null, address_id: null });
  }
});

const id = fc.bigInt({ min: 0n, max: UINT64_MAX });

test('property: an id is exact over all 64 bits, as muxed id, memo id and memo text', () => {
  fc.assert(
    fc.property(id, (memo_id) => {
      const value = `${memo_id}`;
      const ways: Partial<Credit>[] = [
        { muxed_id: memo_id },
        { memo: { type: 'id', value } },
        { memo: { type: 'text', value } },
      ];
      // Addresses have ids from 1 to 2^53-1. Credits with other ids are recorded as unattributed.
      const isMintable = memo_id >= 1n && memo_id < 2n ** 53n;
      const address_id = isMintable ? `adr_${memo_id}` : null;
      for (const way of ways)
        assert.deepEqual(attributed(way, { numeric_memo_text: true, address: memo_id }), {
          memo_id,
          address_id,
        });
    }),
  );
});

test('property: an id is read from exactly one text', () => {
  const text = fc.oneof(
    fc.string({ maxLength: 28 }),
    fc.stringMatching(/^[ +\-0-9.]{0,28}$/),
    id.map(String),
  );
  fc.assert(
    fc.property(text, (value) => {
      const { memo_id } = attributed({ memo: { type: 'text', value } }, { numeric_memo_text: true });
      assert.ok(memo_id === null || `${memo_id}` === value);
      assert.equal(attributed({ memo: { type: 'text', value } }).memo_id, null);
    }),
  );
});

test('credits to accounts that are no wallets are dropped; those to wallets are all kept', () => {
  const credits = [credit(), credit({ account: 'GOTHER' }), credit({ operation_index: 1, muxed_id: 7n })];
  const found = attribute(credits, wallets(), every(7n));
  assert.deepEqual(
    found.map(({ operation_index, address_id, wallet_id }) => [operation_index, address_id, wallet_id]),
    [
      [0, null, 'wal_1'],
      [1, 'adr_7', 'wal_1'],
    ],
  );
});
