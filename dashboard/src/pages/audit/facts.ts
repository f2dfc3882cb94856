/** Pure: the facts of an entry, and how they changed, in words. */
import { isExactNumber, stringifyExact } from '../../api/exact-json.ts';
import { assetName, parseAssetText } from '../../text/asset.ts';
import { formatDateTime } from '../../text/date-time.ts';
import { isolated } from '../../text/isolate.ts';
import { formatUnits } from '../../text/money.ts';
import {
  assetOf,
  type Facts,
  factOf,
  inWallet,
  inWords,
  type Piece,
  payeeNamed,
  personNamed,
  say,
  type Told,
  walletNamed,
  wordsFor,
} from './told.ts';

const LABELS: Readonly<Record<string, string>> = {
  allowed_ips: 'addresses',
  without_factor: 'also by members without a second factor',
  numeric_memo_text: 'numeric memo text as a memo id',
  wallet_ids: 'wallets',
  large_payments: 'large payments above',
  max_rolling_24h_stroops: 'in 24 hours',
  max_withdrawal_stroops: 'per withdrawal',
};

/** What a fact without a value means. */
const WITHOUT: Readonly<Record<string, string>> = {
  allowed_ips: 'every address',
  destinations: 'every destination',
  kinds: 'every kind',
  wallet_ids: 'every wallet',
};

/** What an empty list means, where it is another thing than no list. */
const EMPTY: Readonly<Record<string, string>> = { limits: 'every asset refused' };

/** Texts that people choose, and all that is in them. */
const CHOSEN = new Set('name label description metadata reason comment reference idempotency_key'.split(' '));

/** `approvals required` for `approvals_required`. Metadata has names that people choose. */
export function labelOf(name: string): string {
  if (!/^[a-z\d_]+$/.test(name)) return isolated(name);
  return wordsFor(LABELS, name) ?? name.replace(/_stroops$/, '').replaceAll('_', ' ');
}

/** The names of the facts that differ. */
export function differing({ before, after }: Pick<Told, 'before' | 'after'>): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.filter(
    (name) => stringifyExact([factOf(before, name)]) !== stringifyExact([factOf(after, name)]),
  );
}

/** The sentence has room for so many changes and items. The details have all. */
const MOST_CHANGES = 3;
const MOST_ITEMS = 5;

/** `: name “A” → “B”; frozen no → yes`. `left_out`: facts that the sentence tells otherwise. */
export function changesOf(told: Told, left_out: readonly string[] = []): Piece[] {
  const names = differing(told).filter((name) => name !== 'url_changed' && !left_out.includes(name));
  // What may be a credential is not in the entry, so the URLs before and after may look the same.
  if (told.after.url_changed === true && !names.includes('url')) names.push('url');
  if (names.length === 0) return [];
  const more = names.length - MOST_CHANGES;
  const told_of = names
    .slice(0, MOST_CHANGES)
    .flatMap((name, index) => say`${index === 0 ? ': ' : '; '}${labelOf(name)} ${changeOf(told, name)}`);
  return more > 0 ? [...told_of, `; and ${more} more`] : told_of;
}

/** `“A” → “B”`; of a list what was added and removed. */
export function changeOf(told: Told, name: string, most = MOST_ITEMS): Piece[] {
  const [old, now] = [factOf(told.before, name), factOf(told.after, name)];
  if (isList(old) && isList(now)) {
    const [added, removed] = [without(now, old), without(old, now)];
    if (added.length + removed.length === 0) return ['in another order'];
    const words = (did: string, items: unknown[]) =>
      items.length === 0 ? [] : say`${did} ${wordsOf(told, items, { name, facts: told.after, most })}`;
    const and = added.length > 0 && removed.length > 0 ? ' and ' : '';
    return say`${words('added', added)}${and}${words('removed', removed)}`;
  }
  return say`${factIn(told, told.before, name, most)} → ${factIn(told, told.after, name, most)}`;
}

/** No items are another thing than few: the words say it. */
const isList = (value: unknown): value is unknown[] => Array.isArray(value) && value.length > 0;

function without(items: unknown[], others: unknown[]): unknown[] {
  const known = new Set(others.map((each) => stringifyExact([each])));
  return items.filter((each) => !known.has(stringifyExact([each])));
}

/** The fact in words, with links to what it names. */
export function factIn(told: Told, facts: Facts, name: string, most = MOST_ITEMS): Piece[] {
  const value = factOf(facts, name);
  if (value === null || value === undefined) return [wordsFor(WITHOUT, name) ?? 'none'];
  return wordsOf(told, value, { name, facts, most });
}

