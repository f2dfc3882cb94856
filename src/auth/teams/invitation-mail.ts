import type { Deps } from '../../deps.ts';
import type { LoginCaller } from '../authenticate.ts';
import { findTeam, type Invitation } from './team-store.ts';

/**
 * Sends the link of an invitation to the invited address. False without a mail server, or when the server has not taken the
 * mail: the invitation stays, and whoever invited sends the link. It is not tried again, because the token is not kept.
 */
export async function mailInvitation(
  { db, mailer, config, log }: Pick<Deps, 'db' | 'mailer' | 'config' | 'log'>,
  { user: { email: inviter }, member }: LoginCaller,
  { invitation, path }: { invitation: Invitation; path: string },
): Promise<boolean> {
  if (mailer === null) return false;
  const { id, email, role, expires_at } = invitation;
  const { name: team } = await findTeam(db, member.team_id);
  const until = expires_at.toISOString().slice(0, 10);
  const text = [
    `${inviter} invites you to the team "${onOneLine(team)}" of a Stellar Teller, with the role ${role}.`,
    `To accept, open this link. It works once, until ${until}:\n${config.public_url}${path}`,
    'Whoever has the link can accept the invitation: do not pass it on. If you did not expect this mail, delete it.',
  ].join('\n\n');
  const subject = `Stellar Teller: ${inviter} invites you to a team`;
  try {
    await mailer.send({ to: email, subject, text, message_id: id });
    return true;
  } catch (error) {
    log.warn({ err: error, invitation_id: id }, 'the mail of an invitation could not be sent');
    return false;
  }
}

/** Names are typed by people, and may have control characters. */
function onOneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ');
}
