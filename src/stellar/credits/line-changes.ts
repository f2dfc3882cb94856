/** Pure: how a transaction changed the authorization of trust lines. The state is in their entries alone. */
import { issuedAssetOf } from '../accounts/account-balances.ts';
import { trustLineOf } from '../accounts/trust-lines.ts';
import { accountOf } from '../address.ts';
import { xdr } from '../protocol/sdk.ts';
import { lineKey, type TrustLine } from '../stellar.ts';
import type { Adjustment, AdjustmentReason, LineOrder } from './adjustment.ts';
import { changesIn } from './balance-changes.ts';

const REASONS: Record<TrustLine['authorization'], AdjustmentReason> = {
  full: 'authorized',
  maintain_liabilities: 'maintain_liabilities',
  none: 'authorization_revoked',
};

/**
 * Returns one adjustment for each line whose authorization after the transaction is another than before, at the last order. A
 * transaction that authorizes, pays and revokes (SEP-8) changes nothing. Null when the meta is missing or does not decode:
 * no hash covers it, so a source can give any bytes.
 */
export function lineChanges(meta: Buffer | null, orders: LineOrder[]): Adjustment[] | null {
  if (orders.length === 0) return [];
  const states = meta && authorizations(meta);
  if (!states) return null;
  const last = new Map(orders.map((order) => [lineKey(order), order]));
  return [...last].flatMap(([key, { account, asset, ...at }]) => {
    const state = states.get(key);
    if (!state || state.after === null || state.after === state.before) return [];
    const line = { account, asset_code: asset.code, asset_issuer: asset.issuer };
    return [{ ...line, ...at, amount_stroops: 0n, reason: REASONS[state.after] }];
  });
}

type Authorization = TrustLine['authorization'];

/** `before`: of a line that the transaction made, as it was made. `after`: null for one that is gone. */
type State = { before: Authorization; after: Authorization | null };

/** Reads the authorizations in a meta, by `lineKey`. */
function authorizations(meta: Buffer): Map<string, State> | null {
  const changes = decoded(meta);
  if (!changes) return null;
  const states = new Map<string, State>();
  for (const change of changes) {
    const found = lineIn(change);
    if (!found) continue;
    const { key, authorization } = found;
    const before = states.get(key)?.before ?? authorization;
    if (before !== null) states.set(key, { before, after: authorization });
  }
  return states;
}

function decoded(meta: Buffer): xdr.LedgerEntryChange[] | null {
  try {
    return changesIn(xdr.TransactionMeta.fromXdr(meta));
  } catch {
    return null;
  }
}

function lineIn(change: xdr.LedgerEntryChange): { key: string; authorization: Authorization | null } | null {
  if (change.type === 'ledgerEntryRemoved') {
    const { removed } = change;
    if (removed.type !== 'trustline') return null;
    const key = keyOf(removed.trustLine);
    return key === null ? null : { key, authorization: null };
  }
  const { data } = change.value;
  if (data.type !== 'trustline') return null;
  const key = keyOf(data.trustLine);
  return key === null ? null : { key, authorization: trustLineOf(data.trustLine).authorization };
}

/** Returns the key of a trust line; null for a pool share. */
function keyOf({ accountId, asset }: Pick<xdr.TrustLineEntry, 'accountId' | 'asset'>): string | null {
  const issued = issuedAssetOf(asset);
  return issued && lineKey({ account: accountOf(accountId.ed25519.value), asset: issued });
}
