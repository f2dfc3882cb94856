/** One body of a request; its serial number is in the amount, so that the ledger shows whose payment it is. */
export type Order = {
  serial: number;
  key: string;
  wallet_id: string;
  destination: string;
  /** `native` or CODE:ISSUER. */
  asset: string;
  amount_stroops: bigint;
  memo_id: bigint | null;
  /** Whether it may pay to the issuer of its asset, which destroys the payment; not when absent. */
  allow_issuer?: boolean;
};
