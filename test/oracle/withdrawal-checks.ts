/** Pure: what contradicts "paid once at most, and every answer is true", in words. */
import type { Evidence, Order, ShownWithdrawal, WithdrawalRow } from './evidence.ts';
import { serialOf } from './evidence.ts';
import { type AppliedTransaction, refundIn } from './ledger.ts';
import { isSettled, trustLineViolations } from './trust-line-checks.ts';

export function withdrawalViolations(evidence: Evidence): string[] {
  const book = bookOf(evidence);
  return [
    ...paymentViolations(evidence, book),
    ...evidence.rows
      .filter(({ refund_of }) => refund_of === null)
      .flatMap((row) => rowViolations(evidence, book, row)),
    ...answerViolations(evidence, book),
    ...trustLineViolations(evidence),
    ...txSourceViolations(evidence),
    ...balanceViolations(evidence),
  ];
}

type Book = {
  orders: Map<number, Order>;
  /** Transactions that spend for a withdrawal, by key. */
  spent: Map<string, AppliedTransaction[]>;
  rows: Map<string, WithdrawalRow>;
};

function bookOf({ calls, rows, transactions, wallets }: Evidence): Book {
  const orders = new Map(calls.map(({ order }) => [order.serial, order]));
  const own = new Set(wallets.map(({ account }) => account));
  const spent = new Map<string, AppliedTransaction[]>();
  for (const transaction of transactions) {
    if (refundIn(transaction)) continue;
    const payment = transaction.payments.find(({ source }) => own.has(source));
    const order = payment && orders.get(serialOf(payment.amount_stroops));
    if (order) spent.set(order.key, [...(spent.get(order.key) ?? []), transaction]);
  }
  return { orders, spent, rows: new Map(rows.map((row) => [row.idempotency_key, row])) };
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
  return [
    ...unordered.map(({ hash }) => `${hash} pays from a wallet and nobody ordered it`),
    ...[...spent]
      .filter(([, made]) => (restored ? hasTwice(made) : made.length > 1))
      .map(([key, made]) => `key ${key} was PAID ${made.length} TIMES: ${made.map(({ hash }) => hash)}`),
  ];
}

/** A copy may have forgotten the key of one body, and take it for another. */
function hasTwice(made: AppliedTransaction[]): boolean {
  return new Set(made.map(({ payments }) => payments[0]?.amount_stroops)).size < made.length;
}

