import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keptParts } from '../../dashboard/src/pages/overview/kept-parts.ts';

test('words say what keeps a part of a balance from being available', () => {
  const words = (asset_issuer: string | null, reserved_stroops: bigint, in_flight_stroops: bigint) =>
    keptParts({ asset_issuer, status: 'active', reserved_stroops, in_flight_stroops }).map(
      ({ stroops, words: each }) => `${stroops} ${each}`,
    );
  assert.deepEqual(words(null, 15n, 7n), [
    '15 reserved by the network',
    '7 in withdrawals without an outcome',
  ]);
  assert.deepEqual(words('GISSUER', 0n, 0n), []);
  assert.deepEqual(words('GISSUER', 3n, 0n), ['3 in open offers']);
});

test('of an asset that the wallet may not use, its status says why nothing is available, and no part does', () => {
  const kept = { asset_issuer: 'GISSUER', reserved_stroops: 5n, in_flight_stroops: 0n };
  assert.deepEqual(keptParts({ ...kept, status: 'maintain_liabilities' }), []);
});
