import { xdr } from '@stellar/stellar-sdk/base';
import type { Header } from '../ledger/account.ts';

/** The header after the upgrades that a ledger was closed with; they take effect after its transactions. */
export function upgraded(header: Header, upgrades: Uint8Array[]): Header {
  return upgrades.reduce((before, bytes) => {
    const upgrade = xdr.LedgerUpgrade.schema.decode(bytes);
    if (upgrade.type === 1) return { ...before, ledgerVersion: upgrade.newLedgerVersion };
    if (upgrade.type === 2) return { ...before, baseFee: upgrade.newBaseFee };
    if (upgrade.type === 3) return { ...before, maxTxSetSize: upgrade.newMaxTxSetSize };
    if (upgrade.type === 4) return { ...before, baseReserve: upgrade.newBaseReserve };
    return before; // flags of liquidity pools and settings of contracts: nothing here goes by them
  }, header);
}
