/** Pure: an entry of the audit log as its sentence reads it. Other versions may write other facts into entries. */
import type { AuditEntry } from '../../api/contract.ts';
import { assetName } from '../../text/asset.ts';
import { counted } from '../../text/counted.ts';
import { isolated } from '../../text/isolate.ts';
import { formatUnits } from '../../text/money.ts';

/** What `before` or `after` of an entry holds. Amounts are bigints. */
export type Facts = Readonly<Record<string, unknown>>;

/** What the reader may open, by its id, with the name that it has now. */
export type Names = Record<'wallets' | 'service_users' | 'payees', ReadonlyMap<string, string>> & {
  members: ReadonlyMap<string, { name: string; email: string }>;
};

export type Told = { entry: AuditEntry; before: Facts; after: Facts; names: Names };

/** A name, an id or an address in a sentence. `path`: its page. `long`: only its ends are shown where there is little room. */
export type Thing = { text: string; path?: string; tab?: 'keys'; long?: boolean };
export type Piece = string | Thing;

/** What the actor did: the sentence after its subject. */
export type Sentence = (told: Told) => Piece[];

export function toldOf(entry: AuditEntry, names: Names): Told {
  return { entry, before: entry.before ?? {}, after: entry.after ?? {}, names };
}

/** A tag for templates whose values are pieces. */
export function say(texts: TemplateStringsArray, ...values: (Piece | Piece[])[]): Piece[] {
  return texts
    .flatMap((text, index) => [text, ...[values[index] ?? []].flat()])
    .filter((each) => each !== '');
}

/** The sentence as one text, for screen readers. */
export function inPlainText(pieces: Piece[]): string {
  return pieces.map((each) => (typeof each === 'string' ? each : each.text)).join('');
}

/** A text of an entry; undefined for anything else, and for an empty text. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? isolated(value) : undefined;
}

/** The fact of this name. Metadata has names that people choose, like `constructor`. */
export function factOf(facts: Facts, name: string): unknown {
  return Object.hasOwn(facts, name) ? facts[name] : undefined;
}

/** The words for a text of an entry; undefined where there are none. */
export function wordsFor(words: Readonly<Record<string, string>>, text: unknown): string | undefined {
  return typeof text === 'string' && Object.hasOwn(words, text) ? words[text] : undefined;
}

/** Addresses of the network, and hashes. */
const LONG = /^[A-Z2-7]{56,}$|^[\da-f]{64}$/;

/** A text of an entry that has no page. */
export function inWords(text: string): Piece {
  return LONG.test(text) ? { text, long: true } : isolated(text);
}

/** The objects of a list. */
export function objectsIn(list: unknown): Facts[] {
  return Array.isArray(list) ? list.filter((each) => typeof each === 'object' && each !== null) : [];
}

/** ` “Payroll”`, or nothing. */
export function quoted(value: unknown): string {
  const text = textOf(value);
  return text === undefined ? '' : ` “${text}”`;
}

/** `12 rows`; without a number `rows`. */
export function countOf(value: unknown, one: string, many = `${one}s`): string {
  return typeof value === 'number' || typeof value === 'bigint' ? counted(value, one, many) : many;
}

/** `12.5 XLM`, `7 USDC of GA5Z…KZVN`. */
export function amountOf({ amount_stroops, ...asset }: Facts): string {
  const of = assetOf(asset);
  return typeof amount_stroops === 'bigint' ? `${formatUnits(amount_stroops)} ${of}` : `an amount of ${of}`;
}

/** `XLM`, `USDC of GA5Z…KZVN`. */
export function assetOf({ asset_code, asset_issuer }: Facts): string {
  if (typeof asset_code !== 'string' || asset_code === '') return 'an unknown asset';
  return assetName({ asset_code, asset_issuer: typeof asset_issuer === 'string' ? asset_issuer : null });
}

/** Ids of the service. Another text leads nowhere. */
const ID = /^\w{1,64}$/;

