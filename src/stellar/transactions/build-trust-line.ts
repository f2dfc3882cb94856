/** Pure: builds the transaction that adds or removes a trust line. Layout: Stellar-transaction.x, ChangeTrustOp. */
import { strict as assert } from 'node:assert';
import type { Asset } from '../stellar.ts';
import {
  buildTransaction,
  type TransactionTerms,
  type UnsignedTransaction,
  writeAsset,
} from './write-transaction.ts';

/** The largest balance that a trust line can have: what wallets ask for, so that no payment finds a line full. */
export const LARGEST_LIMIT_STROOPS = 2n ** 63n - 1n;

const CHANGE_TRUST = 6;
const MEMO_NONE = 0;

/** `limit_stroops` 0 removes the trust line. Transaction source and fee are those of a payment (build-payment.ts). */
export function buildTrustLine(
  network_id: Buffer,
  order: TransactionTerms & { asset: Asset; limit_stroops: bigint },
): UnsignedTransaction {
  const { asset, limit_stroops } = order;
  assert(limit_stroops >= 0n);
  return buildTransaction(network_id, order, {
    memo: (xdr) => xdr.uint32(MEMO_NONE),
    operation(xdr) {
      writeAsset(xdr.uint32(CHANGE_TRUST), asset);
      xdr.int64(limit_stroops);
    },
  });
}
