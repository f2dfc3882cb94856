import type { Deps } from '../../deps.ts';
import { AppError } from '../../lib/errors.ts';
import { requireRow } from '../../wallets/access.ts';
import { type EndpointSecrets, findSecrets } from '../store/endpoint-store.ts';
import { lastSequences, type NumberedEvent, readEvents, type Sequence } from '../store/event-store.ts';
import { createKeyCache, deliveryHeaders } from './delivery-headers.ts';
import type { EventWaits } from './event-waits.ts';

/** `headers`: of a delivery to the endpoint that is sent now; null without an endpoint. */
export type SignedEvent = NumberedEvent & { headers: Record<string, string> | null };

export type EventPage = { items: SignedEvent[]; next_after: bigint };
/** `had_place`: false when the request did not wait to the end because too many do; its caller should pause. */
export type AwaitedPage = EventPage & { had_place: boolean };

/**
 * Fetches the events after a number, oldest first: all of the wallet, or those for one endpoint, signed with its present
 * secrets. When there is none, it waits up to `wait_ms` for the next one. `next_after` is the `after` of the next call.
 * @throws AppError `not_found` for the endpoint, `sequence_unknown` for a number that no event has had
 */
export async function fetchEvents(
  deps: Deps,
  waits: EventWaits,
  { team_id, ...of }: Sequence & { team_id: string },
  query: { after: bigint | 'latest'; limit: number; wait_ms: number },
  signal: AbortSignal,
): Promise<AwaitedPage> {
  const { limit, wait_ms } = query;
  const inTurn = <T>(read: (deps: Deps) => Promise<T>) =>
    deps.readInTurn(team_id, (db) => read({ ...deps, db }));
  const { after, page } = await inTurn(async (deps) => {
    const secrets = await secretsOf(deps, of);
    const after = await checkedStart(deps, of, query.after);
    return { after, page: await readSigned(deps, of, secrets, { after, limit }) };
  });
  if (page.items.length > 0 || wait_ms === 0) return { ...page, had_place: true };
  const owner_id = of.endpoint_id ?? of.wallet_id;
  const had_place = await waits.wait({ team_id, wallet_id: of.wallet_id, owner_id, after }, wait_ms, signal);
  // The endpoint may have been deleted during the wait, or its secret replaced.
  const awaited = await inTurn(async (deps) =>
    readSigned(deps, of, await secretsOf(deps, of), { after, limit }),
  );
  return { ...awaited, had_place };
}

async function secretsOf(deps: Deps, { wallet_id, endpoint_id }: Sequence): Promise<EndpointSecrets | null> {
  if (endpoint_id === null) return null;
  return requireRow('webhook endpoint', endpoint_id, (id) =>
    findSecrets(deps.db, wallet_id, id, deps.clock.now()),
  );
}

/**
 * Checks the number to start after. A database restored from an older copy gives the same numbers to other events. Without this check a client that
 * continues after a number from before would miss events and not know.
 */
async function checkedStart(deps: Deps, of: Sequence, after: bigint | 'latest'): Promise<bigint> {
  if (after === 0n) return after;
  const owner_id = of.endpoint_id ?? of.wallet_id;
  const last = (await lastSequences(deps.db, [owner_id])).get(owner_id) ?? 0n;
  if (after === 'latest') return last;
  if (after <= last) return after;
  throw new AppError(
    'sequence_unknown',
    `There is no event ${after} yet: the last one is ${last}. The number belongs to another wallet or endpoint, or the ` +
      'service’s database was restored from an older copy.',
  );
}

async function readSigned(
  deps: Deps,
  of: Sequence,
  secrets: EndpointSecrets | null,
  page: { after: bigint; limit: number },
): Promise<EventPage> {
  const events = await readEvents(deps.db, of, page);
  const now = deps.clock.now();
  const openKeys = secrets && createKeyCache(deps.secrets, secrets.endpoint_id);
  const headers = ({ id, sequence, body }: NumberedEvent) =>
    openKeys && deliveryHeaders(openKeys, secrets, { event_id: id, sequence, body }, now);
  return {
    items: events.map((event) => ({ ...event, headers: headers(event) })),
    next_after: events.at(-1)?.sequence ?? page.after,
  };
}
