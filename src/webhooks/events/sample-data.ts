/**
 * The `data` of test events: all fields of the real resource, with values that cannot exist: an account of the all-zero key, a
 * hash of zeros, ids that end in `_sample`. A receiver cannot book them.
 */
import type { EventType, TestEvent } from '../store/event-types.ts';

export type SampleOf = { wallet_id: string; endpoint_id: string; now: Date };

/** Makes the data of a test event of this type. */
export function sampleData(type: TestEvent, { wallet_id, endpoint_id, now }: SampleOf): object {
  const at = now.toISOString();
  if (type === 'ping') return { webhook_id: endpoint_id, created_at: at };
  if (type === 'deposit.test') return SAMPLES['deposit.created'](wallet_id, at);
  return SAMPLES[type.slice(0, -'.test'.length) as EventType](wallet_id, at);
}

const NO_ACCOUNT = 'GAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAWHF';
const NO_HASH = '0'.repeat(64);
const AMOUNT_STROOPS = 10_000_000n;
const NATIVE = { asset_code: 'native', asset_issuer: null };
const ISSUED = { asset_code: 'SAMPLE', asset_issuer: NO_ACCOUNT };

const SAMPLES: Record<EventType, (wallet_id: string, at: string) => object> = {
  'deposit.created': (wallet_id, at) => ({
    ...deposit(wallet_id, at),
    ...{ address_id: 'adr_sample', attributed: true, metadata: { sample: true } },
  }),
  'deposit.unattributed': (wallet_id, at) => ({
    ...deposit(wallet_id, at),
    ...{ address_id: null, attributed: false, metadata: null },
  }),
  'withdrawal.confirmed': (wallet_id, at) => ({
    ...withdrawal(wallet_id, at),
    ...{ status: 'confirmed', stellar_tx_hash: NO_HASH, inner_tx_hash: NO_HASH, ledger: 1 },
    ...{
      fee_stroops: 100n,
      fee_paid_by: 'wallet',
      signed_at: at,
      committed_at: at,
      expires_at: at,
      settled_at: at,
    },
  }),
  'withdrawal.failed': (wallet_id, at) => ({
    ...withdrawal(wallet_id, at),
    ...{ status: 'failed', failure: { code: 'op_underfunded', message: 'A sample: nothing was paid.' } },
    ...{
      stellar_tx_hash: NO_HASH,
      inner_tx_hash: NO_HASH,
      ledger: 1,
      fee_stroops: 100n,
      fee_paid_by: 'wallet',
    },
    ...{ signed_at: at, committed_at: at, expires_at: at, settled_at: at },
  }),
  'withdrawal.awaiting_approval': (wallet_id, at) => ({
    ...withdrawal(wallet_id, at),
    ...{ status: 'awaiting_approval', approvals_required: 1, order_hash: NO_HASH, approval_expires_at: at },
  }),
  'payout.completed': (wallet_id, at) => ({
    ...{ id: 'pay_sample', wallet_id, name: 'Sample', status: 'completed', reason: null, retry_of: null },
    ...{ row_count: 1, counts: { waiting: 0, pending: 0, confirmed: 1, failed: 0, cancelled: 0 } },
    totals: [
      {
        ...{ ...NATIVE, amount_stroops: AMOUNT_STROOPS },
        ...{ confirmed_stroops: AMOUNT_STROOPS, failed_stroops: 0n },
      },
    ],
    ...{ rows_hash: NO_HASH, created_by: 'usr_sample', created_at: at, started_at: at, settled_at: at },
    ...{ requested_by: 'usr_sample', approvals_required: 0, approvals: [], order_hash: null },
    approval_expires_at: null,
  }),
  'asset.changed': (_, at) => ({
    ...{ ...ISSUED, status: 'active', failure: null, clawback_enabled: false },
    issuer_flags: { auth_required: false, auth_revocable: false, clawback_enabled: false },
    ...{ home_domain: null, home_domain_check: null, verified: false, warning: null, created_at: at },
  }),
  'endpoint.disabled': (wallet_id, at) => ({
    ...{ id: 'whe_sample', wallet_id, url: 'https://receiver.example.com/sample', description: 'Sample' },
    ...{
      events: ['deposit.created'],
      enabled: false,
      disabled_reason: 'A sample: no endpoint was disabled.',
    },
    ...{ failing_since: at, created_by: { kind: 'user', id: 'usr_sample', name: 'Sample' }, created_at: at },
  }),
};

function deposit(wallet_id: string, at: string) {
  return {
    id: 'dep_sample',
    wallet_id,
    ...NATIVE,
    amount_stroops: AMOUNT_STROOPS,
    source_account: NO_ACCOUNT,
    source_account_muxed: null,
    stellar_tx_hash: NO_HASH,
    operation_index: 0,
    event_index: 0,
    kind: 'payment',
    memo_id: 1n,
    memo_type: 'id',
    memo: '1',
    ledger: 1,
    status: 'confirmed',
    assigned_by_hand: false,
    below_minimum: false,
    refund_withdrawal_id: null,
    created_at: at,
  };
}

function withdrawal(wallet_id: string, at: string) {
  return {
    id: 'wd_sample',
    wallet_id,
    stellar_tx_hash: null,
    inner_tx_hash: null,
    operation: 'payment',
    destination: NO_ACCOUNT,
    ...NATIVE,
    amount_stroops: AMOUNT_STROOPS,
    memo_id: null,
    ledger: null,
    fee_stroops: null,
    fee_paid_by: null,
    failure: null,
    idempotency_key: 'sample',
    refund_of: null,
    fee_bumps: 0,
    created_at: at,
    signed_at: null,
    committed_at: null,
    expires_at: null,
    settled_at: null,
    requested_by: 'usr_sample',
    approvals_required: 0,
    approvals: [],
    order_hash: null,
    approval_expires_at: null,
  };
}
