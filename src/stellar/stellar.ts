/** What the service asks of a Stellar network. Amounts in stroops, times in Unix seconds of ledger time. */

export type LedgerPosition = {
  sequence: number;
  /** Of its header, hex. */
  hash: string;
  close_time: bigint;
  base_reserve_stroops: bigint;
};

/**
 * A ledger that we know by its hash. Networks of one passphrase (a test network before and after a reset, a node that lies)
 * differ in nothing else: whoever has another ledger of this number is on another chain.
 */
export type Anchor = { ledger: number; hash: string };

export type AccountState = {
  sequence: bigint;
  balance_stroops: bigint;
  /** What the account must keep for its entries, sponsorship counted. */
  reserve_stroops: bigint;
  /** Balance less reserve (sponsorship counted) and selling liabilities, never below 0. */
  spendable_stroops: bigint;
  /** SEP-29: its owner wants no payment without a memo. */
  memo_required: boolean;
};

/** An issued asset. */
export type Asset = { code: string; issuer: string };

/** An account (G…), and the issued assets that are of interest. */
export type Holder = { account: string; assets: Asset[] };

export type Balances = {
  /** All of it is what the account had when this ledger had closed. */
  ledger: number;
  /** Null when the account did not exist. */
  native: bigint | null;
  /** By `code:issuer`; without a trust line there is none. */
  issued: Map<string, bigint>;
};

/** What a node said to a submission. It may be true of that node at that moment; what became of the transaction only the ledger knows. */
export type SubmitHint = {
  answer: 'pending' | 'duplicate' | 'try_again_later' | 'refused' | 'no_answer';
  /** The reason of a refusal as Horizon spells it, like `tx_bad_seq`; what else there is to log. */
  code: string | null;
  /** With `tx_insufficient_fee`: the fee that this node wants for the transaction. */
  fee_needed_stroops: bigint | null;
};

/** What one source knows of a transaction. Only `applied`, or `absent` by the rule of settle.ts, decides an outcome. */
export type Lookup =
  | {
      found: 'applied';
      ledger: number;
      /** Hash of the envelope in the ledger: the outer one when it was fee-bumped. */
      hash: string;
      successful: boolean;
      fee_stroops: bigint;
      /** G… that paid the fee: anybody can fee-bump a transaction. */
      fee_account: string;
      failure_code: string | null;
    }
  | {
      /** Not in this source's history, which covers `oldest_ledger` to `latest_ledger`. */
      found: 'absent';
      oldest_ledger: number;
      latest_ledger: number;
      latest_close_time: bigint;
    }
  /** The source could not be read, or its answer contradicts itself. */
  | { found: 'unknown'; reason: string };

/** A transaction as the ledger has it, proven to be of the hash that was asked for. */
export type FoundTransaction = {
  found: 'applied';
  transaction: LedgerTransaction;
  /** When its ledger closed, as the source says, Unix seconds; null when it does not. */
  close_time: bigint | null;
};

export type LedgerTransaction = {
  ledger: number;
  /** The ledger's name for it, in hex: the outer one of a fee-bump. */
  hash: string;
  /** XDR TransactionEnvelope, TransactionResult and TransactionMeta; null where the source tells no meta. */
  envelope: Buffer;
  result: Buffer;
  meta: Buffer | null;
};

export type LedgerRange =
  /** Every transaction of the ledgers after `after_ledger` up to and including `through_ledger`, in order. */
  | {
      read: 'ledgers';
      transactions: LedgerTransaction[];
      /** Of `after_ledger` (as the first of these names it) and of each ledger after it, in order: they are one chain. */
      hashes: string[];
      through_ledger: number;
      through_hash: string;
      /** Of `through_ledger`, Unix seconds. */
      through_close_time: bigint;
      /** Of the newest ledger that the source has: how far the reading is behind. At most some ledgers are read at once. */
      newest_close_time: bigint;
      newest_ledger: number;
    }
  | { read: 'nothing_new' }
  /** The source's history begins after the ledger we need: reading on would lose deposits. */
  | { read: 'gap'; oldest_ledger: number }
  /** The network is behind ledgers that we have read: it was reset, or this is another one. */
  | { read: 'reset'; latest_ledger: number }
  /** Every source that answers is on another chain than the anchor. */
  | { read: 'other_chain' };

export type Stellar = {
  /** @throws NetworkUnavailable, like every reader below. */
  latestLedger(): Promise<LedgerPosition>;
  /** Accounts that do not exist are not in the map. One source; what is asked at the same time is asked together. */
  readAccounts(accounts: string[]): Promise<{ latest: LedgerPosition; accounts: Map<string, AccountState> }>;
  /** Sequence numbers of any number of accounts, at one source; those that do not exist are not in the map. */
  readSequences(accounts: string[]): Promise<{ latest: LedgerPosition; sequences: Map<string, bigint> }>;
  /** What any number of accounts hold, each as of one ledger, all at one source; every one of them is in the map. */
  readBalances(holders: Holder[]): Promise<Map<string, Balances>>;
  /** Fee per operation that 9 of 10 recent transactions did not exceed, in stroops; at least the network's minimum. */
  feePerOperation(): Promise<bigint>;
  /** Sends a signed envelope. The answer is a hint and proves nothing; never throws. */
  submit(envelope_xdr: string): Promise<SubmitHint>;
  /** Looks a transaction up by its hash (inner or outer) at one source; never throws. */
  find(hash: string): Promise<Lookup>;
  /** The same look-up, for what the transaction is; never throws. Its meta is only claimed, see stellar/credits/credits.ts. */
  readTransaction(hash: string): Promise<FoundTransaction | Exclude<Lookup, { found: 'applied' }>>;
  /**
   * The next whole ledgers after `after_ledger`, all from one source that has the anchor. Null only where no hash is known
   * yet: then any network of this name will do.
   */
  readLedgersAfter(after_ledger: number, anchor: Anchor | null): Promise<LedgerRange>;
  /** Test networks only: creates and funds an account. @throws NetworkUnavailable. */
  fund(account: string): Promise<void>;
  close(): Promise<void>;
};
