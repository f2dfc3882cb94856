import { Account, extractBaseAddress, Keypair, StrKey } from '@stellar/stellar-sdk/base';
import { accountKey } from '../ledger/entry.ts';
import type { StellarNode } from '../node.ts';
import { buildPayment } from '../pay.ts';
import { Refusal } from './refusal.ts';

export type PaymentOrder = {
  secret: string;
  destination: string;
  amount: bigint;
  memo_id?: bigint | undefined;
};

/**
 * The signed envelope that pays `amount` stroops from the account of the secret, with the next sequence number that
 * this node knows. A G… account that does not exist is created with the amount.
 */
export function signedPayment(
  node: StellarNode,
  { secret, destination, amount, memo_id }: PaymentOrder,
): Uint8Array {
  const payer = Keypair.fromSecret(secret);
  const entry = node.entry(accountKey(payer.rawPublicKey()));
  if (entry?.data.type !== 0) {
    throw new Refusal(422, 'txNO_ACCOUNT', 'The paying account does not exist yet. Fund it first.');
  }
  const source = new Account(payer.publicKey(), entry.data.account.seqNum.toString());
  const base = StrKey.decodeEd25519PublicKey(extractBaseAddress(destination));
  const exists = node.entry(accountKey(base)) !== undefined;
  const order = { destination, amount_stroops: amount, ...(memo_id === undefined ? {} : { memo_id }) };
  const transaction = buildPayment(order, source, exists);
  transaction.sign(payer);
  return transaction.toEnvelope().toXdr();
}
