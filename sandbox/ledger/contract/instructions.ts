import type { xdr } from '@stellar/stellar-sdk/base';
import type { LedgerTxn } from '../ledger-txn.ts';

/**
 * Instructions are not counted. These are what the host of the public network took in 2026 for a transfer to a contract
 * that had no balance, and to one that had; other transfers count as the second. For a signature: near what it takes.
 */
const FIRST_TRANSFER = 206_500;
const NEXT_TRANSFER = 229_500;
const SIGNED_ENTRY = 500_000;

/** Margin of a simulation: the larger of the two (soroban-simulation, SimulationAdjustmentConfig). */
const MARGIN = { percent: 4, instructions: 50_000 };

/** @param txn changes of the transfer */
export function instructionsOf(auth: xdr.SorobanAuthorizationEntryWire[], txn: LedgerTxn): number {
  const signed = auth.filter(({ credentials }) => credentials.type !== 0).length;
  return (makesBalance(txn) ? FIRST_TRANSFER : NEXT_TRANSFER) + signed * SIGNED_ENTRY;
}

/** What a simulation declares for a call that used so many. */
export function withMargin(instructions: number): number {
  const grown = Math.floor((instructions * (100 + MARGIN.percent)) / 100);
  return Math.max(grown, instructions + MARGIN.instructions);
}

function makesBalance(txn: LedgerTxn): boolean {
  return txn.changes().some(({ before, after }) => {
    const isPersistent = after?.data.type === 6 && after.data.contractData.durability === 1;
    return before === undefined && isPersistent;
  });
}
