/**
 * Changes of who has access, which other members must approve first: members, invitations, service users and API keys; and
 * changes of payees. The policy of a wallet asks for that with `for: members`, `for: api_keys` or `for: destinations`.
 *
 * | step                                             | in one transaction, with the team locked               |
 * |--------------------------------------------------|--------------------------------------------------------|
 * | the first call records the request, answers 202  | nothing else is changed                                |
 * | other members approve, or one rejects            | the decision; a rejected request is gone               |
 * | the requester makes the same call again          | the request goes, and the change is made               |
 *
 * The requester makes the call again because its answer has what is shown once: a link, a secret, a key. A crash before a
 * commit leaves everything as it was. The policies of now decide how many approvals a request needs, because no policy
 * becomes looser without approvals.
 */
import { type Approval, approvedHash, expiryOf } from '../../approvals/approval.ts';
import { decidersFor, needsFactor } from '../../approvals/approvers.ts';
import type { Outcome } from '../../approvals/decided.ts';
import { recordDecided } from '../../approvals/decided-change-store.ts';
import { countApprovals, type Decision, decide, type Offer, offerOf } from '../../approvals/decision.ts';
import { endInVain, type PageInVain } from '../../approvals/end-in-vain.ts';
import { approvalNeeds, type Need } from '../../approvals/need-store.ts';
import { audited, type Deed, THE_SERVICE } from '../../audit/audit.ts';
import type { Requester } from '../../auth/callers/authenticate.ts';
import { findServiceUser } from '../../auth/service-users/service-user-store.ts';
import { type Approver, listApprovers } from '../../auth/teams/approver-store.ts';
import { type RoleGroup, rolesOf } from '../../auth/teams/roles.ts';
import { lockTeam, type Membership, teamOfUser } from '../../auth/teams/team-store.ts';
import type { Db, Trx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { stringify } from '../../http/exact-json.ts';
import { AppError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { showAccessChange } from './access-change-schema.ts';
import {
  type AccessChange,
  type AccessChangeView,
  accessChangesInVain,
  countAccessChanges,
  deleteAccessChange,
  deleteEnded,
  findAccessChange,
  findSame,
  insertAccessChange,
  recordDecisions,
  seesAccessChange,
} from './access-change-store.ts';

/** More than people decide about in a day. */
const MAX_OPEN = 100;

/**
 * What a caller wants to change. `operation`: the operation id. `wallet_id`: of an API key. `wallet_ids`: the wallets that it
 * gives access to, null for all. `change`: what it does, without secrets; the same change has the same JSON.
 */
export type AccessOrder = {
  kind: 'members' | 'api_keys' | 'payees';
  operation: string;
  wallet_id: string | null;
  wallet_ids: string[] | null;
  target_id: string | null;
  change: Record<string, unknown>;
};

/** The `roles` of the routes that ask. */
export const ASKERS = {
  members: 'owners',
  api_keys: 'integrators',
  payees: 'payers',
} as const satisfies Record<AccessOrder['kind'], RoleGroup>;

/** The outcome of a call that other members must approve first. Nothing but the request was recorded. */
export class AwaitsApproval {
  readonly access_change: AccessChangeView;
  constructor(access_change: AccessChangeView) {
    this.access_change = access_change;
  }
}

type Asking = { by: Requester; note: (deed: Deed) => void; now: Date };

/**
 * Asks for the approvals that a change needs. Call it after every other check and before the change. It locks the team. Returns null
 * when the caller must make the change: no policy asks for approvals, or the request has them and is gone with this transaction.
 * Otherwise it returns the request, and nothing may be changed.
 * @throws AppError `too_many_access_changes` when 100 are open; `unauthenticated`, `role_missing` or `not_found` for a caller who has
 * lost the right since the guard of the route has read it
 */
export async function awaitApprovals(
  trx: Trx,
  asking: Asking,
  order: AccessOrder,
): Promise<AwaitsApproval | null> {
  await lockAsAsker(trx, asking.by, order);
  return awaitInLockedTeam(trx, asking, order);
}

/**
 * Asks as `awaitApprovals` does, after `lockAsAsker`: for a change whose other checks need the lock.
 * @throws AppError `too_many_access_changes` when 100 are open
 */
export async function awaitInLockedTeam(
  trx: Trx,
  { by, note, now }: Asking,
  order: AccessOrder,
): Promise<AwaitsApproval | null> {
  const { team_id } = by.login.member;
  const same = {
    team_id,
    requested_by: by.login.user.id,
    change: JSON.stringify(order.change),
    operation: order.operation,
    wallet_id: order.wallet_id,
    target_id: order.target_id,
  };
  const known = await findSame(trx, same, now);
  const needs = await approvalNeeds(trx, team_id, order);
  if (needs.length === 0 && !known) return null;
  if (known) {
    const view = viewOf(known, { needs, approvers: await listApprovers(trx, team_id) });
    if (!view.is_approved) return new AwaitsApproval(view);
    await deleteAccessChange(trx, known.id);
    await recordEnd(trx, view, needs.length === 0 ? 'not_needed' : 'approved', now);
    note({ ...deedOf(known), action: 'access_change.carried_out', after: auditOf(known) });
    return null;
  }
  if ((await countAccessChanges(trx, team_id, now)) >= MAX_OPEN)
    throw new AppError(
      'too_many_access_changes',
      `A team has at most ${MAX_OPEN} changes of access that await approvals. Decide about those first.`,
    );
  const row = {
    ...same,
    id: newId('ach', now),
    kind: order.kind,
    wallet_ids: order.wallet_ids,
    created_at: now,
    expires_at: expiryOf(now),
  };
  const made: AccessChange = { ...row, order_hash: accessHash(row), approvals: [] };
  await insertAccessChange(trx, { ...row, order_hash: made.order_hash });
  note({ ...deedOf(made), action: 'access_change.requested', after: auditOf(made) });
  return new AwaitsApproval(viewOf(made, { needs, approvers: [] }));
}

/**
 * Locks the team of the caller, and returns its id. It checks the rights of the caller again, because the guard of the route has read
 * them without the lock.
 * @throws AppError `unauthenticated`, `role_missing`, `not_found`
 */
export async function lockAsAsker(
  trx: Trx,
  { login: { user, member } }: Requester,
  { kind, wallet_id }: Pick<AccessOrder, 'kind' | 'wallet_id'>,
): Promise<string> {
  await lockTeam(trx, member.team_id);
  const program = await findServiceUser(trx, user.id, member.team_id);
  const own = program ?? (await teamOfUser(trx, user.id));
  if (own?.team_id !== member.team_id)
    throw new AppError('unauthenticated', 'You are no longer a member of the team.');
  if (program && program.disabled_at !== null)
    throw new AppError('unauthenticated', 'The service user is disabled.');
  if (!rolesOf(ASKERS[kind]).includes(own.role))
    throw new AppError('role_missing', `Your role (${own.role}) may no longer do this.`);
  if (wallet_id !== null && own.wallet_ids?.includes(wallet_id) === false)
    throw new AppError('not_found', 'There is no such wallet.');
  return member.team_id;
}

/**
 * Approves the request, which its requester can carry out once it has its approvals, within 24 hours of the last one.
 * @throws AppError `not_found`, `not_awaiting_approval` when it has its approvals, and those of `decide`
 */
export function approveAccessChange(
  deps: Deps,
  id: string,
  decision: AccessDecision,
): Promise<AccessChangeView> {
  return decideChange(deps, id, decision, async ({ trx, note, row, approval, found, now }) => {
    const decided = { ...row, approvals: [...row.approvals, approval] };
    const view = viewOf(decided, found);
    const expires_at = view.is_approved ? expiryOf(now) : row.expires_at;
    await recordDecisions(trx, id, { approvals: decided.approvals, expires_at });
    const after = { ...auditOf(row), comment: approval.comment, approved: view.is_approved };
    note({ ...deedOf(row), action: 'access_change.approved', after });
    return { ...view, expires_at };
  });
}

/** Rejects the request, or takes it back: it is gone. Returns it with the rejection. @throws AppError as `approveAccessChange` */
export function rejectAccessChange(
  deps: Deps,
  id: string,
  decision: AccessDecision,
): Promise<AccessChangeView> {
  return decideChange(deps, id, decision, async ({ trx, note, row, approval, found, now }) => {
    const view = viewOf({ ...row, approvals: [...row.approvals, approval] }, found);
    await deleteAccessChange(trx, id);
    await recordEnd(trx, view, 'rejected', now);
    note({
      ...deedOf(row),
      action: 'access_change.rejected',
      after: { ...auditOf(row), comment: approval.comment },
    });
    return view;
  });
}

export type AccessDecision = Decision & { by: Requester };

/** What decides now: the policies that ask, and who may approve. */
type Found = { needs: Need[]; approvers: Approver[] };

type Apply = (known: {
  trx: Trx;
  note: (deed: Deed) => void;
  row: AccessChange;
  approval: Approval;
  found: Found;
  now: Date;
}) => Promise<AccessChangeView>;

async function decideChange(
  deps: Deps,
  id: string,
  decision: AccessDecision,
  apply: Apply,
): Promise<AccessChangeView> {
  const { member } = decision.by.login;
  return audited(deps, decision.by.actor, async (trx, note) => {
    await lockTeam(trx, member.team_id);
    const now = deps.clock.now(); // with the lock held
    const row = await findAccessChange(trx, member.team_id, id, now);
    if (!row || !seesAccessChange(member, row))
      throw new AppError('not_found', 'There is no such change of access.');
    const notAwaiting = (message: string) => new AppError('not_awaiting_approval', message);
    const found = await readFound(trx, row);
    if (decision.decision === 'approved' && viewOf(row, found).is_approved)
      throw notAwaiting('It needs no more approvals. The requester can carry it out.');
    const subject = {
      ...row,
      was_changed: accessHash(row) !== row.order_hash,
      kind: 'change' as const,
      end: 'the change goes away',
      notAwaiting,
    };
    const { approval } = await decide(trx, subject, decision, {
      ...decidersFor(found.needs, found.approvers),
      now,
    });
    return apply({ trx, note, row, approval, found, now });
  });
}

/** Returns the request with what it needs now; undefined when it is gone, or when the member may not see it. */
export async function readAccessChange(
  db: Db,
  member: Membership,
  { id, now }: { id: string; now: Date },
): Promise<AccessChangeView | undefined> {
  const row = await findAccessChange(db, member.team_id, id, now);
  if (!row || !seesAccessChange(member, row)) return undefined;
  return viewOf(row, await readFound(db, row));
}

/**
 * Returns the requests with what they need now, whether this user may decide about them, and whether the user must add a second
 * factor first. All requests are of one team.
 */
export async function withDeciders(
  db: Db,
  rows: AccessChange[],
  user_id: string,
): Promise<({ access_change: AccessChangeView } & Offer)[]> {
  const [first] = rows;
  if (!first) return [];
  const approvers = await listApprovers(db, first.team_id);
  const shown = [];
  for (const row of rows) {
    const needs = await approvalNeeds(db, row.team_id, row);
    const access_change = viewOf(row, { needs, approvers });
    const offer = access_change.is_approved
      ? { may_decide: false, factor_required: false }
      : offerOf(decidersFor(needs, approvers), user_id, row);
    shown.push({ access_change, ...offer });
  }
  return shown;
}

async function readFound(db: Db, row: AccessChange): Promise<Found> {
  const needs = await approvalNeeds(db, row.team_id, row);
  return { needs, approvers: await listApprovers(db, row.team_id) };
}

/**
 * Returns the request with what it needs now. It is approved when each wallet whose policy asks has enough approvals of members who
 * may approve for that wallet.
 */
function viewOf(row: AccessChange, { needs, approvers }: Found): AccessChangeView {
  // The row may be changed by SQL: an approval is for its present text.
  const decided = { ...row, order_hash: accessHash(row) };
  const needs_factor = needsFactor(needs);
  const isMet = (need: Need) => {
    const deciders = { ...decidersFor([need], approvers), needs_factor };
    return countApprovals(deciders, decided, row.approvals) >= need.required;
  };
  const approvals_required = Math.max(0, ...needs.map(({ required }) => required));
  return { ...row, approvals_required, is_approved: needs.every(isMet) };
}

/** Returns the SHA-256 of what members approve, in hex. */
function accessHash(row: Omit<AccessChange, 'order_hash' | 'approvals' | 'expires_at'>): string {
  return approvedHash([
    'access change 1',
    row.id,
    row.team_id,
    row.kind,
    row.operation,
    row.wallet_id,
    row.wallet_ids,
    row.target_id,
    row.change,
    row.requested_by,
    row.created_at.toISOString(),
  ]);
}

/**
 * Deletes requests whose time is over, and those whose requester has left, was removed or is disabled. Nothing depends on it: every
 * decision checks both.
 */
export function endAccessChanges(deps: Pick<Deps, 'db' | 'clock' | 'log' | 'metrics'>): Promise<void> {
  const list = (page: PageInVain) => accessChangesInVain(deps.db, deps.clock.now(), page);
  return endInVain(list, ({ id, team_id }) =>
    audited(deps, THE_SERVICE, async (trx, note) => {
      await lockTeam(trx, team_id);
      const now = deps.clock.now();
      const row = await deleteEnded(trx, id, now);
      if (!row) return;
      const reason = row.expires_at <= now ? 'approval_expired' : 'requester_removed';
      await recordEnd(trx, viewOf(row, await readFound(trx, row)), reason, now);
      note({ ...deedOf(row), action: 'access_change.expired', after: { ...auditOf(row), reason } });
    }),
  );
}

/** Keeps what became of a request whose row goes. */
async function recordEnd(trx: Trx, view: AccessChangeView, outcome: Outcome, now: Date): Promise<void> {
  const { id, team_id, kind, wallet_ids } = view;
  const change = stringify(showAccessChange(view));
  await recordDecided(trx, [{ id, team_id, kind, wallet_ids, outcome, change, decided_at: now }]);
}

function deedOf({ team_id, wallet_id, id }: AccessChange) {
  return { team_id, wallet_id, target: { kind: 'access_change', id } };
}

function auditOf({ operation, target_id, change, order_hash, requested_by, approvals }: AccessChange) {
  const approved_by = approvals
    .filter(({ decision }) => decision === 'approved')
    .map(({ user_id }) => user_id);
  return { operation, target_id, change: JSON.parse(change), order_hash, requested_by, approved_by };
}
