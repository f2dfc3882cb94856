/**
 * Makes alerts of the entries of the audit log, in the order of each chain.
 *
 * | state | row | next | a crash here |
 * |---|---|---|---|
 * | the entry is committed | `seq` of the cursor is below the entry | `planAlerts` reads the entry | nothing is lost: the next process reads on from the cursor |
 * | planned | cursor and alerts, written in one transaction | `AlertSender` claims the alert | the alert waits |
 * | under way | `due_at` is the end of the lease | sent, and the outcome recorded | sent again after the lease, with the same id: at least once |
 * | sent, or given up | the row of the alert is deleted | – | – |
 *
 * An entry is committed before all later ones of its chain, so a cursor never passes an entry that is still to come. A process
 * locks the cursor of a chain while it reads on: of several processes one makes the alerts of an entry. The change itself waits
 * for none of this.
 */
import { SERVICE_CHAIN } from '../audit/audit.ts';
import { showEntry } from '../audit/audit-schema.ts';
import type { Trx } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import {
  chainsWithNews,
  insertAlerts,
  lastEntry,
  lockCursor,
  managersOf,
  moveCursor,
  type NewAlert,
  oldWebhook,
  readEntries,
  type StoredEntry,
  WEBHOOK,
  waitForCursor,
} from './alert-store.ts';
import { ALWAYS_SENT, type AlertKind } from './kinds.ts';
import { ABOVE_THRESHOLDS, RULES, type Rule } from './rules.ts';
import { findSettings, listOldWebhooks, type Settings } from './settings-store.ts';
import { type Entry, toldOf, userOf } from './told.ts';

const CHAINS = 100;
/** Entries of a chain that one transaction passes. */
const RANGE = 5_000n;

const ACTIONS = [...RULES.keys()];
const ACTIONS_BELOW_THRESHOLDS = ACTIONS.filter((action) => !ABOVE_THRESHOLDS.includes(action));

type RangeDeps = Pick<Deps, 'clock' | 'mailer'>;
type PlanDeps = RangeDeps & Pick<Deps, 'db' | 'log'>;

/** Reads on in every chain that has news. Returns true when more may wait. A chain that cannot be read holds back no other one. */
export async function planAlerts(deps: PlanDeps): Promise<boolean> {
  const chains = await chainsWithNews(deps.db, CHAINS);
  let passed = 0;
  let left = chains.length === CHAINS;
  for (const { chain, seq } of chains) {
    const cursor = await planChain(deps, chain, seq).catch((error) => {
      deps.log.error({ err: error, chain }, 'the alerts of a chain could not be made; trying again');
      return null;
    });
    if (cursor === null) continue;
    passed++;
    left ||= cursor < seq;
  }
  return passed > 0 && left;
}

/**
 * Makes the alerts of the next entries of a chain, up to `last`. Returns the entry up to which alerts are made now; null while
 * another process makes them.
 */
async function planChain(deps: PlanDeps, chain: string, last: bigint): Promise<bigint | null> {
  return deps.db.transaction().execute(async (trx) => {
    const after = await lockCursor(trx, chain);
    if (after === null) return null;
    if (after >= last) return after; // another process was faster
    return planRange(deps, trx, chain, { after, last });
  });
}

/**
 * Makes the alerts of all entries that a chain has, by the settings that its team has now. For the transaction that changes the
 * settings: alerts of what was done before then do not depend on the change.
 */
export async function planRest(deps: RangeDeps, trx: Trx, chain: string): Promise<void> {
  let after = await waitForCursor(trx, chain);
  const last = await lastEntry(trx, chain);
  while (after < last) after = await planRange(deps, trx, chain, { after, last });
}

/** Makes the alerts of at most RANGE entries after `after`. Returns the entry up to which alerts are made now. */
async function planRange(
  { clock, mailer }: RangeDeps,
  trx: Trx,
  chain: string,
  { after, last }: { after: bigint; last: bigint },
): Promise<bigint> {
  const until = last - after > RANGE ? after + RANGE : last;
  const settings = await findSettings(trx, chain);
  // Most entries of a busy team are withdrawals: without a threshold they need not be read.
  const actions = settings.thresholds.length > 0 ? ACTIONS : ACTIONS_BELOW_THRESHOLDS;
  const entries = await readEntries(trx, chain, { after, until, actions });
  const now = clock.now();
  const mails = mailer !== null;
  const alerts = entries.length === 0 ? [] : await alertsOf(trx, chain, { entries, settings, now, mails });
  await insertAlerts(trx, alerts, now);
  await moveCursor(trx, chain, until);
  return until;
}

type Planned = {
  entries: StoredEntry[];
  settings: Settings;
  now: Date;
  /** Whether a mail server is named: otherwise mails would wait for ever. */
  mails: boolean;
};

async function alertsOf(
  trx: Trx,
  chain: string,
  { entries, settings, now, mails }: Planned,
): Promise<NewAlert[]> {
  const old_webhooks = (await listOldWebhooks(trx, chain, now)).map(oldWebhook);
  const managers = mails && chain !== SERVICE_CHAIN ? await managersOf(trx, chain) : [];
  return entries.flatMap((stored) => {
    const entry = showEntry(stored);
    const rule = ruleOf(entry, settings);
    if (!rule) return [];
    const { kind } = rule;
    const webhooks = webhooksFor(kind, settings, old_webhooks);
    const users = mails ? usersFor(entry, rule, isWanted(kind, settings) ? managers : []) : [];
    return [...webhooks, ...users].map((receiver) => ({ chain, seq: stored.seq, receiver, kind }));
  });
}

function isWanted(kind: AlertKind, { kinds }: Settings): boolean {
  return kind === ALWAYS_SENT || kinds === null || kinds.includes(kind);
}

function webhooksFor(kind: AlertKind, settings: Settings, old_webhooks: string[]): string[] {
  const isOn = settings.url !== null && settings.disabled_reason === null;
  const own = isOn && isWanted(kind, settings) ? [WEBHOOK] : [];
  return kind === ALWAYS_SENT ? [...own, ...old_webhooks] : own;
}

/** Returns each user once. A user gets alerts of the own sign-in and rights, whatever the team has chosen. */
function usersFor(entry: Entry, { mail }: Rule, managers: string[]): Set<string> {
  const users = new Set(mail === 'user' ? [] : managers);
  const user = userOf(entry);
  if (user !== null && mail !== 'team') users.add(user);
  return users;
}

/** Returns the rule by which an entry makes an alert; undefined when it makes none. */
function ruleOf(entry: Entry, { thresholds }: Settings): Rule | undefined {
  const rule = RULES.get(entry.action);
  const applies = rule && (rule.applies?.(toldOf({ entry }), thresholds) ?? true);
  return applies ? rule : undefined;
}
