import { auditedOnWallet, type OnWallet } from '../../audit/audit.ts';
import type { Deps } from '../../deps.ts';
import { firstId } from '../../lib/ids.ts';
import { announceDue } from '../store/announce.ts';
import { lockNext, restart } from '../store/delivery-store.ts';
import { lockEndpoint } from '../store/endpoint-store.ts';

const BATCH = 500;
/** Runs a batch in its turn. A batch that waits uses no database connection. */
type InTurn = <T>(batch: () => Promise<T>) => Promise<T>;

/**
 * Sends all deliveries again that were made for the endpoint since `since` and are not acknowledged, oldest first, each
 * with its whole schedule: the same bytes, event id and sequence number. `include_delivered`: acknowledged ones too. A
 * disabled endpoint gets them when it is enabled.
 *
 * Returns their number; undefined when there is no such endpoint. Each batch is a transaction of its own: after a crash
 * the rest is as before, and a second call sends it.
 */
export async function replay(
  deps: Deps,
  by: OnWallet,
  order: { id: string; since: Date; include_delivered: boolean },
  inTurn: InTurn = (batch) => batch(),
): Promise<{ count: number } | undefined> {
  const now = deps.clock.now();
  const until = firstId('dlv', new Date(now.getTime() + 1)); // later deliveries are due anyway
  let from = firstId('dlv', order.since);
  let count = 0;
  for (;;) {
    const range = { from, until, include_delivered: order.include_delivered };
    const ids = await inTurn(() => replayNext(deps, by, order.id, range, now));
    if (!ids) return undefined;
    count += ids.length;
    const last = ids.at(-1);
    if (last === undefined || ids.length < BATCH) return { count };
    from = `${last}0`; // the first text after `last` in the order of ids
  }
}

async function replayNext(
  deps: Deps,
  by: OnWallet,
  id: string,
  range: Parameters<typeof lockNext>[2],
  now: Date,
): Promise<string[] | undefined> {
  return auditedOnWallet(deps, by, async (trx, note) => {
    if (!(await lockEndpoint(trx, by.wallet.id, id))) return undefined;
    const ids = await lockNext(trx, id, range, BATCH);
    if (ids.length === 0) return ids;
    await restart(trx, ids, now);
    await announceDue(trx);
    const after = { deliveries: ids.length, first: ids[0], last: ids.at(-1) };
    note({ action: 'deliveries.replayed', target: { kind: 'webhook_endpoint', id }, after });
    return ids;
  });
}
