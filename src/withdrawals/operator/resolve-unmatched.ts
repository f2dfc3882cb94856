/**
 * Resolves many unmatched transactions at once from a client's list of its requests: after a restore or a failover the
 * client knows which keys it has used, and the ledger knows which were paid.
 *
 * | transaction                             | belongs to a request                                                      |
 * |-----------------------------------------|---------------------------------------------------------------------------|
 * | with a fingerprint                      | whose key has this fingerprint, and whose payment does not differ         |
 * | without one (made elsewhere)            | whose payment is the same, when as many requests as transactions have it  |
 * |                                         | and all of these transactions have one outcome                            |
 *
 * Nothing changes before a person has seen the review. Then everything changes in one transaction, or nothing.
 */
import type { Deps } from '../../deps.ts';
import { listUnassigned, type UnmatchedTransaction } from '../../ledgers/unmatched-store.ts';
import { OperatorError } from '../../lib/errors.ts';
import { assetText } from '../../stellar/asset.ts';
import { recipientOf } from '../../stellar/recipient.ts';
import { paymentIn } from '../../stellar/transactions/envelope.ts';
import { paymentFingerprint } from '../engine/forgotten-payments.ts';
import { keyFingerprint } from '../engine/key-fingerprint.ts';
import { decodeUnmatched } from '../engine/outcome.ts';
import { findByKeys, ownerOfWallet } from '../engine/queries.ts';
import type { ClientRequest } from './client-requests.ts';
import { restoreWithdrawal } from './restore-withdrawal.ts';
import { acceptOne, describeTransaction } from './unmatched.ts';

/** `by`: what shows that the request has paid the transaction. */
export type Assignment = { unmatched: UnmatchedTransaction; request: ClientRequest; by: 'key' | 'payment' };

export type Review = {
  assignments: Assignment[];
  /** Transactions that no request has, or that more than one may have. Refunds are among them: ask for the refund again. */
  left: UnmatchedTransaction[];
  /** Requests whose keys have a withdrawal. */
  known: ClientRequest[];
  /** Requests that no transaction shows to be paid. */
  unpaid: ClientRequest[];
};

type ReviewDeps = Pick<Deps, 'db' | 'clock' | 'config'>;

/** Finds which transaction is the payment of which request. Changes nothing. */
export async function reviewRequests({ db, config }: ReviewDeps, requests: ClientRequest[]): Promise<Review> {
  const open = (await listUnassigned(db)).filter(({ released_at }) => released_at === null);
  const owners = new Map<string, string>();
  for (const { wallet_id } of open)
    if (!owners.has(wallet_id)) owners.set(wallet_id, await ownerOfWallet(db, wallet_id));
  const known = await withWithdrawals(db, requests, owners);
  const asked = requests.filter((request) => !known.has(request));
  const payments = open.filter(
    (each) => (paymentIn(config.passphrase, each.envelope_xdr)?.memo_return ?? null) === null,
  );
  const byKey = matchByKey(config.passphrase, payments, asked);
  const taken = new Set(byKey.map(({ request }) => request));
  const byPayment = matchByPayment(
    config.passphrase,
    payments.filter(({ envelope_xdr }) => paymentFingerprint(config.passphrase, envelope_xdr) === null),
    asked.filter((request) => !taken.has(request)),
  );
  const assignments = [...byKey, ...byPayment];
  const assigned = new Set(assignments.map(({ unmatched }) => unmatched));
  const paid = new Set(assignments.map(({ request }) => request));
  return {
    assignments,
    left: open.filter((each) => !assigned.has(each)),
    known: [...known],
    unpaid: asked.filter((request) => !paid.has(request)),
  };
}

/** Requests whose key has a withdrawal: of the wallet's owner, or of every owner that the request may be of. */
async function withWithdrawals(
  db: ReviewDeps['db'],
  requests: ClientRequest[],
  owners: Map<string, string>,
): Promise<Set<ClientRequest>> {
  const all = [...new Set(owners.values())];
  const ownersOf = ({ wallet_id }: ClientRequest) => {
    const owner = wallet_id === null ? undefined : owners.get(wallet_id);
    return owner === undefined ? all : [owner];
  };
  const keys = requests.flatMap((request) =>
    ownersOf(request).map((owner_id) => ({ owner_id, idempotency_key: request.idempotency_key })),
  );
  const found = new Set(
    (await findByKeys(db, keys)).map((each) => `${each.owner_id} ${each.idempotency_key}`),
  );
  return new Set(
    requests.filter((request) => {
      const owners_of = ownersOf(request);
      return (
        owners_of.length > 0 && owners_of.every((owner) => found.has(`${owner} ${request.idempotency_key}`))
      );
    }),
  );
}

/**
 * Matches transactions with requests by their keys. A request that fits two transactions is left to a person: its key may be
 * paid twice.
 */
function matchByKey(
  passphrase: string,
  transactions: UnmatchedTransaction[],
  requests: ClientRequest[],
): Assignment[] {
  const ofWallet = new Map(
    [...new Set(transactions.map(({ wallet_id }) => wallet_id))].map((wallet_id) => [
      wallet_id,
      Map.groupBy(requests, ({ idempotency_key }) => keyFingerprint(wallet_id, idempotency_key)),
    ]),
  );
  const found = transactions.flatMap((unmatched) => {
    const { wallet_id, key_fingerprint } = unmatched;
    const same = (key_fingerprint !== null && ofWallet.get(wallet_id)?.get(key_fingerprint)) || [];
    const fitting = same.filter((request) => mayPay(passphrase, unmatched, request));
    const [request] = fitting;
    return request && fitting.length === 1 ? [{ unmatched, request, by: 'key' as const }] : [];
  });
  const times = Map.groupBy(found, ({ request }) => request);
  return found.filter(({ request }) => times.get(request)?.length === 1);
}

