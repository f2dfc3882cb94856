import type { LoginCaller } from '../../auth/callers/authenticate.ts';
import { findTeam } from '../../auth/teams/team-store.ts';
import type { Deps } from '../../deps.ts';
import { mailedName } from '../../outgoing/mailed-name.ts';
import { claimInvitationMail, type Invitation, noteLinkMailed } from './invitation-store.ts';

/** Between two mails with an invitation, of any team, to one e-mail. */
const PAUSE_MS = 3_600_000;

/**
 * Sends the link of an invitation to the invited address, and notes that nobody else knows it: show it to nobody then. Returns
 * false without a mail server, within an hour of the last such mail to the address, or when the server has not taken the mail:
 * the invitation stays, and whoever invited sends the link. It is not tried again, because the token is not kept.
 */
export async function mailInvitation(
  { db, mailer, config, log, clock }: Pick<Deps, 'db' | 'mailer' | 'config' | 'log' | 'clock'>,
  { user, member }: LoginCaller,
  { invitation, path }: { invitation: Invitation; path: string },
): Promise<boolean> {
  if (mailer === null) return false;
  const { id, email, role, expires_at } = invitation;
  const now = clock.now();
  if (!(await claimInvitationMail(db, email, { now, since: new Date(now.getTime() - PAUSE_MS) })))
    return false;
  const team = mailedName((await findTeam(db, member.team_id)).name);
  const inviter = user.email.includes('/') ? 'A member' : user.email; // some mail programs read a path there
  const until = expires_at.toISOString().slice(0, 10);
  const text = [
    `${inviter} invites you to ${team === null ? 'a team' : `the team "${team}"`} of a Stellar Teller, with the role ${role}.`,
    `To accept, open this link. It works once, until ${until}:\n${config.public_url}${path}`,
    'Anybody who has the link can accept the invitation: do not pass it on. If you did not expect this mail, delete it.',
  ].join('\n\n');
  const subject = `Stellar Teller: ${inviter} invites you to a team`;
  try {
    await mailer.send({ to: email, subject, text, message_id: id });
  } catch (error) {
    log.warn({ err: error, invitation_id: id }, 'the mail of an invitation could not be sent');
    return false;
  }
  await noteLinkMailed(db, id);
  return true;
}
