import { queryOptions, useQuery } from '@tanstack/react-query';
import { type FindPayee, payeeFinder } from '../text/payees.ts';
import { api } from './client.ts';
import type { Payee, Transaction } from './contract.ts';
import { everyItem } from './every-item.ts';

/** All payees of the team: it has at most 2,000. */
export const payeesQuery = queryOptions({
  queryKey: ['team', 'payees'],
  queryFn: async ({ signal }) => ({
    items: await everyItem((query) => api('listPayees', { query, signal })),
  }),
  staleTime: 10_000,
});

/** A payee with what it was paid. */
export function payeeQuery(payee_id: string) {
  return queryOptions({
    queryKey: [...payeesQuery.queryKey, payee_id],
    queryFn: ({ signal }) => api('getPayee', { payee_id, signal }),
  });
}

const NONE: Payee[] = [];

export function usePayees(): Payee[] {
  return useQuery(payeesQuery).data?.items ?? NONE;
}

/** One for all rows of a page: it decodes the address of each payee. A list of payees that is read again unchanged stays the same. */
const finders = new WeakMap<Payee[], FindPayee>();

/** Returns what finds the payee of a payment. Until the payees are read, it finds none. */
export function useFindPayee(): FindPayee {
  const payees = usePayees();
  const find = finders.get(payees) ?? payeeFinder(payees);
  finders.set(payees, find);
  return find;
}

/** Returns the payee of a withdrawal in a list; undefined where the team has no such payee, and for other transactions. */
export function usePayeeOf({ type, counterparty, memo_id }: Transaction): Payee | undefined {
  const find = useFindPayee();
  return type === 'withdrawal' ? find({ destination: counterparty, memo_id }) : undefined;
}
