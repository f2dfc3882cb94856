/** Checks before a withdrawal is claimed; `withdraw` and its preview share them. */

import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import { type Address, parseAddress } from '../stellar/address.ts';
import type { AccountState } from '../stellar/stellar.ts';
import type { Wallet } from '../wallets/access.ts';

/** The recipient of a withdrawal. `memo_return`: the hash (hex) of the transaction that it pays back. */
export type Payee = {
  destination: string;
  amount_stroops: bigint;
  memo_id: bigint | null;
  memo_return: string | null;
};

/** @throws AppError `invalid_request`, `ambiguous_destination` */
export function readDestination({ destination, memo_id }: Payee): Address {
  const address = parseAddress(destination);
  if (!address) {
    throw new AppError('invalid_request', 'destination is not a valid G… or M… address.', {
      details: [{ path: '/destination', message: 'must be a Stellar account (G…) or muxed account (M…)' }],
    });
  }
  if (address.muxed_id !== null && memo_id !== null && address.muxed_id !== memo_id) {
    throw new AppError(
      'ambiguous_destination',
      'The id of the M… address and memo_id differ. Send only one of them.',
      {
        details: [
          { path: '/memo_id', message: `differs from the id of the destination, ${address.muxed_id}` },
        ],
      },
    );
  }
  return address;
}

/** Both accounts as the ledger shows them, null when there is none, and the operation that follows from that. */
export type Inspection = {
  operation: 'payment' | 'create_account';
  own: AccountState | null;
  target: AccountState | null;
};

/** @throws NetworkUnavailable */
export async function inspectAccounts(
  deps: Pick<Deps, 'stellar' | 'config'>,
  order: Payee & { wallet: Wallet },
  destination: Address,
): Promise<Inspection> {
  const { latest, accounts } = await deps.stellar.readAccounts([order.wallet.account, destination.account]);
  const target = accounts.get(destination.account) ?? null;
  const create =
    !target &&
    deps.config.create_missing_accounts &&
    destination.muxed_id === null &&
    order.memo_return === null && // a refund never opens an account: nobody may hold its key any more
    order.amount_stroops >= 2n * latest.base_reserve_stroops;
  const operation = create ? 'create_account' : 'payment';
  return { operation, own: accounts.get(order.wallet.account) ?? null, target };
}

/**
 * The reasons to refuse a withdrawal, most important first: the network would surely refuse it, or money would be lost.
 * A balance that looks too low is no reason: only the ledger knows the balance when the transaction is applied.
 */
export function refusals(order: Payee, destination: Address, { own, target }: Inspection): AppError[] {
  const found: AppError[] = [];
  if (!own) {
    const message = 'The wallet’s account does not exist on the network yet; fund it first.';
    found.push(new AppError('wallet_unfunded', message));
  }
  if (!target && order.memo_return !== null) {
    const message =
      'The account that sent the deposit is not on the network any more (it was merged away): nobody may hold its key. ' +
      'Ask the sender for another address, and pay there by a withdrawal.';
    found.push(new AppError('refund_not_possible', message));
  }
  if (target?.memo_required && !namesRecipient(order, destination)) {
    const details = [{ path: '/memo_id', message: 'is required by this destination' }];
    const message = 'The destination takes no payment without a memo (SEP-29).';
    found.push(new AppError('memo_required', message, { details }));
  }
  return found;
}

/** SEP-29: any memo or a muxed id names the recipient. */
export function namesRecipient({ memo_id, memo_return }: Payee, { muxed_id }: Address): boolean {
  return memo_id !== null || memo_return !== null || muxed_id !== null;
}
