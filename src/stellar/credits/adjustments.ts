/**
 * Pure: what others do to an account without paying it. They lower a balance (a loss), or change what a trust line may do.
 *
 * | what                                     | is found in                            | is proven, because                    |
 * |------------------------------------------|----------------------------------------|---------------------------------------|
 * | clawback by the issuer                   | the operation has the amount           | the result is success: exactly this   |
 * |                                          |                                        | amount was taken                      |
 * | clawback by the admin of the asset’s     | an event of invoke_host_function. The  | the result is a hash over all events  |
 * | contract                                 | admin need not be the issuer           |                                       |
 * | transfer and burn by the asset’s         | the same. The account has signed the   | the same                              |
 * | contract, in a transaction of others     | call or an allowance, but not as the   |                                       |
 * |                                          | source of anything                     |                                       |
 * | authorized, revoked, liabilities only    | the entry of the trust line, before    | it is not: no hash covers the meta of |
 * | (set_trust_line_flags, allow_trust,      | and after the transaction              | one transaction. Such a row has the   |
 * | set_authorized of the asset’s contract)  |                                        | amount 0, and moves nothing           |
 *
 * Operations and events do not tell the three states of a trust line apart, and occur even when nothing changes.
 *
 * | why the envelope of every such transaction mentions the account (account-filter.ts)                                 |
 * |---------------------------------------------------------------------------------------------------------------------|
 * | clawback, set_trust_line_flags and allow_trust name it                                                              |
 * | a contract writes only entries in the transaction’s footprint: the key of the trust line contains the account      |
 * | an offer can be taken, and a pool share can lose, without a mention: wallets sign no offers and hold no pool shares |
 *
 * Where that does not hold, the comparison of books finds a difference, and searches for its transaction in the metas.
 *
 * A transaction of which the account itself is a source is a withdrawal or an unmatched transaction: its transfers are no
 * losses here, or they would be booked twice.
 */
import { accountOf, addressOf } from '../address.ts';
import type { xdr } from '../protocol/sdk.ts';
import type { Adjustment, LineOrder } from './adjustment.ts';
import { assetOf } from './classic-movement.ts';
import { orderedByContract, takenByContract } from './contract-adjustments.ts';
import type { OpenTransaction } from './credits.ts';

/** Finds the losses of a transaction, one per operation or event. @throws like `creditsOf` */
export function lossesIn(passphrase: string, transaction: OpenTransaction): Adjustment[] {
  return eachOperation<Adjustment>(transaction, (operation, operation_index) => {
    const { body } = operation;
    const caused_by = sourceOf(transaction, operation);
    if (body.type === 'clawback') {
      const { from, asset, amount: amount_stroops } = body.clawbackOp;
      const taken = { account: addressOf(from).account, ...assetOf(asset), amount_stroops };
      const at = { operation: 'clawback', operation_index, event_index: 0 } as const;
      return [{ ...taken, reason: 'clawback', caused_by, ...at }];
    }
    if (body.type !== 'invokeHostFunction') return [];
    const own = ownSources(transaction);
    const events = transaction.eventsOf(operation_index);
    return takenByContract(passphrase, body.invokeHostFunctionOp, { source: caused_by, events })
      .filter(({ reason, account }) => reason === 'clawback' || !own.has(account))
      .map((taken) => ({ ...taken, ...CALL, operation_index }));
  });
}

/** Finds the trust lines whose authorization a transaction has set. @throws like `creditsOf` */
export function lineOrdersIn(passphrase: string, transaction: OpenTransaction): LineOrder[] {
  return eachOperation<LineOrder>(transaction, (operation, operation_index) => {
    const { body } = operation;
    const caused_by = sourceOf(transaction, operation);
    const at = { caused_by, operation_index, event_index: 0 };
    if (body.type === 'setTrustLineFlags') {
      const { trustor, asset } = body.setTrustLineFlagsOp;
      const { asset_code: code, asset_issuer: issuer } = assetOf(asset);
      if (issuer === null) return [];
      const line = { account: accountOf(trustor.ed25519.value), asset: { code, issuer } };
      return [{ ...line, operation: 'set_trust_line_flags', ...at }];
    }
    if (body.type === 'allowTrust') {
      const { trustor, asset } = body.allowTrustOp;
      const own = { code: codeOf(asset), issuer: caused_by };
      return [{ account: accountOf(trustor.ed25519.value), asset: own, operation: 'allow_trust', ...at }];
    }
    if (body.type !== 'invokeHostFunction') return [];
    const events = transaction.eventsOf(operation_index);
    return orderedByContract(passphrase, body.invokeHostFunctionOp, { source: caused_by, events }).map(
      (order) => ({ ...order, ...CALL, operation_index }),
    );
  });
}

const CALL = { operation: 'invoke_host_function' } as const;

function eachOperation<T>(
  { inner, outcome }: OpenTransaction,
  read: (operation: xdr.Operation, operation_index: number) => T[],
): T[] {
  return outcome.successful ? inner.operations.flatMap(read) : [];
}

function sourceOf({ inner }: OpenTransaction, operation: xdr.Operation): string {
  return addressOf(operation.sourceAccount ?? inner.sourceAccount).account;
}

/** Returns the accounts whose own transaction this is: it pays its fee, uses its sequence number, or has its operation. */
function ownSources(transaction: OpenTransaction): Set<string> {
  const { inner, fee_account } = transaction;
  const { account } = addressOf(inner.sourceAccount);
  return new Set([fee_account, account, ...inner.operations.map((each) => sourceOf(transaction, each))]);
}

/** Reads the asset code. The operation names the code only: the issuer is its source. */
function codeOf(asset: xdr.AssetCode): string {
  const code = asset.type === 'assetTypeCreditAlphanum4' ? asset.assetCode4 : asset.assetCode12;
  return Buffer.from(code.value).toString('latin1').replace(/\0+$/, '');
}
