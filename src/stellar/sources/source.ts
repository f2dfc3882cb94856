import type {
  AccountState,
  Balances,
  FoundTransaction,
  Holder,
  LedgerPosition,
  LedgerRange,
  Lookup,
  SubmitHint,
} from '../stellar.ts';

/**
 * One server that knows a Stellar network. Whatever makes up one of its answers comes from this server alone.
 * Everything throws NoAnswer when it does not answer, or not with what can be believed.
 */
export type Source = {
  /** Which network it is on. A source of another one must never be asked anything: its "absent" would be a lie. */
  identify(): Promise<Identity>;
  latestLedger(): Promise<LedgerPosition>;
  readAccounts(accounts: string[]): Promise<{ latest: LedgerPosition; accounts: Map<string, AccountState> }>;
  readSequences(accounts: string[]): Promise<{ latest: LedgerPosition; sequences: Map<string, bigint> }>;
  readBalances(holders: Holder[]): Promise<{ latest: LedgerPosition; balances: Map<string, Balances> }>;
  /** In stroops, as its fee statistics say. */
  feePerOperation(): Promise<bigint>;
  submit(envelope_xdr: string): Promise<SubmitHint>;
  /** By inner or outer hash. */
  find(hash: string): Promise<FoundAtSource | Extract<Lookup, { found: 'absent' }>>;
  /** `newest`: the last ledger that it has. @throws OtherChain unless `after_hash`, where it is known, is that ledger's. */
  readLedgersAfter(after_ledger: number, after_hash: string | null): Promise<SourceRange>;
};

export type SourceRange = { range: Exclude<LedgerRange, { read: 'other_chain' }>; newest: Newest };

/** What became of a transaction, and the transaction itself. */
export type FoundAtSource = FoundTransaction & { outcome: Extract<Lookup, { found: 'applied' }> };

export type Newest = Pick<LedgerPosition, 'sequence' | 'close_time'>;

/** `friendbot_url`: where its test network gives away money, taking `addr`. */
export type Identity = { passphrase: string; friendbot_url: string | undefined };
