import { get, oneAtATime } from './api.js';
import { copyable, detailView, facts } from './details.js';
import { fill, h, heading } from './dom.js';
import { accountLink, amount, foreignText, grouped, ledgerLink, short } from './format.js';
import { list } from './lists.js';

export function accountView(address) {
  const transactions = list('transactions', {
    query: { account: address },
    limit: 10,
    none: 'No transaction concerns this account.',
  });
  const body = h('div', { class: 'detail' });
  const path = `/accounts/${encodeURIComponent(address)}`;
  const refresh = oneAtATime(async () => {
    const account = await get(path).catch(() => null); // the first read reports the error
    if (account !== null) fill(body, accountBody(account));
    await transactions.reload();
  });
  return detailView(
    'Account',
    path,
    (account) => {
      fill(body, accountBody(account));
      void transactions.reload(); // the list shows its own errors
      const words = 'Every transaction that names the account or changes an entry of it.';
      return [body, h('section', { class: 'card' }, heading('Transactions', words), transactions.element)];
    },
    (ledger) => ledger.transaction_count > 0 && refresh(),
  );
}

function accountBody(account) {
  return [
    h(
      'section',
      { class: 'card hero' },
      h('p', { class: 'balance' }, amount(account.balance)),
      account.trust_lines.map(({ asset, balance }) =>
        h('p', { class: 'balance also' }, amount(balance, asset)),
      ),
      h(
        'p',
        { class: 'hint' },
        amount(account.available),
        ' can be spent. The account must keep a reserve of ',
        amount(account.reserve),
        '.',
      ),
      h('a', { class: 'button', href: `#/?pay=${encodeURIComponent(account.address)}` }, 'Pay this account'),
    ),
    facts([
      ['Address', copyable(account.address, 'the address')],
      ['Sequence number', h('span', { class: 'mono' }, account.sequence)],
      ['Last changed', ['in ledger ', ledgerLink(account.last_ledger)]],
      account.home_domain !== '' && ['Home domain', foreignText(account.home_domain)],
      account.flags.length > 0 && ['Flags', account.flags.join(', ')],
    ]),
    table(
      'Trust lines',
      'Assets of other issuers that the account holds or accepts.',
      ['Asset', 'Balance', 'Limit', ''],
      account.trust_lines.map(trustLine),
    ),
    table(
      'Offers',
      'Exchanges that the account offers.',
      ['Number', 'Sells', 'For', 'Price'],
      account.offers.map(offer),
    ),
    table(
      'Data',
      'Names and values that the account stores on the ledger.',
      ['Name', 'Value'],
      account.data.map(dataEntry),
    ),
    table(
      'Signers',
      `Weights that signatures must reach: ${account.thresholds.low} to let others hold its asset, ${account.thresholds.medium} to pay, ${account.thresholds.high} to change signers.`,
      ['Key', 'Weight'],
      account.signers.map(({ key, weight }) => [
        h('span', { class: 'mono', title: key }, short(key)),
        String(weight),
      ]),
    ),
  ].filter(Boolean);
}

function trustLine({ asset, issuer, balance, limit, flags }) {
  const name = [h('span', { class: 'asset' }, asset), issuer && [' of ', accountLink(issuer)]];
  return [name, grouped(balance), grouped(limit), flags.join(', ')];
}

function offer({ id, amount: units, selling, buying, price }) {
  return [id, `${grouped(units)} ${selling.asset}`, buying.asset, price];
}

function dataEntry({ name, value, text }) {
  return [foreignText(name), text === null ? h('span', { class: 'mono wrap' }, value) : foreignText(text)];
}

function table(title, explanation, columns, rows) {
  if (rows.length === 0) return null;
  return h(
    'section',
    { class: 'card' },
    heading(title, explanation),
    h(
      'div',
      { class: 'scroll' },
      h(
        'table',
        {},
        h(
          'thead',
          {},
          h(
            'tr',
            {},
            columns.map((column) => h('th', { scope: 'col' }, column)),
          ),
        ),
        h(
          'tbody',
          {},
          rows.map((cells) =>
            h(
              'tr',
              {},
              cells.map((cell) => h('td', {}, cell)),
            ),
          ),
        ),
      ),
    ),
  );
}
