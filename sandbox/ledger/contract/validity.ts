import type { xdr } from '@stellar/stellar-sdk/base';
import { issuerOf } from '../asset.ts';
import { sameBytes } from '../bytes.ts';
import { keyString } from '../entry.ts';
import { TX } from '../result.ts';
import type { Transaction } from '../transaction.ts';
import { diskReadEntries, nonRefundableFee } from './resource-fee.ts';
import { LIMITS } from './settings.ts';

/**
 * Reasons why a contract transaction is invalid in every state of the ledger (stellar-core, TransactionFrame.cpp).
 */

const INVOKE_HOST_FUNCTION = 24;
const RESTORE_FOOTPRINT = 26;

function isContractOperation({ body }: xdr.OperationWire): boolean {
  return body.type >= INVOKE_HOST_FUNCTION && body.type <= RESTORE_FOOTPRINT;
}

/** Whether it has a contract operation but no valid resource fee (XDRProvidesValidFee). */
export function lacksResourceFee({ tx, soroban }: Transaction): boolean {
  const [first] = tx.operations;
  if (first === undefined || !isContractOperation(first)) return false;
  return soroban === null || soroban.resourceFee < 0n || soroban.resourceFee > LIMITS.resource_fee;
}

/** The code of the refusal, or null. */
export function contractProblem(tx: Transaction): -16 | -17 | null {
  const { operations } = tx.tx;
  const contractOperations = operations.filter(isContractOperation).length;
  if (contractOperations === 0) return tx.soroban === null ? null : TX.malformed;
  if (operations.length > 1 || tx.soroban === null) return TX.malformed;
  return hasMemoOrMuxedSource(tx) || !isAffordable(tx, tx.soroban) ? TX.sorobanInvalid : null;
}

/** CAP-67: a contract call names a muxed destination only by its own argument (since protocol 25). */
function hasMemoOrMuxedSource({ tx }: Transaction): boolean {
  const [operation] = tx.operations;
  if (operation?.body.type !== INVOKE_HOST_FUNCTION) return false;
  const isMuxed = (account: xdr.MuxedAccountWire | null) => account?.type === 256;
  return tx.memo.type !== 0 || isMuxed(tx.sourceAccount) || isMuxed(operation.sourceAccount);
}

function isAffordable(
  tx: Transaction,
  { ext, resources, resourceFee }: xdr.SorobanTransactionDataWire,
): boolean {
  if (!areWithinLimits(resources) || !isFootprintValid(resources.footprint)) return false;
  // Nothing is ever archived here, so nothing can be restored (CAP-66).
  if (ext.v === 1 && ext.resourceExt.archivedSorobanEntries.length > 0) return false;
  const bytes = tx.envelopeXdr.length;
  if (bytes > LIMITS.transaction_bytes || resourceFee > tx.feeBid) return false;
  return resourceFee >= nonRefundableFee(resources, bytes);
}

function areWithinLimits({ footprint, ...resources }: xdr.SorobanResourcesWire): boolean {
  return (
    resources.instructions <= LIMITS.instructions &&
    resources.diskReadBytes <= LIMITS.disk_read_bytes &&
    resources.writeBytes <= LIMITS.write_bytes &&
    diskReadEntries(footprint) <= LIMITS.disk_read_entries &&
    footprint.readWrite.length <= LIMITS.write_entries &&
    footprint.readOnly.length + footprint.readWrite.length <= LIMITS.footprint_entries
  );
}

function isFootprintValid({ readOnly, readWrite }: xdr.LedgerFootprintWire): boolean {
  const keys = [...readOnly, ...readWrite];
  return keys.every(isFootprintKey) && new Set(keys.map(keyString)).size === keys.length;
}

/** Accounts, trust lines that can exist, contract data and contract code. */
function isFootprintKey(key: xdr.LedgerKeyWire): boolean {
  if (key.type !== 1) return key.type === 0 || key.type === 6 || key.type === 7;
  const { asset, accountId } = key.trustLine;
  if (asset.type === 0 || asset.type === 3) return false;
  return !sameBytes(issuerOf(asset), accountId.ed25519);
}
