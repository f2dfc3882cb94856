/** Collects the evidence from the database and the ledger, past all gates. */
import { StrKey } from '@stellar/stellar-sdk/base';
import { showWithdrawal } from '../../src/withdrawals/show.ts';
import type { SimDatabase } from '../sim/database.ts';
import type { Stage } from '../sim/stage.ts';
import type { WorldNetwork } from '../sim/world-network.ts';
import type { ReturnedAddress } from './deposit-evidence.ts';
import type { Evidence, ShownWithdrawal } from './evidence.ts';
import { gatherDeposits } from './read-deposits.ts';

export async function gather(world: {
  database: SimDatabase;
  network: WorldNetwork;
  stage: Stage;
  calls: Evidence['calls'];
  inbox: Evidence['inbox'];
  told: ReturnedAddress[];
  foreign: string[];
  restored: boolean;
  webhooks: Evidence['webhooks'];
}): Promise<Evidence> {
  const { database, network, stage, calls, inbox, foreign, restored, webhooks } = world;
  const deposits = await gatherDeposits(database, world.told);
  const [, issued] = stage.assets;
  const rows = await database.ask('select * from withdrawals order by id');
  const lanes = await database.ask(
    'select account, holder, last_sequence, trouble from lanes order by account',
  );
  const key = (account: string) => Buffer.from(StrKey.decodeEd25519PublicKey(account));
  return {
    transactions: network.transactions,
    latest_ledger: network.latest.sequence,
    latest_close_time: network.latest.close_time,
    wallets: deposits.wallets.map(({ id, account }) => ({
      id,
      account,
      opening_stroops: stage.opening.get(account) ?? 0n,
      balance_stroops: network.balanceOf(key(account)),
      issued: { asset: issued.toString(), balance_stroops: network.heldBy(key(account), issued) },
    })),
    ...{ deposits, webhooks },
    rows: rows.map((row) => ({ ...row, ...(showWithdrawal(row) as ShownWithdrawal), state: row.status })),
    lanes: lanes.map((lane) => ({
      ...lane,
      sequence: network.network.sequenceOf(key(lane.account)) ?? null,
    })),
    calls,
    inbox,
    reconciliations: (
      await database.ask(
        'select wallet_id, asset_issuer, difference_stroops, ledger from reconciliations order by 1, 2',
      )
    ).map((row) => ({ ...row, difference_stroops: BigInt(row.difference_stroops) })),
    foreign,
    restored,
  };
}