/** `is_chosen`: a person chose the fact that this is a part of. */
type At = { name: string; facts: Facts; most: number; depth?: number; is_chosen?: boolean };

const MOST_DEPTH = 4;

function wordsOf(told: Told, value: unknown, at: At): Piece[] {
  const { name, depth = 0 } = at;
  const is_chosen = at.is_chosen || CHOSEN.has(name);
  switch (typeof value) {
    case 'boolean':
      return [value ? 'yes' : 'no'];
    case 'bigint':
      return [name.endsWith('_stroops') ? `${formatUnits(value)} ${assetOf(at.facts)}` : `${value}`];
    case 'number':
      return [`${value}`];
    case 'string':
      return is_chosen ? [`“${isolated(value)}”`] : textIn(told, value);
    case 'object':
      break;
    default:
      return ['none'];
  }
  if (value === null) return ['none'];
  if (depth === MOST_DEPTH) return ['…'];
  if (isExactNumber(value)) return [value.rawJSON];
  const inside = { ...at, depth: depth + 1, is_chosen };
  return Array.isArray(value) ? itemsOf(told, value, inside) : membersOf(told, value as Facts, inside);
}

const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

function textIn(told: Told, value: string): Piece[] {
  if (TIME.test(value) && !Number.isNaN(Date.parse(value))) return [formatDateTime(value)];
  return linked(told, value) ?? payeeIn(told, value) ?? [value === '' ? '“”' : inWords(value)];
}

/**
 * `payee “Northwind” (pye_…, GABC…, memo 5)`: the entry of an allow list that is a payee, with the name of today; null for another text.
 * A deleted payee has no name here.
 */
function payeeIn({ names }: Told, text: string): Piece[] | null {
  const [, id, destination, memo_id, asset] =
    /^(pye_\w+) (\S+)(?: memo_id=(\d+))?(?: asset=(\S+))?$/.exec(text) ?? [];
  if (id === undefined || destination === undefined) return null;
  const memo = memo_id === undefined ? '' : `, memo ${memo_id}`;
  const recipient = say`${inWords(destination)}${memo}${asset === undefined ? '' : `, ${isolated(assetName(parseAssetText(asset)))} only`}`;
  const payee = payeeNamed(id, names);
  if (payee === null) return say`payee ${id} (${recipient})`;
  return say`payee “${payee}” (${{ text: id, long: true }}, ${recipient})`;
}

function itemsOf(told: Told, items: readonly unknown[], at: At): Piece[] {
  if (items.length === 0) return [wordsFor(EMPTY, at.name) ?? 'none'];
  const shown = items
    .slice(0, at.most)
    .flatMap((item, index) => say`${index === 0 ? '' : ', '}${wordsOf(told, item, at)}`);
  const more = items.length - at.most;
  return more > 0 ? [...shown, ` and ${more} more`] : shown;
}

/** `per withdrawal 100 XLM, in 24 hours 500 XLM`. What has no value is left out, and so is the asset of an amount. */
function membersOf(told: Told, facts: Facts, at: At): Piece[] {
  const hasAmount = Object.keys(facts).some((name) => name.endsWith('_stroops'));
  const members = Object.entries(facts).filter(
    ([name, value]) =>
      value !== null &&
      value !== undefined &&
      !(Array.isArray(value) && value.length === 0) &&
      !(hasAmount && name.startsWith('asset_')),
  );
  if (members.length === 0) return ['none'];
  return members.flatMap(([name, value], index) => {
    const label = name === 'amount_stroops' ? '' : `${labelOf(name)} `;
    return say`${index === 0 ? '' : ', '}${label}${wordsOf(told, value, { ...at, name, facts })}`;
  });
}

const PAGES: Readonly<Record<string, string>> = {
  wd: 'withdrawals',
  dep: 'deposits',
  pay: 'payouts',
  adr: 'addresses',
  whe: 'developers/webhooks',
};

/** The id as a link to what it names; null for a text that is no id with a page. */
export function linked(told: Told, text: string): Piece[] | null {
  const [, prefix = ''] = /^([a-z]{2,3})_\w+$/.exec(text) ?? [];
  if (prefix === 'wal') return [walletNamed(text, told.names)];
  if (prefix === 'usr' || prefix === 'svu') return personNamed(text, told.names);
  const payee = prefix === 'pye' ? payeeNamed(text, told.names) : null;
  if (payee !== null) return [payee];
  const page = PAGES[prefix];
  return page === undefined ? null : [{ ...inWallet(told, text, page, text), long: true }];
}
