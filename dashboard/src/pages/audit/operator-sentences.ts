/** Pure: what the audit log tells of the operator of the service. */
import { quoted, type Sentence, say, targetUser, textOf, walletOf } from './told.ts';

const because = (reason: unknown) => {
  const text = textOf(reason);
  return text === undefined ? '' : `: ${text}`;
};

export const OPERATOR = {
  'user.created': (told) => say`made the user ${targetUser(told)}`,
  'user.disabled': (told) => say`disabled the user ${targetUser(told)}`,
  'user.enabled': (told) => say`enabled the user ${targetUser(told)}`,
  'password.reset': (told) => say`gave ${targetUser(told)} a new password`,
  'factors.reset': (told) => say`removed every second factor of ${targetUser(told)}`,
  'command.run': ({ entry: { target } }) => say`ran the command${quoted(target.id)}`,
  'wallet.frozen': (told) => say`froze ${walletOf(told)}${because(told.after.reason)}`,
  'wallet.unfrozen': (told) => say`ended the freeze of ${walletOf(told)}`,
  'policy.approvals_cleared': (told) =>
    say`ended the approvals of ${walletOf(told)}${because(told.after.reason)}`,
} satisfies Record<string, Sentence>;
