/** Pure: what receivers of alerts read. */
import { stringify } from '../http/exact-json.ts';
import { mailedName, mailedUrl } from '../outgoing/mailed-name.ts';
import type { Mail } from '../outgoing/mailer.ts';
import type { AlertKind } from './kinds.ts';
import { RULES } from './rules.ts';
import { type Entry, type Facts, type NamedEntry, type Told, toldOf, userOf, whoIs } from './told.ts';

/** Returns the alert in one or two sentences, on one line. Line ends in names that people have typed become spaces. */
export function wordsOf(named: NamedEntry): string {
  return sentenceOf(named.entry.action, toldOf(named));
}

function sentenceOf(action: string, told: Told): string {
  const words = RULES.get(action)?.words(told) ?? `The audit log has ${action}.`;
  return onOneLine(words);
}

function onOneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ');
}

/** Returns the bytes that go to the webhook of a team: the entry as `GET /v1/audit` shows it, its kind and its words. */
export function alertBody(kind: string, named: NamedEntry): Buffer {
  const data = { kind, message: wordsOf(named), ...named.entry };
  return Buffer.from(stringify({ event: 'alert', data }));
}

const SUBJECTS: Record<AlertKind, string> = {
  new_device: 'sign-in at a new device',
  password_changed: 'a password was changed',
  second_factor_changed: 'second factors were changed',
  recovery_codes_replaced: 'recovery codes were replaced',
  member_changed: 'the members were changed',
  invitation_created: 'somebody was invited',
  api_key_made: 'an API key was made',
  endpoint_changed: 'a webhook endpoint was added',
  signing_secret_rotated: 'a signing secret was replaced',
  policy_loosened: 'a policy was loosened',
  large_payment: 'a large withdrawal was requested',
  wallet_frozen: 'a wallet was frozen or a freeze ended',
  alerts_changed: 'the alerts were changed',
};

type Advice = { text: string; path: string };

/** For a user whose own account changed. */
const OWN_ACCOUNT: Advice = {
  text: 'If you did not do this, somebody may have your password or your browser: change your password at once, and tell an owner of your team.',
  path: '/account',
};
const OTHER_ACCOUNT: Advice = {
  text: 'If you doubt that the user did this, ask the user. Until you know, remove the member from the team.',
  path: '/team',
};

/** For what no member can undo. */
const BY_OPERATOR = 'The operator of this service has done it. If you do not know why, ask them.';

/** What to do when nobody of the team has done it, and the page for that. */
const ADVICE: Record<AlertKind, Advice> = {
  new_device: OTHER_ACCOUNT,
  password_changed: OTHER_ACCOUNT,
  second_factor_changed: OTHER_ACCOUNT,
  recovery_codes_replaced: OTHER_ACCOUNT,
  member_changed: { text: 'If nobody of you did this, remove the member at once.', path: '/team' },
  invitation_created: { text: 'If nobody of you did this, revoke the invitation at once.', path: '/team' },
  api_key_made: {
    text: 'If nobody of you did this, replace the key, and remove the member who made it.',
    path: '/wallets',
  },
  endpoint_changed: {
    text: 'If nobody of you did this, delete the endpoint, and replace the API key of the wallet.',
    path: '/wallets',
  },
  signing_secret_rotated: {
    text: 'If nobody of you did this, replace the signing secret again, and remove the member who did.',
    path: '/wallets',
  },
  policy_loosened: {
    text: 'If nobody of you did this, freeze the wallet, revoke the change, and remove the member who made it.',
    path: '/wallets',
  },
  large_payment: {
    text: 'If nobody of you did this, freeze the wallet, and remove the member who requested the withdrawal.',
    path: '/wallets',
  },
  wallet_frozen: { text: 'Ask the operator of this service for the reason.', path: '/wallets' },
  alerts_changed: {
    text: 'If nobody of you did this, remove the member who did it, and set the alerts again.',
    path: '/team',
  },
};

const LINK_AS_NAME = 'its name looks like a link';

/** Returns the facts with names and URLs that are no links in a mail. The URL stays, for a member must see where an endpoint is. */
function mailedFacts(facts: Facts): Facts {
  const { name, url } = facts;
  return {
    ...facts,
    ...(typeof name === 'string' && { name: mailedName(name) ?? LINK_AS_NAME }),
    ...(typeof url === 'string' && { url: mailedUrl(url) }),
  };
}

/**
 * Returns the actor with a name that is no link in a mail. The team has chosen the names of its API keys and service users. Users
 * are called by their e-mails, which stay.
 */
function mailedActor(actor: Entry['actor']): Entry['actor'] {
  const isNamed = actor.kind === 'api_key' || actor.kind === 'service_user';
  return isNamed && actor.name !== null ? { ...actor, name: mailedName(actor.name) } : actor;
}

/**
 * Makes the mail of an alert. `team`: its name; undefined when no team is concerned. `to`: the e-mail and id of the user who gets
 * the mail.
 */
export function alertMail(
  kind: AlertKind,
  named: NamedEntry,
  {
    to,
    team,
    public_url,
  }: { to: { id: string; email: string }; team: string | undefined; public_url: string },
): Mail {
  const entry = { ...named.entry, actor: mailedActor(named.entry.actor) };
  const told = toldOf({ ...named, entry });
  const words = sentenceOf(entry.action, {
    ...told,
    before: mailedFacts(told.before),
    after: mailedFacts(told.after),
  });
  const isOwn = ADVICE[kind] === OTHER_ACCOUNT && userOf(entry) === to.id;
  const { text, path } = isOwn ? OWN_ACCOUNT : ADVICE[kind];
  const advice = entry.actor.kind === 'operator' ? BY_OPERATOR : text;
  const facts = [
    ['When', `${entry.at.replace('T', ' ').replace(/\.\d+Z$/, '')} UTC`],
    ['Who', whoIs(entry.actor)],
    ['From', entry.ip ?? 'the machine of the service'],
    ...(team === undefined ? [] : [['Team', mailedName(team) ?? LINK_AS_NAME]]),
    ['Audit log', `entry ${entry.seq}, ${entry.action}`],
  ].map(([name, value]) => `${name}: ${onOneLine(value ?? '')}`);
  return {
    to: to.email,
    subject: `Stellar Teller: ${SUBJECTS[kind]}`,
    message_id: `${entry.id}.${to.id}`,
    text: [
      words,
      facts.join('\n'),
      `${advice}\n${public_url}${path}`,
      `This mail comes from the Stellar Teller at ${public_url}. Nobody reads answers to it.`,
    ].join('\n\n'),
  };
}
