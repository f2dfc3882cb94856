/**
 * The in-flight submissions of this process: signed withdrawals that it sends, sends again, bumps and looks up until
 * their outcomes are known. Everything is in their rows, so a crash loses only time.
 *
 * | what is seen                                       | what is done                                             |
 * |----------------------------------------------------|----------------------------------------------------------|
 * | a later ledger without the transaction             | send the same envelope again, less and less often        |
 * | it waits too long, or its fee is refused, and it   | commit a fee-bump of the same transaction, then send it  |
 * | has not expired at the network's newest ledger     |                                                          |
 * | a ledger closed after its max_time; or no ledger   | look the hash up at one source (outcome.ts)              |
 * | for 20 s                                           |                                                          |
 * | a look-up finds it in a processed ledger that      | log an error, nothing else: that ledger was proven       |
 * | lacks it, or after its max_time                    |                                                          |
 * | a processed ledger has it, and it could not be     | nobody is asked: that ledger was proven. Its outcome is  |
 * | read                                               | recorded once a version can read it                      |
 * | any error or refusal                               | nothing else: it is a hint                               |
 */
import { strict as assert } from 'node:assert';
import { countUnread } from '../../ledgers/quarantine-store.ts';
import { isOver } from '../../ledgers/time-bound.ts';
import { readWithdrawalCursor } from '../../ledgers/withdrawal-cursor.ts';
import { NetworkUnavailable } from '../../stellar/network-unavailable.ts';
import type { LedgerPosition, Lookup } from '../../stellar/stellar.ts';
import { operationCountIn } from '../../stellar/transactions/envelope.ts';
import { FROZEN } from '../../stellar/transactions/result-codes.ts';
import { payerOfBump } from './bump-payer.ts';
import { countPhases, type InPhases } from './congestion-window.ts';
import { feeCeiling } from './fee-bid.ts';
import { contractFeeRate, feeRate } from './fee-rate.ts';
import type { EngineDeps } from './hooks.ts';
import { recordExpiryIfProven, recordFoundOutcome } from './outcome.ts';
import { findWithdrawals, keptBack } from './queries.ts';
import { countLedger, isDue, isQueued, nextBid, type Sending, sameBid, wantsHigherBid } from './resend.ts';
import { feeAccountOf, seedOfPayer, signFeeBump } from './sign-payment.ts';
import { recordFeeBump, type Withdrawal } from './store.ts';
import { findOwnUnread, outcomeIn } from './unread-transactions.ts';

/** The newest processed ledger; `close_time` in Unix seconds. */
export type ProcessedLedger = { ledger: number; close_time: bigint };

export type Submissions = {
  /** Takes a row that this or another process has signed, and sends it at once unless it is kept back. */
  add(withdrawal: Withdrawal, latest_ledger: number, options?: { kept_back: boolean }): void;
  /** Counts a ledger: see `countLedger` in resend.ts. */
  countLedger(): () => void;
  /** Sends again, bumps or looks up what is due. Returns the ids of those whose outcome it has recorded. */
  resendDue(position: ProcessedLedger): Promise<string[]>;
  /** Removes submissions whose outcomes are known. Returns how many of these were in flight. */
  remove(ids: string[]): InPhases;
  ids(): string[];
  count(): number;
  /** Counts the submissions for which the last ledger had no room: sent long before it closed, or refused for their fee. */
  countLeftOver(position: ProcessedLedger): InPhases;
  /**
   * Counts the submissions that a ledger may still take. A submission whose max_time has passed waits for proof, and takes no room
   * in a queue.
   */
  countLive(position: ProcessedLedger): InPhases;
  /** Resolves when every sending has its answer. */
  drained(): Promise<void>;
};

/**
 * `looked_at_ms`: when it was last sent or looked up; `look_ups`: how many times it was looked up. `frozen`: whether a node has
 * refused it because it names a frozen entry.
 */
type Submission = {
  withdrawal: Withdrawal;
  sent: Sending;
  looked_at_ms: number;
  look_ups: number;
  frozen: boolean;
};

type Applied = Extract<Lookup, { found: 'applied' }>;

/** How many look-ups run at once. Few withdrawals need one. */
const PARALLEL = 10;
/** After 20 s without a ledger the ingest loop may be stuck, and a look-up may still work. */
const STUCK_MS = 20_000;
const LOOK_AGAIN_MS = 1_000;
const LOOK_AGAIN_MAX_MS = 15_000;

