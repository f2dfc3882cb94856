import { get, oneAtATime } from './api.js';
import { fill, h, heading, notice } from './dom.js';
import {
  accountLink,
  amount,
  ledgerLink,
  memo,
  outcomeBadge,
  plural,
  sentence,
  time,
  transactionLink,
} from './format.js';

export function ledgerRow(ledger) {
  const { sequence, closed_at, transaction_count } = ledger;
  const count = transaction_count === 0 ? 'empty' : plural(transaction_count, 'transaction');
  return h(
    'li',
    { class: 'row' },
    h('span', { class: 'strong' }, ledgerLink(sequence)),
    h('span', { class: transaction_count === 0 ? 'grow dim' : 'grow' }, count),
    h('span', { class: 'dim' }, time(closed_at)),
  );
}

export function transactionRow(transaction) {
  const { hash, ledger, closed_at, successful, words, more_operations } = transaction;
  return h(
    'li',
    { class: 'row tall' },
    h(
      'p',
      { class: successful ? 'sentence' : 'sentence failed' },
      sentence(words),
      more_operations > 0 && `, and ${plural(more_operations, 'more operation')}`,
    ),
    h(
      'p',
      { class: 'dim facts' },
      !successful && outcomeBadge(false),
      transactionLink(hash),
      h('span', {}, 'ledger ', ledgerLink(ledger)),
      time(closed_at),
      transaction.memo && h('span', {}, `memo ${transaction.memo.type} `, memo(transaction.memo)),
    ),
  );
}

export function accountRow({ address, balance, last_ledger }) {
  return h(
    'li',
    { class: 'row' },
    h('span', { class: 'strong grow' }, accountLink(address)),
    amount(balance),
    h('span', { class: 'dim narrow-away' }, ledgerLink(last_ledger)),
  );
}

const KINDS = {
  ledgers: { title: 'Ledgers', row: ledgerRow, key: ({ sequence }) => sequence, none: 'No ledger yet.' },
  transactions: {
    title: 'Transactions',
    row: transactionRow,
    key: ({ hash }) => hash,
    none: 'No transaction yet. Fund an account, and the first one appears here.',
  },
  accounts: {
    title: 'Accounts',
    row: accountRow,
    key: ({ address }) => address,
    none: 'No account except the root account has been used yet.',
  },
};

/**
 * A list that shows its newest page and can load older ones. `reload` reads the newest page again. While older
 * pages are open it does nothing, so that nothing moves while somebody reads.
 */
export function list(kind, { query = {}, limit = 10, none = KINDS[kind].none } = {}) {
  const { row, key } = KINDS[kind];
  const rows = h('ol', { class: 'rows' });
  const end = h('div', { class: 'list-end' });
  const element = h('div', {}, rows, end);
  const shown = new Set();
  let reading_back = false;

  async function read(cursor) {
    const search = new URLSearchParams({ ...query, limit, ...(cursor && { cursor }) });
    return get(`/${kind}?${search}`);
  }

  function add({ records, next }) {
    const fresh = records.filter((record) => !shown.has(key(record)));
    for (const record of fresh) shown.add(key(record));
    rows.append(...fresh.map(row));
    if (shown.size === 0 && next === null) fill(end, notice(none));
    else
      fill(
        end,
        next !== null &&
          h('button', { type: 'button', class: 'quiet-button', click: () => older(next) }, 'Older'),
      );
  }

  async function older(cursor) {
    reading_back = true;
    try {
      add(await read(cursor));
    } catch (error) {
      fill(end, notice(error.message, 'bad'));
    }
  }

  async function reload() {
    if (reading_back) return;
    try {
      const page = await read();
      if (reading_back) return;
      shown.clear();
      rows.replaceChildren();
      add(page);
    } catch (error) {
      fill(end, notice(error.message, 'bad'));
    }
  }

  return { element, reload };
}

/** `#/ledgers` and similar: one list on the whole page. */
export function listView(kind) {
  const { title } = KINDS[kind];
  const { element, reload } = list(kind, { limit: 50 });
  void reload(); // the list shows its own errors
  return {
    title,
    element: h('section', { class: 'card' }, h('h1', { tabindex: -1 }, title), element),
    onLedger: oneAtATime(reload),
  };
}

/** A list with a title and a link to the complete list. */
export function listCard(kind, explanation, options) {
  const made = list(kind, options);
  const all = h('a', { class: 'all', href: `#/${kind}` }, `All ${kind}`);
  const element = h(
    'section',
    { class: `card ${kind}` },
    heading(KINDS[kind].title, explanation),
    made.element,
    all,
  );
  return { element, reload: made.reload };
}
