import type { xdr } from '@stellar/stellar-sdk/base';
import { FEES, RENT_PER_KB, STATE_BYTES } from './settings.ts';

/** Fees of contract transactions in stroops, as the host computes them (soroban-env-host, fees.rs, protocol 23 on). */

const KB = 1_024n;
/** Bytes added to the size of the transaction for its result, which is in history too. */
const RESULT_BYTES = 300;
const TTL_ENTRY_BYTES = 48n;

type Resources = xdr.SorobanResourcesWire;

/** Fee for the declared resources, used or not. */
export function nonRefundableFee(resources: Resources, transactionBytes: number): bigint {
  const { instructions, diskReadBytes, writeBytes, footprint } = resources;
  return (
    roundedUp(BigInt(instructions) * FEES.per_10_000_instructions, 10_000n) +
    FEES.per_disk_read_entry * BigInt(diskReadEntries(footprint)) +
    FEES.per_write_entry * BigInt(footprint.readWrite.length) +
    perKb(diskReadBytes, FEES.per_disk_read_kb) +
    perKb(writeBytes, FEES.per_write_kb) +
    perKb(transactionBytes + RESULT_BYTES, FEES.per_historical_kb) +
    perKb(transactionBytes, FEES.per_transaction_kb)
  );
}

/** Contract data and code are in memory since protocol 23; classic entries are read from disk. */
export function diskReadEntries({ readOnly, readWrite }: xdr.LedgerFootprintWire): number {
  return [...readOnly, ...readWrite].filter(({ type }) => type !== 6 && type !== 7).length;
}

/** Refundable: for the bytes of events and return value. */
export function eventsFee(bytes: number): bigint {
  return perKb(bytes, FEES.per_event_kb);
}

/**
 * A contract data entry before (undefined when it is new) and after: bytes of the whole entry, and its last ledger.
 */
export type RentChange = {
  persistent: boolean;
  before: { bytes: number; liveUntil: number } | undefined;
  after: { bytes: number; liveUntil: number };
};

/** Price of a KB in a ledger where contracts keep so many bytes (compute_rent_write_fee_per_1kb). */
export function rentPerKb(stateBytes: bigint): bigint {
  const { target_bytes, at_no_bytes, at_target, growth_factor, least } = RENT_PER_KB;
  const range = at_target - at_no_bytes;
  const fee =
    stateBytes < target_bytes
      ? at_no_bytes + roundedUp(range * stateBytes, target_bytes)
      : at_target + roundedUp(range * (stateBytes - target_bytes) * growth_factor, target_bytes);
  return fee > least ? fee : least;
}

/** Refundable: for entries that are new, have grown, or live longer. */
export function rentFee(changes: RentChange[], ledgerSeq: number, per_kb = rentPerKb(STATE_BYTES)): bigint {
  let fee = 0n;
  let extended = 0n;
  for (const change of changes) {
    fee += rentOf(change, ledgerSeq, per_kb);
    if (change.after.liveUntil > (change.before?.liveUntil ?? 0)) extended++;
  }
  const ttlBytes = extended * TTL_ENTRY_BYTES;
  return fee + extended * FEES.per_write_entry + roundedUp(ttlBytes * FEES.per_write_kb, KB);
}

function rentOf({ persistent, before, after }: RentChange, ledgerSeq: number, per_kb: bigint): bigint {
  const paidUntil = Math.max(before?.liveUntil ?? 0, ledgerSeq - 1);
  const rent = (bytes: number, ledgers: number) =>
    roundedUp(BigInt(bytes) * per_kb * BigInt(ledgers), KB * divisorOf(persistent));
  const longer = rent(after.bytes, Math.max(0, after.liveUntil - paidUntil));
  const growth = before === undefined ? 0 : Math.max(0, after.bytes - before.bytes);
  return longer + rent(growth, Math.max(0, paidUntil - ledgerSeq + 1));
}

function divisorOf(persistent: boolean): bigint {
  return persistent ? FEES.persistent_rent_divisor : FEES.temporary_rent_divisor;
}

function perKb(bytes: number, fee: bigint): bigint {
  return roundedUp(BigInt(bytes) * fee, KB);
}

function roundedUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}
