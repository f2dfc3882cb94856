/** Pure: what contradicts "paid once at most, and every answer is true", in words. */
import { bookViolations } from './book-checks.ts';
import type { Evidence, ShownWithdrawal, WithdrawalRow } from './evidence.ts';
import { assetNameOf, serialOf } from './evidence.ts';
import { type AppliedTransaction, refundIn } from './ledger.ts';
import { mayBeKept, type Orders, orderOf, ordersOf, spentByKey } from './orders.ts';
import { isSettled, trustLineViolations } from './trust-line-checks.ts';

export function withdrawalViolations(evidence: Evidence): string[] {
  const book = bookOf(evidence);
  return [
    ...paymentViolations(evidence, book),
    ...evidence.rows
      .filter(({ refund_of }) => refund_of === null)
      .flatMap((row) => rowViolations(evidence, book, row)),
    ...answerViolations(evidence, book),
    ...creationViolations(evidence),
    ...trustLineViolations(evidence),
    ...txSourceViolations(evidence),
    ...bookViolations(evidence),
  ];
}

type Book = {
  orders: Orders;
  /** Transactions that spend for a withdrawal, by key. */
  spent: Map<string, AppliedTransaction[]>;
  rows: Map<string, WithdrawalRow>;
};

function bookOf(evidence: Evidence): Book {
  const orders = ordersOf(evidence);
  return {
    orders,
    spent: spentByKey(evidence, orders),
    rows: new Map(evidence.rows.map((row) => [row.idempotency_key, row])),
  };
}

/** Every payment out of a wallet was ordered, and none was made twice. A failed attempt counts: it used up the order. */
function paymentViolations(
  { transactions, wallets, foreign, restored }: Evidence,
  { orders, spent }: Book,
): string[] {
  const own = new Set(wallets.map(({ account }) => account));
  const unordered = transactions.filter(
    (transaction) =>
      !foreign.includes(transaction.hash) &&
      !refundIn(transaction) &&
      transaction.payments.some(
        ({ source, amount_stroops }) => own.has(source) && !orders.has(serialOf(amount_stroops)),
      ),
  );
  const destroyed = transactions.flatMap((transaction) =>
    transaction.payments.filter(isToIssuer).flatMap(({ source, amount_stroops }) => {
      if (!own.has(source) || foreign.includes(transaction.hash) || refundIn(transaction)) return [];
      const [order, ...others] = orders.get(serialOf(amount_stroops)) ?? [];
      return order && ![order, ...others].some(({ allow_issuer }) => allow_issuer)
        ? [`key ${order.key} PAID TO THE ISSUER, which nobody allowed`]
        : [];
    }),
  );
  return [
    ...destroyed,
    ...unordered.map(({ hash }) => `${hash} pays from a wallet and nobody ordered it`),
    ...[...spent]
      .filter(([, made]) => (restored ? hasTwice(made) : made.length > 1))
      .map(([key, made]) => `key ${key} was PAID ${made.length} TIMES: ${made.map(({ hash }) => hash)}`),
  ];
}

function isToIssuer({ asset, destination }: AppliedTransaction['payments'][number]): boolean {
  return asset.split(':')[1] === destination;
}

/** A copy may have forgotten the key of one body, and take it for another. */
function hasTwice(made: AppliedTransaction[]): boolean {
  return new Set(made.map(({ payments }) => payments[0]?.amount_stroops)).size < made.length;
}

function rowViolations(evidence: Evidence, { orders, spent }: Book, row: WithdrawalRow): string[] {
  const name = `withdrawal ${row.id} (key ${row.idempotency_key}, ${row.state})`;
  const order = orderOf(orders, row);
  if (!order) return [`${name}: nobody ordered it`];
  if (
    row.wallet_id !== order.wallet_id ||
    row.destination !== order.destination ||
    assetNameOf(row) !== order.asset ||
    row.memo_id !== order.memo_id
  )
    return [`${name} is not what was ordered`];
  return outcomeViolations(evidence, name, row, spentFor(row, spent));
}

/** `transaction`: the one of the ledger that it is about, if there is one. */
export function outcomeViolations(
  { latest_close_time, wallets }: Evidence,
  name: string,
  row: WithdrawalRow,
  transaction: AppliedTransaction | undefined,
): string[] {
  if (row.status === 'awaiting_approval')
    return transaction ? [`${name} awaits approvals, and was PAID by ${transaction.hash}`] : [];
  if (row.status === 'pending')
    return [`${name} is undecided; max_time ${row.max_time}, now ${latest_close_time}`];
  if (!transaction) return unappliedViolations(name, row, latest_close_time);
  const wallet = wallets.find(({ id }) => id === row.wallet_id);
  // A fee that somebody else paid, by a fee-bump of their own, is not the wallet's.
  const truth = {
    status: transaction.successful ? 'confirmed' : 'failed',
    stellar_tx_hash: transaction.hash,
    inner_tx_hash: transaction.inner_hash,
    destination: transaction.payments[0]?.destination_address,
    asset: transaction.payments[0]?.asset,
    ledger: transaction.ledger,
    fee_stroops: `${wallet?.account === transaction.fee_account ? transaction.fee_stroops : 0n}`,
    memo_id: `${transaction.memo_id}`,
    amount_stroops: `${transaction.payments[0]?.amount_stroops}`,
  };
  const { status, stellar_tx_hash, inner_tx_hash, destination, ledger } = row;
  const { fee_stroops, memo_id, amount_stroops } = row;
  const told = {
    status,
    stellar_tx_hash,
    inner_tx_hash,
    destination,
    asset: assetNameOf(row),
    ledger,
    fee_stroops: `${fee_stroops}`,
    memo_id: `${memo_id}`,
    amount_stroops: `${amount_stroops}`,
  };
  return JSON.stringify(told) === JSON.stringify(truth)
    ? []
    : [`${name} says ${JSON.stringify(told)}, the ledger ${JSON.stringify(truth)}`];
}

