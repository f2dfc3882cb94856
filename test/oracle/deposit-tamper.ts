/** Falsifications of what the database has of deposits, one at a time: each must be found out. */
import type { DepositEvidence, DepositRow } from './deposit-evidence.ts';
import type { Evidence } from './evidence.ts';
import { type Choice, need, type Tampering, tamperingsOf } from './withdrawal-tamper.ts';

export function depositTamperings<E extends Evidence>(
  evidence: E,
  isChosen?: Choice,
): Iterable<Tampering<E>> {
  const rows = ROWS.map(({ name, tamper }) => {
    return { name, tamper: ({ deposits }: Evidence) => tamper(attributed(deposits), deposits) };
  });
  return tamperingsOf(evidence, [...rows, ...INBOX, ...OTHERS], isChosen);
}

const ROWS: { name: string; tamper: (row: DepositRow, deposits: DepositEvidence) => void }[] = [
  {
    name: 'a deposit that is lost',
    tamper: (row, deposits) => {
      deposits.rows = deposits.rows.filter((other) => other !== row);
      deposits.events = deposits.events.filter(({ body }) => !body.includes(row.id));
    },
  },
  {
    name: 'a deposit that is there twice',
    tamper: (row, deposits) => {
      deposits.rows.push({ ...row, id: 'dep_twice', attributed: false, address_id: null });
    },
  },
  {
    name: 'a deposit of nothing',
    tamper: (row, deposits) => {
      deposits.rows.push({ ...row, id: 'dep_fake', stellar_tx_hash: 'f'.repeat(64), attributed: false });
    },
  },
  { name: 'an amount that is a stroop off', tamper: (row) => (row.amount_stroops += 1n) },
  { name: 'another wallet’s deposit', tamper: (row) => (row.wallet_id = 'wal_other') },
  { name: 'another asset', tamper: (row) => (row.asset_code = 'EUR') },
  { name: 'another issuer', tamper: (row) => (row.asset_issuer = 'GAAA') },
  { name: 'another sender', tamper: (row) => (row.source_account = 'GAAA') },
  { name: 'another muxed sender', tamper: (row) => (row.source_account_muxed = 'MAAA') },
  { name: 'another kind', tamper: (row) => (row.kind = 'other') },
  { name: 'another memo', tamper: (row) => (row.memo = 'other') },
  { name: 'another ledger', tamper: (row) => (row.ledger += 1) },
  {
    name: 'another address',
    tamper: (row, { addresses }) => {
      row.address_id = need(addresses.find(({ id }) => id !== row.address_id)).id;
    },
  },
  {
    name: 'a deposit that is not attributed',
    tamper: (row) => Object.assign(row, { attributed: false, address_id: null }),
  },
  {
    name: 'a deposit that is attributed and must not be',
    tamper: (row, { rows }) => {
      const other = need(rows.find((one) => !one.attributed && one.wallet_id === row.wallet_id));
      Object.assign(other, { attributed: true, address_id: row.address_id });
    },
  },
  {
    name: 'an event that is missing',
    tamper: (row, deposits) => {
      deposits.events = deposits.events.filter(({ body }) => !body.includes(row.id));
    },
  },
  {
    name: 'a second event',
    tamper: (row, { events }) => events.push({ ...eventOf(row, events), id: 'evt_2' }),
  },
  {
    name: 'an event of what is no deposit',
    tamper: (row, { events }) => {
      const event = eventOf(row, events);
      events.push({ ...event, id: 'evt_2', body: event.body.replace(row.id, 'dep_other') });
    },
  },
  {
    name: 'an event of an unattributed deposit',
    tamper: (row, { events, rows }) => {
      const event = eventOf(row, events);
      const other = need(rows.find((one) => !one.attributed));
      events.push({ ...event, id: 'evt_2', body: event.body.replace(row.id, other.id) });
    },
  },
  {
    name: 'another amount in the bytes',
    tamper: (row, { events }) => {
      const event = eventOf(row, events);
      event.body = event.body.replace(`:${row.amount_stroops},`, `:${row.amount_stroops + 1n},`);
    },
  },
  {
    name: 'metadata that was rewritten',
    tamper: (row, { events, addresses }) => {
      const { metadata } = need(addresses.find(({ id, metadata: given }) => id === row.address_id && given));
      const event = eventOf(row, events);
      event.body = event.body.replace(metadata ?? '', JSON.stringify(JSON.parse(`[${metadata}]`)));
    },
  },
  {
    name: 'an event of another wallet',
    tamper: (row, { events }) => (eventOf(row, events).wallet_id = 'wal_other'),
  },
];

