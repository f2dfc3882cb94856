/** Pure: what a transaction pays to whom. */
import { xdr } from '@stellar/stellar-sdk';
import { accountOf, addressOf } from './address.ts';
import type { LedgerTransaction } from './chain.ts';
import { innerTransaction } from './envelope.ts';
import { outcomeOf } from './result-codes.ts';

export type CreditKind =
  | 'payment'
  | 'create_account'
  | 'path_payment_strict_send'
  | 'path_payment_strict_receive'
  | 'account_merge'
  /** Of the Stellar Asset Contract, from an account or a contract. */
  | 'contract_transfer'
  | 'contract_mint';

/** `value`: digits of an id, a text, or base64 of what is no UTF-8 text, of a hash and of a return hash. */
export type Memo = { type: 'none'; value: null } | { type: 'id' | 'text' | 'hash' | 'return'; value: string };
export type MemoType = Memo['type'];

export type Credit = {
  account: string;
  asset_code: string;
  asset_issuer: string | null;
  amount_stroops: bigint;
  kind: CreditKind;
  /** Of the destination that was paid, when it was M…. */
  muxed_id: bigint | null;
  /** What the transaction says, whatever was muxed. */
  memo: Memo;
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
export function creditsOf(transaction: LedgerTransaction): Credit[] {
  const outcome = outcomeOf(xdr.TransactionResult.fromXdr(transaction.result));
  if (!outcome.successful) return [];
  const inner = innerTransaction(xdr.TransactionEnvelope.fromXdr(transaction.envelope));
  const memo = memoOf(inner.memo);
  const credits: Credit[] = [];
  for (const [operation_index, operation] of inner.operations.entries()) {
    const paid = paidBy(operation.body);
    if (!paid) continue;
    credits.push({
      account: paid.account,
      ...assetOf(paid.asset),
      amount_stroops: paid.amount,
      kind: operation.body.type === 'payment' ? 'payment' : 'create_account',
      muxed_id: paid.muxed_id,
      memo,
      source_account: addressOf(operation.sourceAccount ?? inner.sourceAccount).account,
      operation_index,
      event_index: 0,
    });
  }
  return credits;
}

function memoOf(memo: xdr.Memo): Memo {
  switch (memo.type) {
    case 'memoId':
      return { type: 'id', value: memo.id.toString() };
    default:
      return { type: 'none', value: null };
  }
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
