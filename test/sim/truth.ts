/** What the ledger says, taken from the sandbox as ledgers close and by none of the service's code. */
import { StrKey, type xdr } from '@stellar/stellar-sdk/base';
import { hex } from '../../sandbox/ledger/bytes.ts';
import type { ClosedLedger, ClosedTransaction } from '../../sandbox/ledger/close.ts';

export type TruePayment = {
  source: string;
  destination: string;
  muxed_id: bigint | null;
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
  max_time: bigint;
  payments: TruePayment[];
};

export function transactionsOf(ledger: ClosedLedger): TrueTransaction[] {
  return ledger.transactions.map((closed) => ({
    ledger: ledger.header.ledgerSeq,
    close_time: ledger.header.scpValue.closeTime,
    ...contentOf(closed),
  }));
}

function contentOf({ tx, successful, feeCharged }: ClosedTransaction) {
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
    max_time: cond.type === 1 ? cond.timeBounds.maxTime : 0n,
    payments: operations.flatMap((operation) => paymentOf(operation, source)),
  };
}

function paymentOf({ sourceAccount, body }: xdr.OperationWire, account: string): TruePayment[] {
  const source = sourceAccount ? muxed(sourceAccount).account : account;
  if (body.type === 0) {
    const { destination, startingBalance } = body.createAccountOp;
    const to = address(destination.ed25519);
    return [{ source, destination: to, muxed_id: null, amount_stroops: startingBalance }];
  }
  if (body.type !== 1) return [];
  const { account: destination, id } = muxed(body.paymentOp.destination);
  return [{ source, destination, muxed_id: id, amount_stroops: body.paymentOp.amount }];
}

function muxed(account: xdr.MuxedAccountWire): { account: string; id: bigint | null } {
  if (account.type === 0) return { account: address(account.ed25519), id: null };
  return { account: address(account.med25519.ed25519), id: account.med25519.id };
}

function address(ed25519: Uint8Array): string {
  return StrKey.encodeEd25519PublicKey(ed25519);
}
