/** The entries of the audit log for withdrawals and changes of trust lines that were claimed. */
import { appendDeeds, type Deed, logEntries } from '../../audit/audit.ts';
import type { Trx } from '../../db/database.ts';
import { withLogContext } from '../../lib/log-context.ts';
import type { ClaimDeps, ClaimOrder, NewClaims } from '../engine/hooks.ts';

/** Appends the entries, as the last statement of the transaction. Returns what writes their log lines after the commit. */
export async function auditClaims(
  trx: Trx,
  deps: ClaimDeps,
  { made, contexts }: Pick<NewClaims, 'made' | 'contexts'>,
): Promise<() => void> {
  const deeds = made.map((order) => ({ actor: order.actor, deed: deedOfClaim(order) }));
  const entries = await appendDeeds(trx, deeds, deps.clock.now());
  return () => {
    for (const entry of entries)
      withLogContext(contexts.get(entry.deed.target.id ?? ''), () => logEntries(deps, [entry]));
  };
}

const ACTION_OF = { add_trust_line: 'asset.added', remove_trust_line: 'asset.removed' } as const;

/** Returns the entry of the audit log for a withdrawal that was claimed. */
export function deedOfClaim({
  owner_id,
  wallet_id,
  id,
  operation,
  asset_code,
  asset_issuer,
  ...order
}: ClaimOrder): Deed {
  const deed = { team_id: owner_id, wallet_id, target: { kind: 'withdrawal', id } };
  const asset = { asset_code, asset_issuer };
  if (operation === 'add_trust_line' || operation === 'remove_trust_line')
    return { ...deed, action: ACTION_OF[operation], after: asset };
  const { amount_stroops, destination, memo_id, refund_of, idempotency_key, reference, payout_id } = order;
  const after = {
    ...asset,
    amount_stroops,
    destination,
    memo_id,
    refund_of,
    idempotency_key,
    ...(reference && { reference }),
    ...(payout_id && { payout_id }),
  };
  return { ...deed, action: 'withdrawal.requested', after };
}
