/**
 * Records the outcome of a withdrawal, and defines the proof that it needs. states.ts lists the transitions. The ingest
 * loop and the look-up by hash both record outcomes here. Two processes that record the same row do no harm.
 */
import { strict as assert } from 'node:assert';
import type { Trx } from '../../db/database.ts';
import { isOver } from '../../ledgers/time-bound.ts';
import {
  assignedBeside,
  blockWallet,
  type UnmatchedTransaction,
  unmatchedAssignedTo,
} from '../../ledgers/unmatched-store.ts';
import { provesOwnTransfer } from '../../stellar/contracts/proven-transfer.ts';
import type { Lookup } from '../../stellar/stellar.ts';
import { type AppliedTransaction, appliedTransaction } from '../../stellar/transactions/applied.ts';
import { EXPIRED_FROZEN, failureMessage } from '../../stellar/transactions/result-codes.ts';
import type { EngineDeps } from './hooks.ts';
import {
  notifyOutcomes,
  type Outcome,
  type Recorded,
  recordExpired,
  recordOutcomes,
  type Withdrawal,
} from './store.ts';
import { freeTxSources, recordBlockedReason, recordUsedSources } from './tx-source-store.ts';

type Absent = Extract<Lookup, { found: 'absent' }>;

/** Decodes the result of an unmatched transaction, as its ledger recorded it. */
export function decodeUnmatched(
  passphrase: string,
  { ledger, envelope_xdr, result_xdr }: UnmatchedTransaction,
) {
  const [envelope, result] = [Buffer.from(envelope_xdr, 'base64'), Buffer.from(result_xdr, 'base64')];
  return appliedTransaction(passphrase, { ledger, envelope, result });
}

export function hasPaid(applied: ReturnType<typeof decodeUnmatched>): boolean {
  return !('unusable' in applied) && applied.successful;
}

/**
 * Finds transactions that were assigned to withdrawals whose outcomes, given here, came from other transactions. An assigned one
 * that has paid too blocks its wallet until a person has seen it. Returns the hashes of those.
 */
export async function blockSecondPayments(
  trx: Trx,
  passphrase: string,
  outcomes: Pick<Outcome, 'id' | 'stellar_tx_hash'>[],
): Promise<string[]> {
  if (outcomes.length === 0) return [];
  const beside = await assignedBeside(trx, outcomes);
  const paid = beside.filter((unmatched) => hasPaid(decodeUnmatched(passphrase, unmatched)));
  for (const { hash } of paid) await blockWallet(trx, hash);
  return paid.map(({ hash }) => hash);
}

export const PAID_TWICE =
  'The ledger has a payment with the key of a withdrawal that has another outcome: the key may be paid twice. Nothing is ' +
  'signed for the wallet until the transaction is resolved: "teller unmatched"; see the runbook.';

/** Returns the outcome that a transaction in the ledger gives its withdrawal. */
export function outcomeOf(
  { id, asset_issuer }: Pick<Withdrawal, 'id' | 'asset_issuer'>,
  found: Pick<
    AppliedTransaction,
    'hash' | 'inner_hash' | 'ledger' | 'fee_stroops' | 'fee_account' | 'failure_code' | 'successful'
  >,
): Outcome {
  const { successful, ledger, fee_stroops, fee_account, failure_code: code } = found;
  const hashes = { stellar_tx_hash: found.hash, inner_tx_hash: found.inner_hash };
  const failure = code === null ? null : { code, message: failureMessage(code, asset_issuer) };
  return { id, successful, ledger, fee_stroops, fee_account, ...hashes, failure };
}

/**
 * Records the outcome that a look-up by hash found in a ledger, as the ingest loop would have. False, and nothing is recorded,
 * when a contract transfer succeeded without the proof that it moved what was ordered.
 */
