/**
 * Keeps the accounts of all wallets in memory, and reads only the new ones.
 *
 * | question                              | answer                                                                     |
 * |---------------------------------------|----------------------------------------------------------------------------|
 * | Why is no paid wallet missed?         | The update runs after the ledgers were read. A wallet is committed before  |
 * |                                       | anyone can know its account and pay it.                                    |
 * | Why not read by id or time?           | A transaction that began earlier may commit later, with an older id.       |
 * | How are new rows found?               | A row stores its inserting transaction (`inserted_xid`). An update stores  |
 * |                                       | `xmin`, the oldest open transaction: rows of all earlier ones were seen.   |
 * |                                       | Every later row has an `inserted_xid` of `xmin` or above. The next update  |
 * |                                       | reads from there; rows seen twice do no harm.                              |
 * | What if the database is another one?  | Transaction numbers are valid in one database only. After a restart, a     |
 * |                                       | fail-over or a restored copy, everything is read again.                    |
 * | Are accounts removed?                 | Never. An account without a wallet only costs one unnecessary decoding:    |
 * |                                       | record.ts reads the wallets' rows before it attributes a credit.           |
 */
import type { Db } from '../../db/database.ts';
import { type AccountFilter, createAccountFilter } from '../../stellar/credits/account-filter.ts';
import { accountsSince, type WalletsReading } from '../../wallets/access.ts';

export type WatchedAccounts = {
  /** Returns every account whose wallet was committed before this call. */
  upToDate(): Promise<AccountFilter>;
};

export function createWatchedAccounts(db: Db): WatchedAccounts {
  let known: { reading: WalletsReading; accounts: AccountFilter } | null = null;

  function isSameDatabase(earlier: WalletsReading, later: WalletsReading): boolean {
    return earlier.database === later.database && BigInt(earlier.xmin) <= BigInt(later.xmin);
  }

  return {
    async upToDate() {
      let { accounts: found, reading } = await accountsSince(db, known?.reading ?? null);
      if (known && !isSameDatabase(known.reading, reading)) {
        known = null;
        ({ accounts: found, reading } = await accountsSince(db, null));
      }
      const accounts = known?.accounts ?? createAccountFilter();
      for (const account of found) if (!accounts.has(account)) accounts.add(account);
      known = { reading, accounts };
      return accounts;
    },
  };
}
