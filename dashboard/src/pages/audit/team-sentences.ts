/** Pure: what the audit log tells of the team, its members, service users and refused rights. */
import type { Role } from '../../api/contract.ts';
import { accessChangeTitle } from '../../text/access-changes.ts';
import { ROLE_WORDS } from '../../text/roles.ts';
import { changesOf, factIn } from './facts.ts';
import {
  askedForBy,
  endedBecause,
  type Facts,
  isOwnDeed,
  type Piece,
  personNamed,
  quoted,
  type Sentence,
  say,
  type Told,
  targetServiceUser,
  targetUser,
  textOf,
} from './told.ts';

export const TEAM = {
  'team.renamed': ({ before, after }) =>
    say`renamed the team${quoted(before.name)} to${quoted(after.name) || ' another name'}`,
  'team.alerts_changed': (told) => alertsChanged(told),
  'team.factors_required': ({ after }) =>
    after.required === true
      ? say`made the team require a second factor of each member`
      : say`ended that the team requires a second factor of each member`,
  'member.added': (told) => memberAdded(told),
  'member.changed': (told) =>
    told.before.role === told.after.role
      ? say`gave the member ${targetUser(told)} other wallets: ${factIn(told, told.after, 'wallet_ids')}`
      : say`gave the member ${targetUser(told)} the role ${roleIn(told.after)} in place of ${roleIn(told.before)}`,
  'member.removed': (told) =>
    isOwnDeed(told) ? say`left the team` : say`removed the member ${targetUser(told)}`,
  'invitation.created': ({ after }) =>
    say`invited ${textOf(after.email) ?? 'somebody'} with the role ${roleIn(after)}`,
  'invitation.revoked': () => say`revoked an invitation`,
  'service_user.created': (told) => say`made ${targetServiceUser(told)} with the role ${roleIn(told.after)}`,
  'service_user.changed': (told) => say`changed ${targetServiceUser(told)}${changesOf(told)}`,
  'service_user.disabled': (told) => say`disabled ${targetServiceUser(told)}`,
  'service_user.enabled': (told) => say`enabled ${targetServiceUser(told)}`,
  'service_user.removed': (told) => say`removed ${targetServiceUser(told)}`,
  'service_user.secret_added': (told) =>
    say`gave ${targetServiceUser(told)} another secret${endOf(told.after)}`,
  'service_user.secret_retired': (told) =>
    say`retired a secret of ${targetServiceUser(told)}${endOf(told.before)}`,
  'service_user.token_given': () => say`exchanged its credential for a login token`,
  'service_user.token_refused': (told) =>
    say`tried a credential of ${targetServiceUser(told)}, and was refused`,
  'access_change.requested': (told) => say`asked for approvals: ${changeIn(told)}`,
  'access_change.approved': (told) =>
    say`approved a change of access${askedForBy(told.after.requested_by, told.names)}: ${changeIn(told)}${
      told.after.approved === true ? ' (it has its approvals now)' : ''
    }`,
  'access_change.rejected': (told) =>
    told.after.requested_by === told.entry.actor.id
      ? say`took a change of access back: ${changeIn(told)}`
      : say`rejected a change of access${askedForBy(told.after.requested_by, told.names)}: ${changeIn(told)}`,
  'access_change.carried_out': (told) => say`carried out what others had approved: ${changeIn(told)}`,
  'access_change.expired': (told) =>
    say`ended a change of access${askedForBy(told.after.requested_by, told.names)}${endedBecause(told.after)}: ${changeIn(told)}`,
  'right.refused': ({ entry: { target } }) =>
    say`tried “${operationIn(target.id)}”, and had no right to do it`,
} satisfies Record<string, Sentence>;

function roleIn({ role }: Facts): string {
  const known = typeof role === 'string' && Object.hasOwn(ROLE_WORDS, role);
  return known ? ROLE_WORDS[role as Role].label.toLowerCase() : (textOf(role) ?? 'unknown');
}

function memberAdded(told: Told): Piece[] {
  const { after, names } = told;
  const role = roleIn(after);
  if (!isOwnDeed(told)) return say`added the member ${targetUser(told)} with the role ${role}`;
  const { invited_by } = after;
  const invited = typeof invited_by === 'string' ? say`, invited by ${personNamed(invited_by, names)}` : [];
  return say`joined the team with the role ${role}${invited}`;
}

function alertsChanged(told: Told): Piece[] {
  const { after } = told;
  const why = textOf(after.disabled_reason);
  if (why !== undefined) return say`disabled the webhook of the team’s alerts: ${why}`;
  if (after.secret_rotated === true) return say`replaced the signing secret of the team’s alerts`;
  return say`changed the alerts of the team${changesOf(told)}`;
}

/** ` (…a1B2)`: the last characters of a secret. */
function endOf({ last_four }: Facts): string {
  return typeof last_four === 'string' ? ` (…${last_four})` : '';
}

/** `add a member (grace@example.com)`. */
function changeIn({ after: { operation, change } }: Told): string {
  if (typeof operation !== 'string' || operation === '') return 'an unknown change';
  const title = accessChangeTitle({ operation });
  const { email, name } = (typeof change === 'object' && change !== null ? change : {}) as Facts;
  const whom = textOf(email) ?? textOf(name);
  return `${title.charAt(0).toLowerCase()}${title.slice(1)}${whom === undefined ? '' : ` (${whom})`}`;
}

/** `create withdrawal` for `createWithdrawal`. */
function operationIn(id: string | null): string {
  return id === null ? 'something' : id.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
