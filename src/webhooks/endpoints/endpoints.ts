import { auditedOnWallet, type OnWallet } from '../../audit/audit.ts';
import { holdMaker } from '../../auth/keys/api-keys.ts';
import type { Maker } from '../../auth/users/actor.ts';
import type { Deps } from '../../deps.ts';
import { DAY_MS } from '../../lib/clock.ts';
import { AppError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { requirePublicUrl } from '../../outgoing/require-public-url.ts';
import { type Resolve, resolveByDns } from '../../outgoing/resolve-host.ts';
import { shownUrl, shownUrls } from '../../outgoing/shown-url.ts';
import { MAX_OLD_SECRETS, newSigningSecret } from '../../outgoing/sign.ts';
import { announceChanged, announceDue } from '../store/announce.ts';
import { giveUpOfDeleted, restartUnderWay, restartWaiting } from '../store/delivery-store.ts';
import {
  type Endpoint,
  type EndpointChange,
  insertEndpoint,
  lockToChange,
  markDeleted,
  replaceSecret,
  updateEndpoint,
} from '../store/endpoint-store.ts';
import { DEFAULT_EVENTS, type EventType } from '../store/event-types.ts';

const MAX_ENDPOINTS = 20;
/** How long a replaced secret still signs: receivers need time to take over the new one. */
const OLD_SECRET_MS = DAY_MS;
const BATCH = 500;

type NewOrder = { url: string; description: string | null; events?: EventType[] | undefined };

/**
 * Registers an endpoint; returns it with its signing secret, which is never shown again.
 * @throws AppError `webhook_url_not_public`, `too_many_endpoints` when the wallet has 20, or `unauthenticated` when the API
 * key is deleted, or the service user disabled, before the endpoint is registered.
 */
export async function registerEndpoint(
  deps: Deps,
  by: OnWallet & { maker: Maker },
  { events = DEFAULT_EVENTS, ...order }: NewOrder,
  resolve: Resolve = resolveByDns,
): Promise<{ endpoint: Endpoint; signing_secret: string }> {
  await requirePublicUrl(deps, order.url, resolve);
  const created_at = deps.clock.now();
  const id = newId('whe', created_at);
  const signing_secret = newSigningSecret();
  const { maker, wallet } = by;
  const created_by = {
    created_by_kind: maker.kind,
    created_by_id: maker.id,
    created_by_name: maker.name,
  };
  const row = { id, wallet_id: wallet.id, ...order, events, ...created_by, created_at };
  const insert = () =>
    auditedOnWallet(deps, by, async (trx, note) => {
      // The credential was valid when the request came. If it is ended now, the answer to that must list this endpoint.
      await holdMaker(trx, maker);
      const sealed_secret = deps.secrets.seal(id, signing_secret);
      if (!(await insertEndpoint(trx, { ...row, sealed_secret }, MAX_ENDPOINTS))) return false;
      const after = { ...order, events, url: shownUrl(order.url) };
      note({ action: 'endpoint.registered', target: { kind: 'webhook_endpoint', id }, after });
      return true;
    });
  const inserted = await deps.withSealingKey(insert);
  if (!inserted) {
    throw new AppError('too_many_endpoints', `A wallet has at most ${MAX_ENDPOINTS} webhook endpoints.`);
  }
  return {
    endpoint: { ...row, enabled: true, disabled_reason: null, failing_since: null, exam_passed_at: null },
    signing_secret,
  };
}

/**
 * Changes an endpoint; undefined when there is none. When it is enabled or gets another URL, its pending deliveries are
 * sent at once, with their whole schedule: the cause of earlier failures is probably gone.
 * @throws AppError `webhook_url_not_public`.
 */
export async function changeEndpoint(
  deps: Deps,
  by: OnWallet,
  id: string,
  change: EndpointChange,
): Promise<Endpoint | undefined> {
  if (change.url !== undefined) await requirePublicUrl(deps, change.url, resolveByDns);
  const changed = await auditedOnWallet(deps, by, async (trx, note) => {
    const before = await lockToChange(trx, by.wallet.id, id);
    const after = await updateEndpoint(trx, by.wallet.id, id, change);
    const target = { kind: 'webhook_endpoint', id };
    if (before && after) {
      const urls = shownUrls(before.url, after.url);
      note({
        action: 'endpoint.changed',
        target,
        before: { ...settingsOf(before), ...urls.before },
        after: { ...settingsOf(after), ...urls.after },
      });
    }
    return after;
  });
  if (changed) await announceChanged(deps.db, changed.id);
  if (changed?.enabled && (change.enabled || change.url !== undefined)) {
    const now = deps.clock.now();
    await restartWaiting(deps.db, changed.id, now, BATCH);
    await restartUnderWay(deps.db, changed.id, now);
    await announceDue(deps.db);
  }
  return changed;
}

/**
 * Deletes an endpoint; undefined when there is none. Its pending deliveries are given up in batches, for there can be very
 * many; upkeep continues if this is interrupted.
 */
export async function deleteEndpoint(deps: Deps, by: OnWallet, id: string): Promise<Endpoint | undefined> {
  const deleted = await auditedOnWallet(deps, by, async (trx, note) => {
    const before = await markDeleted(trx, by.wallet.id, id, deps.clock.now());
    const target = { kind: 'webhook_endpoint', id };
    if (before) note({ action: 'endpoint.deleted', target, before: settingsOf(before) });
    return before;
  });
  if (!deleted) return undefined;
  await announceChanged(deps.db, deleted.id);
  while (await giveUpBatch(deps));
  return deleted;
}

/** Returns the settings of an endpoint for the audit log. */
function settingsOf({ url, description, events, enabled }: Endpoint) {
  return { url: shownUrl(url), description, events, enabled };
}

/** Abandons one batch of pending deliveries of deleted endpoints; true when there may be more. */
export async function giveUpBatch(deps: Deps): Promise<boolean> {
  return (await giveUpOfDeleted(deps.db, deps.clock.now(), BATCH)) === BATCH;
}

/**
 * Replaces the signing secret; undefined when there is no such endpoint. The new secret signs everything that is sent from
 * now on, retries too. Each replaced secret still signs in `webhook-signature` for 24 hours after its replacement, however
 * many rotations follow; at most the newest four of them.
 */
export async function rotateSecret(
  deps: Deps,
  by: OnWallet,
  id: string,
): Promise<{ endpoint: Endpoint; signing_secret: string } | undefined> {
  const signing_secret = newSigningSecret();
  const replace = () =>
    auditedOnWallet(deps, by, async (trx, note) => {
      const endpoint = await replaceSecret(trx, by.wallet.id, id, {
        sealed_secret: deps.secrets.seal(id, signing_secret),
        old_until: new Date(deps.clock.now().getTime() + OLD_SECRET_MS),
        old_at_most: MAX_OLD_SECRETS,
        reseal: (sealed_secret) => deps.secrets.reseal(id, sealed_secret),
      });
      const target = { kind: 'webhook_endpoint', id };
      const made = { kind: 'signing_secret', id: null };
      if (endpoint)
        note({ action: 'endpoint.secret_rotated', target, after: { url: shownUrl(endpoint.url) }, made });
      return endpoint;
    });
  const rotated = await deps.withSealingKey(replace);
  if (rotated) await announceChanged(deps.db, rotated.id);
  return rotated && { endpoint: rotated, signing_secret };
}
