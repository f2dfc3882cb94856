import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import {
  ANNA,
  ANNA_7,
  ANNA_8,
  BERT,
  payeeEntry,
  SMART,
  SMART_7,
  USDC,
} from '../../../test/support/policies.ts';
import { NATIVE } from '../../stellar/asset.ts';
import { allowsPayment, covers, shownEntry } from './allowed-destinations.ts';

const allows = (entry: string, destination: string, memo_id: bigint | null = null, asset = NATIVE) =>
  allowsPayment([BERT, entry], { ...asset, destination, memo_id });

test('a payee without memo and asset allows its destination with any of them, and nothing else', () => {
  const entry = payeeEntry(1, ANNA);
  for (const memo_id of [null, 0n, 5n]) assert(allows(entry, ANNA, memo_id, USDC));
  for (const other of [ANNA_7, SMART]) assert(!allows(entry, other));
});

test('a payee with a memo is paid with that memo only', () => {
  const entry = payeeEntry(1, ANNA, { memo_id: 5n });
  assert(allows(entry, ANNA, 5n));
  for (const memo_id of [null, 0n, 50n]) assert(!allows(entry, ANNA, memo_id));
});

test('a payee with an asset is paid that asset only', () => {
  for (const [asset, other] of [[USDC, NATIVE] as const, [NATIVE, USDC] as const]) {
    const entry = payeeEntry(1, ANNA, { asset });
    assert(allows(entry, ANNA, null, asset));
    assert(!allows(entry, ANNA, null, other));
  }
});

test('an M… or W… payee is paid however the order writes it', () => {
  assert(allows(payeeEntry(1, ANNA_7), ANNA_7, 7n));
  assert(!allows(payeeEntry(1, ANNA_7), ANNA_8));
  assert(allows(payeeEntry(1, SMART_7), SMART, 7n));
  assert(!allows(payeeEntry(1, SMART_7), SMART));
});

test('an address covers the payees at it; a payee covers what is narrower, and no G… or C…', () => {
  const [any, memo, memo_and_asset] = [
    payeeEntry(1, ANNA),
    payeeEntry(2, ANNA, { memo_id: 5n }),
    payeeEntry(3, ANNA, { memo_id: 5n, asset: USDC }),
  ];
  for (const entry of [any, memo, memo_and_asset]) assert(covers([ANNA], entry) && !covers([BERT], entry));
  assert(covers([any], memo) && covers([memo], memo_and_asset) && covers([any], memo_and_asset));
  assert(!covers([memo], any) && !covers([memo_and_asset], memo));
  for (const whole of [ANNA, SMART]) assert(!covers([payeeEntry(1, whole)], whole));
  assert(
    covers([payeeEntry(1, ANNA_7)], ANNA_7) && !covers([payeeEntry(1, ANNA_7, { asset: USDC })], ANNA_7),
  );
});

test('callers see the id of a payee, or the address', () => {
  assert.equal(shownEntry(payeeEntry(1, ANNA, { memo_id: 5n })), `pye_${'1'.padStart(26, '0')}`);
  assert.equal(shownEntry(ANNA), ANNA);
});
