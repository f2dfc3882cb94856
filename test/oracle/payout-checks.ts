/**
 * Pure: what contradicts "a payout pays the rows of its accepted file, each at most once, and nothing else; what it shows is so",
 * in words. What was possible at each moment is in payout-history-checks.ts.
 */
import { choosing, isSurelyThere, receiverViolations } from './choice-checks.ts';
import { assetNameOf, type Evidence, serialOf } from './evidence.ts';
import { type AppliedTransaction, refundIn } from './ledger.ts';
import type { Order } from './order.ts';
import { firstKey, mayBeKept, ordersOf, spentByKey } from './orders.ts';
import type { PayoutCounts, PayoutNow, PayoutRow, ShownPayout } from './payout-evidence.ts';

/** Their rows have their outcomes, or never begin. */
const ENDED = ['completed', 'cancelled'];

export function payoutViolations(evidence: Evidence): string[] {
  const { payouts, rows } = evidence.payouts;
  const rowsOf = Map.groupBy(rows, ({ payout_id }) => payout_id);
  return [
    ...uploadViolations(evidence),
    ...payouts.flatMap((payout) => fileViolations(evidence, payout, rowsOf.get(payout.id) ?? [])),
    ...payouts.flatMap((payout) => endViolations(payout, rowsOf.get(payout.id) ?? [])),
    ...rows.flatMap((row) => rowViolations(evidence, row)),
    ...onceViolations(evidence),
    ...keyViolations(evidence),
    ...shownViolations(evidence, rowsOf),
    ...toldViolations(evidence, rowsOf),
  ];
}

/** What was accepted is there, and what was refused is not. */
function uploadViolations({ payouts: { uploads, payouts, steps }, restored }: Evidence): string[] {
  const kept = new Set(uploads.filter(({ answer }) => mayBeKept(answer)).map(({ file }) => file.name));
  const made = new Set(steps.map(({ name }) => name));
  return uploads.flatMap(({ file, answer }) => {
    const name = `file ${file.name}: ${answer?.status} ${answer?.code}`;
    if (answer?.status === 500) return [`${name}: no answer for a client`];
    if (answer?.status === 201) {
      const payout = payouts.find(({ id }) => id === answer.data?.id);
      return payout || restored ? [] : [`${name}, and there is no payout`];
    }
    return !kept.has(file.name) && made.has(file.name) ? [`${name}, and a payout of it was made`] : [];
  });
}

/** The rows of the file in its order; of a retry some of those that failed in the payout before. */
function fileViolations(evidence: Evidence, payout: PayoutNow, rows: PayoutRow[]): string[] {
  const { uploads, payouts } = evidence.payouts;
  const name = `payout ${payout.id} (${payout.status})`;
  const file = uploads.find((upload) => upload.file.name === payout.name)?.file;
  const before = payouts.find(({ id }) => id === payout.retry_of);
  const paying = payout.retry_of ? before?.wallet_id : file?.wallet_id;
  const isOfFile = payout.retry_of
    ? isRetryOf(evidence, payout, rows)
    : JSON.stringify(file?.rows.map(orderText)) === JSON.stringify(rows.map(rowText));
  return [
    ...(isOfFile ? [] : [`${name} does not have the rows of its file`]),
    ...(payout.retry_of ? rows.flatMap((row) => retryKeyViolations(evidence, row)) : []),
    ...(paying === payout.wallet_id
      ? []
      : [`${name} is of wallet ${payout.wallet_id}, its file of ${paying}`]),
    ...(rows.length === payout.row_count ? [] : [`${name} has ${rows.length} rows, not ${payout.row_count}`]),
  ];
}

/** Whether these are the failed rows of the payout, in its order, without those that may not be retried. */
function isRetryOf(evidence: Evidence, { id, retry_of }: PayoutNow, rows: PayoutRow[]): boolean {
  const failed = evidence.payouts.rows.filter((row) => row.payout_id === retry_of && row.status === 'failed');
  const texts = rows.map(retriedText);
  const taken = failed.filter((row) => texts.includes(retriedText(row)));
  return (
    JSON.stringify(taken.map(retriedText)) === JSON.stringify(texts) &&
    failed.every((row) => taken.includes(row) || isTaken(evidence, row, id))
  );
}

/** Its key has paid something else, or a payout or withdrawal beside the retry may pay it. */
function isTaken({ payouts, rows }: Evidence, row: PayoutRow, retry_id: string): boolean {
  if (['idempotency_key_mismatch', 'key_taken'].includes(row.failure_code ?? '')) return true;
  const isOfRow = (other: { idempotency_key: string; payout_id: string | null }) =>
    other.payout_id !== row.payout_id &&
    other.payout_id !== retry_id &&
    firstKey(other.idempotency_key) === firstKey(row.idempotency_key);
  return payouts.rows.some(isOfRow) || rows.some(isOfRow);
}

