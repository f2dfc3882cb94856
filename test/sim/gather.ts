/** Collects the evidence from the database and the ledger, past all gates. */
import { StrKey } from '@stellar/stellar-sdk/base';
import { showWithdrawal } from '../../src/withdrawals/schema.ts';
import type { SimDatabase } from './database.ts';
import type { ToldAddress } from './deposit-evidence.ts';
import { gatherDeposits } from './deposit-gather.ts';
import type { Evidence, Told } from './evidence.ts';
import type { Stage } from './stage.ts';
import type { WorldNetwork } from './world-network.ts';

export async function gather(world: {
  database: SimDatabase;
  network: WorldNetwork;
  stage: Stage;
  calls: Evidence['calls'];
  inbox: Evidence['inbox'];
  told: ToldAddress[];
  foreign: string[];
  restored: boolean;
  webhooks: Evidence['webhooks'];
}): Promise<Evidence> {
  const { database, network, stage, calls, inbox, foreign, restored, webhooks } = world;
  const deposits = await gatherDeposits(database, world.told);
  const [, issued] = stage.assets;
  const rows = await database.ask('select * from withdrawals order by id');
  const tx_sources = await database.ask(
    'select account, withdrawal_id as holder, last_sequence, blocked_reason as problem from tx_sources order by account',
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
    rows: rows.map((row) => ({ ...row, ...(showWithdrawal(row) as Told), state: row.status })),
    tx_sources: tx_sources.map((tx_source) => ({
      ...tx_source,
      sequence: network.network.sequenceOf(key(tx_source.account)) ?? null,
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
