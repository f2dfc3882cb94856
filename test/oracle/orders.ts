/** What customers have ordered: by requests of withdrawals, and by rows of payouts. */
import { type Evidence, serialOf, type WithdrawalRow } from './evidence.ts';
import { type AppliedTransaction, refundIn } from './ledger.ts';
import type { Order } from './order.ts';
import type { PayoutAnswer } from './payout-evidence.ts';

/** By their serial numbers. Two rows of a file that pay the same have one serial number and two keys. */
export type Orders = Map<number, Order[]>;

export function ordersOf({ calls, payouts }: Pick<Evidence, 'calls' | 'payouts'>): Orders {
  const kept = payouts.uploads.filter(({ answer }) => mayBeKept(answer)).flatMap(({ file }) => file.rows);
  const orders: Orders = new Map();
  for (const order of [...calls.map((call) => call.order), ...kept]) {
    const same = orders.get(order.serial) ?? [];
    if (!same.some(({ key }) => key === order.key)) orders.set(order.serial, [...same, order]);
  }
  return orders;
}

/** Returns true when, by this answer, the service may have kept the payout. */
export function mayBeKept(answer: PayoutAnswer | null): boolean {
  return answer === null || answer.status < 300 || answer.status === 500 || answer.code === 'in_doubt';
}

/** The key of the row that a retry pays again; any other key itself. */
export function firstKey(key: string): string {
  return key.replace(/·retry[0-9]+$/, '');
}

/** What a row of withdrawals pays, if somebody ordered it. Only payouts pay by keys of retries. */
export function orderOf(
  orders: Orders,
  {
    amount_stroops,
    idempotency_key,
    payout_id,
  }: Pick<WithdrawalRow, 'amount_stroops' | 'idempotency_key' | 'payout_id'>,
): Order | undefined {
  const key = payout_id === null ? idempotency_key : firstKey(idempotency_key);
  return orders.get(serialOf(amount_stroops))?.find((order) => order.key === key);
}

/** Transactions that spend for an order, by the key that they were signed for. */
export function spentByKey(evidence: Evidence, orders: Orders): Map<string, AppliedTransaction[]> {
  const { wallets, transactions, approvals } = evidence;
  const own = new Set(wallets.map(({ account }) => account));
  const signed = new Map(
    approvals.steps.flatMap(({ status, inner_tx_hash, idempotency_key }) =>
      status === 'signed' ? [[inner_tx_hash, idempotency_key] as const] : [],
    ),
  );
  const spent = new Map<string, AppliedTransaction[]>();
  for (const transaction of transactions) {
    if (refundIn(transaction)) continue;
    const payment = transaction.payments.find(({ source }) => own.has(source));
    const possible = payment && orders.get(serialOf(payment.amount_stroops));
    if (!possible?.[0]) continue;
    const noted = signed.get(transaction.inner_hash);
    const isOne = noted !== undefined && possible.some(({ key }) => key === firstKey(noted));
    const key = isOne ? noted : possible[0].key;
    spent.set(key, [...(spent.get(key) ?? []), transaction]);
  }
  return spent;
}
