/** The only writer of team_invitations and invitation_mails. */
import { sql } from 'kysely';
import type { Rights } from '../../auth/teams/team-store.ts';
import type { Db, Trx } from '../../db/database.ts';
import { newestFirst, type PageRequest } from '../../db/newest-first.ts';
import { foldEmail } from '../../lib/email.ts';

export type Invitation = Rights & {
  id: string;
  team_id: string;
  email: string;
  invited_by: string;
  created_at: Date;
  expires_at: Date;
};

const invitationColumns = [
  ...(['id', 'team_id', 'email', 'role', 'wallet_ids', 'invited_by'] as const),
  ...(['created_at', 'expires_at'] as const),
];

/** Inserts an invitation. `known_to`: the ids of the users who could see the link. */
export async function insertInvitation(
  db: Db,
  row: Invitation & { token_hash: Buffer; known_to: string[] },
): Promise<void> {
  await db
    .insertInto('team_invitations')
    .values({ ...row, email_folded: foldEmail(row.email) })
    .execute();
}

/** Counts the invitations of the team that are open, or were made after `since`; and how many of these go to the e-mail. */
export async function countInvitations(
  trx: Trx,
  { team_id, email }: { team_id: string; email: string },
  { now, since }: { now: Date; since: Date },
): Promise<{ of_team: number; to_email: number }> {
  const counts = await trx
    .selectFrom('team_invitations')
    .select(sql<bigint>`count(*)`.as('of_team'))
    .select(sql<bigint>`count(*) filter (where email_folded = ${foldEmail(email)})`.as('to_email'))
    .where('team_id', '=', team_id)
    .where((eb) =>
      eb.or([
        eb('created_at', '>', since),
        eb.and([eb('accepted_at', 'is', null), eb('revoked_at', 'is', null), eb('expires_at', '>', now)]),
      ]),
    )
    .executeTakeFirstOrThrow();
  return { of_team: Number(counts.of_team), to_email: Number(counts.to_email) };
}

/**
 * Notes that a mail goes to the e-mail now. Returns false, and notes nothing, when one went there after `since`. Deletes the notes
 * from before.
 */
export async function claimInvitationMail(
  db: Db,
  email: string,
  { now, since }: { now: Date; since: Date },
): Promise<boolean> {
  await db.deleteFrom('invitation_mails').where('mailed_at', '<=', since).execute();
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('invitation_mails')
    .values({ email_folded: foldEmail(email), mailed_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** Lists the invitations of a team that can still be accepted at `now`, newest first. */
export async function listInvitations(
  db: Db,
  team_id: string,
  { page, now }: { page: PageRequest; now: Date },
): Promise<Invitation[]> {
  const { where, order } = newestFirst('team_invitations', { team_id }, page.before);
  return selectOpen(db, now).where(sql<boolean>`${where}`).orderBy(order).limit(page.limit).execute();
}

/** Finds the open invitation with the hash of this token. Its row stays locked until the transaction ends: it is accepted once. */
export async function lockInvitation(
  trx: Trx,
  token_hash: Buffer,
  now: Date,
): Promise<Invitation | undefined> {
  return selectOpen(trx, now).where('token_hash', '=', token_hash).forUpdate().executeTakeFirst();
}

export async function findInvitation(db: Db, token_hash: Buffer, now: Date): Promise<Invitation | undefined> {
  return selectOpen(db, now).where('token_hash', '=', token_hash).executeTakeFirst();
}

/** An invitation as its link opens it. `accepted_at`: null until somebody has accepted it. */
export type LinkedInvitation = Invitation & { accepted_at: Date | null };

/**
 * Finds the invitation with the hash of this token, also when it was accepted or has expired, unless it expired before `ended_since`.
 * Not when it was revoked.
 */
export async function findByLink(
  db: Db,
  token_hash: Buffer,
  ended_since: Date,
): Promise<LinkedInvitation | undefined> {
  return db
    .selectFrom('team_invitations')
    .select([...invitationColumns, 'accepted_at'])
    .where('token_hash', '=', token_hash)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', ended_since)
    .executeTakeFirst();
}

function selectOpen(db: Db, now: Date) {
  return db
    .selectFrom('team_invitations')
    .select(invitationColumns)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now);
}

/** Notes that the link went by mail, and was shown to nobody. */
export async function noteLinkMailed(db: Db, id: string): Promise<void> {
  await db.updateTable('team_invitations').set({ known_to: [] }).where('id', '=', id).execute();
}

/** Returns who could have seen the link of the invitation. */
export async function knowersOf(trx: Trx, id: string): Promise<string[]> {
  const { known_to } = await trx
    .selectFrom('team_invitations')
    .select('known_to')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return known_to;
}

export async function markAccepted(trx: Trx, id: string, now: Date): Promise<void> {
  await trx.updateTable('team_invitations').set({ accepted_at: now }).where('id', '=', id).execute();
}

/**
 * Revokes an invitation. Returns false when the team has no such invitation that is neither accepted nor revoked. An expired one is
 * revoked too.
 */
export async function revokeInvitation(db: Db, team_id: string, id: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('team_invitations')
    .set({ revoked_at: now })
    .where('team_id', '=', team_id)
    .where('id', '=', id)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Revokes the invitations of a user who has left the team or may no longer invite: they must not let anybody in. */
export async function revokeInvitationsBy(trx: Trx, user_id: string, now: Date): Promise<void> {
  await trx
    .updateTable('team_invitations')
    .set({ revoked_at: now })
    .where('invited_by', '=', user_id)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .execute();
}
