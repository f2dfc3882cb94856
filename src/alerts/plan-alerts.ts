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
  lockCursor,
  managersOf,
  moveCursor,
  type NewAlert,
  readEntries,
  type StoredEntry,
  WEBHOOK,
} from './alert-store.ts';
import { ALWAYS_SENT } from './kinds.ts';
import { RULES, type Rule } from './rules.ts';
import { findSettings, type Settings } from './settings-store.ts';
import { type Entry, toldOf, userOf } from './told.ts';

const CHAINS = 100;
/** Entries of a chain that one transaction passes. */
const RANGE = 5_000n;

const ACTIONS = [...RULES.keys()];
const ACTIONS_BELOW_THRESHOLDS = ACTIONS.filter((action) => action !== 'withdrawal.requested');

type PlanDeps = Pick<Deps, 'db' | 'clock' | 'log' | 'mailer'>;

/** Reads on in every chain that has news. True when more may wait. A chain that cannot be read holds back no other one. */
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

/** Gives the entry up to which alerts are made now; null while another process makes them. */
async function planChain(deps: PlanDeps, chain: string, last: bigint): Promise<bigint | null> {
  return deps.db.transaction().execute(async (trx) => {
    const after = await lockCursor(trx, chain);
    if (after === null) return null;
    if (after >= last) return after; // another process was faster
    const until = last - after > RANGE ? after + RANGE : last;
    const settings = await findSettings(trx, chain);
    // Most entries of a busy team are withdrawals: without a threshold they need not be read.
    const actions = settings.thresholds.length > 0 ? ACTIONS : ACTIONS_BELOW_THRESHOLDS;
    const entries = await readEntries(trx, chain, { after, until, actions });
    const alerts = await alertsOf(trx, entries, settings, deps.mailer !== null);
    await insertAlerts(trx, alerts, deps.clock.now());
    await moveCursor(trx, chain, until);
    return until;
  });
}

/** `mails`: whether a mail server is named; otherwise mails would wait for ever. */
async function alertsOf(
  trx: Trx,
  entries: StoredEntry[],
  settings: Settings,
  mails: boolean,
): Promise<NewAlert[]> {
  const alerts: NewAlert[] = [];
  let managers: string[] | undefined;
  for (const stored of entries) {
    const entry = showEntry(stored);
    const rule = ruleOf(entry, settings);
    if (!rule) continue;
    const { chain, seq } = stored;
    const { kind } = rule;
    const isWanted = settings.kinds === null || settings.kinds.includes(kind) || kind === ALWAYS_SENT;
    if (isWanted && settings.url !== null && settings.disabled_reason === null)
      alerts.push({ chain, seq, receiver: WEBHOOK, kind });
    if (!mails) continue;
    if (isWanted && rule.mail !== 'user' && chain !== SERVICE_CHAIN)
      managers ??= await managersOf(trx, chain);
    const users = new Set(isWanted && rule.mail !== 'user' ? managers : []);
    const user = userOf(entry);
    if (user !== null && rule.mail !== 'team') users.add(user);
    for (const receiver of users) alerts.push({ chain, seq, receiver, kind });
  }
  return alerts;
}

/** The rule by which an entry makes an alert. */
function ruleOf(entry: Entry, { thresholds }: Settings): Rule | undefined {
  const rule = RULES.get(entry.action);
  const applies = rule && (rule.applies?.(toldOf({ entry }), thresholds) ?? true);
  return applies ? rule : undefined;
}
