/** Deposit addresses that clients make under load. */
import { toJson } from '../support/api.ts';
import type { LoadState, Place } from './load-state.ts';
import type { Target } from './payers.ts';
import { have } from './persistent-client.ts';

let customers = 0;

export async function newTarget(
  { service, journal }: LoadState,
  wallet: Place,
  token: string,
): Promise<Target> {
  const metadata = { customer: ++customers, note: 'Zoë “€”' };
  const target = await have(service, 'POST', `/v1/wallets/${wallet.id}/addresses`, {
    token,
    body: { metadata },
  });
  const { id, account, memo_id } = target;
  const wallet_id = wallet.id;
  journal.returned_addresses.push({ id, wallet_id, account, memo_id, metadata: toJson(metadata) });
  return target;
}
