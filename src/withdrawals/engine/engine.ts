/**
 * The loops of a process that bring withdrawals to their outcome: ingest, sign, resend and adopt. A crash may stop each
 * of them at any line. README.md has a table of what each loop does and what wakes it.
 */
import { createAdaptivePoll } from '../../lib/adaptive-poll.ts';
import { type Loop, startLoop } from '../../lib/loop.ts';
import { createThrottle } from '../../lib/throttle.ts';
import {
  freePlaces,
  type InPhases,
  LARGEST_WINDOW,
  nextCongestionWindow,
  PHASES,
  type Phase,
} from './congestion-window.ts';
import type { EngineDeps } from './hooks.ts';
import { ingestOutcomes } from './ingest-outcomes.ts';
import { createKnownPrimary } from './known-primary.ts';
import { adoptAbandoned, renewLeases } from './leases.ts';
import {
  countInQueue,
  countWaiting,
  findWithdrawals,
  idsWithOutcome,
  keptBack,
  severalTeamsSince,
} from './queries.ts';
import { signBatch } from './sign-batch.ts';
import type { Withdrawal } from './store.ts';
import { createSubmissions, type ProcessedLedger } from './submissions.ts';
import { assignTxSources, unblockFreeChannels } from './tx-source-store.ts';

/**
 * How long a row belongs to a process that no longer renews its lease. If this is too short, two processes work on one
 * row.
 */
const LEASE_MS = 15_000;
const RENEW_LEASES_MS = LEASE_MS / 3;
const ADOPT_EVERY_MS = 1_000;
const ADOPT_LIMIT = 400;
const RETRY_CHANNELS_MS = 60_000;
/** A team that has withdrawn so recently may do so again: some channels are kept free for it. */
const RECENT_MS = 300_000;
const LOOK_FOR_TEAMS_MS = 1_000;
/** The pause between two polls for a new ledger while submissions are in flight; otherwise IDLE_MS. */
const LOOKS = { least_ms: 20, most_ms: 125 };
const IDLE_MS = 1_000;
/** Transaction sources that one step assigns: their sequence numbers are read in one or two requests. */
const BATCH = 200;
/** The same while several teams withdraw, and of payouts: a new withdrawal waits until such a batch is signed. */
const SHARED_BATCH = 50;
/** One of so many places of a congestion window is no place for payouts. */
const KEPT_PART = 8;

export type WithdrawalEngine = {
  /** Resolves to true once the withdrawal's outcome is recorded; to false when this process stops before. */
  waitFor(id: string): Promise<boolean>;
  start(): void;
  /** Looks for rows to sign soon, when a withdrawal that awaited approvals is queued. */
  signSoon(): void;
  /** Looks for outcomes that another process has recorded. */
  checkOutcomes(): void;
  /** Ends the work of this process. Its open rows are free for other processes at once. */
  stop(): Promise<void>;
};