const INBOX: { name: string; tamper: (copy: Evidence) => void }[] = [
  {
    name: 'a deposit that is refunded twice',
    tamper: (copy) => {
      const { refund, transaction } = refunded(copy);
      copy.transactions.push({ ...transaction, hash: 'f'.repeat(64) });
      copy.rows.push({
        ...refund,
        id: 'wd_twice',
        idempotency_key: 'twice',
        stellar_tx_hash: 'f'.repeat(64),
      });
    },
  },
  {
    name: 'a refund on the ledger that the rows do not know',
    tamper: (copy) => copy.transactions.push({ ...refunded(copy).transaction, hash: 'f'.repeat(64) }),
  },
  {
    name: 'a refund of another amount',
    tamper: (copy) => (refunded(copy).refund.amount_stroops += 1n),
  },
  {
    name: 'a refund that nobody asked for',
    tamper: (copy) => {
      const { refund } = refunded(copy);
      copy.inbox = copy.inbox.filter(({ deposit_id }) => deposit_id !== refund.refund_of);
    },
  },
  {
    name: 'a refund that is shown with another outcome',
    tamper: (copy) => {
      const refund = copy.inbox.find(
        ({ address_id, answer }) => address_id === null && answer?.data?.status === 'confirmed',
      );
      need(refund?.answer?.data).ledger = 7;
    },
  },
  {
    name: 'a deposit that is assigned and refunded',
    tamper: (copy) => {
      const { refund } = refunded(copy);
      const deposit = need(copy.deposits.rows.find(({ id }) => id === refund.refund_of));
      const event = { ...eventOf(attributed(copy.deposits), copy.deposits.events), id: 'evt_2' };
      Object.assign(deposit, { attributed: true, assigned_by_hand: true });
      copy.deposits.events.push({ ...event, body: event.body.replace(/dep_\w+/, deposit.id) });
    },
  },
  {
    name: 'an assignment that was not made',
    tamper: (copy) => {
      const deposit = byHand(copy);
      Object.assign(deposit, { attributed: false, address_id: null, assigned_by_hand: false });
    },
  },
  {
    name: 'an assignment that nobody asked for',
    tamper: (copy) => {
      const deposit = byHand(copy);
      copy.inbox = copy.inbox.filter(({ deposit_id }) => deposit_id !== deposit.id);
    },
  },
  {
    name: 'an assignment without its event',
    tamper: (copy) => {
      const deposit = byHand(copy);
      copy.deposits.events = copy.deposits.events.filter(({ body }) => !body.includes(deposit.id));
    },
  },
  {
    name: 'an assignment told twice',
    tamper: (copy) => {
      const event = eventOf(byHand(copy), copy.deposits.events);
      copy.deposits.events.push({ ...event, id: 'evt_2' });
    },
  },
  {
    name: 'a wallet that was not compared',
    tamper: (copy) => {
      copy.reconciliations = need(copy.reconciliations).filter(({ asset_issuer }) => asset_issuer !== '');
    },
  },
  {
    name: 'a comparison that is a stroop off',
    tamper: (copy) => (need(copy.reconciliations?.[0]).difference_stroops += 1n),
  },
];

function refunded({ rows, transactions }: Evidence) {
  const refund = need(rows.find(({ refund_of, state }) => refund_of !== null && state === 'confirmed'));
  return { refund, transaction: need(transactions.find(({ hash }) => hash === refund.stellar_tx_hash)) };
}

function byHand({ deposits }: Evidence) {
  return need(deposits.rows.find(({ assigned_by_hand }) => assigned_by_hand));
}

