/**
 * Pure: what the network charges for contract calls, by its settings in the ledger, and what a transfer of ours costs by them.
 * Source: soroban-env-host fees.rs, and stellar-xdr's Stellar-contract-config-setting.x.
 */
import { xdr } from '../protocol/sdk.ts';
import type { ContractPrices } from '../stellar.ts';

const KB = 1_024n;
const INSTRUCTIONS_STEP = 10_000n;
/** Bytes added to the size of a transaction for its result, which is in history too. */
const RESULT_BYTES = 300n;
const LIFETIME_ENTRY_BYTES = 48n;
/** What a KB costs at least, however little contracts keep in the ledger. */
const LEAST_RENT_PER_KB = 1_000n;
/** A simulation adds this to what refundable parts cost now, in percent. */
const REFUNDABLE_MARGIN = 15n;
/** A balance that a contract has in an asset, as a ledger entry. It is of one size for all assets. */
const BALANCE_BYTES = 224n;

/** What a transfer declares or uses. */
type Resources = {
  instructions: bigint;
  disk_read_entries: bigint;
  write_entries: bigint;
  disk_read_bytes: bigint;
  write_bytes: bigint;
  /** Of the whole transaction. */
  transaction_bytes: bigint;
};

/** What simulations declare for the transfer of the native asset from an account to a contract. */
const NATIVE_TRANSFER = {
  disk_read_entries: 1n,
  write_entries: 2n,
  disk_read_bytes: 144n,
  write_bytes: 368n,
  transaction_bytes: 2_936n,
};
const NATIVE_EVENT_BYTES = 192n;
const INSTRUCTIONS = { first: 256_500n, next: 279_500n };

const { configSettingContractComputeV0: compute, configSettingContractLedgerCostV0: ledger_cost } =
  xdr.ConfigSettingId;
const { configSettingContractLedgerCostExtV0: write_cost, configSettingStateArchival: archival } =
  xdr.ConfigSettingId;
const { configSettingContractHistoricalDataV0: history, configSettingContractEventsV0: events } =
  xdr.ConfigSettingId;
const { configSettingContractBandwidthV0: bandwidth, configSettingLiveSorobanStateSizeWindow: state_size } =
  xdr.ConfigSettingId;
const SETTINGS = [compute, ledger_cost, write_cost, archival, history, events, bandwidth, state_size];

/** Returns the ledger key (base64) of the entry with this setting. */
function settingKey(configSettingId: xdr.ConfigSettingId): string {
  return xdr.LedgerKey.configSetting(new xdr.LedgerKeyConfigSetting({ configSettingId })).toXdr('base64');
}

/** Ledger keys (base64) of the entries that `pricesIn` needs. */
export const PRICE_KEYS: readonly string[] = SETTINGS.map(settingKey);

/** Ledger key (base64) of the entry that names the frozen entries. */
export const FROZEN_KEY = settingKey(xdr.ConfigSettingId.configSettingFrozenLedgerKeys);

/** Ledger key (base64) of the entry that `callsPerLedgerIn` needs. */
export const CALLS_PER_LEDGER_KEY = settingKey(xdr.ConfigSettingId.configSettingContractExecutionLanes);

/** Returns how many contract calls fit into a ledger. @throws Error when the entry is missing, or is another */
export function callsPerLedgerIn(entries: string[]): number {
  const [setting] = entries.map(settingIn);
  if (setting?.configSettingID !== 11) throw new Error('setting 11 is missing');
  return setting.contractExecutionLanes.ledgerMaxTxCount;
}

/** @throws Error when an entry is missing, or is another. `entries`: XDR LedgerEntryData, base64 */
export function pricesIn(entries: string[]): ContractPrices {
  const settings = new Map(entries.map(settingIn).map((setting) => [setting.configSettingID, setting]));
  const of = <Id extends Setting['configSettingID']>(id: Id) => {
    const setting = settings.get(id);
    if (!setting) throw new Error(`setting ${id} is missing`);
    return setting as Extract<Setting, { configSettingID: Id }>;
  };
  const cost = of(2).contractLedgerCost;
  const lifetimes = of(10).stateArchivalSettings;
  const prices = {
    per_10_000_instructions: of(1).contractCompute.feeRatePerInstructionsIncrement,
    per_disk_read_entry: cost.feeDiskReadLedgerEntry,
    per_write_entry: cost.feeWriteLedgerEntry,
    per_disk_read_kb: cost.feeDiskRead1Kb,
    per_write_kb: of(15).contractLedgerCostExt.feeWrite1Kb,
    per_historical_kb: of(3).contractHistoricalData.feeHistorical1Kb,
    per_event_kb: of(4).contractEvents.feeContractEvents1Kb,
    per_transaction_kb: of(5).contractBandwidth.feeTxSize1Kb,
    per_rent_kb: rentPerKb(cost, of(12).liveSorobanStateSizeWindow),
    persistent_rent_divisor: lifetimes.persistentRentRateDenominator,
    min_persistent_ledgers: BigInt(lifetimes.minPersistentTtl),
  };
  for (const [name, price] of Object.entries(prices)) if (price < 0n) throw new Error(`${name} is ${price}`);
  if (prices.persistent_rent_divisor === 0n) throw new Error('rent for no ledgers');
  return prices;
}