export function createSubmissions(deps: EngineDeps): Submissions {
  const submissions = new Map<string, Submission>();
  const sending = new Set<Promise<void>>();
  let asking: Promise<LedgerPosition> | null = null;
  const nowMs = () => deps.clock.now().getTime();

  const liveAt = (position: ProcessedLedger) =>
    [...submissions.values()].filter(
      ({ withdrawal: { max_time } }) => max_time !== null && !isOver(max_time, position),
    );

  function send(submission: Submission, at_ledger: number): void {
    const { withdrawal } = submission;
    assert(withdrawal.envelope_xdr);
    // A new object each time: a ledger that is being read counts for the sending before this one.
    const sent: Sending = {
      ...submission.sent,
      at_ledger,
      times: submission.sent.times + 1,
      hint: null,
      waited_ledgers: 0,
    };
    submission.sent = sent;
    submission.looked_at_ms = nowMs();
    const span = traceSending(withdrawal, sent);
    const answered = deps.stellar.submit(withdrawal.envelope_xdr).then((hint) => {
      sent.hint = hint;
      if (hint.code === FROZEN) noteFrozen(submission);
      span.set({ answer: hint.answer, answer_code: hint.code });
      span.end();
      deps.log.debug({ withdrawal_id: withdrawal.id, ...hint }, 'envelope sent');
      sending.delete(answered);
    });
    sending.add(answered);
  }

  /** Logs a frozen submission once: it is sent again until it expires, because a vote may end the freeze. */
  function noteFrozen(submission: Submission): void {
    const { id: withdrawal_id, wallet_id } = submission.withdrawal;
    if (!submission.frozen) deps.log.warn({ withdrawal_id, wallet_id, code: FROZEN }, REFUSED_AS_FROZEN);
    submission.frozen = true;
  }

  function traceSending(
    { id: withdrawal_id, wallet_id, traceparent }: Withdrawal,
    { at_ledger, times }: Sending,
  ) {
    const attributes = { withdrawal_id, wallet_id, ledger: at_ledger, resend_count: times - 1 };
    return deps.traces.start('send transaction', { kind: 'client', parent: traceparent, attributes });
  }

  async function resendOrLookUp(submission: Submission, position: ProcessedLedger): Promise<boolean> {
    const { withdrawal, sent } = submission;
    const { max_time } = withdrawal;
    assert(max_time !== null);
    const expired = isOver(max_time, position);
    const stuck = sinceLookMs(submission) > STUCK_MS;
    if ((expired && isLookUpDue(submission)) || stuck) return lookUp(submission);
    if (!expired && isDue(sent, position.ledger)) await sendAgain(submission, position.ledger);
    return false;
  }

  function isLookUpDue(submission: Submission): boolean {
    const { look_ups } = submission;
    const pause_ms = look_ups === 0 ? 0 : Math.min(LOOK_AGAIN_MS * 2 ** (look_ups - 1), LOOK_AGAIN_MAX_MS);
    return sinceLookMs(submission) >= pause_ms;
  }

  /**
   * Returns the time since the last look-up. When the clock was set back, the time counts as passed. Otherwise nothing would be looked up until the clock
   * reaches its old time.
   */
  function sinceLookMs({ looked_at_ms }: Submission): number {
    return Math.abs(nowMs() - looked_at_ms);
  }

  /** Looks a submission up by hash. Returns true when the look-up has given the withdrawal its outcome. */
  async function lookUp(submission: Submission): Promise<boolean> {
    const { withdrawal, sent } = submission;
    const { inner_tx_hash, max_time } = withdrawal;
    assert(inner_tx_hash && max_time !== null);
    submission.look_ups++;
    const unread = await findOwnUnread(deps, withdrawal);
    if (unread) {
      submission.looked_at_ms = nowMs();
      return recordProven(withdrawal, outcomeIn(deps, unread));
    }
    const lookup = await deps.stellar.find(inner_tx_hash);
    submission.looked_at_ms = nowMs();
    if (lookup.found === 'unknown') {
      deps.log.warn(
        { withdrawal_id: withdrawal.id, reason: lookup.reason },
        'the outcome of a withdrawal cannot be read yet',
      );
      return false;
    }
    if (lookup.found === 'applied') return isFound(withdrawal, lookup, max_time);
    if (isOver(max_time, { close_time: lookup.latest_close_time })) {
      // One that names the wallet, and whose envelope cannot be read, may be this one.
      if ((await countUnread(deps.db, withdrawal.wallet_id)) > 0) return false;
      if (await recordExpiryIfProven(deps, withdrawal, { absent: lookup, frozen: submission.frozen }))
        return true;
      await isForgotten(withdrawal);
      return false;
    }
    // Until max_time is over a look-up happens only when the ingest loop is stuck. So nobody has counted these ledgers.
    if (isQueued(sent.hint)) sent.waited_ledgers = lookup.latest_ledger - sent.at_ledger;
    if (isDue(sent, lookup.latest_ledger)) await sendAgain(submission, lookup.latest_ledger);
    return false;
  }

  async function recordProven(withdrawal: Withdrawal, proven: Applied | null): Promise<boolean> {
    return proven !== null && recordFoundOutcome(deps, withdrawal, proven);
  }

  async function isFound(withdrawal: Withdrawal, found: Applied, max_time: bigint): Promise<boolean> {
    if (await wasProcessed(found, max_time)) return hasOutcome(withdrawal, found.ledger);
    return recordFoundOutcome(deps, withdrawal, found);
  }

  /**
   * Asks the database, not this process: an older copy of the database has processed fewer ledgers. Once `max_time` is over, no
   * later ledger can have the transaction.
   */
  async function wasProcessed({ ledger }: { ledger: number }, max_time: bigint): Promise<boolean> {
    const cursor = await readWithdrawalCursor(deps.db);
    return cursor !== undefined && (ledger <= cursor.ledger || isOver(max_time, cursor));
  }

  /**
   * Returns true when the withdrawal has an outcome. The ingest loop has read that ledger whole and proven, and recorded its
   * outcomes: without an outcome, the look-up is false.
   */
  async function hasOutcome(withdrawal: Withdrawal, ledger: number): Promise<boolean> {
    const { id, inner_tx_hash } = withdrawal;
    const status = (await findWithdrawals(deps.db, [id])).get(id)?.status;
    if (status === 'confirmed' || status === 'failed') return true;
    if (await isForgotten(withdrawal)) return false;
    const contradiction = 'a look-up claims an outcome in a ledger that cannot have it';
    deps.log.error({ withdrawal_id: id, inner_tx_hash, ledger }, contradiction);
    return false;
  }

  /**
   * Returns true when an older copy of the database has taken its place, which has lost the row or this envelope. Then this process
   * lets go of it: otherwise it would renew the lease of the row for ever, and no process would sign it. If the envelope
   * is applied, the ledger tells which key it has paid (forgotten-payments.ts).
   */
  async function isForgotten({
    id,
    wallet_id,
    idempotency_key,
    inner_tx_hash,
  }: Withdrawal): Promise<boolean> {
    const row = (await findWithdrawals(deps.db, [id])).get(id);
    if (row?.status === 'signed' && row.inner_tx_hash === inner_tx_hash) return false;
    submissions.delete(id);
    if (row?.settled_at) return true; // another process has recorded the outcome
    deps.log.error({ withdrawal_id: id, wallet_id, idempotency_key, inner_tx_hash }, FORGOTTEN);
    return true;
  }

  async function sendAgain(submission: Submission, at_ledger: number): Promise<void> {
    const { withdrawal } = submission;
    if ((await keptBack(deps.db, [withdrawal.id])).has(withdrawal.id)) return;
    const bid = await bidFor(submission);
    if (bid !== null) {
      // The reading of ledgers may be behind the network: a fee-bump of what has expired there would be for nothing.
      const newest = await newestLedger();
      if (newest === null || isOver(withdrawal.max_time ?? 0n, newest) || (await isForgotten(withdrawal)))
        return;
      await bump(submission, bid);
    }
    send(submission, at_ledger);
  }

  /**
   * Returns the bid of the fee-bump that is needed; null to keep the present envelope. A payer that cannot pay, as a node says, is
   * replaced if it is a channel: by a fee-bump at the same rate.
   */
  async function bidFor({ withdrawal, sent }: Submission): Promise<bigint | null> {
    if (wantsHigherBid(sent)) return nextBid(sent, await feesFor(withdrawal));
    if (sent.hint?.code !== PAYER_IS_SHORT || withdrawal.envelope_xdr === null) return null;
    const bid = sameBid(sent);
    const { account } = await payerOfBump(deps, withdrawal, bid);
    return account === feeAccountOf(withdrawal.envelope_xdr) ? null : bid;
  }

  /** Asks for the newest ledger; null when no source answers. Many fee-bumps at once share one request. */
  async function newestLedger(): Promise<LedgerPosition | null> {
    asking ??= deps.stellar.latestLedger().finally(() => {
      asking = null;
    });
    try {
      return await asking;
    } catch (error) {
      if (!(error instanceof NetworkUnavailable)) throw error;
      return null;
    }
  }

  async function feesFor({ operation, resource_fee_stroops }: Withdrawal) {
    const fee_max_stroops = feeCeiling(deps.config, resource_fee_stroops);
    const fee_rate_stroops = await (operation === 'contract_transfer' ? contractFeeRate : feeRate)(deps);
    return { fee_rate_stroops, fee_max_stroops };
  }

  /**
   * Commits the fee-bump before it is sent. When another process has changed the row, continues with the envelope of
   * the row.
   */
  async function bump(submission: Submission, fee_bid_stroops: bigint): Promise<void> {
    const { withdrawal, sent } = submission;
    const { id, envelope_xdr } = withdrawal;
    assert(envelope_xdr);
    const payer = await payerOfBump(deps, withdrawal, fee_bid_stroops);
    const seed = seedOfPayer(payer);
    const made = await deps.vault.withSigner([seed], async (signer) =>
      signer.isAway(seed) ? null : signFeeBump(deps, signer, { id, envelope_xdr }, payer, fee_bid_stroops),
    );
    if (!made) return; // its key provider is away: the envelope that there is may still be taken
    if (!(await recordFeeBump(deps.db, made, sent.fee_bid_stroops))) return reload(submission);
    const reason = isQueued(sent.hint)
      ? `it has waited for ${sent.waited_ledgers} ledgers`
      : 'a node refused the fee';
    deps.log.info({ withdrawal_id: id, fee_bid_stroops, reason }, 'fee-bumped');
    submission.withdrawal = { ...withdrawal, envelope_xdr: made.envelope_xdr };
    Object.assign(sent, { fee_bid_stroops, is_fee_bump: true, times: 0 });
  }

  /**
   * Reads a row that has a newer fee-bump: from another process, or from our own commit whose answer was lost. From now on
   * the row's envelope is sent.
   */
  async function reload(submission: Submission): Promise<void> {
    const { id } = submission.withdrawal;
    const row = (await findWithdrawals(deps.db, [id])).get(id);
    if (row?.status !== 'signed') return;
    submission.withdrawal = row;
    Object.assign(submission.sent, bidOf(row));
  }

  return {
    add(withdrawal, latest_ledger, { kept_back } = { kept_back: false }) {
      const { id } = withdrawal;
      if (submissions.has(id)) return;
      const sent = {
        at_ledger: latest_ledger,
        times: 0,
        hint: null,
        waited_ledgers: 0,
        operations: operationsOf(withdrawal),
        ...bidOf(withdrawal),
      };
      const submission = { withdrawal, sent, looked_at_ms: nowMs(), look_ups: 0, frozen: false };
      submissions.set(id, submission);
      if (!kept_back) send(submission, latest_ledger);
    },
    countLedger: () => countLedger([...submissions.values()].map(({ sent }) => sent)),
    async resendDue(position) {
      const with_outcome: string[] = [];
      const queue = [...submissions.values()];
      const workers = Array.from({ length: PARALLEL }, async () => {
        for (let submission = queue.shift(); submission; submission = queue.shift()) {
          try {
            if (await resendOrLookUp(submission, position)) with_outcome.push(submission.withdrawal.id);
          } catch (error) {
            // The row is unchanged, so the failed step is tried again.
            if (!(error instanceof NetworkUnavailable && error.is_told))
              deps.log.error(
                { err: error, withdrawal_id: submission.withdrawal.id },
                'a submission could not be worked on; it is tried again',
              );
          }
        }
      });
      await Promise.all(workers);
      return with_outcome;
    },
    remove(ids) {
      const known = ids.flatMap((id) => submissions.get(id)?.withdrawal ?? []);
      for (const id of ids) submissions.delete(id);
      return countPhases(known);
    },
    ids: () => [...submissions.keys()],
    count: () => submissions.size,
    countLeftOver: (position) =>
      countPhases(
        liveAt(position)
          .filter(
            ({ sent: { hint, waited_ledgers } }) =>
              (isQueued(hint) && waited_ledgers > 1) || hint?.code === 'tx_insufficient_fee',
          )
          .map(({ withdrawal }) => withdrawal),
      ),
    countLive: (position) => countPhases(liveAt(position).map(({ withdrawal }) => withdrawal)),
    async drained() {
      await Promise.all(sending);
    },
  };
}