export function createWithdrawalEngine(deps: EngineDeps): WithdrawalEngine {
  const submissions = createSubmissions(deps);
  const growth = deps.hooks.createChannelGrowth(deps);
  /** Ids of withdrawals that have a transaction source and are not signed yet. */
  const assigned = new Set<string>();
  const waiting = new Map<string, PromiseWithResolvers<boolean>>();
  const loops: Partial<Record<'ingest' | 'sign' | 'resend' | 'adopt', Loop>> = {};
  const poll = createAdaptivePoll(deps.clock, LOOKS);
  const primary = createKnownPrimary(deps.clock);
  const told = new Set<string>();
  let position: ProcessedLedger | null = null;
  const windows: InPhases = { payments: LARGEST_WINDOW, contracts: LARGEST_WINDOW };
  const isTimeToRenew = createThrottle(deps.clock, RENEW_LEASES_MS);
  const isTimeToLookForTeams = createThrottle(deps.clock, LOOK_FOR_TEAMS_MS);
  let shared = false;
  const isTimeToRetryChannels = createThrottle(deps.clock, RETRY_CHANNELS_MS);
  let stopped = false;

  /** Forgets these withdrawals, which have their outcome, and answers the callers that wait for them. */
  function tellWaiters(ids: string[]): void {
    submissions.remove(ids);
    for (const id of ids) {
      assigned.delete(id);
      waiting.get(id)?.resolve(true);
      waiting.delete(id);
    }
    if (ids.length > 0) loops.sign?.wake();
  }

  async function ingestStep(): Promise<boolean> {
    const ledgerClosed = submissions.countLedger();
    const {
      cursor,
      behind,
      with_outcome: ids,
    } = await ingestOutcomes(deps, { ledger: position?.ledger ?? 0, primary, told, onLedger: poll.saw });
    poll.saw(cursor.ledger); // which another process may have moved
    const isNew = position === null || cursor.ledger > position.ledger;
    position = cursor;
    if (isNew) {
      const taken = submissions.remove(ids);
      if (!behind) ledgerClosed();
      const left_over = submissions.countLeftOver(cursor);
      for (const phase of PHASES) {
        const ledger = { taken: taken[phase], left_over: left_over[phase] };
        windows[phase] = nextCongestionWindow(windows[phase], ledger);
      }
      tellWaiters(ids);
      loops.resend?.wake();
      loops.sign?.wake();
    }
    return behind;
  }

  async function signStep(): Promise<boolean> {
    if (position === null) return false; // no ledger is processed yet
    const live = submissions.countLive(position);
    await lookForTeams();
    const batch = shared ? SHARED_BATCH : BATCH;
    const until = leaseUntil();
    const onAssigned = (waits_since: Date) => {
      const wait_ms = deps.clock.now().getTime() - waits_since.getTime();
      deps.metrics.withdrawal_tx_source_wait_seconds.observe(Math.max(0, wait_ms) / 1000);
    };
    /** Assigns withdrawals as long as there is room, beside `kept` places of each window. Returns true when room was left. */
    const assign = async (
      payouts: boolean,
      limit: number,
      kept: (places: number) => number,
      given_before = 0,
    ) => {
      const roomOf = (each: Phase) => {
        const in_window = windows[each] - kept(windows[each]) - live[each] - assigned.size;
        return Math.min(in_window, free[each] - kept(free[each]) - given_before);
      };
      const { room, phase } = roomIn(
        PHASES.map((each) => [each, roomOf(each)]),
        limit,
      );
      const given =
        room > 0
          ? await assignTxSources(deps.db, { until, limit: room, phase, shared, payouts, onAssigned })
          : [];
      for (const id of given) assigned.add(id);
      return { given: given.length, more: given.length < room };
    };
    // First, because it costs a tenth of assigning, and most steps find nothing that waits.
    const waiting = await countWaiting(deps.db);
    const free = await freeInLedger(position, waiting.singles + waiting.of_payouts);
    const single = await assign(false, waiting.singles > 0 ? batch : 0, () => 0);
    // Rows of payouts come after single withdrawals, and leave room for the next ones.
    const left = waiting.of_payouts > 0 ? Math.min(batch - single.given, SHARED_BATCH) : 0;
    const of_payouts = await assign(true, left, (places) => Math.ceil(places / KEPT_PART), single.given);
    if (single.more || of_payouts.more)
      askForChannels(waiting.singles + waiting.of_payouts - single.given - of_payouts.given);
    if (assigned.size === 0) return false;
    await signAssigned(position, until);
    return single.given + of_payouts.given > 0;
  }

  async function signAssigned(at: ProcessedLedger, until: Date): Promise<void> {
    const { signed, gone, low_channels } = await signBatch(deps, [...assigned], until, at.ledger);
    if (low_channels) growth.fillChannels();
    await removeGone(gone, at);
    if (signed.length > 0 && submissions.count() === 0) loops.ingest?.wake(); // with no submission in flight it polls rarely
    for (const withdrawal of signed) {
      assigned.delete(withdrawal.id);
      submissions.add(withdrawal, withdrawal.signed_ledger ?? at.ledger);
    }
  }

  /** Asks nobody when nothing waits. */
  async function freeInLedger({ close_time }: ProcessedLedger, waiting: number): Promise<InPhases> {
    if (waiting === 0) return { payments: 0, contracts: 0 };
    const [room, in_queue] = await Promise.all([
      deps.stellar.ledgerRoom(),
      countInQueue(deps.db, close_time),
    ]);
    return freePlaces(room, in_queue, deps.config.channel_fees);
  }

  async function lookForTeams(): Promise<void> {
    if (isTimeToLookForTeams())
      shared = await severalTeamsSince(deps.db, new Date(deps.clock.now().getTime() - RECENT_MS));
  }

  /**
   * Removes rows that this process must not sign any more (sign-batch.ts, `SigningRound`). If it kept them, they would be leased
   * for ever and never sent. A signed one is sent at once: sending an envelope twice does no harm.
   */
  async function removeGone(ids: string[], { ledger }: ProcessedLedger): Promise<void> {
    if (ids.length === 0) return;
    const rows = await findWithdrawals(deps.db, ids);
    for (const id of ids) assigned.delete(id);
    await addSigned([...rows.values()], ledger);
  }

  /** Adds envelopes of this or another process, which may have been sent. */
  async function addSigned(rows: Withdrawal[], ledger: number): Promise<void> {
    const signed = rows.filter(({ status }) => status === 'signed');
    const kept = await keptBack(
      deps.db,
      signed.map(({ id }) => id),
    );
    for (const row of signed) submissions.add(row, ledger, { kept_back: kept.has(row.id) });
  }

  /** Asks for more channels, when the transaction sources run out before the congestion window is full. */
  function askForChannels(waiting: number): void {
    if (waiting > 0) growth.ensureChannels(submissions.count() + assigned.size + waiting);
  }

  async function resendStep(): Promise<boolean> {
    deps.metrics.withdrawals_in_flight.set(submissions.count());
    if (position !== null && submissions.count() > 0) tellWaiters(await submissions.resendDue(position));
    const ids = [...new Set([...waiting.keys(), ...submissions.ids()])];
    tellWaiters(await idsWithOutcome(deps.db, ids));
    return false;
  }

  async function adoptStep(): Promise<boolean> {
    if (position === null) return false; // this process cannot read the network; another one may
    const now = deps.clock.now();
    const until = leaseUntil();
    if (isTimeToRenew()) await renewLeases(deps.db, [...assigned, ...submissions.ids()], until);
    const longest_until = new Date(until.getTime() + LEASE_MS);
    const adopted = await adoptAbandoned(deps.db, { now, until, longest_until, limit: ADOPT_LIMIT });
    for (const { id, status } of adopted) if (status === 'queued') assigned.add(id);
    await addSigned(adopted, position.ledger);
    if (adopted.length > 0) loops.sign?.wake();
    if (isTimeToRetryChannels()) await unblockFreeChannels(deps.db);
    return false;
  }

  function leaseUntil(): Date {
    return new Date(deps.clock.now().getTime() + LEASE_MS);
  }

  function start(): void {
    const { clock, log, metrics } = deps;
    const loop = (
      name: keyof typeof loops,
      step: () => Promise<boolean>,
      idle_ms: number | (() => number),
    ) => {
      loops[name] = startLoop({ name: `withdrawals ${name}`, step, idle_ms, clock, log, metrics });
    };
    loop('ingest', ingestStep, () =>
      waiting.size + submissions.count() + assigned.size > 0 ? poll.wait_ms() : IDLE_MS,
    );
    loop('sign', signStep, IDLE_MS);
    loop('resend', resendStep, IDLE_MS);
    loop('adopt', adoptStep, ADOPT_EVERY_MS);
  }

  return {
    waitFor(id) {
      if (stopped) return Promise.resolve(false);
      const waiter = waiting.get(id) ?? Promise.withResolvers<boolean>();
      waiting.set(id, waiter);
      loops.sign?.wake();
      return waiter.promise;
    },
    start,
    signSoon: () => loops.sign?.wake(),
    checkOutcomes: () => loops.resend?.wake(),
    async stop() {
      stopped = true;
      await Promise.all([growth.stop(), ...Object.values(loops).map((loop) => loop.stop())]);
      for (const { resolve } of waiting.values()) resolve(false);
      waiting.clear();
      await submissions.drained();
      await endOwnLeases();
    },
  };

  async function endOwnLeases(): Promise<void> {
    try {
      await renewLeases(deps.db, [...assigned, ...submissions.ids()], deps.clock.now());
    } catch (error) {
      deps.log.warn({ err: error }, 'the leases could not be ended; they end by themselves');
    }
  }
}

/**
 * Returns how many transaction sources to assign, at most `batch`, and to which phase: null is both, in the order of the claims. Only a
 * phase without room is left out.
 */
function roomIn(rooms: [Phase, number][], batch: number): { room: number; phase: Phase | null } {
  const open = rooms.filter(([, room]) => room > 0);
  const room = Math.min(batch, ...open.map(([, each]) => each));
  const [first] = open;
  if (!first) return { room: 0, phase: null };
  return { room, phase: open.length === rooms.length ? null : first[0] };
}
