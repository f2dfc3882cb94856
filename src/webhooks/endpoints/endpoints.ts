import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { DAY_MS } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import { giveUpOfDeleted, hasten, hastenUnderWay } from '../delivery/delivery-batches.ts';
import { announceChanged, announceDue } from '../delivery/delivery-store.ts';
import { MAX_OLD_SECRETS, newSigningSecret } from '../delivery/sign.ts';
import {
  type Endpoint,
  type EndpointChange,
  insertEndpoint,
  markDeleted,
  replaceSecret,
  updateEndpoint,
} from './endpoint-store.ts';
import { type Resolve, requirePublicUrl, resolveByDns } from './resolve.ts';

const MAX_ENDPOINTS = 20;
/** Receivers may still check `webhook-signature` with a secret for so long after it was replaced. */
const OVERLAP_MS = DAY_MS;
const BATCH = 500;

/**
 * A new endpoint and its signing secret, which is shown this once.
 * @throws AppError `webhook_url_not_public`, or `too_many_endpoints` when the wallet has 20.
 */
export async function registerEndpoint(
  deps: Deps,
  order: { wallet_id: string; url: string; description: string | null },
  resolve: Resolve = resolveByDns,
): Promise<{ endpoint: Endpoint; signing_secret: string }> {
  await requirePublicUrl(deps, order.url, resolve);
  const created_at = deps.clock.now();
  const id = newId('whe', created_at);
  const signing_secret = newSigningSecret();
  const sealed_secret = deps.secrets.seal(id, signing_secret);
  const inserted = await deps.db
    .transaction()
    .execute((trx) => insertEndpoint(trx, { id, ...order, sealed_secret, created_at }, MAX_ENDPOINTS));
  if (!inserted) {
    throw new AppError('too_many_endpoints', `A wallet has at most ${MAX_ENDPOINTS} webhook endpoints.`);
  }
  return {
    endpoint: { id, ...order, enabled: true, disabled_reason: null, failing_since: null, created_at },
    signing_secret,
  };
}

/**
 * What waits for the endpoint goes at once when it is enabled or gets another URL: whatever made it fail is mended. It has
 * its whole schedule before it, and so has what is under way to the endpoint as it was.
 * Undefined when there is no such endpoint. @throws AppError `webhook_url_not_public`.
 */
export async function changeEndpoint(
  deps: Deps,
  endpoint: { wallet_id: string; id: string },
  change: EndpointChange,
): Promise<Endpoint | undefined> {
  if (change.url !== undefined) await requirePublicUrl(deps, change.url, resolveByDns);
  const changed = await updateEndpoint(deps.db, endpoint.wallet_id, endpoint.id, change);
  if (changed) await announceChanged(deps.db, changed.id);
  if (changed?.enabled && (change.enabled || change.url !== undefined)) {
    const now = deps.clock.now();
    await hasten(deps.db, changed.id, now, BATCH);
    await hastenUnderWay(deps.db, changed.id, now);
    await announceDue(deps.db);
  }
  return changed;
}

/**
 * Stops sending to the endpoint, and gives up what it still had to get, visibly: in batches, for it can be very much, and
 * upkeep goes on where this is interrupted. Undefined when there is none.
 */
export async function deleteEndpoint(
  deps: Deps,
  endpoint: { wallet_id: string; id: string },
): Promise<Endpoint | undefined> {
  const { wallet_id, id } = endpoint;
  const deleted = await deps.db
    .transaction()
    .execute((trx) => markDeleted(trx, wallet_id, id, deps.clock.now()));
  if (!deleted) return undefined;
  await announceChanged(deps.db, deleted.id);
  while (await giveUpBatch(deps));
  return deleted;
}

/** Gives up some of what deleted endpoints still had to get; true when there may be more. */
export async function giveUpBatch(deps: Deps): Promise<boolean> {
  return (await giveUpOfDeleted(deps.db, deps.clock.now(), BATCH)) === BATCH;
}

/**
 * A new signing secret, in use when this returns, retries included. Each old one goes on signing beside it in
 * `webhook-signature` for 24 h after it was replaced, also when the new one is lost and replaced as well; of more than four
 * the oldest is dropped. Undefined when there is no such endpoint.
 */
export async function rotateSecret(
  deps: Deps,
  endpoint: { wallet_id: string; id: string },
): Promise<{ endpoint: Endpoint; signing_secret: string } | undefined> {
  const { wallet_id, id } = endpoint;
  const signing_secret = newSigningSecret();
  const change = {
    sealed_secret: deps.secrets.seal(id, signing_secret),
    old_until: new Date(deps.clock.now().getTime() + OVERLAP_MS),
    old_at_most: MAX_OLD_SECRETS,
  };
  const rotated = await deps.db.transaction().execute((trx) => replaceSecret(trx, wallet_id, id, change));
  if (rotated) await announceChanged(deps.db, rotated.id);
  return rotated && { endpoint: rotated, signing_secret };
}
