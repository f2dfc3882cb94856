/** The two sides of an order on the ledger, and the reasons to refuse it. Pure. */
import type { Deps } from '../../deps.ts';
import { AppError } from '../../lib/errors.ts';
import { stroopsInWords } from '../../lib/stroops.ts';
import type { Address } from '../../stellar/address.ts';
import { type AssetFields, assetText, issuedAsset } from '../../stellar/asset.ts';
import { type AccountState, type AccountsAnswer, lineKey, type TrustLine } from '../../stellar/stellar.ts';
import { failureMessage } from '../../stellar/transactions/result-codes.ts';
import type { Wallet } from '../../wallets/access.ts';
import { leastThatCreates } from '../engine/payee-accounts.ts';

/**
 * What a withdrawal pays, and to whom. `memo_return`: the hash (hex) of the transaction that it pays back. `allow_issuer`: the
 * caller knows that a payment to the issuer of an asset destroys it.
 */
export type Payment = AssetFields & {
  destination: string;
  amount_stroops: bigint;
  memo_id: bigint | null;
  memo_return: string | null;
  allow_issuer: boolean;
};

/** Both sides as the ledger shows them, and the operation that would pay now; the operation is decided when it is signed. Null: there is none. */
export type Inspection = {
  operation: 'payment' | 'create_account' | 'asset_payment';
  own: AccountState | null;
  target: AccountState | null;
  /** The trust lines of wallet and destination; null for the native asset too. */
  own_line: TrustLine | null;
  target_line: TrustLine | null;
  /** The least amount that would create the destination, which is not on the network; null: it is, or no amount would. */
  creates_from_stroops: bigint | null;
};

/** Returns the two sides of a payment from an answer that has both accounts and their trust lines for the asset. */
export function inspectionOf(
  { config }: Pick<Deps, 'config'>,
  order: Payment & { wallet: Pick<Wallet, 'account'> },
  destination: Address,
  { latest, accounts, lines }: AccountsAnswer,
): Inspection {
  const asset = issuedAsset(order);
  const own = accounts.get(order.wallet.account) ?? null;
  const target = accounts.get(destination.account) ?? null;
  const lineOf = (account: string) => (asset && lines.get(lineKey({ account, asset }))) ?? null;
  const own_line = lineOf(order.wallet.account);
  const target_line = lineOf(destination.account);
  const sides = { own, target, own_line, target_line };
  if (asset) return { operation: 'asset_payment', ...sides, creates_from_stroops: null };
  const creates_from_stroops = target ? null : leastThatCreates({ config }, destination, order, latest);
  const creates = creates_from_stroops !== null && order.amount_stroops >= creates_from_stroops;
  return { operation: creates ? 'create_account' : 'payment', ...sides, creates_from_stroops };
}

/**
 * Returns the reasons to refuse a withdrawal, most important first: the network would surely refuse it, or money would be lost.
 * A balance that looks too low is no reason: only the ledger knows the balance when the transaction is applied. `fee_stroops`:
 * the least that the fee may be.
 */
export function refusals(
  order: Payment,
  destination: Address,
  inspection: Inspection,
  fee_stroops: bigint,
): AppError[] {
  const { own, target } = inspection;
  const found: AppError[] = [];
  if (!own) {
    found.push(notOnNetwork());
  }
  if (order.asset_issuer !== null)
    found.push(...refusalsOfAsset(order, destination, inspection, fee_stroops));
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

function refusalsOfAsset(
  order: Payment,
  destination: Address,
  { own, own_line }: Inspection,
  fee_stroops: bigint,
): AppError[] {
  const found: AppError[] = [];
  if (own && !own_line && order.memo_return !== null) {
    const message = `The wallet does not have the asset ${assetText(order)} any more.`;
    found.push(new AppError('refund_not_possible', message));
  } else if (own && !own_line) {
    found.push(assetNotHeld(order));
  }
  if (destination.account === order.asset_issuer && !order.allow_issuer) {
    const message =
      'The destination issues this asset: what is paid to it is destroyed. If that is meant, send allow_issuer: true.';
    const details = [{ path: '/destination', message: 'is the issuer of the asset' }];
    found.push(new AppError('destination_is_issuer', message, { details }));
  }
  if (own && own.spendable_stroops < fee_stroops)
    found.push(unfunded(own, fee_stroops, 'The fee is paid in the native asset.'));
  return found;
}

/** Returns the error 422 `wallet_unfunded` for a wallet whose account does not exist. */
export function notOnNetwork(): AppError {
  const message = 'The wallet’s account does not exist on the network yet; fund it first.';
  return new AppError('wallet_unfunded', message);
}

/** Returns the error 400 for an asset that the wallet has no trust line for. */
export function assetNotHeld(asset: AssetFields): AppError {
  const message = `The wallet does not have the asset ${assetText(asset)}: add it first.`;
  const details = [{ path: '/asset_code', message: 'is not an asset of this wallet' }];
  return new AppError('invalid_request', message, { details });
}

/**
 * Returns the error 422 `wallet_unfunded` for an account that lacks a part of `needed_stroops` of the native asset above its
 * reserve.
 */
export function unfunded({ spendable_stroops }: AccountState, needed_stroops: bigint, why: string): AppError {
  const [needed, lacking] = [needed_stroops, needed_stroops - spendable_stroops].map(stroopsInWords);
  const message = `${why} The wallet needs ${needed} above its reserve, and lacks ${lacking}: pay that into its account.`;
  return new AppError('wallet_unfunded', message);
}

/**
 * Says what a foreseen failure means. For a destination that does not exist, it says the amount that would create it, where one
 * would.
 */
export function foreseenMessage(
  code: string,
  { creates_from_stroops }: Inspection,
  asset_issuer: string | null,
): string {
  if (code !== 'op_no_destination' || creates_from_stroops === null)
    return failureMessage(code, asset_issuer);
  return `The destination account does not exist. A payment of at least ${stroopsInWords(creates_from_stroops)} creates it.`;
}

/** Says whether the payment names its recipient, as SEP-29 wants: any memo or a muxed id names it. */
export function namesRecipient({ memo_id, memo_return }: Payment, { muxed_id }: Address): boolean {
  return memo_id !== null || memo_return !== null || muxed_id !== null;
}
