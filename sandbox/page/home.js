import { get, oneAtATime } from './api.js';
import { copyButton, fill, h, heading } from './dom.js';
import { accountLink, grouped, plural } from './format.js';
import { fundForm, payForm } from './forms.js';
import { issuerForm } from './issuers.js';
import { listCard } from './lists.js';

const BEATS = 48;

/** The front page: activity of the network, what one can do, and the newest records of each kind. */
export function home(network, query) {
  const beat = heartbeat();
  const ledgers = listCard('ledgers', 'A batch of transactions. After it has closed, it never changes.', {
    limit: 8,
  });
  const transactions = listCard(
    'transactions',
    'A signed order of one or more operations: all of them take effect, or none.',
    { limit: 8 },
  );
  const accounts = listCard(
    'accounts',
    'A public key with a balance. It exists from the first time it is funded.',
    { limit: 8 },
  );
  const address = query.get('pay') ?? '';
  const pay = payForm(address);
  const fund = fundForm(pay.refresh);

  const reload = oneAtATime(async () => {
    await Promise.all([ledgers.reload(), transactions.reload(), accounts.reload(), beat.reload()]);
  });
  const reloadLedgers = oneAtATime(ledgers.reload);
  void reload(); // each list shows its own errors
  let seen = network.latest_ledger;

  return {
    title: 'Stellar sandbox',
    element: h(
      'div',
      { class: 'home' },
      h(
        'section',
        { class: 'intro' },
        h('h1', { tabindex: -1 }, 'A Stellar network on this machine'),
        h(
          'p',
          { class: 'lead' },
          'Accounts pay each other with transactions. Every few moments the network closes a ledger with the transactions that have arrived. ',
          'A ledger is final. The lists below show the newest ones.',
        ),
        beat.element,
      ),
      h(
        'div',
        { class: 'doing' },
        fund.element,
        pay.element,
        issuerForm(network.test_assets, address).element,
        connection(network),
      ),
      h('div', { class: 'seeing' }, transactions.element, ledgers.element, accounts.element),
    ),
    onLedger(ledger) {
      const quiet = ledger.transaction_count === 0 && ledger.sequence === seen + 1;
      seen = ledger.sequence;
      pay.onLedger(ledger);
      if (!quiet) return reload();
      beat.add(ledger);
      return reloadLedgers();
    },
  };
}

/** The newest ledgers as a row of bars. The fullest ledger has the tallest bar. */
function heartbeat() {
  const bars = h('div', { class: 'bars' });
  const words = h('p', { class: 'hint' });
  let ledgers = [];

  function draw() {
    const most = Math.max(1, ...ledgers.map(({ transaction_count }) => transaction_count));
    fill(
      bars,
      ledgers.map((ledger) => bar(ledger, most)),
    );
    const count = ledgers.reduce((sum, { transaction_count }) => sum + transaction_count, 0);
    fill(
      words,
      `${plural(count, 'transaction')} in the newest ${plural(ledgers.length, 'ledger')}. Each bar is a ledger, the newest on the right.`,
    );
  }

  return {
    element: h('div', { class: 'heartbeat' }, bars, words),
    add(ledger) {
      ledgers = [...ledgers, ledger].slice(-BEATS);
      draw();
    },
    async reload() {
      const page = await get(`/ledgers?limit=${BEATS}`).catch(() => null); // the lists report the error
      if (page === null) return;
      ledgers = page.records.reverse();
      draw();
    },
  };
}

function bar({ sequence, transaction_count }, most) {
  const label = `Ledger ${grouped(sequence)}: ${plural(transaction_count, 'transaction')}`;
  const link = h('a', { class: 'bar', href: `#/ledgers/${sequence}`, title: label, 'aria-label': label });
  // Logarithmic, so that one payment is still visible beside a thousand.
  const share = transaction_count === 0 ? 0 : Math.log2(1 + transaction_count) / Math.log2(1 + most);
  link.style.setProperty('--share', share.toFixed(3));
  if (transaction_count === 0) link.classList.add('empty');
  return link;
}

function connection({ passphrase, close_seconds, base_fee, base_reserve, root }) {
  const { origin } = location;
  return h(
    'section',
    { class: 'card' },
    heading('Connect', 'The official SDKs work on this network as on any other.'),
    h(
      'dl',
      { class: 'facts-list' },
      fact('Stellar RPC', `${origin}/rpc`),
      fact('Horizon', origin),
      fact('Friendbot', `${origin}/friendbot`),
      fact('Passphrase', passphrase),
      h('dt', {}, 'Root account'),
      h(
        'dd',
        {},
        accountLink(root.address),
        copyButton(root.secret, 'the root account’s secret key'),
        h('span', { class: 'hint' }, 'Everybody knows its secret key.'),
      ),
      h('dt', {}, 'Terms'),
      h(
        'dd',
        {},
        `fee ${base_fee} XLM an operation, reserve ${base_reserve} XLM an entry, a ledger about every ${close_seconds} s`,
      ),
    ),
  );
}

function fact(name, value) {
  return [h('dt', {}, name), h('dd', {}, h('span', { class: 'mono' }, value), copyButton(value, name))];
}