export async function recordFoundOutcome(
  deps: Pick<EngineDeps, 'db' | 'clock' | 'metrics' | 'traces' | 'config' | 'log' | 'stellar' | 'hooks'>,
  withdrawal: Withdrawal,
  found: Extract<Lookup, { found: 'applied' }>,
): Promise<boolean> {
  const { id, tx_source, sequence, inner_tx_hash: inner_hash } = withdrawal;
  assert(tx_source !== null && sequence !== null && inner_hash !== null && withdrawal.envelope_xdr !== null);
  if (!provesOwnTransfer(deps.config.passphrase, withdrawal.envelope_xdr, found)) {
    deps.log.error({ withdrawal_id: id, inner_hash }, UNPROVEN_TRANSFER);
    return false;
  }
  const appendEvents = await deps.hooks.outcomes.events(deps, [withdrawal]);
  const recorded = await deps.db.transaction().execute(async (trx) => {
    // With the inner hash: an older copy of the database may have forgotten the signature.
    const outcome = outcomeOf(withdrawal, { ...found, inner_hash });
    const now = deps.clock.now();
    const ids = await recordOutcomes(trx, [outcome], now);
    const second = await blockSecondPayments(trx, deps.config.passphrase, [outcome]);
    await recordUsedSources(trx, [{ account: tx_source, sequence, is_wallet: false }], [id]);
    await appendEvents(trx, [...ids.values()], now);
    return { rows: [...ids.values()], second };
  });
  for (const hash of recorded.second) deps.log.error({ hash }, PAID_TWICE);
  deps.hooks.outcomes.report(deps, recorded.rows, null);
  return true;
}

const UNPROVEN_TRANSFER =
  'A transfer to a contract succeeded, and its result does not prove that it moved what was ordered. The withdrawal stays ' +
  'open; when the ledger is processed, "teller unmatched" lists the transaction.';

/**
 * Records that a signed withdrawal has failed, whose `max_time` has passed, if `neverApplied` proves that, or the
 * outcome of the unmatched transaction that an operator has assigned to it. False when nothing is proven yet. `frozen`: nodes
 * have refused it for an entry that is frozen. That explains, and proves nothing.
 */
export async function recordExpiryIfProven(
  deps: EngineDeps,
  withdrawal: Withdrawal,
  { absent, frozen }: { absent: Absent; frozen: boolean },
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
  const appendEvents = await deps.hooks.outcomes.events(deps, [withdrawal]);
  const now = deps.clock.now();
  const recorded = await deps.db.transaction().execute(async (trx) => {
    let recorded = [expiredRow(withdrawal, now)];
    if (unmatched) {
      const applied = decodeUnmatched(deps.config.passphrase, unmatched);
      assert(!('unusable' in applied), 'an unmatched transaction was readable when it was recorded');
      recorded = [...(await recordOutcomes(trx, [outcomeOf(withdrawal, applied)], now)).values()];
    } else {
      const failure = { code: 'expired', message: frozen ? EXPIRED_FROZEN : failureMessage('expired') };
      if (!(await recordExpired(trx, id, failure, now))) return null;
      await notifyOutcomes(trx);
    }
    await freeTxSources(trx, [id]);
    await appendEvents(trx, recorded, now);
    return recorded;
  });
  deps.hooks.outcomes.report(deps, recorded ?? [], null);
  return recorded !== null;
}

/** Returns the row as `recordExpired` leaves it. */
export function expiredRow(withdrawal: Withdrawal, settled_at: Date): Recorded {
  return { ...withdrawal, status: 'failed', failure_code: 'expired', settled_at };
}

const UNCOVERED =
  'The history of the network source does not cover the first sending of a withdrawal, so that its outcome cannot be ' +
  'proven. Give STELLAR_RPC_URL a source with a longer history.';

/**
 * Checks the one proof that a transaction was never applied and never will be: one source whose history covers the first sending
 * (after a network reset no history does), which has a ledger closed after max_time, and which lacks the hash. A ledger
 * closed at max_time proves nothing: another one of the same second may follow (time-bound.ts).
 */
export function neverApplied(
  withdrawal: Pick<Withdrawal, 'max_time' | 'signed_ledger'>,
  absent: Absent,
): boolean {
  assert(withdrawal.max_time !== null && withdrawal.signed_ledger !== null);
  const { signed_ledger, max_time } = withdrawal;
  const covered = absent.oldest_ledger <= signed_ledger && signed_ledger <= absent.latest_ledger;
  return covered && isOver(max_time, { close_time: absent.latest_close_time });
}