function spentFor(
  { idempotency_key, amount_stroops }: WithdrawalRow,
  spent: Book['spent'],
): AppliedTransaction | undefined {
  const made = spent.get(idempotency_key) ?? [];
  return made.find(({ payments }) => payments[0]?.amount_stroops === amount_stroops);
}

/** A member rejected it, its time to be approved was over, or its requester was removed or disabled. */
export function isNeverSigned({ failure_code }: Pick<WithdrawalRow, 'failure_code'>): boolean {
  return ['rejected', 'approval_expired', 'requester_removed'].includes(failure_code ?? '');
}

function unappliedViolations(name: string, row: WithdrawalRow, latest_close_time: bigint): string[] {
  if (row.status === 'confirmed') return [`${name} is not on the ledger`];
  if (isNeverSigned(row)) return row.inner_tx_hash === null ? [] : [`${name} was ended, and it was signed`];
  if (row.max_time === null || row.max_time >= latest_close_time)
    return [`${name} was called failed although it can still be applied`];
  return row.ledger === null && row.fee_stroops === null
    ? []
    : [`${name} names a ledger and was not applied`];
}

/**
 * An order waits while another one creates the account of its payee. Only the account of a wallet can be created by somebody else,
 * and only a creation that the signer could not see yet excuses the order. A restored copy may have forgotten the creation that a
 * lagging source does not show yet.
 */
function creationViolations({ rows, restored, transactions, wallets }: Evidence): string[] {
  if (restored) return [];
  const ours = new Set(wallets.map(({ account }) => account));
  const byOthers = transactions.flatMap(({ ledger, credits }) =>
    credits
      .filter(({ kind, source }) => kind === 'create_account' && !ours.has(source))
      .map(({ account }) => ({ account, ledger })),
  );
  const isExcused = ({ destination, signed_ledger, ledger }: WithdrawalRow) =>
    byOthers.some(
      (creation) =>
        creation.account === destination &&
        creation.ledger > (signed_ledger ?? Number.POSITIVE_INFINITY) &&
        creation.ledger <= (ledger ?? 0),
    );
  return rows
    .filter((row) => row.failure_code === 'op_already_exists' && !isExcused(row))
    .map(({ id, destination }) => `withdrawal ${id} FAILED because another one created ${destination}`);
}

/** What was told once is true for ever. */
function answerViolations({ calls, payouts, restored }: Evidence, { rows, spent }: Book): string[] {
  const uploaded = payouts.uploads.filter(({ answer }) => mayBeKept(answer)).flatMap(({ file }) => file.rows);
  const asked = calls.filter(({ answer }) => !refused(answer)).map(({ order }) => order);
  const started = new Set([...asked, ...uploaded].map(({ key }) => key));
  return calls.flatMap(({ order, answer }) => {
    if (answer === null) return [];
    const name = `key ${order.key}: ${answer.status} ${answer.code}`;
    const row = rows.get(order.key);
    if (answer.status === 500) return [`${name}: no answer for a client`];
    if (answer.data) return dataViolations(name, answer.data, answer.status, row, restored);
    if (answer.code === 'possible_duplicate')
      return duplicateViolations(name, restored && spent.has(order.key));
    if ([201, 202, 409].includes(answer.status)) return [`${name} without data`];
    if (started.has(order.key)) return [];
    return [
      ...(row ? [`${name}, and there is a row ${row.id}`] : []),
      ...(spent.has(order.key) ? [`${name}, and it was PAID`] : []),
    ];
  });
}

/** To a client that changes its request under a key whose payment the restored copy has forgotten. */
function duplicateViolations(name: string, isForgotten: boolean): string[] {
  return isForgotten ? [] : [`${name}, but no restored copy has forgotten a payment of the key`];
}

/** Said to have started nothing. */
function refused(answer: { status: number; code: string } | null): boolean {
  if (answer === null || answer.status === 409) return false;
  return (
    (answer.status >= 400 && answer.status < 500) || (answer.status === 503 && answer.code !== 'in_doubt')
  );
}

export function dataViolations(
  name: string,
  data: ShownWithdrawal,
  status: number,
  row: WithdrawalRow | undefined,
  restored: boolean,
): string[] {
  const settled = isSettled(data.status);
  if (status === 201 && !settled) return [`${name} is ${data.status}`];
  if (status === 202 && data.status !== 'awaiting_approval') return [`${name} is ${data.status}`];
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

function told({ id, status, stellar_tx_hash, inner_tx_hash, ledger, fee_stroops }: ShownWithdrawal): string {
  return JSON.stringify([id, status, stellar_tx_hash, inner_tx_hash, ledger, `${fee_stroops}`]);
}

function txSourceViolations({ tx_sources, rows, trust_lines }: Evidence): string[] {
  const open = new Set([
    ...rows.filter(({ status }) => status === 'pending').map(({ id }) => id),
    ...trust_lines.filter(({ status }) => !isSettled(status)).map(({ id }) => id),
  ]);
  return tx_sources.flatMap(({ account, withdrawal_id, last_sequence, blocked_reason, sequence }) => [
    ...(withdrawal_id !== null && !open.has(withdrawal_id)
      ? [`transaction source ${account} is held by ${withdrawal_id}, which is settled`]
      : []),
    ...(blocked_reason !== null ? [`tx_source ${account} is blocked: ${blocked_reason}`] : []),
    ...(last_sequence !== null && last_sequence !== sequence
      ? [`tx_source ${account} is out of step: ${last_sequence}, on the ledger ${sequence}`]
      : []),
  ]);
}