/** `the wallet Payroll`, with a link for a reader who may open it. */
export function walletOf({ entry: { wallet_id }, names }: Told): Piece[] {
  return wallet_id === null ? ['a wallet'] : say`the wallet ${walletNamed(wallet_id, names)}`;
}

export function walletNamed(id: string, { wallets }: Names): Thing {
  const name = wallets.get(id);
  return name === undefined ? { text: id } : { text: isolated(name), path: `/wallets/${id}` };
}

/** A payee by the name of today; null for one that was deleted. */
export function payeeNamed(id: string, { payees }: Names): Thing | null {
  const name = payees.get(id);
  return name === undefined ? null : { text: isolated(name), path: `/payees/${id}` };
}

/** `text` with a link to `page` of the wallet of the entry, below which `id` has its page. */
export function inWallet(told: Told, text: string, page: string, id?: unknown): Thing {
  const { wallet_id } = told.entry;
  if (wallet_id === null || !told.names.wallets.has(wallet_id)) return { text };
  const path = `/wallets/${wallet_id}/${page}`;
  if (id === undefined) return { text, path };
  return typeof id === 'string' && ID.test(id) ? { text, path: `${path}/${id}` } : { text };
}

/**
 * A user: by the name of today and the e-mail, or else as the entry calls them. Users choose their names: one may be that of another
 * user, or “The operator of the service”.
 */
export function userNamed(id: unknown, { members }: Names, called?: unknown): Thing {
  const member = typeof id === 'string' ? members.get(id) : undefined;
  if (member !== undefined)
    return { text: `${isolated(member.name)} (${isolated(member.email)})`, path: '/team' };
  return { text: textOf(called) ?? textOf(id) ?? 'an unknown user' };
}

/** The user whom the entry is about. */
export function targetUser({ entry: { target }, before, after, names }: Told): Thing {
  return userNamed(target.id, names, after.email ?? before.email);
}

/** `the service user Backend`. */
export function serviceUserNamed(id: unknown, { service_users }: Names, called?: unknown): Piece[] {
  const now = typeof id === 'string' ? service_users.get(id) : undefined;
  const text = textOf(called) ?? textOf(now) ?? textOf(id) ?? 'of an unknown id';
  return say`the service user ${now === undefined ? { text } : { text, path: '/team' }}`;
}

export function targetServiceUser({ entry: { target }, before, after, names }: Told): Piece[] {
  return serviceUserNamed(target.id, names, after.name ?? before.name);
}

/** `, asked for by Ada`. */
export function askedForBy(id: unknown, names: Names): Piece[] {
  return typeof id === 'string' ? say`, asked for by ${personNamed(id, names)}` : [];
}

/** A member or a service user, by the id. */
export function personNamed(id: unknown, names: Names): Piece[] {
  const isProgram = typeof id === 'string' && id.startsWith('svu_');
  return isProgram ? serviceUserNamed(id, names) : [userNamed(id, names)];
}

const REASONS: Readonly<Record<string, string>> = {
  approval_expired: ', because its time was over',
  requester_removed: ', because its requester was removed or disabled',
};

/** Why a request ended without its approvals. */
export function endedBecause({ reason }: Facts): string {
  return wordsFor(REASONS, reason) ?? '';
}

/** True when the user acted on themselves. */
export function isOwnDeed({ entry: { actor, target } }: Told): boolean {
  return actor.id !== null && actor.id === target.id;
}

/** The subject of the sentence. Only a user has an e-mail in it. */
export function actorOf(told: Told): Piece[] {
  const { kind, id, name } = told.entry.actor;
  switch (kind) {
    case 'user':
      return [id === null && name === null ? 'Somebody' : { text: userNamed(id, told.names, name).text }];
    case 'service_user':
      return [`Service user ${textOf(name) ?? id ?? 'of an unknown id'}`];
    case 'api_key':
      return name === null ? say`The main API key of ${walletOf(told)}` : [`API key${quoted(name)}`];
    case 'operator':
      return [`The operator of the service${name === null ? '' : ` (account ${textOf(name) ?? 'unknown'})`}`];
    case 'stranger':
      return ['Somebody who was not signed in'];
    default:
      return ['The service'];
  }
}
