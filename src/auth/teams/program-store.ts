/** What approvals need to know of service users: who knows a credential of them, and which of them may ask for something. */
import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { PAYERS, SERVICE_ROLES } from './roles.ts';

/** A user knows a credential of the service user. `until`: when the last one that they know has ended; null: it is valid. */
export type Known = { service_user_id: string; until: Date | null };

/** Lists the users who know, or have known, a credential of a service user of the team. */
export async function whoKnows(db: Db, team_id: string): Promise<(Known & { user_id: string })[]> {
  const { rows } = await sql<Known & { user_id: string }>`
    select own.id as service_user_id, user_id,
      case when bool_or(ended_at is null) then null else max(ended_at) end as until
    from service_users own
    join service_user_credentials given on given.service_user_id = own.id
    cross join unnest(given.known_to) as user_id
    where own.team_id = ${team_id}
    group by own.id, user_id`.execute(db);
  return rows;
}

/**
 * Somebody knows a credential of a service user, or the password of a member (users/known-password-store.ts): they could be it. `until`: as of
 * `Known`.
 */
export type CouldBe = { person: string; id: string; until: Date | null };

/**
 * Lists the persons who could be a member or service user of the team, or could have been, by a credential or password that they know
 * or knew.
 */
export async function whoCouldBeWhom(db: Db, team_id: string): Promise<CouldBe[]> {
  const programs = await whoKnows(db, team_id);
  const { rows: members } = await sql<CouldBe>`
    select person, known.user_id as id, ended_at as until
      from known_passwords known
      join team_members member on member.user_id = known.user_id and left_at is null
      cross join unnest(known.known_to) as person
     where member.team_id = ${team_id}`.execute(db);
  return [
    ...members,
    ...programs.map(({ user_id, service_user_id, until }) => ({
      person: user_id,
      id: service_user_id,
      until,
    })),
  ];
}

/** A service user as a message names it. */
export type NamedProgram = { id: string; name: string };

/** Lists the service users of the team with a valid credential that the user knows, disabled ones too, oldest first. */
export async function programsKnownTo(db: Db, team_id: string, user_id: string): Promise<NamedProgram[]> {
  const known = await whoKnows(db, team_id);
  const ids = known
    .filter((each) => each.user_id === user_id && each.until === null)
    .map(({ service_user_id }) => service_user_id);
  return db
    .selectFrom('service_users')
    .select(['id', 'name'])
    .where('id', '=', sql<string>`any(${ids}::text[])`)
    .orderBy('id')
    .execute();
}

/** `wallet_ids`: null for every wallet of the team. */
export type AskingProgram = NamedProgram & { wallet_ids: string[] | null };

const ASKERS = SERVICE_ROLES.filter((role) => PAYERS.includes(role));

/** Lists the service users of the team that may ask for a withdrawal, oldest first. They cannot change policies, whatever their role. */
export async function listAskingPrograms(db: Db, team_id: string): Promise<AskingProgram[]> {
  return db
    .selectFrom('service_users')
    .select(['id', 'name', 'wallet_ids'])
    .where('team_id', '=', team_id)
    .where('role', 'in', ASKERS)
    .where('disabled_at', 'is', null)
    .where('removed_at', 'is', null)
    .orderBy('id')
    .execute();
}
