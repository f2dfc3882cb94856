import { findTeam, teamOfUser } from '../auth/teams/team-store.ts';
import { findUser, findUsersByEmail } from '../auth/users/user-store.ts';
import type { Db } from '../db/database.ts';
import { OperatorError } from '../lib/errors.ts';

/**
 * Finds the user whom a command names by the e-mail or the id.
 * @throws OperatorError when nobody has it, or several users have the e-mail: then it names them
 */
export async function requireUser(db: Db, named: string) {
  const of_id = await findUser(db, named);
  if (of_id) return of_id;
  const users = await findUsersByEmail(db, named, { members: false });
  const [user, ...others] = users;
  if (!user) throw new OperatorError(`There is no user ${named}.`);
  if (others.length === 0) return user;
  const lines = [];
  for (const { id } of users) {
    const team = await teamOfUser(db, id);
    lines.push(
      `  ${id}  ${team ? `in the team "${(await findTeam(db, team.team_id)).name}"` : 'in no team'}`,
    );
  }
  throw new OperatorError(
    `${users.length} users have the e-mail ${named}. Nothing was changed. Name one by its id:\n${lines.join('\n')}`,
  );
}
