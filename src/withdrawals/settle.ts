/**
 * What may be said of a withdrawal, and on what proof. The follower, the look-up by hash and the recovery after a crash
 * all end here; two processes that do it for the same row do no harm.
 *
 * | state     | what is true                                  | next step                        | a crash here leads to              |
 * |-----------|-----------------------------------------------|----------------------------------|------------------------------------|
 * | queued,   | the key is taken; nothing was ever signed     | a lane when its turn has come    | nothing: it is everybody's         |
 * | no lane   |                                               | (dispatch.ts)                    |                                    |
 * | queued,   | the same; the lane is its own                 | read the sequence number, sign,  | another process adopts the row and |
 * | with lane |                                               | commit (dispatch.ts)             | signs, or finds it signed          |
 * | signed    | envelope, hashes and max_time are committed;  | send the same inner transaction, | another process adopts the row and |
 * |           | it may have been sent, once or often          | until proof (flights.ts)         | sends the same                     |
 * | confirmed | the ledger has it and it succeeded            | none                             |                                    |
 * | failed    | the ledger has it and it failed; or it can    | none                             |                                    |
 * |           | never be in a ledger (see `neverApplied`)     |                                  |                                    |
 *
 * Never: a second inner transaction for a row; an outcome because of an error, a 404, a clock or what a node said to a
 * submission. The lane is held from before signing until the outcome, so no other envelope competes for the sequence.
 */
import { strict as assert } from 'node:assert';
import { type AppliedTransaction, appliedTransaction } from '../chain/applied.ts';
import type { Lookup } from '../chain/chain.ts';
import { failureMessage } from '../chain/result-codes.ts';
import type { Deps } from '../deps.ts';
import { type Stray, strayOf } from './cursor-store.ts';
import { followSequences, freeLanes, recordLaneTrouble } from './lane-store.ts';
import { type Applied, announceSettled, finishApplied, finishExpired, type Withdrawal } from './store.ts';

type Absent = Extract<Lookup, { found: 'absent' }>;

/** What became of a transaction that only the ledger had. */
export function appliedStray(passphrase: string, { ledger, envelope_xdr, result_xdr }: Stray) {
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

/** Records what a look-up by hash has found in the ledger, as the follower would have. */
export async function settleFound(
  deps: Pick<Deps, 'db' | 'clock' | 'metrics'>,
  withdrawal: Withdrawal,
  found: Extract<Lookup, { found: 'applied' }>,
): Promise<void> {
  const { id, lane, sequence, inner_tx_hash: inner_hash } = withdrawal;
  assert(lane !== null && sequence !== null && inner_hash !== null);
  await deps.db.transaction().execute(async (trx) => {
    // An older copy of the database may have forgotten the hash that this process has looked for.
    await finishApplied(trx, [outcomeOf(id, { ...found, inner_hash })], deps.clock.now());
    await followSequences(trx, [{ account: lane, sequence }]);
    await freeLanes(trx, [id]);
    await announceSettled(trx);
  });
  deps.metrics.withdrawals_settled.inc({ outcome: found.successful ? 'confirmed' : 'failed' });
}

/**
 * Its time is over. It failed if that can be proven, unless a person has found out that a stray transaction was its
 * payment. False when it cannot be said yet.
 */
export async function settleAbsent(deps: Deps, withdrawal: Withdrawal, absent: Absent): Promise<boolean> {
  const { id, lane } = withdrawal;
  assert(lane !== null);
  if (!neverApplied(withdrawal, absent)) {
    const recorded = await recordLaneTrouble(deps.db, { account: lane, holder: id, trouble: UNCOVERED });
    if (recorded) deps.log.error({ withdrawal_id: id, account: lane }, UNCOVERED);
    return false;
  }
  const stray = await strayOf(deps.db, id);
  const now = deps.clock.now();
  const done = await deps.db.transaction().execute(async (trx) => {
    if (stray) {
      const applied = appliedStray(deps.config.passphrase, stray);
      assert(!('unusable' in applied), 'a stray was readable when it was recorded');
      await finishApplied(trx, [outcomeOf(id, applied)], now);
    } else {
      const failure = { code: 'expired', message: failureMessage('expired') };
      if (!(await finishExpired(trx, id, failure, now))) return false;
    }
    await freeLanes(trx, [id]);
    await announceSettled(trx);
    return true;
  });
  if (done) deps.metrics.withdrawals_settled.inc({ outcome: stray ? 'assigned' : 'expired' });
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
  withdrawal: Pick<Withdrawal, 'max_time' | 'first_sent_ledger'>,
  absent: Absent,
): boolean {
  assert(withdrawal.max_time !== null && withdrawal.first_sent_ledger !== null);
  const { first_sent_ledger, max_time } = withdrawal;
  const covered = absent.oldest_ledger <= first_sent_ledger && first_sent_ledger <= absent.latest_ledger;
  return covered && absent.latest_close_time >= max_time;
}
