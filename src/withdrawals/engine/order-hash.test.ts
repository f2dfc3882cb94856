import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import type { Approval } from '../../approvals/approval.ts';
import { type ApprovedOrder, NotApproved, orderHash, requireApproved } from './order-hash.ts';

const ORDER: ApprovedOrder = {
  wallet_id: 'wal_1',
  wallet_account: 'G1',
  asset_code: 'native',
  asset_issuer: null,
  destination: 'G2',
  amount_stroops: 5n,
  memo_id: 7n,
  memo_return: null,
  idempotency_key: 'key',
  requested_by: 'usr_1',
  approval_expires_at: new Date('2026-01-02T00:00:00Z'),
};
const NETWORK = 'a network';
const hash = orderHash(NETWORK, ORDER);
const by = (user_id: string, order_hash = hash, decision: Approval['decision'] = 'approved'): Approval => {
  return { user_id, decision, comment: null, order_hash, at: '2026-01-01T00:00:00Z' };
};
const row = (approvals: Approval[], approvals_required = 2) => {
  return { ...ORDER, approvals_required, approvals, order_hash: hash };
};

test('the hash is another one for another network, and for another value of any field', () => {
  const others: Partial<ApprovedOrder>[] = [
    { wallet_id: 'wal_2' },
    { wallet_account: 'G3' },
    { asset_code: 'USDC', asset_issuer: 'G4' },
    { destination: 'G3' },
    { amount_stroops: 50n },
    { memo_id: null },
    { memo_id: 70n },
    { memo_return: 'ab' },
    { idempotency_key: 'key2' },
    { requested_by: 'usr_2' },
    { approval_expires_at: new Date('2026-01-03T00:00:00Z') },
  ];
  const hashes = others.map((other) => orderHash(NETWORK, { ...ORDER, ...other }));
  const all = new Set([hash, orderHash('another', ORDER), ...hashes]);
  assert.equal(all.size, others.length + 2);
});

test('text does not move from one field into the next', () => {
  const moved = { ...ORDER, destination: 'G2","x', idempotency_key: 'key' };
  assert.notEqual(orderHash(NETWORK, moved), hash);
});

test('a row passes with enough approvals of other members for exactly this order', () => {
  requireApproved(NETWORK, row([by('usr_2'), by('usr_3')]));
  for (const too_few of [
    [],
    [by('usr_2')],
    [by('usr_2'), by('usr_2')],
    [by('usr_2'), by('usr_1')],
    [by('usr_2'), by('usr_3', 'another hash')],
    [by('usr_2'), by('usr_3'), by('usr_4', hash, 'rejected')],
  ])
    assert.throws(() => requireApproved(NETWORK, row(too_few)), NotApproved);
});

test('a row that was changed after its approvals does not pass, also when it says that it needs none', () => {
  const approved = row([by('usr_2'), by('usr_3')]);
  assert.throws(() => requireApproved(NETWORK, { ...approved, amount_stroops: 500n }), NotApproved);
  assert.throws(() => requireApproved('another', approved), NotApproved);
  assert.throws(() => requireApproved(NETWORK, { ...approved, approvals_required: 0 }), NotApproved);
});

test('a row that needs no approvals passes', () => {
  requireApproved(NETWORK, { ...ORDER, approvals_required: 0, approvals: [], order_hash: null });
});
