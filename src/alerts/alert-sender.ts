/**
 * Sends alerts that are due, at least once, each in a lease of this process (plan-alerts.ts has the table of states). A repeated
 * alert has the same id: `webhook-id` and Message-ID are made of the id of the entry.
 */

import { showEntry } from '../audit/audit-schema.ts';
import type { Deps } from '../deps.ts';
import { nextDelay, retryAfter } from '../outgoing/attempt-schedule.ts';
import { MAIL_TIMEOUT_MS } from '../outgoing/mailer.ts';
import { createPoster, isAcknowledged, type Poster } from '../outgoing/post.ts';
import { parseExemptions } from '../outgoing/public-url.ts';
import { type Resolve, resolveByDns } from '../outgoing/resolve-host.ts';
import { signatureHeaders, signingKeys } from '../outgoing/sign.ts';
import { recordFailure } from './alert-settings.ts';
import {
  addressOf,
  type ClaimedAlert,
  claimAlerts,
  deleteAlert,
  findEntry,
  idOfOldWebhook,
  postponeAlert,
  receiverOf,
  teamName,
  WEBHOOK,
} from './alert-store.ts';
import { alertBody, alertMail } from './alert-words.ts';
import { ALERT_KINDS, ALWAYS_SENT, type AlertKind } from './kinds.ts';
import { findOldWebhook, findSettings, markHealthy, sealedFor, type Webhook } from './settings-store.ts';
import { isUser, type NamedEntry } from './told.ts';

/** Receivers that this process sends to at once: each mail is a connection to the mail server. */
const AT_ONCE = 10;
/** Longer than a mail or a POST may take: otherwise an alert would be sent twice at once. */
export const LEASE_MS = 2 * MAIL_TIMEOUT_MS;
const STOP_GRACE_MS = 5_000;

/** `random` is uniform in [0, 1) and makes the jitter of the schedule. `on_room`: called when one more can be sent. */
type Options = { random?: () => number; resolve?: Resolve; on_room?: () => void };

/** What came of an attempt. `failed`: the reason; `abandoned`: the service stops. */
type Outcome = 'sent' | 'no_receiver' | 'abandoned' | { failed: string; retry_after_ms: number | null };

export class AlertSender {
  readonly #deps: Deps;
  readonly #options: Required<Options>;
  readonly #running = new Map<string, Promise<void>>();
  readonly #posters = new Set<Poster>();

  constructor(
    deps: Deps,
    { random = Math.random, resolve = resolveByDns, on_room = () => undefined }: Options = {},
  ) {
    this.#deps = deps;
    this.#options = { random, resolve, on_room };
  }

  /** Claims due alerts up to the free places and starts to send them. Returns false when none was due, or no place was free. */
  async step(): Promise<boolean> {
    const { db, clock, mailer } = this.#deps;
    const now = clock.now();
    const limit = AT_ONCE - this.#running.size;
    if (limit === 0) return false;
    const claimed = await claimAlerts(db, {
      now,
      lease_until: new Date(now.getTime() + LEASE_MS),
      limit,
      busy: [...this.#running.keys()],
      mails: mailer !== null,
    });
    for (const alert of claimed) this.#start(alert);
    return claimed.length > 0;
  }

  #start(alert: ClaimedAlert): void {
    const receiver = receiverOf(alert);
    const sent = this.#send(alert)
      // The lease ends, and the alert is sent again.
      .catch((error) =>
        this.#deps.log.error({ err: error, ...namesOf(alert) }, 'an alert could not be recorded'),
      )
      .finally(() => {
        this.#running.delete(receiver);
        this.#options.on_room();
      });
    this.#running.set(receiver, sent);
  }

  async #send(alert: ClaimedAlert): Promise<void> {
    const { db, clock } = this.#deps;
    const entry = showEntry(await findEntry(db, alert));
    const { kind, id } = entry.target;
    const target_email = isUser(kind) && id !== null ? await addressOf(db, id) : undefined;
    const named = { entry, target_email };
    const outcome = await (isWebhook(alert) ? this.#post(alert, named) : this.#mail(alert, named));
    if (outcome === 'abandoned')
      await postponeAlert(db, alert, { due_at: clock.now(), attempts: alert.attempts - 1 });
    else if (typeof outcome === 'string') await deleteAlert(db, alert);
    else await this.#retry(alert, outcome);
  }

