/**
 * Pure: builds the transaction that adds or removes a trust line. Layout: Stellar-transaction.x, ChangeTrustOp.
 *
 * | the reserve of a new trust line is paid by | operations                                               | signers beside a channel |
 * |--------------------------------------------|----------------------------------------------------------|--------------------------|
 * | the wallet                                 | change_trust                                             | the wallet               |
 * | a sponsor (CAP-33)                         | begin_sponsoring_future_reserves by the sponsor,         | the wallet, the sponsor  |
 * |                                            | change_trust and end_sponsoring_future_reserves by the   |                          |
 * |                                            | wallet                                                   |                          |
 */
import { strict as assert } from 'node:assert';
import type { Asset } from '../stellar.ts';
import { writeAccount, writeAsset } from '../xdr/write-names.ts';
import {
  buildTransaction,
  type Operation,
  type TransactionTerms,
  type UnsignedTransaction,
} from './write-transaction.ts';

/** The largest balance that a trust line can have: what wallets ask for, so that no payment finds a line full. */
export const LARGEST_LIMIT_STROOPS = 2n ** 63n - 1n;

const OPERATION_TYPE = {
  change_trust: 6,
  begin_sponsoring_future_reserves: 16,
  end_sponsoring_future_reserves: 17,
};
const MEMO_NONE = 0;

export type TrustLineOrder = TransactionTerms & {
  asset: Asset;
  /** 0 removes the trust line. */
  limit_stroops: bigint;
  /** Null: the wallet pays the reserve. Removing a trust line gives the reserve back to whoever paid it. */
  sponsor_public_key: Buffer | null;
};

/** Builds the change of a trust line. Transaction source and fee are those of a payment (build-payment.ts). */
export function buildTrustLine(network_id: Buffer, order: TrustLineOrder): UnsignedTransaction {
  const { asset, limit_stroops, sponsor_public_key, wallet_public_key } = order;
  assert(limit_stroops >= 0n);
  const change: Operation = {
    source_public_key: wallet_public_key,
    write(xdr) {
      writeAsset(xdr.uint32(OPERATION_TYPE.change_trust), asset);
      xdr.int64(limit_stroops);
    },
  };
  return buildTransaction(network_id, order, {
    memo: (xdr) => xdr.uint32(MEMO_NONE),
    operations:
      sponsor_public_key === null ? [change] : sponsored(change, sponsor_public_key, wallet_public_key),
  });
}

/** Lets the sponsor pay the reserve. Without the last operation the whole transaction would fail with `tx_bad_sponsorship`. */
function sponsored(change: Operation, sponsor_public_key: Buffer, wallet_public_key: Buffer): Operation[] {
  assert(!sponsor_public_key.equals(wallet_public_key), 'an account cannot sponsor itself');
  return [
    {
      source_public_key: sponsor_public_key,
      write: (xdr) =>
        writeAccount(xdr.uint32(OPERATION_TYPE.begin_sponsoring_future_reserves), wallet_public_key),
    },
    change,
    {
      source_public_key: wallet_public_key,
      write: (xdr) => xdr.uint32(OPERATION_TYPE.end_sponsoring_future_reserves),
    },
  ];
}
