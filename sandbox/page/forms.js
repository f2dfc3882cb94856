import { get, post } from './api.js';
import { copyButton, fill, h, heading, notice } from './dom.js';
import { accountLink, amount, ledgerLink, short, transactionLink } from './format.js';
import { keep, madeHere } from './keys.js';

/** A transaction that no ledger has after this many ledgers will not come any more. */
const PATIENCE_LEDGERS = 12;

/** @param {() => void} onFunded called when an account was created */
export function fundForm(onFunded) {
  const address = h('input', {
    name: 'address',
    autocomplete: 'off',
    spellcheck: 'false',
    placeholder: 'G… or empty for a new one',
  });
  const answer = h('div', { class: 'answer', role: 'status' });
  const button = h('button', { type: 'submit' }, 'Fund with 10 000 XLM');
  const form = h('form', { submit }, field('Account', address), button, answer);

  async function submit(event) {
    event.preventDefault();
    await whileBusy(button, answer, 'Waiting for the next ledger …', async () => {
      const given = address.value.trim();
      const funded = await post('/fund', given === '' ? {} : { address: given });
      if (funded.secret !== null) keep(funded.address, funded.secret);
      address.value = '';
      fill(answer, fundedWords(funded));
      onFunded();
    });
  }
  const words = 'Friendbot creates an account and pays 10 000 XLM to it.';
  return { element: h('section', { class: 'card' }, heading('Fund an account', words), form) };
}

function fundedWords({ address, secret, ledger, hash }) {
  return h(
    'div',
    { class: 'notice good' },
    h(
      'p',
      {},
      accountLink(address),
      ' has ',
      amount('10000'),
      ' since ledger ',
      ledgerLink(ledger),
      ' (',
      transactionLink(hash),
      ').',
    ),
    secret !== null &&
      h(
        'p',
        { class: 'secret-line' },
        'Its secret key, kept in this browser: ',
        h('span', { class: 'mono secret' }, secret),
        copyButton(secret, 'the secret key'),
      ),
  );
}

/** @param {string} destination initial value of the field */
export function payForm(destination) {
  const from = h('select', { name: 'from', change: showSecret });
  const secret = h('input', { name: 'secret', autocomplete: 'off', spellcheck: 'false', placeholder: 'S…' });
  const secretField = field('Secret key of the payer', secret);
  const to = h('input', {
    name: 'destination',
    value: destination,
    required: true,
    autocomplete: 'off',
    spellcheck: 'false',
    placeholder: 'G… or M…',
  });
  const units = h('input', {
    name: 'amount',
    required: true,
    inputmode: 'decimal',
    autocomplete: 'off',
    placeholder: '25',
  });
  const memo_id = h('input', {
    name: 'memo_id',
    inputmode: 'numeric',
    autocomplete: 'off',
    placeholder: 'none',
  });
  const answer = h('div', { class: 'answer', role: 'status' });
  const button = h('button', { type: 'submit' }, 'Sign and pay');
  const form = h(
    'form',
    { submit },
    field('From', from),
    secretField,
    field('To', to),
    h('div', { class: 'pair' }, field('Amount in XLM', units), field('Memo id', memo_id)),
    button,
    answer,
  );
  let sent = null;
  let ledgers = 0;

  function showSecret() {
    secretField.hidden = from.value !== '';
  }

  async function refresh() {
    const known = await existing(madeHere());
    const options = known.map(({ address, secret: key }) =>
      h('option', { value: key }, `${short(address)} (made here)`),
    );
    fill(from, options, h('option', { value: '' }, 'another account, by its secret key'));
    showSecret();
  }

  async function submit(event) {
    event.preventDefault();
    sent = null;
    const before = ledgers;
    await whileBusy(button, answer, 'Signing …', async () => {
      const memo = memo_id.value.trim();
      const order = {
        secret: from.value || secret.value.trim(),
        destination: to.value.trim(),
        amount: units.value.trim(),
        ...(memo !== '' && { memo_id: memo }),
      };
      const { hash } = await post('/pay', order);
      sent = { hash, ledgers: 0 };
      fill(answer, notice('Sent. Waiting for the next ledger …'));
      if (ledgers !== before) await lookUp(); // The last ledger that closed may have it.
    });
  }

  async function lookUp() {
    const looked = sent;
    if (looked === null) return;
    const found = await get(`/transactions/${looked.hash}`).catch((error) => error);
    if (sent !== looked) return;
    if (!(found instanceof Error)) {
      sent = null;
      fill(answer, paidWords(found));
      if (found.successful) units.value = '';
    } else if (looked.ledgers > PATIENCE_LEDGERS) {
      sent = null;
      fill(
        answer,
        notice('No ledger took the transaction, and none will take it now. Nothing was paid.', 'bad'),
      );
    }
  }

  void refresh(); // until it is there, only another account can pay
  const words =
    'The server of the sandbox signs with the key that you enter. Never enter a key of a real network.';
  return {
    element: h('section', { class: 'card' }, heading('Pay', words), form),
    refresh,
    onLedger() {
      ledgers++;
      if (sent === null) return;
      sent.ledgers++;
      void lookUp(); // `answer` shows what it finds
    },
  };
}

function paidWords({ hash, ledger, successful, result, operations }) {
  const reason = operations[0]?.result ?? result;
  return h(
    'p',
    { class: successful ? 'notice good' : 'notice bad' },
    successful
      ? 'Paid, in ledger '
      : `Not paid: ${reason.words} (${reason.code}). The fee was charged in ledger `,
    ledgerLink(ledger),
    ': ',
    transactionLink(hash),
  );
}

/** Keeps the accounts that exist on this network. A network that was reset does not know earlier accounts. */
async function existing(keys) {
  const found = await Promise.all(
    keys.map(({ address }) =>
      get(`/accounts/${address}`).then(
        () => true,
        () => false,
      ),
    ),
  );
  return keys.filter((_, index) => found[index]);
}

/** Shows `words` while `work` runs, and its error when it fails. */
export async function whileBusy(button, answer, words, work) {
  button.disabled = true;
  fill(answer, notice(words));
  try {
    await work();
  } catch (error) {
    fill(answer, notice(error.code ? `${error.message} (${error.code})` : error.message, 'bad'));
  } finally {
    button.disabled = false;
  }
}

export function field(label, input) {
  return h('label', { class: 'field' }, h('span', {}, label), input);
}
