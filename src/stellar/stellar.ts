/** The interface to a Stellar network. Amounts are in stroops, times in Unix seconds of ledger time. */

export type LedgerPosition = {
  sequence: number;
  /** Hash of the ledger's header, hex. */
  hash: string;
  close_time: bigint;
  base_reserve_stroops: bigint;
  /** So many operations, of contract calls apart, fit into a ledger. */
  max_operations: number;
  /** The network's protocol in this ledger. */
  protocol_version: number;
};

/**
 * A ledger whose hash is known. Two networks can have the same passphrase (a test network before and after its reset).
 * Only the hash tells them apart: a source with another hash for this ledger is on another chain.
 */
export type Anchor = { ledger: number; hash: string };

export type AccountState = {
  sequence: bigint;
  balance_stroops: bigint;
  /** The minimum balance that the account must keep. Sponsorship is counted. */
  reserve_stroops: bigint;
  /** Balance less reserve and selling liabilities, never below 0. */
  spendable_stroops: bigint;
  /** The owner refuses payments without a memo (SEP-29). */
  memo_required: boolean;
  /** What the account can do to new trust lines for assets that it issues. */
  flags: IssuerFlags;
  home_domain: string | null;
};

export type IssuerFlags = {
  auth_required: boolean;
  auth_revocable: boolean;
  auth_immutable: boolean;
  clawback_enabled: boolean;
};

/** An issued asset. */
export type Asset = { code: string; issuer: string };

/** The trust line of an account (G…) for an asset, by name. */
export type LineName = { account: string; asset: Asset };

/** A trust line as the ledger has it. */
export type TrustLine = {
  balance_stroops: bigint;
  limit_stroops: bigint;
  buying_liabilities_stroops: bigint;
  selling_liabilities_stroops: bigint;
  /** What the issuer lets the account do: everything, keep its offers only, or nothing. */
  authorization: 'full' | 'maintain_liabilities' | 'none';
  /** The issuer can take the balance back. */
  clawback_enabled: boolean;
};

/** A transfer by the contract of an asset (null: of the native one), from an account (G…) to a contract (C…). */
export type ContractTransfer = {
  asset: Asset | null;
  from: string;
  to: string;
  /** Of a muxed contract (W…); null: the contract without an id. */
  to_muxed_id: bigint | null;
  amount_stroops: bigint;
};

/** What the ledger has of a contract (C…) that is to receive an asset. */
export type ContractState = {
  /**
   * `asset`: the contract of an asset, which cannot pay out what it receives. `archived`: its lifetime has ended.
   */
  contract: 'live' | 'archived' | 'absent' | 'asset';
  /** Whether the contract of the asset is deployed. Without it no transfer is possible. */
  asset_deployed: boolean;
  /** Null: it has never had the asset. `authorized`: whether the issuer lets it receive and pay. */
  balance: { authorized: boolean } | null;
};

/**
 * What a transfer needs, as a source has computed it and as we have checked it: it names no other ledger entry than those
 * of the transfer. `soroban_data`: XDR SorobanTransactionData, base64. Its resource fee is the most that is charged for
 * resources.
 */
export type SimulatedTransfer =
  | { possible: true; soroban_data: string; resource_fee_stroops: bigint }
  /** The transfer would fail now. `reason`: the source's words, for the log. */
  | { possible: false; reason: string };

/** What the network charges for contract calls now, in stroops. A KB has 1,024 bytes. Rent: contracts/contract-prices.ts. */
export type ContractPrices = {
  per_10_000_instructions: bigint;
  per_disk_read_entry: bigint;
  per_write_entry: bigint;
  per_disk_read_kb: bigint;
  per_write_kb: bigint;
  per_historical_kb: bigint;
  per_event_kb: bigint;
  per_transaction_kb: bigint;
  per_rent_kb: bigint;
  persistent_rent_divisor: bigint;
  /** For how many ledgers a new entry pays at once. */
  min_persistent_ledgers: bigint;
};

/** Returns the key of a trust line in maps. */
export function lineKey({ account, asset }: LineName): string {
  return `${account} ${asset.code}:${asset.issuer}`;
}

export type AccountsAnswer = {
  latest: LedgerPosition;
  accounts: Map<string, AccountState>;
  /** By `lineKey`. */
  lines: Map<string, TrustLine>;
};

