/** What the two parts of the assets bench share. */
export type AssetsOptions = {
  rounds: number;
  /** Requested at once. */
  withdrawals: number;
  channels: number;
  /** Most operations in a ledger, and the time between ledgers. */
  operations: number;
  close_ms: number;
  /** To catch up with. */
  ledgers: number;
};

/** The same work for two assets, round by round. */
export type Pair<T> = { native: T[]; issued: T[] };
