/** Requests that wait for the next event (db/waits.ts). */
import { createWaits, type Waits } from '../../db/waits.ts';
import type { Deps } from '../../deps.ts';
import { WEBHOOK_DUE } from '../store/announce.ts';
import { lastSequences } from '../store/event-store.ts';

/** A wait for a number above `after` of `owner_id`, a wallet or an endpoint. */
export type EventWait = { team_id: string; wallet_id: string; owner_id: string; after: bigint };
export type EventWaits = Waits<EventWait>;

export function createEventWaits(deps: Deps): EventWaits {
  return createWaits(deps, {
    name: 'event waits',
    channel: WEBHOOK_DUE,
    of_team: deps.config.team_quotas.waiting,
    async look(waits) {
      const last = await lastSequences(deps.db, [...new Set(waits.map(({ owner_id }) => owner_id))]);
      return waits.filter(({ owner_id, after }) => (last.get(owner_id) ?? 0n) > after);
    },
  });
}
