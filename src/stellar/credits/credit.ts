/** The types of this folder: a credit, and what moves an asset to an account. */

export type CreditKind =
  | 'payment'
  | 'create_account'
  | 'path_payment_strict_send'
  | 'path_payment_strict_receive'
  | 'account_merge'
  /** By a Stellar Asset Contract, from an account or a contract. */
  | 'contract_transfer'
  | 'contract_mint';

/**
 * `value`: the digits of an id, the text, or base64 of a hash. A text that is not UTF-8 or has a zero byte (PostgreSQL
 * stores neither) becomes `base64:` and its bytes, so that nobody takes it for digits.
 */
export type Memo = { type: 'none'; value: null } | { type: 'id' | 'text' | 'hash' | 'return'; value: string };

export type Credit = {
  account: string;
  asset_code: string;
  asset_issuer: string | null;
  amount_stroops: bigint;
  kind: CreditKind;
  /** The id of the destination, when it was an M… address. */
  muxed_id: bigint | null;
  /** The memo of the transaction, whether or not the destination was an M… address. */
  memo: Memo;
  /**
   * The payer. Of an operation: its source as G…, else the source of the inner transaction, never a fee source.
   * Of a contract's transfer: its `from` (G… or C…). Of a mint: the issuer.
   */
  source_account: string;
  /** The payer's M… address, when the operation names one. Events name no muxed sender (CAP-67 has to_muxed_id only). */
  source_account_muxed: string | null;
  operation_index: number;
  event_index: number;
};

/** What one operation or event moves to an account. It is a credit unless `whyNoCredit` gives a reason. */
export type Movement = Omit<Credit, 'memo' | 'operation_index'>;