  /** Returns undefined for a webhook that is removed or disabled, or an old one whose time is over. */
  async #webhookOf({ chain, receiver }: ClaimedAlert): Promise<Webhook | undefined> {
    const { db } = this.#deps;
    const old_id = idOfOldWebhook(receiver);
    if (old_id !== null) return findOldWebhook(db, old_id);
    const { url, sealed_secret, disabled_reason } = await findSettings(db, chain);
    return url === null || sealed_secret === null || disabled_reason !== null
      ? undefined
      : { url, sealed_secret };
  }

  async #post(alert: ClaimedAlert, named: NamedEntry): Promise<Outcome> {
    const { db, config, clock, secrets } = this.#deps;
    const { chain, receiver, kind } = alert;
    const webhook = await this.#webhookOf(alert);
    if (!webhook) return 'no_receiver';
    const { url, sealed_secret } = webhook;
    const isElsewhere = idOfOldWebhook(receiver) !== null && (await findSettings(db, chain)).url !== url;
    const body = alertBody(kind, isElsewhere && kind === ALWAYS_SENT ? withoutValues(named) : named);
    const keys = { current: signingKeys(secrets.open(sealedFor(chain), sealed_secret)), old: [] };
    const headers = {
      'Content-Type': 'application/json',
      'User-Agent': 'Stellar-Teller/1',
      ...signatureHeaders(body, { id: named.entry.id, sequence: null, sent_at: clock.now() }, keys),
    };
    const poster = createPoster({
      exemptions: parseExemptions(config.webhook_allowed_hosts),
      show_exempt_answers: false,
      resolve: this.#options.resolve,
      clock,
    });
    this.#posters.add(poster);
    const result = await poster.post({ url, headers, body });
    this.#posters.delete(poster);
    await poster.close();
    if ('abandoned' in result) return 'abandoned';
    if ('error' in result) return { failed: result.error, retry_after_ms: null };
    const { status_code, retry_after } = result;
    if (!isAcknowledged(status_code))
      return {
        failed: `the answer had the status ${status_code}`,
        retry_after_ms: retryAfter(status_code, retry_after, clock.now()),
      };
    if (receiver === WEBHOOK) await markHealthy(db, chain);
    return 'sent';
  }

  async #mail({ chain, receiver, kind }: ClaimedAlert, named: NamedEntry): Promise<Outcome> {
    const { db, config, mailer, log } = this.#deps;
    const email = await addressOf(db, receiver);
    if (email === undefined || mailer === null || !(kind in ALERT_KINDS)) return 'no_receiver';
    const team = await teamName(db, chain);
    const to = { id: receiver, email };
    try {
      await mailer.send(alertMail(kind as AlertKind, named, { to, team, public_url: config.public_url }));
      return 'sent';
    } catch (error) {
      log.warn({ err: error, user_id: receiver }, 'the mail of an alert could not be sent');
      return { failed: (error as Error).message, retry_after_ms: null };
    }
  }

  async #retry(
    alert: ClaimedAlert,
    { failed, retry_after_ms }: { failed: string; retry_after_ms: number | null },
  ): Promise<void> {
    const { db, config, clock, log } = this.#deps;
    if (alert.receiver === WEBHOOK) await recordFailure(this.#deps, alert.chain, failed);
    const { random } = this.#options;
    const delay_ms = nextDelay(config.webhook_retry_seconds, alert.attempts - 1, random(), retry_after_ms);
    if (delay_ms !== null) {
      const due_at = new Date(clock.now().getTime() + delay_ms);
      return postponeAlert(db, alert, { due_at, attempts: alert.attempts });
    }
    log.error({ ...namesOf(alert), reason: failed }, 'an alert was given up: every attempt failed');
    await deleteAlert(db, alert);
  }

  /** Waits until no alert is under way. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.values());
  }

  /** Abandons what is under way with webhooks. Waits STOP_GRACE_MS for mails; after that another process repeats them. */
  async stop(): Promise<void> {
    for (const poster of this.#posters) await poster.close();
    const ended = new AbortController();
    await Promise.race([this.idle(), this.#deps.clock.sleep(STOP_GRACE_MS, ended.signal)]);
    ended.abort();
  }
}

function isWebhook({ receiver }: ClaimedAlert): boolean {
  return receiver === WEBHOOK || idOfOldWebhook(receiver) !== null;
}

function namesOf({ chain, seq, receiver }: ClaimedAlert) {
  return { chain, seq: Number(seq), receiver };
}

/** Returns an entry for a webhook that was replaced: without the new URL, which may be a credential. */
function withoutValues({ entry, ...named }: NamedEntry): NamedEntry {
  return { ...named, entry: { ...entry, before: null, after: null } };
}
