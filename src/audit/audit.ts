/**
 * The audit log: who changed what. It is the only file of this folder that other slices import.
 *
 * | a crash | leaves |
 * |---|---|
 * | before the commit of the change | neither the change nor its entries |
 * | after it | both; the log line of an entry may be missing, and `GET /v1/audit` has the entry |
 *
 * Entries are appended by the last statement of the transaction: whoever appends locks the head of the team's chain until
 * the commit, and other changes of that team wait so long.
 */
import { userInfo } from 'node:os';
import { changeInTurn } from '../db/changes-in-turn.ts';
import { claimOfRequest, requireClaim } from '../db/claim-of-request.ts';
import type { Trx } from '../db/database.ts';
import type { Claim, Made } from '../db/idempotent-requests.ts';
import type { Deps } from '../deps.ts';
import { parseForStringify, stringify } from '../http/exact-json.ts';
import { newId } from '../lib/ids.ts';
import type { Action } from './actions.ts';
import { type Appended, appendEntries } from './audit-store.ts';

/** The chain of what concerns no team: a login with an unknown e-mail, say. */
export const SERVICE_CHAIN = 'service';

/**
 * Who acts. `id`: of the user, the service user or the API key; null for strangers and for the operator. `name`: what people
 * call them now, an e-mail address for example.
 */
export type Actor = {
  kind: 'user' | 'service_user' | 'api_key' | 'operator' | 'service' | 'stranger';
  id: string | null;
  name: string | null;
  session_id: string | null;
  ip: string | null;
};

/** Returns the actor who runs a command, by the name that the operating system has for them. */
export function operator(): Actor {
  return { kind: 'operator', id: null, name: accountName(), session_id: null, ip: null };
}

/** Returns the name of the user that runs this process. In a container a user id may have no name: then `uid` and the id. */
function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}

/** What nobody asked for now, like the first user that a start makes. */
export const THE_SERVICE: Actor = { kind: 'service', id: null, name: null, session_id: null, ip: null };

/**
 * What was done. `team_id`: whose log it is in; null when no team is concerned. `before` and `after`: what changed, without
 * secrets; bigints are allowed. `made`: what a request made by it, where that is not the target.
 */
export type Deed = {
  team_id: string | null;
  action: Action;
  target: { kind: string; id: string | null };
  wallet_id?: string | null;
  before?: Record<string, unknown> | null;
  after?: Record<string, unknown> | null;
  made?: Made;
};

/** A deed with its entry. */
export type Done = Appended & { deed: Deed };

type AuditDeps = Pick<Deps, 'db' | 'clock' | 'log' | 'metrics'>;

/**
 * Runs `work` in a transaction and appends what `work` notes as the last statement before the commit. When `work` throws,
 * nothing is changed and nothing is appended. Then it writes a log line for each entry. `group`: whose changes share a line
 * in this process. The first change of a request with an Idempotency-Key is what that request makes; a change that only asks
 * members for approvals makes nothing, because the same request makes it after them.
 */
export function audited<T>(deps: AuditDeps, actor: Actor, work: Work<T>, group?: string): Promise<T> {
  // Here, because another request may begin this change when its turn comes.
  return changeWithEntries(deps, { actor, group, claim: claimOfRequest() }, work);
}

type Work<T> = (trx: Trx, note: (deed: Deed) => void) => Promise<T>;

/**
 * Runs `work` as `audited` says. `claim`: of the request that makes something by this change; null when nothing is made, or under
 * no Idempotency-Key.
 */
async function changeWithEntries<T>(
  deps: AuditDeps,
  { actor, group, claim }: { actor: Actor; group?: string | undefined; claim: Claim | null },
  work: Work<T>,
): Promise<T> {
  const deeds: Deed[] = [];
  const change = () =>
    deps.db.transaction().execute(async (trx) => {
      const done = await work(trx, (deed) => deeds.push(deed));
      const made = madeBy(deeds);
      if (claim && made) await requireClaim(trx, claim, made, deps.clock.now());
      return {
        result: done,
        made,
        entries: await appendDeeds(
          trx,
          deeds.map((deed) => ({ actor, deed })),
          deps.clock.now(),
        ),
      };
    });
  const { result, made, entries } = await changeInTurn(deps.db, group ?? actor.id ?? actor.kind, change);
  if (claim) claim.made = made;
  logEntries(deps, entries);
  return result;
}

/** Returns what was made; null when members were only asked for approvals. */
function madeBy(deeds: Deed[]): Made | null {
  const done = deeds.filter(({ target }) => target.kind !== 'access_change');
  return done.find(({ made }) => made)?.made ?? done[0]?.target ?? null;
}

/** Who acts on which wallet; `owner_id` is its team. */
export type OnWallet = { actor: Actor; wallet: { id: string; owner_id: string } };

/** Runs `audited` for deeds that concern one wallet. `line`: changes that can be very many wait in a line of their own. */
export function auditedOnWallet<T>(
  deps: AuditDeps,
  { actor, wallet }: OnWallet,
  work: (trx: Trx, note: (deed: Omit<Deed, 'team_id' | 'wallet_id'>) => void) => Promise<T>,
  line = '',
): Promise<T> {
  const of = { team_id: wallet.owner_id, wallet_id: wallet.id };
  const group = `${wallet.owner_id} ${line}`;
  return audited(deps, actor, (trx, note) => work(trx, (deed) => note({ ...of, ...deed })), group);
}

/**
 * Appends the deeds of a transaction that can have several actors. It must be the last statement; call `logEntries` with the
 * result after the commit.
 */
export async function appendDeeds(
  trx: Trx,
  deeds: { actor: Actor; deed: Deed }[],
  now: Date,
): Promise<Done[]> {
  if (deeds.length === 0) return [];
  const entries = deeds.map(({ actor, deed }) => ({
    deed,
    chain: deed.team_id ?? SERVICE_CHAIN,
    entry: entryText(actor, deed, now),
  }));
  // Two transactions that lock the heads of two teams in different orders would be a deadlock.
  return appendEntries(
    trx,
    entries.toSorted((a, b) => (a.chain < b.chain ? -1 : Number(a.chain > b.chain))),
  );
}

/** Appends what changes nothing else: a failed login, a refused right. */
export async function auditAlone(deps: AuditDeps, actor: Actor, deed: Deed): Promise<void> {
  await changeWithEntries(deps, { actor, claim: null }, async (_trx, note) => note(deed));
}

/**
 * Writes a JSON line for each entry, for a person who keeps the log elsewhere. The line has the members of the entry as they were
 * hashed. `seq` and `hash` show there when the log of the database was cut. Counts the entries for the metrics, too.
 */
export function logEntries({ log, metrics }: Pick<Deps, 'log' | 'metrics'>, entries: Done[]): void {
  for (const { chain, seq, hash, entry, deed } of entries) {
    metrics.audit_entries.inc({ action: deed.action });
    const { kind, id } = deed.target;
    log.info(
      {
        ...(kind === 'withdrawal' && { withdrawal_id: id }),
        audit: {
          chain,
          seq: Number(seq),
          hash: hash.toString('hex'),
          ...(parseForStringify(entry) as object),
        },
      },
      'audit',
    );
  }
}

function entryText(actor: Actor, deed: Deed, now: Date): string {
  const { session_id, ip, ...who } = actor;
  const { action, target, wallet_id = null, before = null, after = null } = deed;
  const at = now.toISOString();
  return stringify({
    id: newId('aud', now),
    at,
    actor: who,
    session_id,
    ip,
    action,
    target,
    wallet_id,
    before,
    after,
  });
}
