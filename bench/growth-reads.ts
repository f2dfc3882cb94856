/** The lists, reads and searches of the growth bench. */
import type { Grown } from './growth-world.ts';

export type Asked = { name: string; path: string };

const MISSES: [string, string][] = [
  ['a hash that nothing has', 'ffffffffff'],
  ['an account that nothing has', 'GZZZZZZZZ'],
  ['a memo id that nothing has', '99999999999999'],
  ['a text that nothing has', 'no such text'],
  ['two letters that nothing has', 'zq'],
];

/** Each with the same name for every service. */
export async function readsOf({ service, token, large }: Grown): Promise<Asked[]> {
  const wallet = `/v1/wallets/${large.id}`;
  const firstOf = async (list: string) =>
    (await service.api('GET', `${wallet}/${list}`, { token })).body.data.items.at(-1);
  const deposit = await firstOf('deposits?attributed=true');
  const withdrawal = await firstOf('withdrawals?limit=2');
  const endpoint = await firstOf('webhooks');
  const hook = `webhooks/${endpoint.id}`;
  const delivery = await firstOf(`${hook}/deliveries`);
  const address = await firstOf('addresses?limit=20');
  const lists = [
    '',
    'balances',
    'policy',
    'api-key',
    'health',
    'reconciliation',
    'statistics?days=1',
    'statistics?days=30',
    'transactions',
    'transactions?limit=200',
    'transactions?type=withdrawal',
    'transactions?status=confirmed',
    'transactions?status=pending',
    'transactions?status=failed',
    'transactions?attributed=false',
    'transactions?until=2001-01-01T00:00:00Z',
    'deposits',
    'deposits?attributed=true',
    'deposits?attributed=false',
    'withdrawals',
    'withdrawals?idempotency_key=payout-1',
    'withdrawals?idempotency_key=none',
    'addresses',
    'addresses?order=last_deposit',
    'addresses?order=last_deposit&received_days=30',
    'webhooks',
    'events',
    'events?after=latest',
  ];
  const ofRows: [string, string][] = [
    ['deposits?address_id=…', `deposits?address_id=${deposit.address_id}`],
    ['deposits/…', `deposits/${deposit.id}`],
    ['deposits/…/deliveries', `deposits/${deposit.id}/deliveries`],
    ['withdrawals/…', `withdrawals/${withdrawal.id}`],
    ['addresses/…', `addresses/${address.id}`],
    ['webhooks/…', hook],
    ['webhooks/…/deliveries', `${hook}/deliveries`],
    ...['pending', 'failed', 'delivered'].map((status): [string, string] => [
      `webhooks/…/deliveries?status=${status}`,
      `${hook}/deliveries?status=${status}`,
    ]),
    ['webhooks/…/deliveries/…', `${hook}/deliveries/${delivery.id}`],
  ];
  const hits: [string, string][] = [
    ['the hash of a deposit', deposit.stellar_tx_hash],
    ['a part of a label', `${address.label}`],
    ['a text that a third has', 'gold'],
  ];
  const searches = ['transactions', 'addresses'].flatMap((list) =>
    [...hits, ...MISSES].map(([what, text]) => ({
      name: `${list}?search=: ${what}`,
      path: `${wallet}/${list}?search=${encodeURIComponent(text)}`,
    })),
  );
  return [
    { name: '/v1/wallets', path: '/v1/wallets' },
    ...lists.map((list) => ({ name: list || '/v1/wallets/…', path: list ? `${wallet}/${list}` : wallet })),
    ...ofRows.map(([name, path]) => ({ name, path: `${wallet}/${path}` })),
    ...searches,
  ];
}
