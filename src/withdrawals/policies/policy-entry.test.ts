import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { at, limitsFor, payeeEntry } from '../../../test/support/policies.ts';
import { stringify } from '../../http/exact-json.ts';
import { accountOf } from '../../stellar/address.ts';
import { APPROVED_KINDS } from './approval-rules.ts';
import { changed, type Policy, type PolicyState } from './policies.ts';
import { auditOfPolicy } from './policy-changes.ts';

test('the largest policy, with every change that it can have, has an entry below one megabyte', () => {
  const MOST = { assets: 100, destinations: 500 };
  const by = { delay_seconds: 48 * 3600, requested_by: 'x'.repeat(30), newId: () => 'x'.repeat(30) };
  const largest = (byte: number, amount_stroops: bigint): Policy => {
    const accounts = Array.from({ length: MOST.destinations }, (_, index) =>
      accountOf(Buffer.alloc(32, `${byte} ${index} `)),
    );
    const assets = accounts
      .slice(0, MOST.assets)
      .map((asset_issuer) => ({ asset_code: 'ABCDEFGHIJKL', asset_issuer }));
    return {
      frozen: byte === 1,
      limits: assets.map((asset) => limitsFor(asset, amount_stroops, amount_stroops)),
      destinations: accounts.map((account, index) =>
        payeeEntry(index, account, {
          memo_id: 2n ** 64n - 1n,
          asset: { asset_code: 'ABCDEFGHIJKL', asset_issuer: account },
        }),
      ),
      approvals: {
        required: 10 - byte,
        for: [...APPROVED_KINDS],
        without_factor: false,
        above: assets.map((asset) => ({ ...asset, amount_stroops })),
      },
    };
  };
  const LARGE = 2n ** 63n - 1n;
  const announced = [2, 3].reduce<PolicyState>(
    (state, byte) => changed(state, largest(byte, LARGE), { ...by, now: at(byte) }),
    { policy: largest(1, LARGE), pending: [] },
  );
  const next = changed(announced, largest(4, LARGE), { ...by, now: at(4) });
  assert.ok(next.pending.length > MOST.assets + MOST.destinations, `${next.pending.length}`);
  const entry = stringify({ before: auditOfPolicy(announced), after: auditOfPolicy(next) });
  assert.ok(entry.length < 1_000_000, `${entry.length}`);
});
