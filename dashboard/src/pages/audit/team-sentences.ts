/** Pure: what the audit log tells of the team, its members, service users and refused rights. */
import type { Role } from '../../api/contract.ts';
import { accessChangeTitle } from '../../text/access-changes.ts';
import { ROLE_WORDS } from '../../text/roles.ts';
import { changeOf, changesOf, differing, factIn } from './facts.ts';
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
  'member.changed': (told) => memberChanged(told),
  'member.removed': (told) =>
    isOwnDeed(told) ? say`left the team` : say`removed the member ${targetUser(told)}`,
  'invitation.created': (told) =>
    say`invited ${textOf(told.after.email) ?? 'somebody'}${rightsIn(told, told.after)}`,
  'invitation.revoked': () => say`revoked an invitation`,
  'service_user.created': (told) => say`made ${targetServiceUser(told)}${rightsIn(told, told.after)}`,
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
  'access_change.carried_out': (told) => {
    const { approved_by } = told.after;
    const isApproved = Array.isArray(approved_by) && approved_by.length > 0;
    const what = isApproved ? 'what others had approved' : 'what needed no approvals any more';
    return say`carried out ${what}: ${changeIn(told)}`;
  },
  'access_change.expired': (told) =>
    say`ended a change of access${askedForBy(told.after.requested_by, told.names)}${endedBecause(told.after)}: ${changeIn(told)}`,
  'right.refused': ({ entry: { target } }) =>
    say`tried “${operationIn(target.id)}”, and had no right to do it`,
} satisfies Record<string, Sentence>;

function roleIn({ role }: Facts): string {
  const known = typeof role === 'string' && Object.hasOwn(ROLE_WORDS, role);
  return known ? ROLE_WORDS[role as Role].label.toLowerCase() : (textOf(role) ?? 'unknown');
}

/** ` with the role operator, for the wallets Payroll`. An entry without wallets does not say for which. */
function rightsIn(told: Told, facts: Facts): Piece[] {
  const role = say` with the role ${roleIn(facts)}`;
  return facts.wallet_ids === undefined ? role : say`${role}, for ${walletsIn(told, facts)}`;
}

/** `every wallet`, `the wallets Payroll, Main`. */
function walletsIn(told: Told, facts: Facts): Piece[] {
  const all = facts.wallet_ids === null || facts.wallet_ids === undefined;
  return say`${all ? '' : 'the wallets '}${factIn(told, facts, 'wallet_ids')}`;
}

function memberChanged(told: Told): Piece[] {
  const { before, after } = told;
  const changed = differing(told);
  const wallets = changed.includes('wallet_ids');
  const member = targetUser(told);
  if (!changed.includes('role'))
    return say`gave the member ${member} other wallets: ${changeOf(told, 'wallet_ids')}`;
  const other = wallets ? say`, for ${walletsIn(told, after)} in place of ${walletsIn(told, before)}` : [];
  return say`gave the member ${member} the role ${roleIn(after)} in place of ${roleIn(before)}${other}`;
}

function memberAdded(told: Told): Piece[] {
  const { after, names } = told;
  const rights = rightsIn(told, after);
  if (!isOwnDeed(told)) return say`added the member ${targetUser(told)}${rights}`;
  const { invited_by } = after;
  const invited = typeof invited_by === 'string' ? say`, invited by ${personNamed(invited_by, names)}` : [];
  return say`joined the team${rights}${invited}`;
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

/** `add a member, grace@example.com with the role viewer, for every wallet`. */
function changeIn(told: Told): Piece[] {
  const { operation, target_id } = told.after;
  if (typeof operation !== 'string' || operation === '') return ['an unknown change'];
  const { before, ...after } = objectIn(told.after.change);
  const title = accessChangeTitle({ operation });
  const called = textOf(after.email) ?? textOf(after.name);
  const person =
    typeof target_id === 'string' && called === undefined ? personNamed(target_id, told.names) : [];
  const whom = called === undefined ? person : [called];
  const what = say`${title.charAt(0).toLowerCase()}${title.slice(1)}${whom.length === 0 ? [] : say`, ${whom}`}`;
  if (before !== undefined) return say`${what}${changesOf({ ...told, before: objectIn(before), after })}`;
  return say`${what}${after.role === undefined ? [] : rightsIn(told, after)}`;
}

const objectIn = (value: unknown): Facts =>
  (typeof value === 'object' && value !== null ? value : {}) as Facts;

/** `create withdrawal` for `createWithdrawal`. */
function operationIn(id: string | null): string {
  return id === null ? 'something' : id.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
