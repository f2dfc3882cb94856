import { order } from './api.js';
import { copyButton, fill, h, heading } from './dom.js';
import { accountLink, ledgerLink, transactionLink } from './format.js';
import { field, whileBusy } from './forms.js';

/** What an issuer can do; `done` begins the answer. */
const ACTIONS = {
  pay: { label: 'Pay', done: 'Paid' },
  authorize: { label: 'Authorize', done: 'Authorized' },
  revoke: { label: 'Revoke', done: 'Revoked' },
  'claw-back': { label: 'Claw back', done: 'Clawed back' },
};

/**
 * What the issuers of the test assets do: pay, authorize, revoke, claw back.
 * @param {{asset_code: string, asset_issuer: string, note: string}[]} assets
 * @param {string} given initial value of the address
 */
export function issuerForm(assets, given) {
  const asset = select(
    'asset',
    assets.map(({ asset_code }) => [asset_code, asset_code]),
  );
  const about = h('p', { class: 'hint' });
  const action = select(
    'action',
    Object.entries(ACTIONS).map(([name, { label }]) => [name, label]),
  );
  const address = text('address', { value: given, required: true, placeholder: 'G… or M…' });
  const units = text('amount', { inputmode: 'decimal', placeholder: '25' });
  const memo_id = text('memo_id', { inputmode: 'numeric', placeholder: 'none' });
  const unitsField = field('Amount', units);
  const memoField = field('Memo id', memo_id);
  const answer = h('div', { class: 'answer', role: 'status' });
  const button = h('button', { type: 'submit' }, 'Sign as the issuer');
  const form = h(
    'form',
    { submit },
    h('div', { class: 'pair' }, field('Asset', asset), field('Action', action)),
    about,
    field('Address of the holder', address),
    h('div', { class: 'pair' }, unitsField, memoField),
    button,
    answer,
  );
  asset.addEventListener('change', describe);
  action.addEventListener('change', describe);
  describe();

  function describe() {
    const { asset_code, asset_issuer, note } = assets.find(({ asset_code: code }) => code === asset.value);
    fill(
      about,
      `${asset_code}: ${note}. Issuer `,
      accountLink(asset_issuer),
      copyButton(asset_issuer, 'the issuer’s address'),
    );
    unitsField.hidden = action.value !== 'pay' && action.value !== 'claw-back';
    memoField.hidden = action.value !== 'pay';
  }

  async function submit(event) {
    event.preventDefault();
    await whileBusy(button, answer, 'Waiting for the next ledger …', async () => {
      const name = action.value;
      const done = await order(name, body());
      fill(answer, doneWords(ACTIONS[name].done, done));
    });
  }

  function body() {
    const [holder, amount, memo] = [address.value.trim(), units.value.trim(), memo_id.value.trim()];
    const named = { asset: asset.value };
    if (action.value === 'pay')
      return { ...named, destination: holder, amount, ...(memo !== '' && { memo_id: memo }) };
    return { ...named, account: holder, ...(action.value === 'claw-back' && { amount }) };
  }

  const words = 'What the issuers of the test assets can do. A payment needs a trust line of the receiver.';
  return { element: h('section', { class: 'card' }, heading('Test assets', words), form) };
}

function doneWords(done, { ledger, hash }) {
  return h(
    'p',
    { class: 'notice good' },
    `${done}, in ledger `,
    ledgerLink(ledger),
    ': ',
    transactionLink(hash),
  );
}

function select(name, choices) {
  return h(
    'select',
    { name },
    choices.map(([value, label]) => h('option', { value }, label)),
  );
}

function text(name, attributes) {
  return h('input', { name, autocomplete: 'off', spellcheck: 'false', ...attributes });
}
