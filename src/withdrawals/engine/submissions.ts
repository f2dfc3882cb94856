/**
 * The signed withdrawals that this process works on: sent, sent again, bumped, and looked up, until the ledger shows
 * what became of them. All of it is in their rows; a crash loses nothing but time.
 *
 * | what is seen                                       | what is done                                             |
 * |----------------------------------------------------|----------------------------------------------------------|
 * | a later ledger without it                          | the same envelope again, ever more rarely (resend.ts)    |
 * | it waits too long, or its fee is refused           | a fee-bump of the same transaction, committed, then sent |
 * | a ledger closed at its max_time; or for long none  | a look-up by its hash at one source (settle.ts)          |
 * | a look-up has it in a ledger accounted without it  | nothing but an error in the log: that ledger was proven  |
 * | any error or refusal                               | nothing else: it is a hint                               |
 */
import { strict as assert } from 'node:assert';
import type { Deps } from '../../deps.ts';
import { unmatchedAssignedTo } from '../../ledgers/unmatched-store.ts';
import { readWithdrawalCursor } from '../../ledgers/withdrawal-cursor.ts';
import { feeRate } from './fee-rate.ts';
import { recordExpiryIfProven, recordFoundOutcome } from './outcome.ts';
import { findWalletKey, findWithdrawals } from './queries.ts';
import { countLedger, isDue, isQueued, nextBid, type Sending, wantsHigherBid } from './resend.ts';
import { signFeeBump } from './sign-payment.ts';
import { recordFeeBump, type Withdrawal } from './store.ts';

/** A ledger through which everything of ours is processed. */
export type ProcessedLedger = { ledger: number; close_time: bigint };

export type Submissions = {
  /** A row that was signed, here or by a process that is gone: it is sent at once. */
  add(withdrawal: Withdrawal, latest_ledger: number): void;
  /** Before ledgers are read; what it gives is to be called when they reach to the newest (resend.ts, `countLedger`). */
  countLedger(): () => void;
  /** One look at all of them. Gives the ids of those that it has settled. */
  watch(position: ProcessedLedger): Promise<string[]>;
  /** Their outcome is known. Gives how many of those were in flight. */
  remove(ids: string[]): number;
  ids(): string[];
  count(): number;
  /** How many of them the last ledger had no room for: sent long before it closed, or refused for their fee. */
  leftOver(position: ProcessedLedger): number;
  /** How many a ledger may still take: whose time is over waits for its proof, maybe for a person, and is in nobody's way. */
  live(position: ProcessedLedger): number;
  /** When what is being sent has been sent. */
  drained(): Promise<void>;
};

type Submission = { withdrawal: Withdrawal; sent: Sending; looked_at_ms: number; looks: number };

/** Looks at once: what is settled by look-up is the exception. */
const PARALLEL_LOOKS = 10;
/** Without a ledger for so long, the reader of ledgers may be stuck where a look-up is not. */
const STUCK_MS = 20_000;
const LOOK_AGAIN_MS = 1_000;
const LOOK_AGAIN_MAX_MS = 15_000;