/** By account (G…), both as of one ledger. Accounts that do not exist are not in the maps. `spendable`: in stroops, as of an AccountState. */
export type Sequences = { sequences: Map<string, bigint>; spendable: Map<string, bigint> };

/** An account (G…), and the issued assets whose balances are asked for. */
export type Holder = { account: string; assets: Asset[] };

export type Balances = {
  /** The balances are those at the close of this ledger. */
  ledger: number;
  /** Null when the account did not exist. */
  native: bigint | null;
  /** By `code:issuer`. An asset without a trust line is not in the map. */
  issued: Map<string, bigint>;
};

/** A node's answer to a submission. It proves nothing: only the ledger shows whether the transaction was applied. */
export type SubmitHint = {
  answer: 'pending' | 'duplicate' | 'try_again_later' | 'refused' | 'no_answer';
  /** The reason of a refusal as Horizon spells it, like `tx_bad_seq`; else a detail for the log, or null. */
  code: string | null;
  /** With `tx_insufficient_fee`: the fee that this node requires for the transaction. */
  fee_needed_stroops: bigint | null;
};

/** The answer of one source about a transaction. `absent` alone is no outcome: see withdrawals/engine/outcome.ts. */
export type Lookup =
  | {
      found: 'applied';
      ledger: number;
      /** Hash of the transaction in the ledger; of a fee-bump, the outer hash. */
      hash: string;
      successful: boolean;
      fee_stroops: bigint;
      /** G… that paid the fee. Anybody can fee-bump a transaction. */
      fee_account: string;
      failure_code: string | null;
      /** Of a successful contract call: the hash (hex) of its return value and events. Null for any other transaction. */
      call_result: string | null;
    }
  | {
      /** The transaction is not in this source's history, which covers `oldest_ledger` to `latest_ledger`. */
      found: 'absent';
      oldest_ledger: number;
      latest_ledger: number;
      latest_close_time: bigint;
    }
  /** No source could be read, or the answer contradicts itself. */
  | { found: 'unknown'; reason: string };

/** A transaction as the ledger has it. Its XDR is proven to have the hash that was asked for. */
export type FoundTransaction = {
  found: 'applied';
  transaction: LedgerTransaction;
  /** Close time of its ledger as the source states it (not proven); null when the source does not state one. */
  close_time: bigint | null;
};

export type LedgerTransaction = {
  ledger: number;
  /** Hash of the transaction in the ledger, hex; of a fee-bump, the outer hash. */
  hash: string;
  /** XDR TransactionEnvelope, TransactionResult and TransactionMeta. The meta is null where the source has none. */
  envelope: Buffer;
  result: Buffer;
  meta: Buffer | null;
  /** Why this version cannot decode envelope or result, which are of a later protocol; absent when it can. */
  unknown?: string;
  /** Given where a ledger has an unknown result: whether this transaction may be cut out of others (transaction-set.ts). */
  isDoubtful?: () => boolean;
};

/** An arm of a later protocol in a ledger that is proven. `type`: the union as stellar-xdr names it. */
export type UnknownMet = { type: string; discriminant: number; protocol_version: number };

/** Ledgers that were read whole: every transaction after `after_ledger` through `through_ledger`, in order. */
export type WholeLedgers = {
  read: 'ledgers';
  transactions: LedgerTransaction[];
  /** Hashes of `after_ledger` (as the next ledger names it) and of each ledger read, in order: one chain. */
  hashes: string[];
  /** Of each ledger read, in order. */
  close_times: bigint[];
  through_ledger: number;
  through_hash: string;
  /** Close time of `through_ledger`. */
  through_close_time: bigint;
  /** The newest ledger of the source. It shows how far the reader is behind, because one read is limited. */
  newest_close_time: bigint;
  newest_ledger: number;
};

export type LedgerRange =
  | WholeLedgers
  | { read: 'nothing_new' }
  /** The source's history begins after the ledger that is needed. Reading on would lose deposits. */
  | { read: 'gap'; oldest_ledger: number }
  /** The network's newest ledger is far below the last one read: the network was reset, or it is another network. */
  | { read: 'reset'; latest_ledger: number }
  /** Every source that answers is on another chain than the anchor. */
  | { read: 'other_chain' };

