import type {
  AccountsAnswer,
  Asset,
  Balances,
  ContractPrices,
  ContractState,
  ContractTransfer,
  FoundTransaction,
  Holder,
  LedgerPosition,
  LedgerRange,
  LineName,
  Lookup,
  Protocols,
  Sequences,
  SimulatedTransfer,
  SourceDescription,
  SubmitHint,
  UnknownMet,
} from '../stellar.ts';

/**
 * One server of a Stellar network. Each answer comes from this server alone. Every method throws NoAnswer when there is
 * no answer, or none that can be used.
 */
export type Source = {
  /** Identifies the network of this server. Ask nothing of a server of another network: its "absent" would be false. */
  identify(): Promise<Identity>;
  /**
   * Describes the server's software, and the ledgers that it has. It asks for every kind of answer that readers of ledgers need, and
   * for an entry when the last one was refused because stellar-core is busy.
   */
  describe(): Promise<SourceDescription>;
  /** Reads what the server says of protocols. It can be read where ledgers cannot. */
  protocols(): Promise<Protocols>;
  latestLedger(): Promise<LedgerPosition>;
  readAccounts(accounts: string[], lines: LineName[]): Promise<AccountsAnswer>;
  readSequences(accounts: string[]): Promise<{ latest: LedgerPosition } & Sequences>;
  readBalances(holders: Holder[]): Promise<{ latest: LedgerPosition; balances: Map<string, Balances> }>;
  /** Reads the fee in stroops from the server's fee statistics. */
  feePerOperation(): Promise<bigint>;
  /** Null for a server that cannot read contracts and simulate. */
  contracts: ContractSource | null;
  submit(envelope_xdr: string): Promise<SubmitHint>;
  /** Finds a transaction by inner or outer hash. */
  find(hash: string): Promise<CheckedTransaction | Extract<Lookup, { found: 'absent' }>>;
  /** @throws OtherChain when `after_hash` is known (not null) and the source has another hash for `after_ledger`. */
  readLedgersAfter(after_ledger: number, after_hash: string | null): Promise<SourceRange>;
};

/** The part of a server that knows contracts. */
export type ContractSource = {
  readContract(to: string, asset: Asset | null): Promise<{ latest_ledger: number; state: ContractState }>;
  simulateTransfer(
    transfer: ContractTransfer,
  ): Promise<{ latest_ledger: number; simulated: SimulatedTransfer }>;
  feePerOperation(): Promise<bigint>;
  readPrices(): Promise<ContractPrices>;
  /** Reads how many contract calls fit into a ledger. */
  readCallsPerLedger(): Promise<number>;
  /** Reads the ledger keys of frozen entries, base64. */
  readFrozenKeys(): Promise<string[]>;
};

/** `newest`: the newest ledger of the source. `unknown`: what the ledgers have of later protocols; absent when nothing. */
export type SourceRange = {
  range: Exclude<LedgerRange, { read: 'other_chain' }>;
  newest: Newest;
  unknown?: UnknownMet[];
};

/** A transaction whose XDR was checked, and its outcome. */
export type CheckedTransaction = FoundTransaction & { outcome: Extract<Lookup, { found: 'applied' }> };

export type Newest = Pick<LedgerPosition, 'sequence' | 'close_time'>;

/** `friendbot_url`: funds accounts of a test network; its parameter is `addr`. */
export type Identity = { passphrase: string; friendbot_url: string | undefined };
