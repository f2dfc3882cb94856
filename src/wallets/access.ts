/** The only file of this folder that other slices import: which wallet a caller may use. */
import type { Caller } from '../auth/callers/authenticate.ts';
import type { Membership } from '../auth/teams/team-store.ts';
import type { Db } from '../db/database.ts';
import { AppError } from '../lib/errors.ts';
import { createWalletFinder, type Wallet } from './store.ts';

export { isOwnFunds } from './own-funds.ts';
export { accountsSince, inFlightStroops, lockWallet, type Wallet, type WalletsReading } from './store.ts';

/** The form of an id. Other text does not reach the database. */
const ID = /^[a-z]{2,3}_[0-9a-z]{1,40}$/;

/** What of a caller decides which wallets they may use. */
type WalletCaller =
  | { kind: 'login'; member: Pick<Membership, 'team_id' | 'wallet_ids'> }
  | Pick<Extract<Caller, { kind: 'api_key' }>, 'kind' | 'wallet_id'>;

export type RequireWallet = (caller: WalletCaller, wallet_id: string) => Promise<Wallet>;

/**
 * Makes a function that returns a wallet which the member may use, or to which the API key belongs. For any other wallet the
 * function throws AppError `not_found`, so that a caller cannot learn whether the wallet exists.
 */
export function createWalletAccess(db: Db): RequireWallet {
  const find = createWalletFinder(db);
  return async (caller, wallet_id) => {
    const theirs =
      caller.kind === 'login'
        ? (caller.member.wallet_ids?.includes(wallet_id) ?? true)
        : caller.wallet_id === wallet_id;
    const wallet = theirs && ID.test(wallet_id) ? await find(wallet_id) : undefined;
    if (!wallet || (caller.kind === 'login' && wallet.owner_id !== caller.member.team_id))
      throw notFound('wallet');
    return wallet;
  };
}

/** Finds the row that a request names by id. @throws AppError `not_found` with `what` in its message */
export async function requireRow<T>(
  what: string,
  id: string,
  find: (id: string) => Promise<T | undefined>,
): Promise<T> {
  const row = ID.test(id) ? await find(id) : undefined;
  if (!row) throw notFound(what);
  return row;
}

function notFound(what: string): AppError {
  return new AppError('not_found', `There is no such ${what}.`);
}