/** The account that pays the fee has too little. */
const PAYER_IS_SHORT = 'tx_insufficient_balance';
const REFUSED_AS_FROZEN =
  'the network has frozen an account or a trust line that a withdrawal touches: it fails when it expires, unless a vote ends that';
const FORGOTTEN =
  'The database has lost a withdrawal that this process has signed (was it restored, or did a standby take over?). ' +
  'If the ledger has the transaction, "teller unmatched" lists it; see the runbook.';

/** Counts the operations of a withdrawal. Only the addition of a trust line may have several: those that sponsor its reserve. */
function operationsOf({ operation, envelope_xdr }: Withdrawal): bigint {
  return operation === 'add_trust_line' && envelope_xdr !== null ? operationCountIn(envelope_xdr) : 1n;
}

/** Returns the bid of a row. A row that was signed by a version without fee-bumps has no bid. */
function bidOf({
  fee_bid_stroops,
  fee_bump_hashes,
  resource_fee_stroops,
}: Withdrawal): Pick<Sending, 'fee_bid_stroops' | 'is_fee_bump' | 'resource_fee_stroops'> {
  return {
    fee_bid_stroops: fee_bid_stroops ?? 0n,
    is_fee_bump: fee_bump_hashes.length > 0,
    resource_fee_stroops: resource_fee_stroops ?? 0n,
  };
}
