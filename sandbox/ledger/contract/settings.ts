/**
 * Network settings for contract transactions. Fees and lifetimes are those of the public network in 2026, in
 * stroops and ledgers. Recorded ledgers of that year charge exactly these.
 */

export const FEES = {
  per_10_000_instructions: 7n,
  per_disk_read_entry: 1_563n,
  per_write_entry: 2_500n,
  per_disk_read_kb: 447n,
  per_write_kb: 875n,
  per_historical_kb: 4_059n,
  per_transaction_kb: 406n,
  per_event_kb: 5_000n,
  persistent_rent_divisor: 1_215n,
  temporary_rent_divisor: 2_430n,
} as const;

/**
 * Rent grows with all that contracts keep in the ledger. At the target, a KB costs `high`, beyond it much more, and never less
 * than `least`. The rent of an entry for one ledger is that divided by the divisor.
 */
export const RENT_PER_KB = {
  target_bytes: 3_000_000_000n,
  at_no_bytes: -17_000n,
  at_target: 10_000n,
  growth_factor: 5_000n,
  least: 1_000n,
} as const;

/** Bytes that contracts keep in the ledger, unless a fault says otherwise: rent is at its least. */
export const STATE_BYTES = 1_000_000_000n;

/** The most that one transaction may declare. */
export const LIMITS = {
  instructions: 400_000_000,
  disk_read_entries: 200,
  disk_read_bytes: 200_000,
  write_entries: 200,
  write_bytes: 132_096,
  footprint_entries: 400,
  transaction_bytes: 132_096,
  /** stellar-core, MAX_RESOURCE_FEE. */
  resource_fee: 1n << 50n,
} as const;

/** Lifetime of an entry in ledgers, the present one included. */
export const LIFETIME = {
  min_persistent: 2_073_600,
  min_temporary: 17_280,
  max: 3_110_400,
} as const;