/**
 * Returns true when nothing that the request says of its payment differs from the transaction; false when the transaction is no
 * payment.
 */
function mayPay(
  passphrase: string,
  unmatched: UnmatchedTransaction,
  { wallet_id, payment }: ClientRequest,
): boolean {
  const paid = paymentIn(passphrase, unmatched.envelope_xdr);
  if (!paid || (wallet_id !== null && wallet_id !== unmatched.wallet_id)) return false;
  return payment === null || textOf(paid) === textOf(payment);
}

function matchByPayment(
  passphrase: string,
  transactions: UnmatchedTransaction[],
  requests: ClientRequest[],
): Assignment[] {
  const asked = Map.groupBy(requests, ({ wallet_id, payment }) =>
    wallet_id !== null && payment ? `${wallet_id} ${textOf(payment)}` : '',
  );
  const paid = Map.groupBy(transactions, ({ wallet_id, envelope_xdr }) => {
    const payment = paymentIn(passphrase, envelope_xdr);
    return payment ? `${wallet_id} ${textOf(payment)}` : '';
  });
  return [...paid].flatMap(([text, same]) => {
    const equal = text === '' ? [] : (asked.get(text) ?? []);
    // Which of them was paid, or which of them failed, nobody can tell.
    if (equal.length !== same.length || !haveOneOutcome(passphrase, same)) return [];
    return same.map((unmatched, index) => ({
      unmatched,
      request: equal[index] as ClientRequest,
      by: 'payment' as const,
    }));
  });
}

function haveOneOutcome(passphrase: string, transactions: UnmatchedTransaction[]): boolean {
  const outcomes = transactions.map((each) => {
    const applied = decodeUnmatched(passphrase, each);
    return 'unusable' in applied ? null : applied.successful;
  });
  return new Set(outcomes).size === 1;
}

function textOf(payment: NonNullable<ClientRequest['payment']>): string {
  const { destination, memo_id } = recipientOf(payment);
  return `${assetText(payment)} ${destination} ${payment.amount_stroops} ${memo_id}`;
}

/**
 * Returns true for what `accept_rest` accepts: an unresolved transaction that is not a refund that has paid. The deposit of
 * such a refund would be payable again.
 */
function isForAcceptRest({ resolved_at, refunds_hash }: UnmatchedTransaction): boolean {
  return resolved_at === null && refunds_hash === null;
}

/**
 * Carries the review out in one transaction: each assigned key gets its withdrawal. `accept_rest`: the transactions that
 * are left are accepted (`acceptUnmatched`), except refunds and those that are accepted already.
 * @throws OperatorError, and nothing is changed, when something has changed since the review, or one of them cannot be
 * accepted
 */
export async function applyReview(
  deps: ReviewDeps,
  { assignments, left }: Review,
  { accept_rest }: { accept_rest: boolean },
): Promise<{ assigned: number; accepted: number }> {
  const rest = accept_rest ? left.filter(isForAcceptRest) : [];
  return deps.db.transaction().execute(async (trx) => {
    for (const { unmatched, request } of assignments) {
      const { idempotency_key, reference } = request;
      await restoreWithdrawal(trx, deps, { unmatched, idempotency_key, reference });
    }
    for (const { hash } of rest) await acceptOne(trx, deps, { hash, allow_duplicate: false });
    return { assigned: assignments.length, accepted: rest.length };
  });
}

/** Describes the review for a person: a line for each transaction, and one with the numbers. */
export function describeReview(passphrase: string, { assignments, left, known, unpaid }: Review): string {
  const how = { key: 'the transaction has its fingerprint', payment: 'the same payment' };
  const lines = [
    ...assignments.map(
      ({ unmatched, request, by }) =>
        `${request.idempotency_key} (${how[by]}) = ${describeTransaction(passphrase, unmatched)}`,
    ),
    ...left.map((each) => `left: ${describeTransaction(passphrase, each)}`),
  ];
  const counts =
    `${assignments.length} transactions belong to a request; ${left.length} are left. Of the requests ${known.length} ` +
    `have a withdrawal, ${unpaid.length} are paid by no unmatched transaction.\n`;
  return lines.join('') + counts;
}

/** Returns the review for a program: hashes and keys. */
export function reviewAsData({ assignments, left, known, unpaid }: Review) {
  const keys = (requests: ClientRequest[]) => requests.map(({ idempotency_key }) => idempotency_key);
  return {
    assignments: assignments.map(({ unmatched: { hash, wallet_id, ledger }, request, by }) => ({
      hash,
      wallet_id,
      ledger,
      idempotency_key: request.idempotency_key,
      by,
    })),
    left: left.map(({ hash }) => hash),
    known: keys(known),
    unpaid: keys(unpaid),
  };
}

/** @throws OperatorError when two requests have one key */
export function refuseRepeatedKeys(requests: ClientRequest[]): void {
  const lines = Map.groupBy(requests, ({ idempotency_key }) => idempotency_key);
  for (const [key, [first, second]] of lines)
    if (first && second)
      throw new OperatorError(`The lines ${first.line} and ${second.line} have the same key: ${key}.`);
}