type Setting = xdr.ConfigSettingEntryWire;

/** Reads the setting in an entry. `entry`: XDR LedgerEntryData, base64. @throws Error when it has no setting */
export function settingIn(entry: string): Setting {
  const data = xdr.LedgerEntryData.fromXdr(entry, 'base64').toXdrObject();
  if (data.type !== 8) throw new Error('the entry of a setting holds something else');
  return data.configSetting;
}

/** Computes the rent for a kilobyte. It rises with all that contracts keep in the ledger: slowly up to the target, steeply beyond (compute_rent_write_fee_per_1kb). */
function rentPerKb(cost: xdr.ConfigSettingContractLedgerCostV0Wire, sizes: bigint[]): bigint {
  if (sizes.length === 0) throw new Error('the size of the state is missing');
  const size = sizes.reduce((sum, each) => sum + each, 0n) / BigInt(sizes.length);
  const { rentFee1KbSorobanStateSizeLow: low, rentFee1KbSorobanStateSizeHigh: high } = cost;
  const target = atLeast(cost.sorobanStateTargetSizeBytes, 1n);
  const range = atLeast(high - low, 0n);
  const growth = BigInt(cost.sorobanStateRentFeeGrowthFactor);
  const fee =
    size < target
      ? low + roundedUp(range * size, target)
      : high + roundedUp(range * (size - target) * growth, target);
  return atLeast(fee, LEAST_RENT_PER_KB);
}

/** Computes the part of the fee that is charged for what is declared, used or not, and also when the call fails. */
export function nonRefundableFee(prices: ContractPrices, resources: Resources): bigint {
  const { transaction_bytes } = resources;
  return (
    roundedUp(resources.instructions * prices.per_10_000_instructions, INSTRUCTIONS_STEP) +
    resources.disk_read_entries * prices.per_disk_read_entry +
    resources.write_entries * prices.per_write_entry +
    perKb(resources.disk_read_bytes, prices.per_disk_read_kb) +
    perKb(resources.write_bytes, prices.per_write_kb) +
    perKb(transaction_bytes + RESULT_BYTES, prices.per_historical_kb) +
    perKb(transaction_bytes, prices.per_transaction_kb)
  );
}

/** Computes the part of the fee that is charged as used: the event, and the rent of a balance that the contract has not had. */
export function refundableFee(prices: ContractPrices, event_bytes: bigint, is_first: boolean): bigint {
  const event = perKb(event_bytes, prices.per_event_kb);
  return is_first ? event + rentOfBalance(prices) : event;
}

/** Computes the rent of a new balance. A new entry pays for the least lifetime at once, and for the entry with its lifetime. */
function rentOfBalance(prices: ContractPrices): bigint {
  const rent = BALANCE_BYTES * prices.per_rent_kb * prices.min_persistent_ledgers;
  return (
    roundedUp(rent, KB * prices.persistent_rent_divisor) +
    prices.per_write_entry +
    perKb(LIFETIME_ENTRY_BYTES, prices.per_write_kb)
  );
}

/**
 * Computes the resource fee that a transfer of the native asset to a contract declares: the `first` one to a contract, which pays the
 * rent of its balance, and the `next`. Transfers of other assets declare a little more.
 */
export function declaredFees(prices: ContractPrices): { first: bigint; next: bigint } {
  const declared = (instructions: bigint, is_first: boolean) => {
    const refundable = refundableFee(prices, NATIVE_EVENT_BYTES, is_first);
    const kept = nonRefundableFee(prices, { ...NATIVE_TRANSFER, instructions });
    return kept + (refundable * (100n + REFUNDABLE_MARGIN)) / 100n;
  };
  return { first: declared(INSTRUCTIONS.first, true), next: declared(INSTRUCTIONS.next, false) };
}

function perKb(bytes: bigint, fee: bigint): bigint {
  return roundedUp(bytes * fee, KB);
}

function roundedUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}

const atLeast = (value: bigint, least: bigint) => (value > least ? value : least);
