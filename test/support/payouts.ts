import { eventually } from './eventually.ts';
import type { RunningService } from './running-service.ts';

type Named = { id: string; wallet_id: string };

/** Reads what became of payouts, as the demo user. */
export function payoutReader(world: Pick<RunningService, 'api' | 'token' | 'query'>) {
  const read = async ({ id, wallet_id }: Named): Promise<any> =>
    (await world.api('GET', `/v1/wallets/${wallet_id}/payouts/${id}`, { token: world.token })).body.data;
  return {
    read,
    until: (payout: Named, status: string): Promise<any> =>
      eventually(`${payout.id} is ${status}`, async () => {
        const now = await read(payout);
        return now.status === status ? now : null;
      }),
    /** Of its rows, in their order. */
    withdrawalsOf: ({ id }: Named) =>
      world.query('select * from withdrawals where payout_id = $1 order by payout_row', [id]),
  };
}
