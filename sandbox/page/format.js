import { h } from './dom.js';

/** `12,345.5` for `12345.5`. */
export function grouped(number) {
  const [whole, fraction] = String(number).split('.');
  const thousands = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? thousands : `${thousands}.${fraction}`;
}

export function amount(units, asset = 'XLM') {
  return h('span', { class: 'amount' }, grouped(units), ' ', h('span', { class: 'asset' }, asset));
}

const ENDS = 6;

/** Shortens an address or a hash as the dashboard does. */
export function short(text) {
  return text.length <= ENDS * 2 + 1 ? text : `${text.slice(0, ENDS)}…${text.slice(-ENDS)}`;
}

/** A time of today as a time, any other with its date, in the language and zone of the reader. */
export function time(iso) {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return h('span', {}, iso);
  const today = date.toDateString() === new Date().toDateString();
  const shown = today ? date.toLocaleTimeString() : date.toLocaleString();
  return h(
    'time',
    { datetime: iso, title: date.toLocaleString(undefined, { dateStyle: 'full', timeStyle: 'long' }) },
    shown,
  );
}

export function accountLink(address, full = false) {
  const shown = full ? address : short(address);
  return h('a', { class: 'mono', href: `#/accounts/${encodeURIComponent(address)}`, title: address }, shown);
}

export function transactionLink(hash, full = false) {
  const shown = full ? hash : short(hash);
  return h('a', { class: 'mono', href: `#/transactions/${encodeURIComponent(hash)}`, title: hash }, shown);
}

export function ledgerLink(sequence) {
  return h('a', { href: `#/ledgers/${sequence}` }, grouped(sequence));
}

/** Turns the parts of a sentence that the server sends into nodes. */
export function sentence(parts) {
  return parts.map((part) => {
    if (typeof part === 'string') return part;
    if ('account' in part) return accountLink(part.account);
    if ('amount' in part) return assetAmount(part);
    if ('text' in part) return foreignText(part.text);
    return h('span', { class: 'mono', title: part.id }, short(part.id));
  });
}

function assetAmount({ amount: units, asset, issuer }) {
  const name = h('span', { class: 'asset', title: issuer && `issued by ${issuer}` }, asset);
  return units === '' ? name : h('span', { class: 'amount' }, grouped(units), ' ', name);
}

/** Text that a stranger chose, isolated so that it cannot change how the text around it reads. */
export function foreignText(text) {
  return h('bdi', { class: 'foreign' }, text === '' ? '(empty)' : text);
}

export function memo({ type, value }) {
  if (type === 'text') return foreignText(value);
  return h('span', { class: 'mono', title: value }, type === 'id' ? value : short(value));
}

export function plural(count, word) {
  return `${grouped(count)} ${word}${count === 1 ? '' : 's'}`;
}

export function outcomeBadge(successful) {
  return h(
    'span',
    { class: successful ? 'outcome-badge good' : 'outcome-badge bad' },
    successful ? 'Success' : 'Failed',
  );
}
