import { strict as assert } from 'node:assert';
import type { Deps } from '../../deps.ts';
import { findPayerKey, newestTreasuryKey, ownKey, type StoredKey } from './queries.ts';
import { feeAccountOf } from './sign-payment.ts';
import type { Withdrawal } from './store.ts';

/**
 * Returns the keys of the account that pays for the next fee-bump. This is the account that pays for the present envelope, even if
 * TREASURY_PAYS, CHANNEL_FEES or the treasury have changed since: its owner was told so. Only a channel that cannot pay so much is replaced,
 * by the account that pays for a channel without a balance: otherwise the withdrawal would expire, though somebody can pay. Both envelopes
 * have the same transaction inside, so it is paid once.
 * @throws NetworkUnavailable
 */
export async function payerOfBump(
  { db, stellar, config }: Pick<Deps, 'db' | 'stellar' | 'config'>,
  { wallet_id, envelope_xdr }: Pick<Withdrawal, 'wallet_id' | 'envelope_xdr'>,
  fee_bid_stroops: bigint,
): Promise<StoredKey> {
  assert(envelope_xdr);
  const account = feeAccountOf(envelope_xdr);
  const present = await findPayerKey(db, wallet_id, account);
  assert(present, 'an envelope of ours is paid by its wallet, its channel or a treasury');
  if (!present.is_channel) return present;
  const { spendable } = await stellar.readSequences([account]);
  if ((spendable.get(account) ?? 0n) >= fee_bid_stroops) return present;
  const treasury = config.treasury_pays.fees ? await newestTreasuryKey(db) : undefined;
  return treasury ?? ownKey(db, wallet_id);
}
