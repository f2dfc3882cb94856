import type { Deps } from '../../deps.ts';
import { firstId } from '../../lib/ids.ts';
import { holdEndpoint } from '../endpoints/endpoint-store.ts';
import { lockNext } from './delivery-batches.ts';
import { announceDue, restart } from './delivery-store.ts';

const BATCH = 500;
/** Runs a batch when its turn comes: until then it holds no database connection. */
type InTurn = <T>(batch: () => Promise<T>) => Promise<T>;

/**
 * Sends again what was made for the endpoint since `since` and is not acknowledged, in its order, each with its whole
 * schedule: the same bytes under the same event id and sequence number. `include_delivered`: what was acknowledged too.
 * To a disabled endpoint it goes when that is enabled.
 *
 * Gives how many; undefined when there is no such endpoint. Each batch is a transaction of its own: a crash in between
 * leaves the rest as it was, and whoever got no answer asks again.
 */
export async function replay(
  deps: Deps,
  endpoint: { wallet_id: string; id: string },
  order: { since: Date; include_delivered: boolean },
  inTurn: InTurn = (batch) => batch(),
): Promise<{ count: number } | undefined> {
  const now = deps.clock.now();
  const until = firstId('dlv', new Date(now.getTime() + 1)); // what is made from here on is due anyway
  let from = firstId('dlv', order.since);
  let count = 0;
  for (;;) {
    const range = { from, until, include_delivered: order.include_delivered };
    const ids = await inTurn(() => replayNext(deps, endpoint, range, now));
    if (!ids) return undefined;
    count += ids.length;
    const last = ids.at(-1);
    if (last === undefined || ids.length < BATCH) return { count };
    from = `${last}0`; // sorts after `last`, and before every other id after it
  }
}

async function replayNext(
  deps: Deps,
  endpoint: { wallet_id: string; id: string },
  range: Parameters<typeof lockNext>[2],
  now: Date,
): Promise<string[] | undefined> {
  return deps.db.transaction().execute(async (trx) => {
    if (!(await holdEndpoint(trx, endpoint.wallet_id, endpoint.id))) return undefined;
    const ids = await lockNext(trx, endpoint.id, range, BATCH);
    if (ids.length === 0) return ids;
    await restart(trx, ids, now);
    await announceDue(trx);
    return ids;
  });
}
