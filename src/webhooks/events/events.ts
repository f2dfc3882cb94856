import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { requireRow } from '../../wallets/access.ts';
import { deliveryHeaders, type EndpointSigner, keysOpenedOnce } from '../delivery/headers.ts';
import { findSigner } from '../endpoints/endpoint-store.ts';
import { lastSequences, type NumberedEvent, readEvents, type Sequence } from './event-log.ts';
import type { EventWaits } from './event-waits.ts';

/** `headers`: those of a delivery to the endpoint that is sent now; null when none was named. */
export type SignedEvent = NumberedEvent & { headers: Record<string, string> | null };

export type EventPage = { items: SignedEvent[]; next_after: bigint };

/**
 * The events after a number, oldest first, so that whoever missed some can fetch them: the wallet's, or with an
 * endpoint what was made for that one, signed with its secrets as they are now. With nothing to show it waits for
 * `wait_ms`, and gives nothing then. `next_after` is where to go on.
 * @throws AppError `not_found` for the endpoint, `sequence_unknown` for a number that was never given out,
 * `too_many_waiting`.
 */
export async function fetchEvents(
  deps: Deps,
  waits: EventWaits,
  of: Sequence,
  query: { after: bigint | 'latest'; limit: number; wait_ms: number },
  signal: AbortSignal,
): Promise<EventPage> {
  const { limit, wait_ms } = query;
  const signer = await signerOf(deps, of);
  const after = await checkedStart(deps, of, query.after);
  const page = await readSigned(deps, of, signer, { after, limit });
  if (page.items.length > 0 || wait_ms === 0) return page;
  const owner_id = of.endpoint_id ?? of.wallet_id;
  await waits.wait({ wallet_id: of.wallet_id, owner_id, after }, wait_ms, signal);
  // Meanwhile the endpoint can have been deleted, or its secret rotated.
  return readSigned(deps, of, await signerOf(deps, of), { after, limit });
}

async function signerOf(deps: Deps, { wallet_id, endpoint_id }: Sequence): Promise<EndpointSigner | null> {
  if (endpoint_id === null) return null;
  return requireRow('webhook endpoint', endpoint_id, (id) =>
    findSigner(deps.db, wallet_id, id, deps.clock.now()),
  );
}

/**
 * A database that was restored from an older copy numbers anew what comes: whoever goes on after a number from before
 * would miss that without a sign, so it is told.
 */
async function checkedStart(deps: Deps, of: Sequence, after: bigint | 'latest'): Promise<bigint> {
  if (after === 0n) return after;
  const owner_id = of.endpoint_id ?? of.wallet_id;
  const last = (await lastSequences(deps.db, [owner_id])).get(owner_id) ?? 0n;
  if (after === 'latest') return last;
  if (after <= last) return after;
  throw new AppError(
    'sequence_unknown',
    `There is no event ${after} yet: the last one is ${last}. It is another wallet’s or endpoint’s number, or the ` +
      'service’s database was restored from an older copy.',
  );
}

async function readSigned(
  deps: Deps,
  of: Sequence,
  signer: EndpointSigner | null,
  page: { after: bigint; limit: number },
): Promise<EventPage> {
  const events = await readEvents(deps.db, of, page);
  const now = deps.clock.now();
  const keysOf = signer && keysOpenedOnce(deps.secrets, signer.endpoint_id);
  const headers = ({ id, sequence, body }: NumberedEvent) =>
    keysOf && deliveryHeaders(keysOf, signer, { event_id: id, sequence, body }, now);
  return {
    items: events.map((event) => ({ ...event, headers: headers(event) })),
    next_after: events.at(-1)?.sequence ?? page.after,
  };
}