const OTHERS: { name: string; tamper: (copy: Evidence) => void }[] = [
  { name: 'a delivery that is missing', tamper: ({ deposits }) => deposits.deliveries.pop() },
  {
    name: 'a second delivery',
    tamper: ({ deposits: { deliveries } }) => deliveries.push({ ...need(deliveries[0]) }),
  },
  {
    name: 'a delivery to an endpoint that was not there yet',
    tamper: ({ deposits: { deliveries, endpoints, events } }) => {
      const { event_id, endpoint_id } = need(deliveries[0]);
      const { at } = need(events.find(({ id }) => id === event_id));
      need(endpoints.find(({ id }) => id === endpoint_id)).at = at + 1;
    },
  },
  {
    name: 'a delivery to an endpoint that was gone',
    tamper: ({ deposits: { deliveries, endpoints, events } }) => {
      const { event_id, endpoint_id } = need(deliveries[0]);
      const { at } = need(events.find(({ id }) => id === event_id));
      need(endpoints.find(({ id }) => id === endpoint_id)).gone_at = at - 1;
    },
  },
  {
    name: 'an address that is gone',
    tamper: ({ deposits: { addresses, returned_addresses } }) =>
      drop(addresses, need(returned_addresses[0]).id),
  },
  {
    name: 'metadata that is not as it was given',
    tamper: ({ deposits: { addresses, returned_addresses } }) => {
      need(addresses.find(({ id }) => id === need(returned_addresses[0]).id)).metadata = '{}';
    },
  },
  {
    name: 'a cursor that went back',
    tamper: ({ deposits: { moves } }) => moves.splice(-1, 0, need(moves.at(-1)) + 1),
  },
  { name: 'a cursor that was moved unseen', tamper: ({ deposits: { moves } }) => moves.pop() },
  {
    name: 'a cursor beyond the ledger',
    tamper: ({ deposits, latest_ledger }) => {
      deposits.cursor.ledger = latest_ledger + 1;
      deposits.moves.push(latest_ledger + 1);
    },
  },
  {
    name: 'ledgers that are unread',
    tamper: ({ deposits }) => {
      const at = need(deposits.rows.at(-1)).ledger - 1;
      deposits.cursor.ledger = at;
      deposits.moves = deposits.moves.filter((ledger) => ledger <= at);
      if (deposits.moves.at(-1) !== at) deposits.moves.push(at);
      deposits.rows = deposits.rows.filter(({ ledger }) => ledger <= at);
    },
  },
  {
    name: 'a reading that stands still',
    tamper: ({ deposits: { cursor } }) => (cursor.stop_reason = 'a gap'),
  },
  {
    name: 'a transaction that nobody could read',
    tamper: ({ deposits }) => deposits.quarantined.push('f'.repeat(64)),
  },
  {
    name: 'a change of a balance that no operation explains',
    tamper: ({ transactions, wallets }) => {
      const own = new Set(wallets.map(({ account }) => account));
      const changes = transactions.flatMap((one) => one.balance_changes);
      need(changes.find(({ account }) => own.has(account))).stroops += 1n;
    },
  },
  {
    name: 'an issued balance that is a stroop off',
    tamper: ({ wallets }) => {
      const all = wallets.flatMap(({ issued }) => issued);
      need(all.find(({ balance_stroops }) => balance_stroops > 0n)).balance_stroops += 1n;
    },
  },
];

/** One with metadata, and more in its wallet. */
function attributed({ rows, addresses }: DepositEvidence): DepositRow {
  const rich = new Set(addresses.filter(({ metadata }) => metadata?.includes(' ')).map(({ id }) => id));
  return need(rows.find((row) => row.attributed && rich.has(row.address_id ?? '')));
}

function eventOf(row: DepositRow, events: DepositEvidence['events']): DepositEvidence['events'][number] {
  return need(events.find(({ body }) => body.includes(row.id)));
}

function drop(rows: { id: string }[], id: string): void {
  rows.splice(
    rows.findIndex((row) => row.id === id),
    1,
  );
}

/** Of all falsifications here. */
export const NAMES = [...ROWS, ...INBOX, ...OTHERS].map(({ name }) => name);
