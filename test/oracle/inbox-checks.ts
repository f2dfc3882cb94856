/** Pure: what contradicts "assigned once, or refunded once, never both", in words. */

import type { DepositRow } from './deposit-evidence.ts';
import { assetNameOf, type Evidence, type WithdrawalRow } from './evidence.ts';
import { refundIn } from './ledger.ts';
import { dataViolations, outcomeViolations } from './withdrawal-checks.ts';

export function inboxViolations(evidence: Evidence): string[] {
  const { rows, deposits } = evidence;
  const refunds = Map.groupBy(
    rows.filter(({ refund_of }) => refund_of !== null),
    ({ refund_of }) => refund_of,
  );
  const known = new Map(deposits.rows.map((row) => [row.id, row]));
  return [
    ...[...refunds.values()].flat().flatMap((refund) => refundViolations(evidence, known, refund)),
    ...deposits.rows.flatMap((deposit) => depositViolations(deposit, refunds.get(deposit.id) ?? [])),
    ...ledgerViolations(evidence),
    ...answerViolations(evidence, known),
  ];
}

function refundViolations(
  evidence: Evidence,
  known: Map<string, DepositRow>,
  refund: WithdrawalRow,
): string[] {
  const name = `refund ${refund.id} of ${refund.refund_of} (${refund.state})`;
  const deposit = known.get(refund.refund_of ?? '');
  if (!deposit) return [`${name}: there is no such deposit`];
  const { wallet_id, amount_stroops, source_account, source_account_muxed, stellar_tx_hash } = deposit;
  if (
    refund.wallet_id !== wallet_id ||
    assetNameOf(refund) !== assetNameOf(deposit) ||
    refund.amount_stroops !== amount_stroops ||
    refund.destination !== (source_account_muxed ?? source_account) ||
    refund.memo_return !== stellar_tx_hash
  )
    return [`${name} is not what was paid in`];
  const asked = evidence.inbox.some(
    ({ deposit_id, address_id }) => deposit_id === deposit.id && address_id === null,
  );
  if (!asked && !evidence.restored) return [`${name}: nobody asked for it`];
  const transaction = evidence.transactions.find(({ hash }) => hash === refund.stellar_tx_hash);
  return outcomeViolations(evidence, name, refund, transaction);
}

/** A failed refund has moved nothing. */
function depositViolations(
  { id, attributed, assigned_by_hand }: DepositRow,
  refunds: WithdrawalRow[],
): string[] {
  const living = refunds.filter(({ status }) => status !== 'failed');
  return [
    ...(living.length > 1 ? [`deposit ${id} has ${living.length} refunds that are not failed`] : []),
    ...(attributed && living.length > 0 ? [`deposit ${id} is attributed and refunded`] : []),
    ...(assigned_by_hand && !attributed ? [`deposit ${id} was assigned and is not attributed`] : []),
  ];
}

/** Compares with the ledger alone: a deposit that a wallet paid back was paid in before, and no address got it. */
function ledgerViolations({ transactions, wallets, deposits }: Evidence): string[] {
  const accounts = new Map(wallets.map(({ id, account }) => [id, account]));
  const refundable = Map.groupBy(
    deposits.rows.filter(({ attributed }) => !attributed),
    (row) =>
      `${accounts.get(row.wallet_id)} ${row.stellar_tx_hash} ${row.source_account} ${assetNameOf(row)} ${row.amount_stroops}`,
  );
  const own = new Set(accounts.values());
  const made = transactions.filter(
    (one) => one.successful && refundIn(one) && one.payments.some(({ source }) => own.has(source)),
  );
  const paid = Map.groupBy(made, (one) => {
    const [payment] = one.payments;
    return `${payment?.source} ${refundIn(one)} ${payment?.destination} ${payment?.asset} ${payment?.amount_stroops}`;
  });
  return [...paid].flatMap(([what, all]) => {
    const most = refundable.get(what)?.length ?? 0;
    return all.length > most ? [`REFUNDED ${all.length} TIMES, of ${most} deposits: ${what}`] : [];
  });
}

function answerViolations(evidence: Evidence, known: Map<string, DepositRow>): string[] {
  const { inbox, restored } = evidence;
  const rows = new Map(evidence.rows.map((row) => [row.id, row]));
  return inbox.flatMap(({ deposit_id, address_id, answer }) => {
    if (answer === null) return [];
    const name = `${address_id === null ? 'refund' : 'assignment'} of ${deposit_id}: ${answer.status} ${answer.code}`;
    if (answer.status === 500) return [`${name}: no answer for a client`];
    if (address_id === null) {
      const { data, status } = answer;
      return data ? dataViolations(name, data, status, rows.get(data.id), restored) : [];
    }
    const done = answer.status === 200 && known.get(deposit_id)?.address_id !== address_id;
    return done && !restored ? [`${name}, and it is not so`] : [];
  });
}
