import { xdr } from '@stellar/stellar-sdk/base';
import type { Header } from './account.ts';

/** The header after the upgrades of a ledger, which take effect after its transactions. */
export function upgraded(header: Header, upgrades: Uint8Array[]): Header {
  const after = { ...header };
  for (const bytes of upgrades) {
    const upgrade = xdr.LedgerUpgrade.schema.decode(bytes);
    if (upgrade.type === 1) after.ledgerVersion = upgrade.newLedgerVersion;
    if (upgrade.type === 2) after.baseFee = upgrade.newBaseFee;
    if (upgrade.type === 3) after.maxTxSetSize = upgrade.newMaxTxSetSize;
    if (upgrade.type === 4) after.baseReserve = upgrade.newBaseReserve;
    // The other upgrades concern liquidity pools and contracts. Nothing here depends on them.
  }
  return after;
}

/** The encoded upgrade on which validators agree when the network goes to this protocol. */
export function protocolUpgrade(newLedgerVersion: number): Uint8Array {
  return xdr.LedgerUpgrade.schema.encode({ type: 1, newLedgerVersion });
}
