import { accountView } from './account.js';
import { get, listen } from './api.js';
import { ledgerView, transactionView } from './details.js';
import { fill, h, notice } from './dom.js';
import { grouped } from './format.js';
import { home } from './home.js';
import { listView } from './lists.js';

const main = document.getElementById('main');
const pulse = document.getElementById('pulse');
const pulseText = document.getElementById('pulse-text');
const search = document.getElementById('search');
const query = document.getElementById('query');

let network = null;
let view = null;

/** The view that the part of the address after `#` names; undefined when there is no such view. */
function viewOf(hash) {
  const [path, search = ''] = hash.replace(/^#/, '').split('?');
  const [, kind = '', id] = path.split('/').map(decoded);
  if (kind === '') return home(network, new URLSearchParams(search));
  if (id === undefined)
    return ['ledgers', 'transactions', 'accounts'].includes(kind) ? listView(kind) : undefined;
  if (kind === 'ledgers' && /^\d{1,10}$/.test(id)) return ledgerView(id);
  if (kind === 'transactions' && /^[0-9a-f]{64}$/i.test(id)) return transactionView(id.toLowerCase());
  if (kind === 'accounts') return accountView(id);
  return undefined;
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // Not a link of this page, so no view is shown.
  }
}

function show({ moved }) {
  view = viewOf(location.hash) ?? missing();
  document.title = view.title === 'Stellar sandbox' ? view.title : `${view.title} · Stellar sandbox`;
  fill(main, view.element);
  if (!moved) return;
  scrollTo(0, 0);
  main.querySelector('h1')?.focus({ preventScroll: true });
}

function missing() {
  const words = notice(
    'There is no such page. Search for a ledger number, a transaction hash or an account address.',
    'bad',
  );
  return {
    title: 'Not found',
    element: h('div', { class: 'detail' }, h('h1', { tabindex: -1 }, 'Not found'), words),
  };
}

/** The view for a ledger number, a hash or an address. */
function placeOf(text) {
  const number = text.replace(/[\s,.'’]/g, '');
  if (/^\d{1,10}$/.test(number)) return `#/ledgers/${number}`;
  if (/^[0-9a-f]{64}$/i.test(text)) return `#/transactions/${text.toLowerCase()}`;
  return `#/accounts/${encodeURIComponent(text.toUpperCase())}`;
}

search.addEventListener('submit', (event) => {
  event.preventDefault();
  const text = query.value.trim();
  if (text === '') return;
  query.value = '';
  location.hash = placeOf(text);
});

// Not through the address: the page keeps its own state there.
document.querySelector('[data-skip]').addEventListener('click', (event) => {
  event.preventDefault();
  main.focus();
});

async function start() {
  try {
    network = await get('/network');
  } catch (error) {
    fill(main, notice(error.message, 'bad'));
    setTimeout(start, 2000);
    return;
  }
  show({ moved: false });
  addEventListener('hashchange', () => show({ moved: true }));
  listen({
    onState(state) {
      pulse.dataset.state = state;
      if (state === 'lost') pulseText.textContent = 'The network does not answer';
    },
    onLedger(ledger) {
      pulseText.textContent = `Ledger ${grouped(ledger.sequence)}`;
      view?.onLedger?.(ledger);
    },
  });
}

void start(); // shows its own errors