function rowViolations(evidence: Evidence, { orders, spent }: Book, row: WithdrawalRow): string[] {
  const name = `withdrawal ${row.id} (key ${row.idempotency_key}, ${row.state})`;
  const order = orders.get(serialOf(row.amount_stroops));
  if (!order || order.key !== row.idempotency_key) return [`${name}: nobody ordered it`];
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
    ...{
      status,
      stellar_tx_hash,
      inner_tx_hash,
      destination,
      asset: assetNameOf(row),
      ledger,
      fee_stroops: `${fee_stroops}`,
      memo_id: `${memo_id}`,
    },
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

function unappliedViolations(name: string, row: WithdrawalRow, latest_close_time: bigint): string[] {
  if (row.status === 'confirmed') return [`${name} is not on the ledger`];
  if (row.max_time === null || row.max_time > latest_close_time)
    return [`${name} was called failed although it can still be applied`];
  return row.ledger === null && row.fee_stroops === null
    ? []
    : [`${name} names a ledger and was not applied`];
}

/** What was told once is true for ever. */
function answerViolations({ calls, restored }: Evidence, { rows, spent }: Book): string[] {
  const started = new Set(calls.filter(({ answer }) => !refused(answer)).map(({ order }) => order.key));
  return calls.flatMap(({ order, answer }) => {
    if (answer === null) return [];
    const name = `key ${order.key}: ${answer.status} ${answer.code}`;
    const row = rows.get(order.key);
    if (answer.status === 500) return [`${name}: no answer for a client`];
    if (answer.data) return dataViolations(name, answer.data, answer.status, row, restored);
    if (answer.code === 'possible_duplicate')
      return duplicateViolations(name, restored && spent.has(order.key));
    if (answer.status === 201 || answer.status === 409) return [`${name} without data`];
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

/** Opening + deposits − withdrawals − adjustments − fees, to the stroop, by the rows where there are rows. */
function balanceViolations({
  wallets,
  rows,
  trust_lines,
  deposits,
  transactions,
  foreign,
  reconciliations,
}: Evidence): string[] {
  return wallets.flatMap(({ id, account, opening_stroops, balance_stroops, issued }) => {
    const own = rows.filter(({ wallet_id }) => wallet_id === id);
    const changes = trust_lines.filter(({ wallet_id }) => wallet_id === id);
    const known = new Set([...own, ...changes].map(({ stellar_tx_hash }) => stellar_tx_hash));
    const paid = (asset: string) =>
      own
        .filter((row) => row.status === 'confirmed' && assetNameOf(row) === asset)
        .reduce((sum, { amount_stroops }) => sum + amount_stroops, 0n);
    const fees = [...own, ...changes].reduce((sum, row) => sum + BigInt(row.fee_stroops ?? 0n), 0n);
    const strangers = transactions.filter(
      ({ hash, ledger }) => ledger > deposits.start_ledger && (foreign.includes(hash) || !known.has(hash)),
    );
    const rest = (asset: string) =>
      strangers.reduce((sum, transaction) => sum + spending(transaction, account, asset), 0n);
    const sums = Map.groupBy(
      deposits.rows.filter(({ wallet_id }) => wallet_id === id),
      ({ asset_code, asset_issuer }) => (asset_issuer ? `${asset_code}:${asset_issuer}` : asset_code),
    );
    const income = (asset: string) =>
      (sums.get(asset) ?? []).reduce((sum, { amount_stroops }) => sum + amount_stroops, 0n);
    const taken = (asset: string) =>
      deposits.adjustments
        .filter((row) => row.wallet_id === id && assetNameOf(row) === asset)
        .reduce((sum, { amount_stroops }) => sum + BigInt(amount_stroops), 0n);
    const left = (asset: string) => income(asset) - paid(asset) - taken(asset) - rest(asset);
    const books = opening_stroops + left('native') - fees;
    const issued_books = issued && left(issued.asset);
    // What others made our wallets pay is no withdrawal: the service's own comparison must find it, and nothing else.
    const compared = (reconciliations ?? []).filter(({ wallet_id }) => wallet_id === id);
    const wrong = compared.filter(
      ({ difference_stroops, ...asset }) => difference_stroops !== -rest(comparedName(asset)),
    );
    return [
      ...(reconciliations === null || compared.some(({ asset_issuer }) => asset_issuer === '')
        ? []
        : [`wallet ${id} was not compared`]),
      ...wrong.map(
        ({ difference_stroops, ...asset }) =>
          `wallet ${id}: reconciliation finds ${difference_stroops} of ${comparedName(asset)}, others made it pay ${rest(comparedName(asset))}`,
      ),
      ...(books === balance_stroops
        ? []
        : [`wallet ${id}: the books say ${books}, the ledger ${balance_stroops}`]),
      ...(issued === null || issued_books === issued.balance_stroops
        ? []
        : [
            `wallet ${id}: the books say ${issued_books} of ${issued.asset}, the ledger ${issued.balance_stroops}`,
          ]),
    ];
  });
}

function spending(
  { fee_account, fee_stroops, successful, payments }: AppliedTransaction,
  account: string,
  asset: string,
): bigint {
  const paid = successful
    ? payments
        .filter((payment) => payment.source === account && payment.asset === asset)
        .reduce((sum, { amount_stroops }) => sum + amount_stroops, 0n)
    : 0n;
  return paid + (asset === 'native' && fee_account === account ? fee_stroops : 0n);
}

function assetNameOf({
  asset_code,
  asset_issuer,
}: Pick<WithdrawalRow, 'asset_code' | 'asset_issuer'>): string {
  return asset_issuer === null ? 'native' : `${asset_code}:${asset_issuer}`;
}

/** The comparison of books has no issuer for the native asset. */
function comparedName({ asset_code, asset_issuer }: { asset_code: string; asset_issuer: string }): string {
  return asset_issuer === '' ? asset_code : `${asset_code}:${asset_issuer}`;
}
