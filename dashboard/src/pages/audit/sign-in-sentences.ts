/** Pure: what the audit log tells of logins, sessions, passwords and second factors. */
import {
  countOf,
  isOwnDeed,
  quoted,
  type Sentence,
  say,
  type Told,
  targetUser,
  textOf,
  wordsFor,
} from './told.ts';

const FACTORS: Readonly<Record<string, string>> = {
  totp: ': a code of an authenticator app',
  passkey: ': a passkey',
  recovery_code: ': a recovery code',
};

const factorIn = ({ after: { method } }: Told) => wordsFor(FACTORS, method) ?? '';

/** ` of grace@example.com`, where somebody else acted. */
const ofOther = (told: Told) =>
  isOwnDeed(told) || told.entry.target.id === null ? [] : say` of ${targetUser(told)}`;

export const SIGN_IN = {
  'login.succeeded': ({ after }) =>
    say`signed in${after.known_device === false ? ' at a device that was not known' : ''}`,
  'login.failed': (told) =>
    told.entry.target.id === null
      ? say`tried to sign in, and was refused`
      : say`tried to sign in as ${targetUser(told)}, and was refused`,
  'login.factor_asked': () => say`gave the right password, and was asked for a second factor`,
  'session.ended': (told) => sessionEnded(told),
  'session.renewed': () => say`renewed a login token`,
  'password.refused': () => say`gave a wrong current password`,
  'password.changed': () => say`changed their password`,
  'second_factor.used': (told) => say`proved a second factor${factorIn(told)}`,
  'second_factor.failed': (told) =>
    told.after.pending === true
      ? say`gave a wrong code for a new authenticator app`
      : say`gave a wrong proof of a second factor${ofOther(told)}${factorIn(told)}`,
  'second_factor.stopped': (told) =>
    say`gave too many wrong codes: codes of an authenticator app${ofOther(told)} are refused now`,
  'recovery_code.used': ({ after: { codes_left } }) =>
    say`used a recovery code${codes_left === undefined ? '' : `: ${countOf(codes_left, 'code')} left`}`,
  'recovery_codes.replaced': () => say`replaced their recovery codes`,
  'factor.added': ({ after }) => say`added the second factor${quoted(after.name)}`,
  'factor.renamed': ({ before, after }) =>
    say`renamed the second factor${quoted(before.name)} to${quoted(after.name) || ' another name'}`,
  'factor.removed': ({ before }) => say`removed the second factor${quoted(before.name)}`,
} satisfies Record<string, Sentence>;

function sessionEnded(told: Told) {
  const { entry, after } = told;
  const { actor, target, session_id } = entry;
  if (after.ended === 'all others')
    return say`ended all their other sessions${typeof after.count === 'number' ? ` (${after.count})` : ''}`;
  if (after.ended === 'all') return say`ended every session of ${targetUser(told)}`;
  if (after.replaced === true) return say`signed in again in a browser, which ended the session before`;
  if (target.id !== null && target.id === session_id) return say`signed out`;
  if (actor.kind === 'user') return say`ended another session of their own`;
  const email = textOf(told.before.email);
  return say`ended a session${email === undefined ? [] : say` of ${{ text: email }}`}`;
}
