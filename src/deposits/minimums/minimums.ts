/**
 * The minimums of a wallet: smaller deposits are recorded like any other, and no event announces them. The mark stays with the
 * deposit: a minimum that is changed later changes no deposit of before.
 */
import { auditedOnWallet, type OnWallet } from '../../audit/audit.ts';
import type { Db } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { type AssetFields, assetText } from '../../stellar/asset.ts';
import { lockWallet } from '../../wallets/access.ts';
import { listMinimums, type Minimum, minimumsOf, replaceMinimums } from './minimum-store.ts';

/** Puts these minimums in place of all before. They hold for the deposits that are recorded afterwards. */
export async function setMinimums(deps: Deps, by: OnWallet, minimums: Minimum[]): Promise<Minimum[]> {
  const { id } = by.wallet;
  return auditedOnWallet(deps, by, async (trx, note) => {
    await lockWallet(trx, id);
    const before = await listMinimums(trx, id);
    await replaceMinimums(trx, id, minimums);
    const after = await listMinimums(trx, id);
    const target = { kind: 'wallet', id };
    note({
      action: 'deposit_minimums.changed',
      target,
      before: { minimums: before },
      after: { minimums: after },
    });
    return after;
  });
}

type Credited = AssetFields & { wallet_id: string; amount_stroops: bigint };

/** Returns a function that says whether a credit is below the minimum of its wallet. It reads the minimums once. */
export async function readMinimums(db: Db, credits: Credited[]): Promise<(credit: Credited) => boolean> {
  const rows = await minimumsOf(db, [...new Set(credits.map(({ wallet_id }) => wallet_id))]);
  const keyOf = ({ wallet_id, ...asset }: AssetFields & { wallet_id: string }) =>
    `${wallet_id} ${assetText(asset)}`;
  const minimums = new Map(rows.map((row) => [keyOf(row), row.amount_stroops]));
  return (credit) => credit.amount_stroops < (minimums.get(keyOf(credit)) ?? 0n);
}
