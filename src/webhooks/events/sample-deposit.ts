/** All fields of a deposit, with values that cannot exist: the account of the all-zero key, a hash of zeros. */
export function sampleDeposit(wallet_id: string, now: Date) {
  return {
    id: 'dep_sample',
    wallet_id,
    address_id: 'adr_sample',
    asset_code: 'native',
    asset_issuer: null,
    amount_stroops: 10_000_000n,
    source_account: 'GAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAWHF',
    source_account_muxed: null,
    stellar_tx_hash: '0'.repeat(64),
    operation_index: 0,
    event_index: 0,
    kind: 'payment',
    memo_id: 1n,
    memo_type: 'id',
    memo: '1',
    ledger: 1,
    status: 'confirmed',
    attributed: true,
    assigned_by_hand: false,
    below_minimum: false,
    refund_withdrawal_id: null,
    metadata: { sample: true },
    created_at: now.toISOString(),
  };
}