export function createSubmissions(deps: Deps): Submissions {
  const submissions = new Map<string, Submission>();
  const sending = new Set<Promise<void>>();
  const nowMs = () => deps.clock.now().getTime();

  const liveAt = ({ close_time }: ProcessedLedger) =>
    [...submissions.values()].filter(
      ({ withdrawal: { max_time } }) => max_time !== null && close_time < max_time,
    );

  function send(submission: Submission, at_ledger: number): void {
    const { withdrawal } = submission;
    assert(withdrawal.envelope_xdr);
    // Another one each time: a ledger that is being read counts for how it was sent before.
    const sent: Sending = {
      ...submission.sent,
      at_ledger,
      times: submission.sent.times + 1,
      hint: null,
      waited_ledgers: 0,
    };
    submission.sent = sent;
    submission.looked_at_ms = nowMs();
    const answered = deps.stellar.submit(withdrawal.envelope_xdr).then((hint) => {
      sent.hint = hint;
      deps.log.debug({ withdrawal_id: withdrawal.id, ...hint }, 'envelope sent');
      sending.delete(answered);
    });
    sending.add(answered);
  }

  async function watchOne(submission: Submission, position: ProcessedLedger): Promise<boolean> {
    const { withdrawal, sent } = submission;
    const { max_time } = withdrawal;
    assert(max_time !== null);
    const expired = position.close_time >= max_time;
    const stuck = sinceLookMs(submission) > STUCK_MS;
    if ((expired && mayLook(submission)) || stuck) return look(submission);
    if (!expired && isDue(sent, position.ledger)) await sendAgain(submission, position.ledger);
    return false;
  }

  function mayLook(submission: Submission): boolean {
    const { looks } = submission;
    const pause_ms = looks === 0 ? 0 : Math.min(LOOK_AGAIN_MS * 2 ** (looks - 1), LOOK_AGAIN_MAX_MS);
    return sinceLookMs(submission) >= pause_ms;
  }

  /** A clock that was set back counts as time passed: else nothing would be looked at until it has caught up. */
  function sinceLookMs({ looked_at_ms }: Submission): number {
    return Math.abs(nowMs() - looked_at_ms);
  }

  /** True when the look-up by hash has settled it. */
  async function look(submission: Submission): Promise<boolean> {
    const { withdrawal, sent } = submission;
    const { inner_tx_hash, max_time } = withdrawal;
    assert(inner_tx_hash && max_time !== null);
    submission.looks++;
    const lookup = await deps.stellar.find(inner_tx_hash);
    submission.looked_at_ms = nowMs();
    if (lookup.found === 'unknown') {
      deps.log.warn({ withdrawal_id: withdrawal.id, reason: lookup.reason }, 'outcome not readable yet');
      return false;
    }
    if (lookup.found === 'applied') {
      if (await signingAllowed(lookup.ledger)) return hasOutcome(withdrawal, lookup.ledger);
      await recordFoundOutcome(deps, withdrawal, lookup);
      return true;
    }
    if (lookup.latest_close_time >= max_time) {
      if (await recordExpiryIfProven(deps, withdrawal, lookup)) return true;
      await letGoIfForgotten(withdrawal);
      return false;
    }
    // Ledgers cannot be followed, or it would not have been looked up before its time is over: nobody has counted them.
    if (isQueued(sent.hint)) sent.waited_ledgers = lookup.latest_ledger - sent.at_ledger;
    if (isDue(sent, lookup.latest_ledger)) await sendAgain(submission, lookup.latest_ledger);
    return false;
  }

  /** By this database: an older copy of it, which knows less than this process, processes less too. */
  async function signingAllowed(ledger: number): Promise<boolean> {
    const cursor = await readWithdrawalCursor(deps.db);
    return cursor !== undefined && ledger <= cursor.ledger;
  }

  /** That ledger was read whole and proven, and whoever read it has recorded the outcome with it; if not, the look-up lies. */
  async function hasOutcome({ id, inner_tx_hash }: Withdrawal, ledger: number): Promise<boolean> {
    const status = (await findWithdrawals(deps.db, [id])).get(id)?.status;
    if (status === 'confirmed' || status === 'failed') return true;
    const contradiction = 'a look-up claims an outcome in a ledger that is accounted for and has none';
    deps.log.error({ withdrawal_id: id, inner_tx_hash, ledger }, contradiction);
    return false;
  }

  /**
   * An older copy of the database has the row as it was before this envelope, which is dead by now: kept, its lease would
   * be renewed for ever, and nobody would sign it.
   */
  async function letGoIfForgotten({ id, inner_tx_hash }: Withdrawal): Promise<void> {
    const row = (await findWithdrawals(deps.db, [id])).get(id);
    if (row?.status === 'signed' && row.inner_tx_hash === inner_tx_hash) return;
    deps.log.warn(
      { withdrawal_id: id, inner_tx_hash },
      'the database has forgotten an envelope that is dead',
    );
    submissions.delete(id);
  }

  async function sendAgain(submission: Submission, at_ledger: number): Promise<void> {
    // A person has found another transaction to be its payment: this one is best not applied at all.
    if (await unmatchedAssignedTo(deps.db, submission.withdrawal.id)) return;
    const bid = wantsHigherBid(submission.sent) ? nextBid(submission.sent, await fees()) : null;
    if (bid !== null) await bump(submission, bid);
    send(submission, at_ledger);
  }

  async function fees() {
    const { fee_max_stroops } = deps.config;
    return { fee_rate_stroops: await feeRate(deps), fee_max_stroops };
  }

  /** Commits the fee-bump before it can be sent; when the row has moved on, another process does that work. */
  async function bump(submission: Submission, fee_bid_stroops: bigint): Promise<void> {
    const { withdrawal, sent } = submission;
    const { id, wallet_id, envelope_xdr } = withdrawal;
    assert(envelope_xdr);
    const wallet = await findWalletKey(deps.db, wallet_id);
    const made = signFeeBump(deps, { id, wallet_id, envelope_xdr }, wallet, fee_bid_stroops);
    if (!(await recordFeeBump(deps.db, made, sent.fee_bid_stroops))) return refresh(submission);
    deps.log.info({ withdrawal_id: id, fee_bid_stroops }, 'fee-bumped');
    submission.withdrawal = { ...withdrawal, envelope_xdr: made.envelope_xdr };
    Object.assign(sent, { fee_bid_stroops, is_fee_bump: true, times: 0 });
  }

  /** Another process has bumped it, or we have and never heard so: what is sent from now on is what the row has. */
  async function refresh(submission: Submission): Promise<void> {
    const { id } = submission.withdrawal;
    const row = (await findWithdrawals(deps.db, [id])).get(id);
    if (row?.status !== 'signed') return;
    submission.withdrawal = row;
    Object.assign(submission.sent, bidOf(row));
  }

  return {
    add(withdrawal, latest_ledger) {
      const { id } = withdrawal;
      if (submissions.has(id)) return;
      const sent = {
        at_ledger: latest_ledger,
        times: 0,
        hint: null,
        waited_ledgers: 0,
        ...bidOf(withdrawal),
      };
      const submission = { withdrawal, sent, looked_at_ms: nowMs(), looks: 0 };
      submissions.set(id, submission);
      send(submission, latest_ledger);
    },
    countLedger: () => countLedger([...submissions.values()].map(({ sent }) => sent)),
    async watch(position) {
      const settled: string[] = [];
      const queue = [...submissions.values()];
      const watchers = Array.from({ length: PARALLEL_LOOKS }, async () => {
        for (let submission = queue.shift(); submission; submission = queue.shift()) {
          try {
            if (await watchOne(submission, position)) settled.push(submission.withdrawal.id);
          } catch (error) {
            // The row is as it was; whatever failed (database, network) is tried again.
            deps.log.error(
              { err: error, withdrawal_id: submission.withdrawal.id },
              'settling failed for now',
            );
          }
        }
      });
      await Promise.all(watchers);
      return settled;
    },
    remove(ids) {
      return ids.filter((id) => submissions.delete(id)).length;
    },
    ids: () => [...submissions.keys()],
    count: () => submissions.size,
    leftOver: (position) =>
      liveAt(position).filter(
        ({ sent: { hint, waited_ledgers } }) =>
          (isQueued(hint) && waited_ledgers > 1) || hint?.code === 'tx_insufficient_fee',
      ).length,
    live: (position) => liveAt(position).length,
    async drained() {
      await Promise.all(sending);
    },
  };
}

/** Rows that a version without fee-bumps has signed have no bid. */
function bidOf({
  fee_bid_stroops,
  fee_bump_hashes,
}: Withdrawal): Pick<Sending, 'fee_bid_stroops' | 'is_fee_bump'> {
  return { fee_bid_stroops: fee_bid_stroops ?? 0n, is_fee_bump: fee_bump_hashes.length > 0 };
}
