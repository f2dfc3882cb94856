/** What alerts a team gets: changes by its owners and admins, and by the service when the webhook fails. */
import { type Actor, audited, type Deed, THE_SERVICE } from '../audit/audit.ts';
import type { Trx } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { DAY_MS } from '../lib/clock.ts';
import { AppError } from '../lib/errors.ts';
import { requirePublicUrl } from '../outgoing/require-public-url.ts';
import { resolveByDns } from '../outgoing/resolve-host.ts';
import { shownUrl, shownUrls } from '../outgoing/shown-url.ts';
import { newSigningSecret } from '../outgoing/sign.ts';
import { deleteWebhookAlerts, giveToOldWebhook } from './alert-store.ts';
import { planRest } from './plan-alerts.ts';
import {
  findSettings,
  keepOldWebhook,
  lockSettings,
  markFailing,
  replaceSecret,
  replaceSettings,
  type Settings,
  sealedFor,
  type Wished,
} from './settings-store.ts';

const DISABLE_AFTER_MS = 5 * DAY_MS;
/** A failure so long after the last one begins a new time of failing: alerts may be rare. */
const FORGET_AFTER_MS = 2 * DAY_MS;
/** Long enough to notice, and for a receiver that is down to come back. */
const OLD_WEBHOOK_TOLD_MS = DAY_MS;
const OLD_WEBHOOKS_MAX = 4;
const DISABLED_REASON =
  'Every alert for five days failed. Save the settings again once the webhook answers with 2xx.';

type SettingsDeps = Pick<
  Deps,
  'db' | 'clock' | 'log' | 'metrics' | 'config' | 'secrets' | 'mailer' | 'withSealingKey'
>;
/** Whose settings, and who changes them. */
type By = { team_id: string; actor: Actor };
/** `signing_secret`: a new one, which is never shown again; null when the secret has not changed. */
type Changed = { settings: Settings; signing_secret: string | null };

/**
 * Replaces the settings. They hold for what is done from now on: alerts of what was done before go to whom the settings before
 * name, also those that wait. A webhook with another URL gets another signing secret, so that the receiver before can forge nothing
 * for the new one. @throws AppError `webhook_url_not_public`
 */
export async function replaceAlerts(deps: SettingsDeps, by: By, wished: Wished): Promise<Changed> {
  if (wished.url !== null) await requirePublicUrl(deps, wished.url, resolveByDns);
  return deps.withSealingKey(() => changeAlerts(deps, by, wished));
}

function changeAlerts(deps: SettingsDeps, { team_id, actor }: By, wished: Wished): Promise<Changed> {
  return audited(deps, actor, async (trx, note) => {
    const before = await lockSettings(trx, team_id);
    await planRest(deps, trx, team_id);
    const is_new = wished.url !== null && wished.url !== before.url;
    const signing_secret = is_new ? newSigningSecret() : null;
    const kept = wished.url === null ? null : before.sealed_secret;
    const sealed_secret =
      signing_secret === null ? kept : deps.secrets.seal(sealedFor(team_id), signing_secret);
    if (wished.url !== before.url) {
      const kept_id = await keepOld(deps, trx, team_id, before);
      if (kept_id !== null) await giveToOldWebhook(trx, team_id, kept_id);
    }
    await replaceSettings(trx, team_id, { ...wished, sealed_secret });
    if (wished.url === null) await deleteWebhookAlerts(trx, team_id);
    const settings = await findSettings(trx, team_id);
    const urls = shownUrls(before.url, settings.url);
    note({
      ...deedOf(team_id),
      before: { ...urls.before, ...factsOf(before) },
      after: { ...urls.after, ...factsOf(settings) },
    });
    return { settings, signing_secret };
  });
}

/**
 * Replaces the signing secret of the webhook. From then on the secret before signs only alerts of changes of the alerts, for one
 * day at most. @throws AppError `not_found` for a team without a webhook
 */
export async function rotateAlertSecret(deps: SettingsDeps, { team_id, actor }: By): Promise<Changed> {
  const signing_secret = newSigningSecret();
  const replace = () =>
    audited(deps, actor, async (trx, note) => {
      const settings = await lockSettings(trx, team_id);
      if (settings.url === null) throw new AppError('not_found', 'The alerts of the team have no webhook.');
      await keepOld(deps, trx, team_id, settings);
      await replaceSecret(trx, team_id, deps.secrets.seal(sealedFor(team_id), signing_secret));
      const after = { url: shownUrl(settings.url), secret_rotated: true };
      note({ ...deedOf(team_id), after, made: { kind: 'signing_secret', id: null } });
      return { settings, signing_secret };
    });
  return deps.withSealingKey(replace);
}

/** Keeps the webhook before, which gets this change too, with its own secret. Returns its id; null when it is not kept. */
async function keepOld(
  { clock, secrets }: SettingsDeps,
  trx: Trx,
  team_id: string,
  { url, sealed_secret: before }: Settings,
): Promise<bigint | null> {
  if (url === null || before === null) return null;
  const sealed_secret = secrets.reseal(sealedFor(team_id), before);
  const now = clock.now();
  const told_until = new Date(now.getTime() + OLD_WEBHOOK_TOLD_MS);
  return keepOldWebhook(trx, team_id, { url, sealed_secret, now, told_until, at_most: OLD_WEBHOOKS_MAX });
}

/** Records a failed attempt of the webhook, and disables the webhook after five days of failures. */
export async function recordFailure(deps: SettingsDeps, team_id: string, reason: string): Promise<void> {
  await audited(deps, THE_SERVICE, async (trx, note) => {
    const { url, disabled_reason, failing_since, last_failed_at } = await lockSettings(trx, team_id);
    if (url === null || disabled_reason !== null) return;
    const now = deps.clock.now();
    const elapsed_ms = (since: Date) => now.getTime() - since.getTime();
    const goes_on = failing_since && last_failed_at && elapsed_ms(last_failed_at) < FORGET_AFTER_MS;
    const since = goes_on ? failing_since : now;
    const ends = elapsed_ms(since) >= DISABLE_AFTER_MS;
    await markFailing(trx, team_id, {
      failing_since: since,
      last_failed_at: now,
      last_failure: reason,
      disabled_reason: ends ? DISABLED_REASON : null,
    });
    if (!ends) return;
    await deleteWebhookAlerts(trx, team_id);
    note({ ...deedOf(team_id), after: { url: shownUrl(url), disabled_reason: DISABLED_REASON } });
  });
}

function deedOf(team_id: string): Pick<Deed, 'team_id' | 'action' | 'target'> {
  return { team_id, action: 'team.alerts_changed', target: { kind: 'team', id: team_id } };
}

function factsOf({ kinds, thresholds }: Settings) {
  return { kinds, large_payments: thresholds };
}
