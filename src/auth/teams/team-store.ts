/** The only writer of teams and team_members. */
import { sql } from 'kysely';
import type { Db, Trx } from '../../db/database.ts';
import type { PageRequest } from '../../db/newest-first.ts';
import { foldEmail } from '../../lib/email.ts';
import type { Role } from './roles.ts';

export type Team = { id: string; name: string; created_at: Date; second_factor_required: boolean };

/** What a member may use, and how. `wallet_ids`: null for every wallet of the team. */
export type Rights = { role: Role; wallet_ids: string[] | null };
/** What a user may do now. It is read for each request, so that a change holds at once. */
export type Membership = Rights & { team_id: string };
/** `left_at`: null of a member; else the rights are those of then. */
export type Member = Rights & {
  user_id: string;
  email: string;
  name: string;
  joined_at: Date;
  left_at: Date | null;
};

export async function findTeam(db: Db, id: string): Promise<Team> {
  return db.selectFrom('teams').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

/** Lists every team by its id, with the e-mail addresses of its owners. A team that everybody has left has no owners. */
export async function listTeams(db: Db): Promise<Map<string, { name: string; owner_emails: string[] }>> {
  const teams = await db.selectFrom('teams').select(['id', 'name']).execute();
  const owners = await db
    .selectFrom('team_members')
    .innerJoin('users', 'users.id', 'team_members.user_id')
    .select(['team_id', 'email'])
    .where('role', '=', 'owner')
    .where('left_at', 'is', null)
    .orderBy('users.id')
    .execute();
  const own = Map.groupBy(owners, ({ team_id }) => team_id);
  const emailsOf = (id: string) => (own.get(id) ?? []).map(({ email }) => email);
  return new Map(teams.map(({ id, name }) => [id, { name, owner_emails: emailsOf(id) }]));
}

export async function isTeam(db: Db, id: string): Promise<boolean> {
  return (await db.selectFrom('teams').select('id').where('id', '=', id).executeTakeFirst()) !== undefined;
}

/** Renames a team. Its row is locked until the transaction ends. */
export async function renameTeam(db: Db, id: string, name: string): Promise<Team> {
  return db.updateTable('teams').set({ name }).where('id', '=', id).returningAll().executeTakeFirstOrThrow();
}

export async function setSecondFactorRequired(trx: Trx, id: string, required: boolean): Promise<void> {
  await trx.updateTable('teams').set({ second_factor_required: required }).where('id', '=', id).execute();
}

/**
 * Locks a team. Until the transaction ends, no other transaction changes who is in the team: two owners cannot demote each other at
 * once.
 */
export async function lockTeam(trx: Trx, id: string): Promise<void> {
  await trx.selectFrom('teams').select('id').where('id', '=', id).forNoKeyUpdate().executeTakeFirstOrThrow();
}

/** Locks the team of a wallet as `lockTeam` does, and returns its id. */
export async function lockTeamOfWallet(trx: Trx, wallet_id: string): Promise<string> {
  const { owner_id } = await trx
    .selectFrom('wallet_owners')
    .select('owner_id')
    .where('id', '=', wallet_id)
    .executeTakeFirstOrThrow();
  await lockTeam(trx, owner_id);
  return owner_id;
}

/** Returns the team that a user is in, with the rights of the user; undefined for a user who is in no team. */
export async function teamOfUser(db: Db, user_id: string): Promise<Membership | undefined> {
  return db
    .selectFrom('team_members')
    .select(['team_id', 'role', 'wallet_ids'])
    .where('user_id', '=', user_id)
    .where('left_at', 'is', null)
    .executeTakeFirst();
}

/** Lists the members of a team, newest users first. */
export async function listMembers(db: Db, team_id: string, page: PageRequest): Promise<Member[]> {
  const members = selectMembers(db, team_id).orderBy('user_id', 'desc').limit(page.limit);
  return (page.before === undefined ? members : members.where('user_id', '<', page.before)).execute();
}

/** Lists who was in a team and is not now, newest users first, each with the last membership. */
export async function listFormerMembers(db: Db, team_id: string, page: PageRequest): Promise<Member[]> {
  const members = db
    .selectFrom('team_members')
    .select('user_id')
    .where('team_id', '=', team_id)
    .where('left_at', 'is', null);
  const former = membersOf(db, team_id)
    .distinctOn('user_id')
    .where('left_at', 'is not', null)
    .where('user_id', 'not in', members)
    .orderBy('user_id', 'desc')
    .orderBy('left_at', 'desc')
    .limit(page.limit);
  return (page.before === undefined ? former : former.where('user_id', '<', page.before)).execute();
}

export async function findMember(db: Db, team_id: string, user_id: string): Promise<Member | undefined> {
  return selectMembers(db, team_id).where('user_id', '=', user_id).executeTakeFirst();
}

/** Returns true when the team has a member with this e-mail. */
export async function isMemberEmail(db: Db, team_id: string, email: string): Promise<boolean> {
  const members = selectMembers(db, team_id).where('users.email_folded', '=', foldEmail(email));
  return (await members.executeTakeFirst()) !== undefined;
}

/**
 * Counts the users who came into the team after `since`, and how many of these have the e-mail. Those who have left count too. The
 * founder of the team does not count.
 */
export async function countJoined(
  trx: Trx,
  { team_id, email }: { team_id: string; email: string },
  since: Date,
): Promise<{ of_team: number; with_email: number }> {
  return trx
    .selectFrom('team_members')
    .select(sql<number>`count(*)::int`.as('of_team'))
    .select(sql<number>`(count(*) filter (where email_folded = ${foldEmail(email)}))::int`.as('with_email'))
    .where('team_id', '=', team_id)
    .whereRef('user_id', '<>', 'team_id')
    .where('joined_at', '>', since)
    .executeTakeFirstOrThrow();
}

/** Counts the owners of a team who can log in. */
export async function countOwners(db: Db, team_id: string): Promise<number> {
  const owners = selectMembers(db, team_id).where('role', '=', 'owner').where('disabled_at', 'is', null);
  return (await owners.execute()).length;
}

/** Returns true when the team has more than one member, or a wallet or a service user: then its last owner cannot go. */
export async function isNeeded(db: Db, team_id: string): Promise<boolean> {
  const wallet = await db
    .selectFrom('wallet_owners')
    .select('id')
    .where('owner_id', '=', team_id)
    .limit(1)
    .execute();
  const service_user = await db
    .selectFrom('service_users')
    .select('id')
    .where('team_id', '=', team_id)
    .where('removed_at', 'is', null)
    .limit(1)
    .execute();
  return (
    wallet.length + service_user.length > 0 ||
    (await selectMembers(db, team_id).limit(2).execute()).length > 1
  );
}

/** Returns those of these ids that are no wallets of the team. */
export async function notOfTeam(db: Db, team_id: string, wallet_ids: string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('wallet_owners')
    .select('id')
    .where('owner_id', '=', team_id)
    .where('id', '=', sql<string>`any(${wallet_ids}::text[])`)
    .execute();
  const own = new Set(rows.map(({ id }) => id));
  return wallet_ids.filter((id) => !own.has(id));
}

function selectMembers(db: Db, team_id: string) {
  return membersOf(db, team_id).where('left_at', 'is', null);
}

/** Selects the memberships of a team, also those that have ended. */
function membersOf(db: Db, team_id: string) {
  return db
    .selectFrom('team_members')
    .innerJoin('users', 'users.id', 'team_members.user_id')
    .select(['user_id', 'email', 'name', 'role', 'wallet_ids', 'joined_at', 'left_at'])
    .where('team_id', '=', team_id);
}

export async function insertMember(
  trx: Trx,
  { user_id, team_id, role, wallet_ids, now }: Rights & { user_id: string; team_id: string; now: Date },
): Promise<void> {
  await trx
    .insertInto('team_members')
    .values({
      user_id,
      team_id,
      role,
      wallet_ids,
      joined_at: now,
      email_folded: sql<string>`(select email_folded from users where id = ${user_id})`,
    })
    .execute();
}

export async function changeRights(
  trx: Trx,
  user_id: string,
  { role, wallet_ids, now }: Rights & { now: Date },
): Promise<void> {
  await trx
    .updateTable('team_members')
    .set({
      role,
      wallet_ids,
      // The same rights again take nobody the right to approve what was requested before.
      rights_since: sql`case when role is distinct from ${role} or wallet_ids is distinct from ${wallet_ids}::text[]
        then ${now}::timestamptz else rights_since end`,
    })
    .where('user_id', '=', user_id)
    .where('left_at', 'is', null)
    .execute();
}

/** Ends the membership of a user, who is in no team from then on. */
export async function endMembership(trx: Trx, user_id: string, now: Date): Promise<void> {
  await trx
    .updateTable('team_members')
    .set({ left_at: now })
    .where('user_id', '=', user_id)
    .where('left_at', 'is', null)
    .execute();
}
