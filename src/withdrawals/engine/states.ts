/**
 * Every transition of a withdrawal's status. Nothing else changes a status: states.test.ts reads the statements of src/
 * and fails when one sets a status outside the functions named here, which are in store.ts and awaiting-store.ts.
 *
 * | state     | what is true                                       | next step                          | a crash here leads to              |
 * |-----------|----------------------------------------------------|------------------------------------|------------------------------------|
 * | awaiting_ | the key is taken; nothing was signed, and nothing  | enough approvals: queued. A        | nothing: it waits for members, or  |
 * | approval  | is signed                                          | rejection or its end: failed       | for its end                        |
 * | queued,   | the key is taken; nothing was signed               | a transaction source in turn       | nothing: any process continues     |
 * | no source |                                                    | (tx-source-store.ts)               |                                    |
 * | queued,   | the transaction source is reserved for it          | read the sequence number, sign,    | another process adopts the row     |
 * | source    |                                                    | commit (sign-batch.ts)             | and signs, or finds it signed      |
 * | signed    | envelope, hashes and max_time are committed; the   | send the same inner transaction    | another process adopts the row     |
 * |           | envelope may have been sent, once or often         | until proof (submissions.ts)       | and sends the same envelope        |
 * | confirmed | the ledger has it, and it succeeded                | none                               |                                    |
 * | failed    | the ledger has it, and it failed; or no ledger can | none                               |                                    |
 * |           | ever have it (outcome.ts, `neverApplied`); or it   |                                    |                                    |
 * |           | was never signed, and never will be                |                                    |                                    |
 *
 * A row never gets a second inner transaction. An error, a 404, a clock or the answer of a node never gives a row an
 * outcome. It keeps its transaction source from before signing until its outcome, so no other envelope competes for the
 * sequence number.
 */
import { sql } from 'kysely';
import type { Tables } from '../../db/tables.ts';

export type Status = Tables['withdrawals']['status'];

type Transition = {
  /** Null: there is no row yet. */
  from: readonly Status[] | null;
  /** Null: the row is gone. */
  to: readonly Status[] | null;
  who: string;
  /** Conditions of the statement besides the status that it starts from. */
  guard: string;
};

/** By the name of the function that makes the transition, in one statement. */
export const TRANSITIONS = {
  insertClaims: {
    from: null,
    to: ['queued'],
    who: 'a request for a withdrawal, a refund or a trust line, or a payout for its row (claims.ts)',
    guard: 'unique (owner_id, idempotency_key); unique (refund_of) while not failed',
  },
  undoClaims: {
    from: ['queued'],
    to: null,
    who: 'the same transaction, when the policy forbids the withdrawal (claims.ts)',
    guard: 'the rows are not committed yet, so nobody else has seen them',
  },
  holdClaims: {
    from: ['queued'],
    to: ['awaiting_approval'],
    who: 'the same transaction, when the policy asks for approvals (claims.ts)',
    guard: 'the rows are not committed yet, so nobody else has seen them',
  },
  recordApproval: {
    from: ['awaiting_approval'],
    to: ['awaiting_approval', 'queued'],
    who: 'a member who approves; the last one that is needed queues it (approvals/decide-withdrawal.ts)',
    guard: 'the user has not decided yet; the team, the row and the policy are locked',
  },
  recordRefusal: {
    from: ['awaiting_approval'],
    to: ['failed'],
    who: 'a member who rejects (approvals/decide-withdrawal.ts), its end, or that of its requester (approvals/expiry.ts)',
    guard:
      'never signed; the ledgers are processed, and no unmatched transaction may be its payment, nor is one assigned to it',
  },
  insertPaid: {
    from: null,
    to: ['confirmed', 'failed'],
    who: 'an operator, for a payment whose withdrawal an older copy forgot (operator/restore-withdrawal.ts)',
    guard:
      'unique (owner_id, idempotency_key); the transaction is assigned to the row in the same transaction',
  },
  recordSigned: {
    from: ['queued'],
    to: ['signed'],
    who: 'the sign loop (sign-batch.ts)',
    guard:
      'the row has the transaction source that the envelope uses; no unmatched transaction may be its payment; ' +
      'signingAllowed, and the withdrawal cursor is close enough to the ledger of the sequence number; no other signed row ' +
      'creates the same account',
  },
  recordOutcomes: {
    from: ['awaiting_approval', 'queued', 'signed'],
    to: ['confirmed', 'failed'],
    who: 'the ingest loop (ingest-outcomes.ts), a look-up by hash (outcome.ts), an operator (operator/)',
    guard: 'proof: a ledger has the transaction. Where it is not signed, an older copy forgot the signature',
  },
  recordExpired: {
    from: ['signed'],
    to: ['failed'],
    who: 'a look-up by hash (outcome.ts), after `neverApplied`',
    guard:
      'a ledger that closed after max_time is processed; no unmatched transaction may be its payment, and none is assigned to the row',
  },
  recordKeyTaken: {
    from: ['awaiting_approval', 'queued'],
    to: ['failed'],
    who: 'an operator, for a withdrawal whose key has paid something else (operator/unmatched.ts)',
    guard:
      'never signed; the ledger has an unmatched transaction with its key. Until the operator decides, recordSigned refuses it',
  },
} as const satisfies Record<string, Transition>;

export type TransitionName = keyof typeof TRANSITIONS;
type Guarded = Exclude<TransitionName, 'insertClaims' | 'insertPaid'>;

/** Statuses of withdrawals without an outcome that the engine works on. */
export const OPEN = ['queued', 'signed'] as const satisfies Status[];
export const WITH_OUTCOME = ['confirmed', 'failed'] as const satisfies Status[];

/** Returns the predicate on `withdrawals` that its status is one from which this transition starts. */
export function isInFromStatusOf(transition: Guarded) {
  const from = TRANSITIONS[transition].from.map((status) => sql.lit(status));
  return sql<boolean>`withdrawals.status in (${sql.join(from)})`;
}
