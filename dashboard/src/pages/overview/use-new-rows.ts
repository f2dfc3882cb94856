import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Transaction } from '../../api/contract.ts';

type NewRows = { known: Transaction[] | undefined; arrived: Transaction[] };

/**
 * The rows that arrived while the page was open. A new or changed row refetches balance, statistics and health. `now`
 * (ms since 1970) updates every ten seconds, for “2 minutes ago”.
 */
export function useNewRows(walletId: string, items: Transaction[] | undefined) {
  const client = useQueryClient();
  const [now, setNow] = useState(Date.now);
  const [{ known, arrived }, setNewRows] = useState<NewRows>({ known: items, arrived: [] });

  if (items && items !== known) {
    const before = known && new Set(known.map(({ id }) => id));
    setNewRows({ known: items, arrived: before ? items.filter(({ id }) => !before.has(id)) : [] });
    setNow(Date.now());
  }

  const states = items?.map(({ id, status }) => `${id} ${status}`).join();
  const first = states === undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever a row is new or another one
  useEffect(() => {
    if (first) return;
    for (const what of ['balances', 'statistics', 'health'])
      void client.invalidateQueries({ queryKey: ['wallet', walletId, what] }, { cancelRefetch: false });
  }, [states]);

  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 10_000);
    return () => clearInterval(timer);
  }, []);

  return { arrived, now };
}
