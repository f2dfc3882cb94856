/** Pure: what a transaction pays to whom. */
import { xdr } from '@stellar/stellar-sdk';
import { accountOf, addressOf } from './address.ts';
import { envelopeHashes, innerTransaction } from './envelope.ts';
import { outcomeOf } from './result-codes.ts';

export type Credit = {
  account: string;
  asset_code: string;
  asset_issuer: string | null;
  amount_stroops: bigint;
  /** The muxed id if there is one, else MEMO_ID, else null: muxed information wins over the memo (CAP-67). */
  memo_id: bigint | null;
  /** The paying operation's source account as G…, else the inner transaction's: never a fee source. */
  source_account: string;
  operation_index: number;
  event_index: number;
};

/**
 * Every credit of a transaction, one per paying operation. A failed transaction moves nothing.
 * Memo and operations of a fee-bump are those of its inner transaction.
 * @throws Error when the XDR cannot be decoded.
 */
export function creditsOf(transaction: { envelope_xdr: string; result_xdr: string }): Credit[] {
  const outcome = outcomeOf(xdr.TransactionResult.fromXdr(transaction.result_xdr, 'base64'));
  if (!outcome.successful) return [];
  const inner = innerTransaction(xdr.TransactionEnvelope.fromXdr(transaction.envelope_xdr, 'base64'));
  const memo_id = inner.memo.type === 'memoId' ? inner.memo.id : null;
  const credits: Credit[] = [];
  for (const [operation_index, operation] of inner.operations.entries()) {
    const paid = paidBy(operation.body);
    if (!paid) continue;
    credits.push({
      account: paid.account,
      ...assetOf(paid.asset),
      amount_stroops: paid.amount,
      memo_id: paid.muxed_id ?? memo_id,
      source_account: addressOf(operation.sourceAccount ?? inner.sourceAccount).account,
      operation_index,
      event_index: 0,
    });
  }
  return credits;
}

/** The ledger's name for a transaction, reckoned from its envelope: the outer hash of a fee-bump. Hex. */
export function ledgerHash(passphrase: string, envelope_xdr: string): string {
  return envelopeHashes(passphrase, xdr.TransactionEnvelope.fromXdr(envelope_xdr, 'base64')).hash;
}

type Paid = { account: string; muxed_id: bigint | null; asset: xdr.Asset; amount: bigint };

function paidBy(body: xdr.OperationBody): Paid | null {
  switch (body.type) {
    case 'payment': {
      const { destination, asset, amount } = body.paymentOp;
      return { ...addressOf(destination), asset, amount };
    }
    case 'createAccount': {
      const { destination, startingBalance } = body.createAccountOp;
      const account = accountOf(destination.ed25519.value);
      // Since CAP-33 an account can be created with nothing; that credits nothing.
      if (startingBalance === 0n) return null;
      return { account, muxed_id: null, asset: xdr.Asset.assetTypeNative(), amount: startingBalance };
    }
    default:
      return null;
  }
}

function assetOf(asset: xdr.Asset): { asset_code: string; asset_issuer: string | null } {
  if (asset.type === 'assetTypeNative') return { asset_code: 'native', asset_issuer: null };
  const alpha = asset.type === 'assetTypeCreditAlphanum4' ? asset.alphaNum4 : asset.alphaNum12;
  const asset_code = Buffer.from(alpha.assetCode.value).toString('latin1').replace(/\0+$/, '');
  return { asset_code, asset_issuer: accountOf(alpha.issuer.ed25519.value) };
}
