import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { sampleOf } from '../../../test/support/metrics-text.ts';
import { createMetrics } from '../../lib/metrics.ts';
import { NO_TRACES } from '../../lib/traces.ts';
import { expiredRow } from '../engine/outcome.ts';
import type { Withdrawal } from '../engine/store.ts';
import { reportOutcomes } from './report-outcomes.ts';

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1000);
const signed = {
  id: 'wd_1',
  wallet_id: 'wal_1',
  operation: 'payment',
  status: 'signed',
  amount_stroops: 2n ** 62n,
  asset_code: 'native',
  asset_issuer: null,
  destination: 'G1',
  idempotency_key: 'a key',
  envelope_xdr: 'an envelope',
  stellar_tx_hash: 'ab',
  ledger: null,
  approvals: [{ comment: 'private' }],
  fee_charged_stroops: null,
  fee_paid_by: null,
  failure_code: null,
  created_at: at(0),
  approved_at: null,
} as unknown as Withdrawal;

test('the line of an expired withdrawal has its reason, and neither its envelope nor its key', async () => {
  const lines: string[] = [];
  const log = pino({ base: null }, { write: (line: string) => lines.push(line) });
  const metrics = createMetrics();
  reportOutcomes({ log, metrics, traces: NO_TRACES }, [expiredRow(signed, at(40))], null);
  assert.equal(lines.length, 1);
  const { time: _, level: __, ...line } = JSON.parse(lines[0] ?? '');
  assert.deepEqual(line, {
    msg: 'withdrawal failed',
    withdrawal_id: 'wd_1',
    wallet_id: 'wal_1',
    operation: 'payment',
    asset_code: 'native',
    asset_issuer: null,
    destination: 'G1',
    amount_stroops: '4611686018427387904',
    failure_code: 'expired',
    ledger: null,
    stellar_tx_hash: 'ab',
    fee_paid_by: null,
    fee_charged_stroops: null,
  });
  const text = await metrics.registry.metrics();
  assert.equal(sampleOf(text, 'teller_withdrawal_outcomes_total', { outcome: 'expired' }), 1);
  assert.equal(sampleOf(text, 'teller_withdrawal_failures_total', { reason: 'expired' }), 1);
  assert.equal(sampleOf(text, 'teller_withdrawal_proof_seconds_count'), 0);
});

test('the ledgers that a withdrawal has needed are counted from its signature', async () => {
  const metrics = createMetrics();
  const log = pino({ level: 'silent' });
  const confirmed = { ...signed, status: 'confirmed' as const, settled_at: at(100) };
  const rows = [
    { ...confirmed, signed_ledger: 100, ledger: 101 },
    { ...confirmed, signed_ledger: 100, ledger: 103 },
    { ...confirmed, signed_ledger: null, ledger: 103 },
    { ...expiredRow(confirmed, at(100)), signed_ledger: 100, ledger: null },
  ];
  reportOutcomes({ log, metrics, traces: NO_TRACES }, rows, null);
  const text = await metrics.registry.metrics();
  assert.equal(sampleOf(text, 'teller_withdrawal_ledgers_count'), 2);
  assert.equal(sampleOf(text, 'teller_withdrawal_ledgers_bucket', { le: '2' }), 1);
});

test('the time to proof begins with the last approval, and that of a row of a payout with its claim', async () => {
  const metrics = createMetrics();
  const log = pino({ level: 'silent' });
  const confirmed = { ...signed, status: 'confirmed' as const, settled_at: at(100) };
  const rows = [
    { ...confirmed, created_at: at(0), approved_at: at(95) },
    { ...confirmed, created_at: at(93), approved_at: at(0) },
  ];
  reportOutcomes({ log, metrics, traces: NO_TRACES }, rows, null);
  const text = await metrics.registry.metrics();
  assert.equal(sampleOf(text, 'teller_withdrawal_proof_seconds_sum'), 5 + 7);
});
