/** Pure: an asset that moves to an account, by an operation or by an event of a contract. */

export type CreditKind =
  | 'payment'
  | 'create_account'
  | 'path_payment_strict_send'
  | 'path_payment_strict_receive'
  | 'account_merge'
  /** Of the Stellar Asset Contract, from an account or a contract. */
  | 'contract_transfer'
  | 'contract_mint';

/** It is a credit unless there is a `reasonForNone`. */
export type Movement = {
  account: string;
  asset_code: string;
  asset_issuer: string | null;
  amount_stroops: bigint;
  kind: CreditKind;
  /** Of the destination that was paid, when it was M…. */
  muxed_id: bigint | null;
  /**
   * Who paid: the operation's source as G…, muxed or not, else the inner transaction's, never a fee source; of a
   * contract's transfer its `from` (G… or C…), of a mint the issuer.
   */
  source_account: string;
  /** M… of the same, where that is what paid. Events name no muxed sender (CAP-67 has to_muxed_id alone). */
  source_account_muxed: string | null;
  event_index: number;
};

/**
 * Why what was moved is no credit; null when it is one. An account has no balance of an asset that it issues: what it is
 * paid of it ceases to be (stellar-core, TrustLineWrapper::IssuerImpl). A Stellar Asset Contract moves 0 as it moves any
 * amount, and since CAP-33 an account can be created with 0 and merged with 0.
 */
export function reasonForNone(movement: Movement): 'zero_amount' | 'burned' | null {
  if (movement.asset_issuer === movement.account) return 'burned';
  return movement.amount_stroops > 0n ? null : 'zero_amount';
}
