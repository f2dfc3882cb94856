/** Pure: what contradicts the outcome of one withdrawal or refund, in words. */
import type { Evidence, Row, Told } from './evidence.ts';
import type { TrueTransaction } from './truth.ts';

/** `transaction`: the one of the ledger that it is about, if there is one. */
export function outcomeViolations(
  { latest_close_time, wallets }: Evidence,
  name: string,
  row: Row,
  transaction: TrueTransaction | undefined,
): string[] {
  if (row.status === 'pending')
    return [`${name} is undecided; max_time ${row.max_time}, now ${latest_close_time}`];
  if (!transaction) return unappliedViolations(name, row, latest_close_time);
  const wallet = wallets.find(({ id }) => id === row.wallet_id);
  // A fee that somebody else paid, by a fee-bump of their own, is not the wallet's.
  const truth = {
    status: transaction.successful ? 'confirmed' : 'failed',
    stellar_tx_hash: transaction.hash,
    ledger: transaction.ledger,
    fee_stroops: `${wallet?.account === transaction.fee_account ? transaction.fee_stroops : 0n}`,
    memo_id: `${transaction.memo_id}`,
    amount_stroops: `${transaction.payments[0]?.amount_stroops}`,
  };
  const { status, stellar_tx_hash, ledger, fee_stroops, memo_id, amount_stroops } = row;
  const told = {
    ...{ status, stellar_tx_hash, ledger, fee_stroops: `${fee_stroops}`, memo_id: `${memo_id}` },
    amount_stroops: `${amount_stroops}`,
  };
  return JSON.stringify(told) === JSON.stringify(truth)
    ? []
    : [`${name} says ${JSON.stringify(told)}, the ledger ${JSON.stringify(truth)}`];
}

function unappliedViolations(name: string, row: Row, latest_close_time: bigint): string[] {
  if (row.status === 'confirmed') return [`${name} is not on the ledger`];
  if (row.max_time === null || row.max_time > latest_close_time)
    return [`${name} was called failed although it can still be applied`];
  return row.ledger === null && row.fee_stroops === null
    ? []
    : [`${name} names a ledger and was not applied`];
}

export function dataViolations(
  name: string,
  data: Told,
  status: number,
  row: Row | undefined,
  restored: boolean,
): string[] {
  const settled = data.status !== 'pending';
  if (status === 201 && !settled) return [`${name} is pending`];
  if (status === 504 && settled) return [`${name} is settled`];
  // The outcome of an envelope that no ledger has is known to the database alone.
  const forgotten = !row || row.id !== data.id || (data.status === 'failed' && data.ledger === null);
  if (restored && forgotten) return [];
  if (!row || row.id !== data.id) return [`${name} told of ${data.id}, the row is ${row?.id}`];
  if (settled && told(data) !== told(row)) return [`${name} said ${told(data)}, now ${told(row)}`];
  if (!restored && data.inner_tx_hash !== null && data.inner_tx_hash !== row.inner_tx_hash)
    return [`${name} was signed as ${data.inner_tx_hash}, then as ${row.inner_tx_hash}`];
  return [];
}

function told({ id, status, stellar_tx_hash, inner_tx_hash, ledger, fee_stroops }: Told): string {
  return JSON.stringify([id, status, stellar_tx_hash, inner_tx_hash, ledger, `${fee_stroops}`]);
}
