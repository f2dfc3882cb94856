/** Pure: every action of the audit log as a sentence. */
import type { AuditAction, AuditEntry } from '../../api/contract.ts';
import { DEVELOPERS } from './developer-sentences.ts';
import { MONEY } from './money-sentences.ts';
import { OPERATOR } from './operator-sentences.ts';
import { RULES } from './rules-sentences.ts';
import { SIGN_IN } from './sign-in-sentences.ts';
import { TEAM } from './team-sentences.ts';
import { actorOf, type Names, type Piece, type Sentence, say, toldOf } from './told.ts';

/** In the order of the filter. */
const GROUPS = {
  'Sign-in': SIGN_IN,
  Team: TEAM,
  Money: MONEY,
  Rules: RULES,
  Developers: DEVELOPERS,
  Operator: OPERATOR,
};

/** The names of the actions, by the groups of the filter. */
export const ACTION_GROUPS = Object.entries(GROUPS).map(([group, sentences]) => ({
  group,
  actions: Object.keys(sentences) as AuditAction[],
}));

export const SENTENCES: Record<AuditAction, Sentence> = {
  ...SIGN_IN,
  ...TEAM,
  ...MONEY,
  ...RULES,
  ...DEVELOPERS,
  ...OPERATOR,
};

/** Who did what. An action of a later version of the service is shown by its name. */
export function sentenceOf(entry: AuditEntry, names: Names): Piece[] {
  const told = toldOf(entry, names);
  const { action } = entry;
  const did = isKnownAction(action) ? SENTENCES[action](told) : say`did ${{ text: action }}`;
  return say`${actorOf(told)} ${did}`;
}

/** False for an action of a later version of the service. */
export function isKnownAction(action: string): action is AuditAction {
  return Object.hasOwn(SENTENCES, action);
}
