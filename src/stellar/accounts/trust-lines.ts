/** Pure: trust lines, from ledger entries. */
import { accountOf } from '../address.ts';
import { xdr } from '../protocol/sdk.ts';
import { type LineName, lineKey, type TrustLine } from '../stellar.ts';
import { issuedAssetOf, trustLineKey } from './account-balances.ts';

/** Returns the ledger key (base64) of a trust line. */
export function keyOfLine({ account, asset }: LineName): string {
  return trustLineKey(account, asset);
}

/** Reads trust lines by `lineKey`, from ledger entries (base64 LedgerEntryData). Entries of other kinds are left out. */
export function trustLines(entries: string[]): Map<string, TrustLine> {
  const lines = new Map<string, TrustLine>();
  for (const entry of entries) {
    const data = xdr.LedgerEntryData.fromXdr(entry, 'base64');
    if (data.type !== 'trustline') continue;
    const asset = issuedAssetOf(data.trustLine.asset);
    const account = accountOf(data.trustLine.accountId.ed25519.value);
    if (asset) lines.set(lineKey({ account, asset }), trustLineOf(data.trustLine));
  }
  return lines;
}

/** Source: Stellar-ledger-entries.x, TrustLineFlags. */
const [AUTHORIZED, MAINTAIN_LIABILITIES, CLAWBACK_ENABLED] = [1, 2, 4];

/** Reads the trust line in its ledger entry. */
export function trustLineOf({ balance, limit, flags, ext }: xdr.TrustLineEntry): TrustLine {
  const liabilities = ext.type === 'v1' ? ext.v1.liabilities : null;
  return {
    balance_stroops: balance,
    limit_stroops: limit,
    buying_liabilities_stroops: liabilities?.buying ?? 0n,
    selling_liabilities_stroops: liabilities?.selling ?? 0n,
    authorization: authorizationOf((flags & AUTHORIZED) !== 0, (flags & MAINTAIN_LIABILITIES) !== 0),
    clawback_enabled: (flags & CLAWBACK_ENABLED) !== 0,
  };
}

export function authorizationOf(full: boolean, maintains: boolean): TrustLine['authorization'] {
  if (full) return 'full';
  return maintains ? 'maintain_liabilities' : 'none';
}
