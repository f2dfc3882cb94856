import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { sampleData } from '../../api/reference/events.ts';
import { bodyOf } from '../events/enqueue.ts';
import { subjectOf } from './event-subject.ts';
import { EVENT_TYPES } from './event-types.ts';

const SAMPLE_FOR = { wallet_id: 'wal_1', endpoint_id: 'whe_1', at: '2026-01-15T00:00:00.000Z' };

test('every event tells of something with an id; a test event tells of nothing that exists', () => {
  const told = EVENT_TYPES.map((type) => {
    const data = sampleData(`${type}.test`, SAMPLE_FOR) as Record<string, unknown>;
    assert.equal(subjectOf(`${type}.test`, bodyOf(`${type}.test`, data)), null);
    const subject = subjectOf(type, bodyOf(type, data));
    assert(subject);
    const { asset_code = null, asset_issuer = null, amount_stroops = null, address_id = null } = data;
    const { id = `${asset_code}:${asset_issuer}` } = data;
    const { type: kind, name, ...rest } = subject;
    assert.deepEqual(rest, { id, asset_code, asset_issuer, amount_stroops, address_id });
    return [type, kind, name === null ? null : Object.keys(data).find((field) => data[field] === name)];
  });
  assert.deepEqual(told, [
    ['deposit.created', 'deposit', null],
    ['deposit.unattributed', 'deposit', null],
    ['withdrawal.confirmed', 'withdrawal', 'destination'],
    ['withdrawal.failed', 'withdrawal', 'destination'],
    ['withdrawal.awaiting_approval', 'withdrawal', 'destination'],
    ['payout.completed', 'payout', 'name'],
    ['asset.changed', 'asset', null],
    ['endpoint.disabled', 'endpoint', 'url'],
  ]);
  assert.equal(subjectOf('ping', bodyOf('ping', { webhook_id: 'whe_1' })), null);
});

test('an amount is exact, and a body that says less has fewer fields, or no subject', () => {
  const of = (data: unknown) => subjectOf('deposit.created', bodyOf('deposit.created', data as object));
  assert.equal(
    of({ id: 'dep_1', amount_stroops: 9223372036854775807n })?.amount_stroops,
    9223372036854775807n,
  );
  assert.equal(of({ id: 'dep_1', amount_stroops: 'a lot' })?.amount_stroops, null);
  assert.equal(of({ id: 'dep_1' })?.asset_code, null);
  const without_issuer = bodyOf('asset.changed', { asset_code: 'USD', asset_issuer: null });
  assert.equal(subjectOf('asset.changed', without_issuer), null);
  for (const data of [{}, { id: null }, { id: 7n }, [], 'text', null]) assert.equal(of(data), null);
});
