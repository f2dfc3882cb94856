import { xdr } from '@stellar/stellar-sdk/base';
import { FEES, LIFETIME, LIMITS, RENT_PER_KB } from '../ledger/contract/settings.ts';
import type { StellarNode } from '../node.ts';

/** Samples of the state's size that a network keeps. */
const SAMPLES = 30;
/** A ledger takes this many times what one transaction may declare. */
const PER_LEDGER = 2;

/**
 * The entry of a network setting (CONFIG_SETTING_…): what contract calls cost, and what is frozen (CAP-77). Undefined for a
 * setting that the sandbox does not have. In the ledger itself there is no such entry.
 */
export function configSetting(node: StellarNode, id: number): xdr.ConfigSettingEntryWire | undefined {
  switch (id) {
    case 1:
      return {
        configSettingID: 1,
        contractCompute: {
          ledgerMaxInstructions: BigInt(LIMITS.instructions * PER_LEDGER),
          txMaxInstructions: BigInt(LIMITS.instructions),
          feeRatePerInstructionsIncrement: FEES.per_10_000_instructions,
          txMemoryLimit: 41_943_040,
        },
      };
    case 2:
      return { configSettingID: 2, contractLedgerCost: ledgerCost() };
    case 3:
      return { configSettingID: 3, contractHistoricalData: { feeHistorical1Kb: FEES.per_historical_kb } };
    case 4:
      return {
        configSettingID: 4,
        contractEvents: { txMaxContractEventsSizeBytes: 16_384, feeContractEvents1Kb: FEES.per_event_kb },
      };
    case 5:
      return {
        configSettingID: 5,
        contractBandwidth: {
          ledgerMaxTxsSizeBytes: LIMITS.transaction_bytes * PER_LEDGER,
          txMaxSizeBytes: LIMITS.transaction_bytes,
          feeTxSize1Kb: FEES.per_transaction_kb,
        },
      };
    case 10:
      return { configSettingID: 10, stateArchivalSettings: stateArchival() };
    case 11:
      return {
        configSettingID: 11,
        contractExecutionLanes: { ledgerMaxTxCount: node.maxOperations },
      };
    case 12:
      return {
        configSettingID: 12,
        liveSorobanStateSizeWindow: Array.from({ length: SAMPLES }, () => node.stateBytes),
      };
    case 15:
      return {
        configSettingID: 15,
        contractLedgerCostExt: {
          txMaxFootprintEntries: LIMITS.footprint_entries,
          feeWrite1Kb: FEES.per_write_kb,
        },
      };
    case 17:
      return {
        configSettingID: 17,
        frozenLedgerKeys: { keys: [...node.frozen].map((key) => xdr.decodeBytes(key, 'base64')) },
      };
    default:
      return undefined;
  }
}

function ledgerCost(): xdr.ConfigSettingContractLedgerCostV0Wire {
  return {
    ledgerMaxDiskReadEntries: LIMITS.disk_read_entries * PER_LEDGER,
    ledgerMaxDiskReadBytes: LIMITS.disk_read_bytes * PER_LEDGER,
    ledgerMaxWriteLedgerEntries: LIMITS.write_entries * PER_LEDGER,
    ledgerMaxWriteBytes: LIMITS.write_bytes * PER_LEDGER,
    txMaxDiskReadEntries: LIMITS.disk_read_entries,
    txMaxDiskReadBytes: LIMITS.disk_read_bytes,
    txMaxWriteLedgerEntries: LIMITS.write_entries,
    txMaxWriteBytes: LIMITS.write_bytes,
    feeDiskReadLedgerEntry: FEES.per_disk_read_entry,
    feeWriteLedgerEntry: FEES.per_write_entry,
    feeDiskRead1Kb: FEES.per_disk_read_kb,
    sorobanStateTargetSizeBytes: RENT_PER_KB.target_bytes,
    rentFee1KbSorobanStateSizeLow: RENT_PER_KB.at_no_bytes,
    rentFee1KbSorobanStateSizeHigh: RENT_PER_KB.at_target,
    sorobanStateRentFeeGrowthFactor: Number(RENT_PER_KB.growth_factor),
  };
}

function stateArchival(): xdr.StateArchivalSettingsWire {
  return {
    maxEntryTtl: LIFETIME.max,
    minTemporaryTtl: LIFETIME.min_temporary,
    minPersistentTtl: LIFETIME.min_persistent,
    persistentRentRateDenominator: FEES.persistent_rent_divisor,
    tempRentRateDenominator: FEES.temporary_rent_divisor,
    maxEntriesToArchive: 1_000,
    liveSorobanStateSizeWindowSampleSize: SAMPLES,
    liveSorobanStateSizeWindowSamplePeriod: 64,
    evictionScanSize: 100_000,
    startingEvictionScanLevel: 7,
  };
}