/** A server of a Stellar network. */
export type SourceDescription = {
  /** Name and version, like `Stellar RPC 27.1.0`; the name alone when the server does not tell its version. */
  software: string;
  latest: LedgerPosition;
  /** The first ledger of its history. */
  oldest_ledger: number;
  /** What this version does not have, and how it is asked instead. */
  lacks: string[];
  /** The highest protocol that the server and its stellar-core support; null when the server does not tell. */
  supported_protocol: number | null;
};

/** `network`: the network's protocol as the source has it. `supported`: as above. Null: unknown. */
export type Protocols = { network: number | null; supported: number | null };

/** `source`: its place in the configuration, from 1 on; the RPC servers come before the Horizon servers. */
export type SourceReport = { source: number; protocols: Protocols } & (
  | { usable: true; description: SourceDescription }
  /** `reason`: one line, without addresses. `detail`: for operators only, may name addresses. */
  | { usable: false; reason: string; detail: string }
);

/** `contract_calls`: null while no source tells. */
export type LedgerRoom = { operations: number; contract_calls: number | null };

export type Stellar = {
  /** Returns what is known of each source, in the order of the configuration. Never throws. */
  sources(): Promise<SourceReport[]>;
  /** @throws NetworkUnavailable, like every reader below. */
  latestLedger(): Promise<LedgerPosition>;
  /** Reads accounts from one source. Accounts and trust lines that do not exist are not in the maps. Concurrent calls share one request. */
  readAccounts(accounts: string[], lines?: LineName[]): Promise<AccountsAnswer>;
  /** Reads the sequence numbers of any number of accounts, and what each can spend, from one source. */
  readSequences(accounts: string[]): Promise<{ latest: LedgerPosition } & Sequences>;
  /** Reads the balances of any number of accounts, from one source, each at one ledger. Every account is in the map. */
  readBalances(holders: Holder[]): Promise<Map<string, Balances>>;
  /** Reads the same from a Stellar RPC, of which a request takes 200 balances; Horizon takes one for each account. See readsContracts. */
  readBalancesByRpc(holders: Holder[]): Promise<Map<string, Balances>>;
  /** Reads the fee per operation in stroops: the 90th percentile of recent transactions, at least the network's minimum. */
  feePerOperation(): Promise<bigint>;
  /** False when no source is a Stellar RPC, which can simulate and read contracts: then the next three are never answered. */
  readsContracts: boolean;
  /** Reads the contract `to` as a receiver of the asset. */
  readContract(to: string, asset: Asset | null): Promise<ContractState>;
  /** Simulates what the transfer would need if it were made now. */
  simulateTransfer(transfer: ContractTransfer): Promise<SimulatedTransfer>;
  /**
   * Reads the same as `feePerOperation` for contract transactions, which do not compete with payments for a place in a ledger.
   * Never throws: without an answer it is the network's minimum.
   */
  contractFeePerOperation(): Promise<bigint>;
  /** Reads how much one ledger takes, up to ten seconds old. @throws NetworkUnavailable */
  ledgerRoom(): Promise<LedgerRoom>;
  /** Reads the prices in the network's settings. Never throws: null while no source has them. */
  contractPrices(): Promise<ContractPrices | null>;
  /**
   * Reads the ledger keys (base64) of the entries that the network has frozen (CAP-77): no transaction that names one is included. Never
   * throws: null while no source has them.
   */
  frozenKeys(): Promise<ReadonlySet<string> | null>;
  /** Sends a signed envelope. Never throws. The answer is only a hint. */
  submit(envelope_xdr: string): Promise<SubmitHint>;
  /** Looks up a transaction by its inner or outer hash at one source. Never throws. */
  find(hash: string): Promise<Lookup>;
  /** Finds the transaction itself, as `find` does. Never throws. Its meta is not proven: see credits/credits.ts. */
  readTransaction(hash: string): Promise<FoundTransaction | Exclude<Lookup, { found: 'applied' }>>;
  /**
   * Reads the next whole ledgers after `after_ledger`, from one source that has the anchor. The anchor is null only while no
   * hash is known: then any network with the passphrase is accepted.
   */
  readLedgersAfter(after_ledger: number, anchor: Anchor | null): Promise<LedgerRange>;
  /** Creates and funds an account, on test networks only. @throws NetworkUnavailable. */
  fund(account: string): Promise<void>;
  close(): Promise<void>;
};
