/** Reads who may approve, and which members and service users one person could be. */
import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { type CouldBe, whoCouldBeWhom } from './program-store.ts';
import { APPROVERS } from './roles.ts';

/**
 * Who may approve, for which wallets (null: every one), and since when they have their rights. `has_factor`: a second factor.
 * `knows`: the service users and members that the same person could be.
 */
export type Approver = {
  user_id: string;
  wallet_ids: string[] | null;
  since: Date;
  has_factor: boolean;
  knows: Identity[];
};

/** A service user or member that a person could be. `until`: null as long as that may be. */
export type Identity = { id: string; until: Date | null };

const approverColumns = [
  ...(['user_id', 'wallet_ids'] as const),
  sql<Date>`coalesce(rights_since, joined_at)`.as('since'),
  sql<boolean>`exists (select from second_factors factor
                        where factor.user_id = team_members.user_id and confirmed_at is not null)`.as(
    'has_factor',
  ),
];

/** Lists the members who may approve. A disabled user may not. */
export async function listApprovers(db: Db, team_id: string): Promise<Approver[]> {
  const rows = await db
    .selectFrom('team_members')
    .innerJoin('users', 'users.id', 'team_members.user_id')
    .select(approverColumns)
    .where('team_id', '=', team_id)
    .where('left_at', 'is', null)
    .where('disabled_at', 'is', null)
    .where('role', 'in', APPROVERS)
    .execute();
  return withKnown(db, team_id, rows);
}

/** Returns one member as an approver, whatever their role; undefined for a user who is not in the team. */
export async function findApprover(db: Db, team_id: string, user_id: string): Promise<Approver | undefined> {
  const rows = await db
    .selectFrom('team_members')
    .select(approverColumns)
    .where('team_id', '=', team_id)
    .where('user_id', '=', user_id)
    .where('left_at', 'is', null)
    .execute();
  const [approver] = await withKnown(db, team_id, rows);
  return approver;
}

async function withKnown(db: Db, team_id: string, rows: Omit<Approver, 'knows'>[]): Promise<Approver[]> {
  const known = await whoCouldBeWhom(db, team_id);
  const of_person = Map.groupBy(known, ({ person }) => person);
  const of_id = Map.groupBy(known, ({ id }) => id);
  return rows.map((row) => ({ ...row, knows: knownBy(row.user_id, of_person, of_id) }));
}

/**
 * Lists the users and service users that could be the same person as this user: each person who could be this user, and everybody who
 * that person could be. The user is not in the list.
 */
function knownBy(
  user_id: string,
  of_person: Map<string, CouldBe[]>,
  of_id: Map<string, CouldBe[]>,
): Identity[] {
  const persons = [{ person: user_id, until: null as Date | null }, ...(of_id.get(user_id) ?? [])];
  return persons.flatMap(({ person, until: could_be_until }) => [
    ...(person === user_id ? [] : [{ id: person, until: could_be_until }]),
    ...(of_person.get(person) ?? [])
      .filter(({ id }) => id !== user_id)
      .map(({ id, until }) => ({ id, until: earlier(until, could_be_until) })),
  ]);
}

function earlier(one: Date | null, other: Date | null): Date | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}