/** The attempt before that of the row has failed in a ledger, or can be in none. */
function retryKeyViolations({ rows, restored }: Evidence, row: PayoutRow): string[] {
  const attempt = attemptOf(row.idempotency_key);
  if (attempt === 0 || restored) return [];
  const first = firstKey(row.idempotency_key);
  const before = attempt === 1 ? first : `${first}·retry${attempt - 1}`;
  return rows.some(({ idempotency_key, status }) => idempotency_key === before && status === 'failed')
    ? []
    : [
        `row ${row.number} of payout ${row.payout_id} has the key ${row.idempotency_key}, and ${before} has not failed`,
      ];
}

type Paid = Pick<Order, 'destination' | 'amount_stroops' | 'memo_id'> & { key: string; asset: string };

function orderText(order: Order | PayoutRow): string {
  return text(order as Order);
}

function text({ key, destination, asset, amount_stroops, memo_id }: Paid): string {
  return [key, destination, asset, amount_stroops, memo_id].join(' ');
}

function rowText(row: PayoutRow): string {
  return text({ ...row, key: row.idempotency_key, asset: assetNameOf(row) });
}

/** What a row pays, whichever attempt of it this is. */
function retriedText(row: PayoutRow): string {
  return rowText({ ...row, idempotency_key: firstKey(row.idempotency_key) });
}

/** What has ended has only rows that have, and what has none left has ended. */
function endViolations({ id, status }: PayoutNow, rows: PayoutRow[]): string[] {
  const name = `payout ${id} (${status})`;
  const open = rows.filter((row) => ['waiting', 'pending'].includes(row.status));
  return [
    ...(ENDED.includes(status) && open.length > 0
      ? [`${name} has ended, and ${open.length} rows have not`]
      : []),
    ...(status === 'running' ? [`${name} still runs, with ${open.length} rows that have not ended`] : []),
    ...(status === 'paused' && open.length === 0 ? [`${name} has no row left, and was not completed`] : []),
    ...(status === 'completed' && rows.some((row) => row.status === 'cancelled')
      ? [`${name} was completed, and has a cancelled row`]
      : []),
  ];
}

/** A row has begun when it has a withdrawal, and says what that says: the ledger decides about both. */
function rowViolations(evidence: Evidence, row: PayoutRow): string[] {
  const name = `row ${row.number} of payout ${row.payout_id} (${row.status})`;
  const own = evidence.rows.filter(
    ({ payout_id, payout_row }) => payout_id === row.payout_id && payout_row === row.number,
  );
  const withdrawal = evidence.rows.find(({ id }) => id === row.withdrawal_id);
  const unlinked = own.filter(({ id }) => id !== row.withdrawal_id);
  const found = unlinked.map(({ id }) => `${name} has the withdrawal ${id}, and does not say so`);
  if (row.withdrawal_id === null) {
    const begun = row.status === 'pending' || row.status === 'confirmed';
    return begun ? [...found, `${name} has no withdrawal`] : found;
  }
  if (!withdrawal) return [...found, `${name} names ${row.withdrawal_id}, which there is not`];
  const isSame =
    rowText(row) === text({ ...withdrawal, key: withdrawal.idempotency_key, asset: assetNameOf(withdrawal) });
  const paid = paymentOf(evidence, withdrawal.inner_tx_hash);
  const isPaid = paid?.successful === true;
  return [
    ...found,
    ...(isSame ? [] : [`${name} is paid by ${withdrawal.id}, which is another payment`]),
    ...(row.status === withdrawal.status
      ? []
      : [`${name} says so of ${withdrawal.id}, which is ${withdrawal.status}`]),
    ...(isPaid === (row.status === 'confirmed')
      ? []
      : [`${name}: the ledger has ${paid?.hash ?? 'no payment'}`]),
    ...(paid ? differences(name, row, paid) : []),
  ];
}

function paymentOf({ transactions }: Evidence, inner_hash: string | null): AppliedTransaction | undefined {
  return inner_hash === null ? undefined : transactions.find((one) => one.inner_hash === inner_hash);
}

function differences(
  name: string,
  row: PayoutRow,
  { hash, memo_id, payments }: AppliedTransaction,
): string[] {
  const [payment] = payments;
  const paid =
    payment &&
    text({ ...payment, destination: payment.destination_address, memo_id, key: row.idempotency_key });
  return paid === rowText(row) ? [] : [`${name} was PAID otherwise by ${hash}: ${paid}`];
}

/** No more payments than customers wanted, whatever keys retries gave them. */
function onceViolations(evidence: Evidence): string[] {
  const own = new Set(evidence.wallets.map(({ account }) => account));
  const orders = ordersOf(evidence);
  const paid = new Map<number, string[]>();
  for (const transaction of evidence.transactions) {
    const { successful, hash, payments } = transaction;
    const payment = payments.find(({ source }) => own.has(source));
    if (!successful || !payment || evidence.foreign.includes(hash) || refundIn(transaction)) continue;
    const serial = serialOf(payment.amount_stroops);
    if (orders.has(serial)) paid.set(serial, [...(paid.get(serial) ?? []), hash]);
  }
  return [...paid].flatMap(([serial, hashes]) => {
    const wanted = orders.get(serial) ?? [];
    return hashes.length <= wanted.length
      ? []
      : [`${wanted.map(({ key }) => key)} was PAID ${hashes.length} TIMES: ${hashes}`];
  });
}

