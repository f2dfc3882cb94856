/** What the ledger says, taken from the sandbox as ledgers close and by none of the service's code. */
import type { xdr } from '@stellar/stellar-sdk/base';
import { hex } from '../../sandbox/ledger/bytes.ts';
import type { ClosedLedger, ClosedTransaction } from '../../sandbox/ledger/close.ts';
import {
  address,
  creditsIn,
  type Delta,
  deltasIn,
  memoIn,
  muxed,
  type TrueCredit,
  type TrueMemo,
} from './true-credits.ts';

/** Of the native asset, or what would have been one. */
export type TruePayment = {
  operation_index: number;
  source: string;
  destination: string;
  amount_stroops: bigint;
};

export type TrueTransaction = {
  ledger: number;
  close_time: bigint;
  hash: string;
  /** The same as `hash` when it was not fee-bumped. */
  inner_hash: string;
  source: string;
  fee_account: string;
  fee_stroops: bigint;
  successful: boolean;
  memo_id: bigint | null;
  memo: TrueMemo;
  max_time: bigint;
  payments: TruePayment[];
  /** None when it failed. */
  credits: TrueCredit[];
  /** Of accounts that are ours. */
  deltas: Delta[];
};

/** The transaction that it says to pay back, in hex. Of those that spend from wallets, only refunds do. */
export function refundIn({ memo }: Pick<TrueTransaction, 'memo'>): string | null {
  return memo.type === 'return' ? Buffer.from(memo.value ?? '', 'base64').toString('hex') : null;
}

export function transactionsOf(
  ledger: ClosedLedger,
  isOurs: (account: string) => boolean,
): TrueTransaction[] {
  return ledger.transactions.map((closed) => ({
    ledger: ledger.header.ledgerSeq,
    close_time: ledger.header.scpValue.closeTime,
    ...contentOf(closed),
    credits: closed.successful ? creditsIn(closed) : [],
    deltas: deltasIn(closed).filter(({ account }) => isOurs(account)),
  }));
}

function contentOf(closed: ClosedTransaction) {
  const { tx, successful, feeCharged } = closed;
  const source = address(tx.source);
  const { cond, memo, operations } = tx.tx;
  return {
    hash: hex(tx.hash),
    inner_hash: hex((tx.inner ?? tx).hash),
    source,
    fee_account: address(tx.feeSource),
    fee_stroops: feeCharged,
    successful,
    memo_id: memo.type === 2 ? memo.id : null,
    memo: memoIn(closed),
    max_time: cond.type === 1 ? cond.timeBounds.maxTime : 0n,
    payments: operations.flatMap((operation, index) =>
      paymentOf(operation, source).map((payment) => ({ operation_index: index, ...payment })),
    ),
  };
}

function paymentOf(
  { sourceAccount, body }: xdr.OperationWire,
  account: string,
): Omit<TruePayment, 'operation_index'>[] {
  const source = sourceAccount ? muxed(sourceAccount).account : account;
  if (body.type === 0) {
    const { destination, startingBalance } = body.createAccountOp;
    return [{ source, destination: address(destination.ed25519), amount_stroops: startingBalance }];
  }
  if (body.type !== 1 || body.paymentOp.asset.type !== 0) return [];
  const { destination, amount } = body.paymentOp;
  return [{ source, destination: muxed(destination).account, amount_stroops: amount }];
}
