import { get } from './api.js';
import { copyButton, h, heading, notice } from './dom.js';
import { accountLink, amount, grouped, ledgerLink, memo, outcomeBadge, sentence, time } from './format.js';
import { list } from './lists.js';

/** A view of one record. It says when the record does not exist. */
export function detailView(title, path, draw, onLedger = () => {}) {
  const element = h('div', { class: 'detail' }, h('h1', { tabindex: -1 }, title));
  get(path).then(
    (thing) => element.append(...draw(thing).filter(Boolean)),
    (error) =>
      element.append(notice(error.message, 'bad'), h('p', {}, h('a', { href: '#/' }, 'Back to the network'))),
  );
  return { title, element, onLedger };
}

export function ledgerView(sequence) {
  const transactions = list('transactions', {
    query: { ledger: sequence },
    limit: 25,
    none: 'This ledger has no transactions.',
  });
  return detailView(`Ledger ${grouped(sequence)}`, `/ledgers/${sequence}`, (ledger) => {
    void transactions.reload(); // the list shows its own errors
    const number = ledger.sequence;
    return [
      h(
        'nav',
        { class: 'steps', 'aria-label': 'Ledgers beside this one' },
        number > ledger.oldest && h('a', { href: `#/ledgers/${number - 1}` }, '← Previous ledger'),
        h('a', { href: `#/ledgers/${number + 1}` }, 'Next ledger →'),
      ),
      facts([
        ['Closed', time(ledger.closed_at)],
        ['Transactions', grouped(ledger.transaction_count)],
        ['Hash', copyable(ledger.hash, 'the ledger’s hash')],
      ]),
      h(
        'section',
        { class: 'card' },
        heading('Transactions', 'The transaction that was applied last comes first.'),
        transactions.element,
      ),
    ];
  });
}

export function transactionView(hash) {
  return detailView('Transaction', `/transactions/${hash}`, (transaction) => [
    h(
      'section',
      { class: 'card' },
      h(
        'p',
        { class: 'outcome' },
        outcomeBadge(transaction.successful),
        transaction.result.words,
        h('code', {}, transaction.result.code),
      ),
      h('ol', { class: 'operations' }, transaction.operations.map(operation)),
    ),
    facts(transactionFacts(transaction)),
    h(
      'section',
      { class: 'card' },
      heading('XDR', 'In base64, as it was sent and as the ledger has it.'),
      xdr('Envelope', transaction.xdr.envelope),
      xdr('Result', transaction.xdr.result),
      xdr('Meta', transaction.xdr.meta),
    ),
  ]);
}

function operation({ words, result }) {
  const failed = result !== null && result.words !== 'done';
  return h(
    'li',
    {},
    h('p', { class: 'sentence' }, sentence(words)),
    failed && h('p', { class: 'why' }, `${result.words} `, h('code', {}, result.code)),
  );
}

function transactionFacts(transaction) {
  const { valid_from, valid_until, inner_hash, fee_account, source_account } = transaction;
  return [
    ['Ledger', [ledgerLink(transaction.ledger), ', closed ', time(transaction.closed_at)]],
    ['Hash', copyable(transaction.hash, 'the hash')],
    inner_hash && ['Inner hash', copyable(inner_hash, 'the inner transaction’s hash')],
    ['Source account', accountLink(source_account)],
    [
      'Fee',
      [
        amount(transaction.fee_charged),
        ' of at most ',
        amount(transaction.max_fee),
        ', paid by ',
        accountLink(fee_account),
      ],
    ],
    ['Memo', transaction.memo ? [memo(transaction.memo), ` (${transaction.memo.type})`] : 'none'],
    ['Sequence number', h('span', { class: 'mono' }, transaction.sequence)],
    ['Signatures', String(transaction.signature_count)],
    valid_from && ['Valid from', time(valid_from)],
    valid_until && ['Valid until', time(valid_until)],
  ];
}

export function facts(pairs) {
  const present = pairs.filter(Boolean);
  return h(
    'section',
    { class: 'card' },
    h(
      'dl',
      { class: 'facts-list' },
      present.map(([name, value]) => [h('dt', {}, name), h('dd', {}, value)]),
    ),
  );
}

export function copyable(text, what) {
  return [h('span', { class: 'mono wrap' }, text), copyButton(text, what)];
}

function xdr(name, text) {
  return h(
    'details',
    {},
    h('summary', {}, name),
    h('p', { class: 'mono wrap' }, text),
    copyButton(text, name),
  );
}
