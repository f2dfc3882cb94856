/**
 * Service users: programs that act with the rights of a member. Owners and admins manage them, and the operator does.
 * Every change locks the team and then the service user, so that what holds now decides.
 *
 * | a crash | leaves |
 * |---|---|
 * | before the commit | nothing changed |
 * | after it, before the answer | the change; a secret that nobody has: retire it |
 */
import { isDeepStrictEqual } from 'node:util';
import { keepingApprovers } from '../../approvals/approvers.ts';
import { type Actor, audited, type Deed } from '../../audit/audit.ts';
import type { LoginCaller } from '../../auth/callers/authenticate.ts';
import { lockTeamOf } from '../../auth/callers/lock-team.ts';
import { type GivenKey, readPublicKeys } from '../../auth/service-users/public-keys.ts';
import { deleteServiceTokens } from '../../auth/service-users/service-token-store.ts';
import {
  countServiceUsers,
  insertServiceUser,
  listSecrets,
  lockServiceUser,
  markRemoved,
  type Secret,
  type ServiceRights,
  type ServiceUser,
  updateServiceUser,
} from '../../auth/service-users/service-user-store.ts';
import { usesAllWallets } from '../../auth/teams/roles.ts';
import { lockTeam } from '../../auth/teams/team-store.ts';
import type { Trx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { type AccessOrder, type AwaitsApproval, awaitApprovals } from '../changes/access-changes.ts';
import { checkRights } from '../teams/members.ts';
import { addSecret, endSecret, givingKeys } from './credentials.ts';

const MAX_SERVICE_USERS = 100;
/** The one in use, and the one that replaces it. */
const MAX_SECRETS = 2;

export type ServiceUserDeps = Pick<Deps, 'db' | 'clock' | 'log' | 'metrics'>;

/** Who manages service users of a team. `caller`: null for the operator. */
export type Manager = { actor: Actor; team_id: string; caller: LoginCaller | null };

/** A service user with its secrets, without their text. */
export type ServiceUserWithSecrets = ServiceUser & { secrets: Secret[] };

/**
 * Makes a service user. Without public keys it gets a secret, whose text is given only here. Or asks for the approvals that the
 * service user needs.
 * @throws AppError `role_missing`, `invalid_request`, `too_few_approvers`, `too_many_service_users` when the team has 100
 */
export async function createServiceUser(
  deps: ServiceUserDeps,
  manager: Manager,
  order: ServiceRights & { name: string; public_keys: GivenKey[] },
): Promise<{ service_user: ServiceUserWithSecrets; client_secret: string | null } | AwaitsApproval> {
  const { team_id, caller } = manager;
  const now = deps.clock.now();
  const row = {
    ...order,
    public_keys: await readPublicKeys(order.public_keys),
    id: newId('svu', now),
    team_id,
    created_by: caller?.user.id ?? null,
    created_at: now,
  };
  return audited(deps, manager.actor, async (trx, note) => {
    await lockManager(trx, manager, row.role);
    await checkRights(trx, team_id, row);
    if ((await countServiceUsers(trx, team_id)) >= MAX_SERVICE_USERS)
      throw new AppError('too_many_service_users', `A team has at most ${MAX_SERVICE_USERS} service users.`);
    const { name, role, wallet_ids, allowed_ips, public_keys } = row;
    const given = {
      operation: 'createServiceUser',
      wallet_ids,
      target_id: null,
      change: { name, role, wallet_ids, allowed_ips, public_keys: thumbprintsOf(public_keys) },
    };
    const awaiting = await awaitFor(trx, manager, { note, now }, given);
    if (awaiting) return awaiting;
    const giver = giverOf(manager);
    const added = await withApprovers(trx, manager, async () => {
      await givingKeys(trx, { giver, before: [], after: row }, () => insertServiceUser(trx, row));
      return row.public_keys.length > 0 ? null : addSecret(trx, { service_user_id: row.id, giver, now });
    });
    const service_user = { ...row, last_used_at: null, disabled_at: null, disabled_by: null };
    const secrets = added ? [added.secret] : [];
    note({ ...deedOf(row), action: 'service_user.created', after: factsOf(service_user, secrets) });
    return { service_user: { ...service_user, secrets }, client_secret: added?.client_secret ?? null };
  });
}

export type ServiceUserChange = { [K in keyof ServiceRights]?: ServiceRights[K] | undefined } & {
  name?: string | undefined;
  public_keys?: GivenKey[] | undefined;
  enabled?: boolean | undefined;
};

/**
 * Changes name, rights, addresses or public keys, or disables or enables; all hold for the next request. Or asks for the approvals
 * that this needs; a name and an end of its access need none. Tokens end at once
 * when the service user is disabled, and those that were given for a public key when that key goes.
 * @throws AppError `not_found`, `role_missing`, `invalid_request`, `too_few_approvers`; `disabled_by_operator` for a login that
 * enables what the operator has disabled
 */
export async function changeServiceUser(
  deps: ServiceUserDeps,
  manager: Manager,
  { id, ...change }: ServiceUserChange & { id: string },
): Promise<ServiceUserWithSecrets | AwaitsApproval> {
  const public_keys = change.public_keys && (await readPublicKeys(change.public_keys));
  return audited(deps, manager.actor, async (trx, note) => {
    const now = deps.clock.now();
    const before = await lockFor(trx, manager, id);
    const role = change.role ?? before.role;
    const kept = usesAllWallets(role) && change.role !== undefined ? null : before.wallet_ids;
    const after: ServiceUser = {
      ...before,
      role,
      name: change.name ?? before.name,
      wallet_ids: change.wallet_ids === undefined ? kept : change.wallet_ids,
      allowed_ips: change.allowed_ips === undefined ? before.allowed_ips : change.allowed_ips,
      public_keys: public_keys ?? before.public_keys,
      ...disabledAs(before, change.enabled, {
        by: manager.caller ? 'team' : 'operator',
        now,
      }),
    };
    await checkRights(trx, before.team_id, after);
    const awaiting = await awaitFor(trx, manager, { note, now }, accessGiven(before, after));
    if (awaiting) return awaiting;
    const keys = { giver: giverOf(manager), before: before.public_keys, after };
    await withApprovers(trx, manager, () => givingKeys(trx, keys, () => updateServiceUser(trx, after)));
    await deleteServiceTokens(trx, id, after.disabled_at ? null : keysOnlyIn(before, after));
    const secrets = await listSecrets(trx, [id]);
    noteChange(note, { before, after, secrets });
    return { ...after, secrets };
  });
}

type Disabled = Pick<ServiceUser, 'disabled_at' | 'disabled_by'>;

/**
 * Returns since when the service user is disabled after the change, and by whom. What the operator has disabled stays so, whoever of
 * the team disables or enables it.
 * @throws AppError `disabled_by_operator` when the team enables it
 */
function disabledAs(
  { disabled_at, disabled_by }: Disabled,
  enabled: boolean | undefined,
  { by, now }: { by: 'team' | 'operator'; now: Date },
): Disabled {
  if (enabled === true && disabled_by === 'operator' && by === 'team')
    throw new AppError(
      'disabled_by_operator',
      'The operator of the service has disabled it. Only they enable it.',
    );
  if (enabled === true) return { disabled_at: null, disabled_by: null };
  if (enabled === undefined || disabled_by === 'operator') return { disabled_at, disabled_by };
  return { disabled_at: disabled_at ?? now, disabled_by: by };
}

function keysOnlyIn(before: ServiceUser, after: ServiceUser): string[] {
  const kept = new Set(after.public_keys.map(({ thumbprint }) => thumbprint));
  return before.public_keys.map(({ thumbprint }) => thumbprint).filter((each) => !kept.has(each));
}

function noteChange(
  note: (deed: Deed) => void,
  { before, after, secrets }: { before: ServiceUser; after: ServiceUser; secrets: Secret[] },
): void {
  const facts = { before: factsOf(before, secrets), after: factsOf(after, secrets) };
  if (!isDeepStrictEqual(facts.before, facts.after))
    note({ ...deedOf(after), action: 'service_user.changed', ...facts });
  if (after.disabled_by === before.disabled_by) return;
  note({ ...deedOf(after), action: after.disabled_by ? 'service_user.disabled' : 'service_user.enabled' });
}

/** Removes a service user for ever. Its tokens and secrets end at once. @throws AppError `not_found`, `role_missing` */
export async function removeServiceUser(
  deps: ServiceUserDeps,
  manager: Manager,
  id: string,
): Promise<ServiceUserWithSecrets> {
  return audited(deps, manager.actor, async (trx, note) => {
    const before = await lockFor(trx, manager, id);
    const secrets = await listSecrets(trx, [id]);
    await markRemoved(trx, id, deps.clock.now());
    await deleteServiceTokens(trx, id, null);
    note({ ...deedOf(before), action: 'service_user.removed', before: factsOf(before, secrets) });
    return { ...before, secrets };
  });
}

/**
 * Adds a secret, whose text is given only here; or asks for the approvals that it needs. `retire`: which of the secrets before
 * it end at once, with the tokens that were given for them: none, all, or all but the newest one.
 * @throws AppError `not_found`, `role_missing`, `too_few_approvers`, `too_many_secrets` when there would be more than two
 */
export async function rotateSecret(
  deps: ServiceUserDeps,
  manager: Manager,
  { id, retire }: { id: string; retire: 'none' | 'all' | 'older' },
): Promise<{ secret: Secret; client_secret: string } | AwaitsApproval> {
  return audited(deps, manager.actor, async (trx, note) => {
    const service_user = await lockFor(trx, manager, id);
    const secrets = await listSecrets(trx, [id]);
    const retired = retire === 'none' ? [] : retire === 'all' ? secrets : secrets.slice(0, -1);
    if (secrets.length - retired.length >= MAX_SECRETS)
      throw new AppError(
        'too_many_secrets',
        `A service user has at most ${MAX_SECRETS} secrets. Retire one first.`,
      );
    const now = deps.clock.now();
    // What the secret opens is a part of the request: with other rights it is another one.
    const { name, role, wallet_ids, allowed_ips } = service_user;
    const given = {
      operation: 'addServiceUserSecret',
      wallet_ids,
      target_id: id,
      change: { name, role, wallet_ids, allowed_ips },
    };
    const awaiting = await awaitFor(trx, manager, { note, now }, given);
    if (awaiting) return awaiting;
    const added = await withApprovers(trx, manager, async () => {
      for (const each of retired) await endSecret(trx, each);
      return addSecret(trx, { service_user_id: id, giver: giverOf(manager), now });
    });
    for (const each of retired)
      note({ ...deedOf(service_user), action: 'service_user.secret_retired', before: secretFacts(each) });
    const made = { kind: 'service_user_secret', id: added.secret.id };
    note({
      ...deedOf(service_user),
      action: 'service_user.secret_added',
      after: secretFacts(added.secret),
      made,
    });
    return added;
  });
}

/**
 * Ends a secret. When this returns, the secret and the tokens that were given for it are refused.
 * @throws AppError `not_found`, `role_missing`
 */
export async function retireSecret(
  deps: ServiceUserDeps,
  manager: Manager,
  { id, secret_id }: { id: string; secret_id: string },
): Promise<Secret> {
  return audited(deps, manager.actor, async (trx, note) => {
    const service_user = await lockFor(trx, manager, id);
    const secret = (await listSecrets(trx, [id])).find((each) => each.id === secret_id);
    if (!secret) throw new AppError('not_found', 'There is no such secret.');
    await endSecret(trx, secret);
    note({ ...deedOf(service_user), action: 'service_user.secret_retired', before: secretFacts(secret) });
    return secret;
  });
}

type GivenAccess = Pick<AccessOrder, 'operation' | 'wallet_ids' | 'target_id' | 'change'>;

/**
 * Asks for the approvals that a change by a member needs. Returns null for a change of the operator, who needs no approvals, for a
 * change that gives no access, and when `awaitApprovals` returns null.
 */
async function awaitFor(
  trx: Trx,
  { caller, actor }: Manager,
  { note, now }: { note: (deed: Deed) => void; now: Date },
  given: GivenAccess | null,
): Promise<AwaitsApproval | null> {
  if (!caller || !given) return null;
  const asking = { by: { login: caller, actor }, note, now };
  return awaitApprovals(trx, asking, { kind: 'members', wallet_id: null, ...given });
}

/** Returns what other members approve of a change; null when it gives no access: a new name, or an end of its access. */
function accessGiven(before: ServiceUser, after: ServiceUser): GivenAccess | null {
  const access = ({ role, wallet_ids, allowed_ips, public_keys }: ServiceUser) => {
    return { role, wallet_ids, allowed_ips, public_keys: thumbprintsOf(public_keys) };
  };
  const enables = before.disabled_at !== null && after.disabled_at === null;
  if (!enables && isDeepStrictEqual(access(before), access(after))) return null;
  const facts = (of: ServiceUser) => ({ name: of.name, ...access(of), enabled: of.disabled_at === null });
  return {
    operation: 'changeServiceUser',
    target_id: after.id,
    wallet_ids: before.wallet_ids && after.wallet_ids && [...before.wallet_ids, ...after.wallet_ids],
    change: { ...facts(after), before: facts(before) },
  };
}

function thumbprintsOf(public_keys: ServiceUser['public_keys']): string[] {
  return public_keys.map(({ thumbprint }) => thumbprint);
}

/** Returns the id of the user who gives a credential; null for the operator, who is no member and approves nothing. */
function giverOf({ caller }: Manager): string | null {
  return caller?.user.id ?? null;
}

/**
 * Runs a change. After the change of a member, enough members must still be able to approve (`keepingApprovers`). The changes of the
 * operator pass without this check: they end what a team cannot end by itself, and `clear-approvals` is theirs too.
 */
async function withApprovers<T>(
  trx: Trx,
  { caller, team_id }: Manager,
  change: () => Promise<T>,
): Promise<T> {
  return caller ? keepingApprovers(trx, team_id, change) : change();
}

/** @throws AppError `role_missing` when the caller may no longer give this role */
async function lockManager(
  trx: Trx,
  { caller, team_id }: Manager,
  role: ServiceRights['role'],
): Promise<void> {
  if (caller) await lockTeamOf(trx, caller, [role]);
  else await lockTeam(trx, team_id);
}

/** @throws AppError `not_found` for one of another team, `role_missing` */
async function lockFor(trx: Trx, manager: Manager, id: string): Promise<ServiceUser> {
  await lockManager(trx, manager, 'viewer');
  const found = await lockServiceUser(trx, id);
  if (!found || found.team_id !== manager.team_id)
    throw new AppError('not_found', 'There is no such service user.');
  return found;
}

function deedOf({ id, team_id }: { id: string; team_id: string }) {
  return { team_id, target: { kind: 'service_user', id } };
}

function factsOf(service_user: ServiceUser, secrets: Secret[]) {
  const { name, role, wallet_ids, allowed_ips, public_keys } = service_user;
  const credentials = {
    public_keys: public_keys.map(({ kid }) => kid),
    secrets: secrets.map(({ id }) => id),
  };
  return { name, role, wallet_ids, allowed_ips, ...credentials };
}

function secretFacts({ id, last_four }: Secret) {
  return { id, last_four };
}
