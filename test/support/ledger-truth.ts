/** Everything that a ledger says happened, read through the unmodified SDK and none of the service's own code. */
import {
  FeeBumpTransaction,
  type Memo,
  type OperationRecord,
  type Transaction,
  TransactionBuilder,
} from '@stellar/stellar-sdk/base';
import type { Server } from '@stellar/stellar-sdk/rpc';
import { toStroops } from './ledger.ts';

export type LedgerPayment = {
  /** As the operation has it: G… or M…. */
  destination: string;
  amount_stroops: bigint;
  source: string;
};

export type LedgerTransaction = {
  hash: string;
  /** Of the transaction itself, inside a fee-bump. */
  inner_hash: string;
  ledger: number;
  successful: boolean;
  /** Who pays the fee. */
  fee_account: string;
  fee_stroops: bigint;
  memo_id: bigint | null;
  /** As text, whatever its type: the digits of an id, the hex of a hash. */
  memo: string;
  /** What its operations pay, or would have paid. */
  payments: LedgerPayment[];
};

export type LedgerTruth = {
  latest_ledger: number;
  /** Unix seconds. */
  latest_close_time: bigint;
  transactions: LedgerTransaction[];
};

const PAGE = 200;

/** From the first ledger to the newest. */
export async function readLedgerTruth(server: Server, passphrase: string): Promise<LedgerTruth> {
  const { oldestLedger } = await server.getHealth();
  const transactions: LedgerTransaction[] = [];
  let page = await server.getTransactions({
    startLedger: Math.max(oldestLedger, 1),
    pagination: { limit: PAGE },
  });
  for (;;) {
    for (const found of page.transactions) {
      const parsed = TransactionBuilder.fromXDR(found.envelopeXdr.toXdr('base64'), passphrase);
      transactions.push({
        hash: found.txHash,
        ledger: found.ledger,
        successful: found.status === 'SUCCESS',
        fee_account: parsed instanceof FeeBumpTransaction ? parsed.feeSource : parsed.source,
        fee_stroops: BigInt(`${found.resultXdr.feeCharged}`),
        ...contentOf(parsed instanceof FeeBumpTransaction ? parsed.innerTransaction : parsed),
      });
    }
    if (page.transactions.length < PAGE) break;
    page = await server.getTransactions({ pagination: { limit: PAGE, cursor: page.cursor } });
  }
  return {
    latest_ledger: page.latestLedger,
    latest_close_time: BigInt(page.latestLedgerCloseTimestamp),
    transactions,
  };
}

function contentOf(
  transaction: Transaction,
): Pick<LedgerTransaction, 'inner_hash' | 'memo_id' | 'memo' | 'payments'> {
  return {
    inner_hash: Buffer.from(transaction.hash()).toString('hex'),
    memo_id: idOf(transaction.memo),
    memo: memoText(transaction.memo),
    payments: transaction.operations.flatMap((operation) => paymentOf(operation, transaction.source)),
  };
}

function idOf(memo: Memo): bigint | null {
  return memo.type === 'id' ? BigInt(`${memo.value}`) : null;
}

/** See `LedgerTransaction.memo`. */
export function memoText({ value }: Memo): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : `${value}`;
}

function paymentOf(operation: OperationRecord, source: string): LedgerPayment[] {
  if (operation.type === 'payment') {
    const { destination, amount } = operation;
    return [{ destination, amount_stroops: toStroops(amount), source: operation.source ?? source }];
  }
  if (operation.type === 'createAccount') {
    const { destination, startingBalance } = operation;
    return [{ destination, amount_stroops: toStroops(startingBalance), source: operation.source ?? source }];
  }
  return [];
}
