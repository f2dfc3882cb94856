/**
 * What may be said of a withdrawal, and on what proof. The reader of ledgers, the look-up by hash and the recovery after a crash
 * all end here; two processes that do it for the same row do no harm.
 *
 * | state     | what is true                                  | next step                        | a crash here leads to              |
 * |-----------|-----------------------------------------------|----------------------------------|------------------------------------|
 * | queued,   | the key is taken; nothing was ever signed     | a transaction source when its turn has come    | nothing: it is everybody's         |
 * | no transaction source   |                                               | (dispatch.ts)                    |                                    |
 * | queued,   | the same; the transaction source is its own                 | read the sequence number, sign,  | another process adopts the row and |
 * | with transaction source |                                               | commit (dispatch.ts)             | signs, or finds it signed          |
 * | signed    | envelope, hashes and max_time are committed;  | send the same inner transaction, | another process adopts the row and |
 * |           | it may have been sent, once or often          | until proof (submissions.ts)         | sends the same                     |
 * | confirmed | the ledger has it and it succeeded            | none                             |                                    |
 * | failed    | the ledger has it and it failed; or it can    | none                             |                                    |
 * |           | never be in a ledger (see `neverApplied`)     |                                  |                                    |
 *
 * Never: a second inner transaction for a row; an outcome because of an error, a 404, a clock or what a node said to a
 * submission. The transaction source is held from before signing until the outcome, so no other envelope competes for the sequence.
 */
import { strict as assert } from 'node:assert';
import type { Deps } from '../../deps.ts';
import { type UnmatchedTransaction, unmatchedAssignedTo } from '../../ledgers/unmatched-store.ts';
import type { Lookup } from '../../stellar/stellar.ts';
import { type AppliedTransaction, appliedTransaction } from '../../stellar/transactions/applied.ts';
import { failureMessage } from '../../stellar/transactions/result-codes.ts';
import { type Applied, notifyOutcomes, recordExpired, recordOutcomes, type Withdrawal } from './store.ts';
import { advanceSequences, freeTxSources, recordBlockedReason } from './tx-source-store.ts';

type Absent = Extract<Lookup, { found: 'absent' }>;

/** What became of a transaction that only the ledger had. */
export function decodeUnmatched(
  passphrase: string,
  { ledger, envelope_xdr, result_xdr }: UnmatchedTransaction,
) {
  const [envelope, result] = [Buffer.from(envelope_xdr, 'base64'), Buffer.from(result_xdr, 'base64')];
  return appliedTransaction(passphrase, { ledger, envelope, result });
}

/** The outcome that a transaction in the ledger gives its withdrawal. */
export function outcomeOf(
  id: string,
  found: Pick<
    AppliedTransaction,
    'hash' | 'inner_hash' | 'ledger' | 'fee_stroops' | 'fee_account' | 'failure_code' | 'successful'
  >,
): Applied {
  const { successful, ledger, fee_stroops, fee_account, failure_code: code } = found;
  const hashes = { stellar_tx_hash: found.hash, inner_tx_hash: found.inner_hash };
  const failure = code === null ? null : { code, message: failureMessage(code) };
  return { id, successful, ledger, fee_stroops, fee_account, ...hashes, failure };
}

/** Records what a look-up by hash has found in the ledger, as the reader of ledgers would have. */
export async function recordFoundOutcome(
  deps: Pick<Deps, 'db' | 'clock' | 'metrics'>,
  withdrawal: Withdrawal,
  found: Extract<Lookup, { found: 'applied' }>,
): Promise<void> {
  const { id, tx_source, sequence, inner_tx_hash: inner_hash } = withdrawal;
  assert(tx_source !== null && sequence !== null && inner_hash !== null);
  await deps.db.transaction().execute(async (trx) => {
    // An older copy of the database may have forgotten the hash that this process has looked for.
    await recordOutcomes(trx, [outcomeOf(id, { ...found, inner_hash })], deps.clock.now());
    await advanceSequences(trx, [{ account: tx_source, sequence }]);
    await freeTxSources(trx, [id]);
    await notifyOutcomes(trx);
  });
  deps.metrics.withdrawal_outcomes.inc({ outcome: found.successful ? 'confirmed' : 'failed' });
}

/**
 * Its time is over. It failed if that can be proven, unless a person has found out that an unmatched transaction transaction was its
 * payment. False when it cannot be said yet.
 */
export async function recordExpiryIfProven(
  deps: Deps,
  withdrawal: Withdrawal,
  absent: Absent,
): Promise<boolean> {
  const { id, tx_source } = withdrawal;
  assert(tx_source !== null);
  if (!neverApplied(withdrawal, absent)) {
    const recorded = await recordBlockedReason(deps.db, {
      account: tx_source,
      withdrawal_id: id,
      blocked_reason: UNCOVERED,
    });
    if (recorded) deps.log.error({ withdrawal_id: id, account: tx_source }, UNCOVERED);
    return false;
  }
  const unmatched = await unmatchedAssignedTo(deps.db, id);
  const now = deps.clock.now();
  const done = await deps.db.transaction().execute(async (trx) => {
    if (unmatched) {
      const applied = decodeUnmatched(deps.config.passphrase, unmatched);
      assert(!('unusable' in applied), 'a unmatched was readable when it was recorded');
      await recordOutcomes(trx, [outcomeOf(id, applied)], now);
    } else {
      const failure = { code: 'expired', message: failureMessage('expired') };
      if (!(await recordExpired(trx, id, failure, now))) return false;
    }
    await freeTxSources(trx, [id]);
    await notifyOutcomes(trx);
    return true;
  });
  if (done) deps.metrics.withdrawal_outcomes.inc({ outcome: unmatched ? 'assigned' : 'expired' });
  return done;
}

const UNCOVERED =
  'The history of the network source does not cover the first sending of a withdrawal, so that its outcome cannot be ' +
  'proven. Give STELLAR_RPC_URL a source with a longer history.';

/**
 * The one proof that a transaction never was and never will be applied: a single source whose history covers our first
 * sending (a network that was reset covers none of it), which has a ledger closed at or after max_time, and no such
 * hash. Close times strictly increase and a ledger takes nothing whose max_time is before its close time, so equality
 * is enough.
 * Source: stellar-core TransactionFrame::isTooLate, HerderSCPDriver close time rule.
 */
export function neverApplied(
  withdrawal: Pick<Withdrawal, 'max_time' | 'signed_ledger'>,
  absent: Absent,
): boolean {
  assert(withdrawal.max_time !== null && withdrawal.signed_ledger !== null);
  const { signed_ledger, max_time } = withdrawal;
  const covered = absent.oldest_ledger <= signed_ledger && signed_ledger <= absent.latest_ledger;
  return covered && absent.latest_close_time >= max_time;
}