/** A retry pays only what failed before: at most one attempt of a row is in the ledger with success, and it is the last one. */
function keyViolations(evidence: Evidence): string[] {
  const orders = ordersOf(evidence);
  const spent = [...spentByKey(evidence, orders)].flatMap(([key, made]) =>
    made.map((transaction) => ({ key, transaction })),
  );
  const attempts = Map.groupBy(spent, ({ key, transaction: { payments } }) =>
    [firstKey(key), ...payments.map(({ amount_stroops }) => amount_stroops)].join(' '),
  );
  return [...attempts.values()].flatMap((made) =>
    made.flatMap(({ key, transaction: { hash, ledger, successful } }) => {
      const later = made.filter((other) => attemptOf(other.key) > attemptOf(key));
      if (later.length === 0) return [];
      return [
        ...(successful ? [`${firstKey(key)} was PAID as ${key}, and retried`] : []),
        ...(later.some(({ transaction }) => transaction.ledger < ledger)
          ? [`${firstKey(key)} was retried before its attempt ${hash} had failed`]
          : []),
      ];
    }),
  );
}

function attemptOf(key: string): number {
  return Number(/·retry([0-9]+)$/.exec(key)?.[1] ?? 0);
}

/** The counts of a payout are those of its rows. */
function shownViolations(
  { payouts: { shown, payouts, uploads, calls } }: Evidence,
  rowsOf: RowsOf,
): string[] {
  const answers = [...uploads, ...calls].flatMap(({ answer }) => answer?.data ?? []);
  return [
    ...answers.flatMap((data) => sumViolations(data, 'an answer')),
    ...(shown ?? []).flatMap((payout) => {
      const counts = countsOf(rowsOf.get(payout.id) ?? []);
      return JSON.stringify(counts) === JSON.stringify(payout.counts)
        ? []
        : [
            `payout ${payout.id} shows ${JSON.stringify(payout.counts)}, its rows are ${JSON.stringify(counts)}`,
          ];
    }),
    ...(shown && shown.length !== payouts.length
      ? [`${shown.length} payouts are shown, and there are ${payouts.length}`]
      : []),
  ];
}

type RowsOf = Map<string, PayoutRow[]>;

function sumViolations({ id, row_count, counts }: ShownPayout, where: string): string[] {
  const sum = Object.values(counts).reduce((all, count) => all + count, 0);
  return sum === row_count ? [] : [`payout ${id}: ${where} counts ${sum} rows, and it has ${row_count}`];
}

function countsOf(rows: PayoutRow[]): PayoutCounts {
  const counts = { waiting: 0, pending: 0, confirmed: 0, failed: 0, cancelled: 0 };
  for (const { status } of rows) counts[status]++;
  return counts;
}

/** Each endpoint that has chosen it gets one true event of the end of a payout. There are no other events. */
function toldViolations({ payouts: known, choices }: Evidence, rowsOf: RowsOf): string[] {
  const { payouts, events, deliveries, completed_at } = known;
  const told = Map.groupBy(
    events,
    ({ body }) => /"data":\{"id":"(\w+)"/.exec(body)?.[1] ?? body.slice(0, 80),
  );
  const completed = payouts.filter(({ status }) => status === 'completed');
  const unknown = [...told.keys()].filter((id) => !completed.some((payout) => payout.id === id));
  return [
    ...unknown.map((id) => `payout.completed ${id} was told, and it is not completed`),
    ...completed.flatMap(({ id, wallet_id }) => {
      const name = `payout.completed ${id}`;
      const at = completed_at.get(id) ?? null;
      const chosen = choosing(
        choices.endpoints.filter((endpoint) => endpoint.wallet_id === wallet_id),
        'payout.completed',
      );
      const [event, ...more] = told.get(id) ?? [];
      if (!event)
        return chosen.some((endpoint) => isSurelyThere(endpoint, at)) ? [`${name} was told to nobody`] : [];
      const receivers = deliveries.filter(({ event_id }) => event_id === event.id);
      const counts = `"counts":${JSON.stringify(countsOf(rowsOf.get(id) ?? []))}`;
      return [
        ...(more.length > 0 ? [`${name} was told ${more.length + 1} times`] : []),
        ...(event.wallet_id === wallet_id ? [] : [`${name} is an event of wallet ${event.wallet_id}`]),
        ...(event.body.includes(counts) && event.body.includes('"status":"completed"')
          ? []
          : [`${name} does not say ${counts}: ${event.body}`]),
        ...receiverViolations(name, event, chosen, receivers),
      ];
    }),
  ];
}
