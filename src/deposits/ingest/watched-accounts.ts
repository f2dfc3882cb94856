/**
 * Which accounts are wallets, in memory, without reading all of them again and again.
 *
 * They are brought up to date after ledgers were read and before they are judged. A wallet is committed before anyone can
 * know its account and pay it, so every wallet that those ledgers pay is in what is read then.
 *
 * Ids and times do not say what is new: a transaction that began earlier may commit later. PostgreSQL's snapshots do. Each
 * row knows the transaction that inserted it (`inserted_xid`), and each reading learns `xmin`, the oldest transaction that
 * was still open when it was made. All before that had ended, so their rows were seen. Whatever commits later has an
 * `inserted_xid` of `xmin` or above, and is seen by the next reading, which begins there. What was seen already may be
 * seen again, and changes nothing.
 *
 * Numbers of transactions mean something in one database only. When the server is another one, was restarted, or has
 * gone back in time (an older copy), everything is read anew.
 *
 * Nothing is ever taken out: an account that is no wallet is only looked at for nothing (see judge.ts, which asks the rows
 * of those that are paid).
 */

import type { Db } from '../../db/database.ts';
import { type AccountFilter, createAccountFilter } from '../../stellar/credits/account-filter.ts';
import { accountsSince, type WalletsReading } from '../../wallets/access.ts';

export type Watched = {
  /** Every account whose wallet was committed before this call. */
  upToDate(): Promise<AccountFilter>;
};

export function createWatched(db: Db): Watched {
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
