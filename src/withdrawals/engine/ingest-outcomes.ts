/**
 * The ingest loop's step: processes every transaction of ours in every closed ledger, once. The cost does not depend on how
 * many withdrawals are in flight.
 *
 * | step                                         | a crash here leads to                                             |
 * |----------------------------------------------|-------------------------------------------------------------------|
 * | read the ledgers after the withdrawal cursor | nothing has happened; they are read again                         |
 * | find our transactions in them                | the same                                                          |
 * | one transaction: outcomes, freed transaction | all of it is committed or nothing; a second process finds the     |
 * | sources, sequence numbers, unmatched         | cursor moved and changes nothing                                  |
 * | transactions, cursor, events                 |                                                                   |
 *
 * The cursor moves along one chain of ledger hashes: an outcome never comes from another network of the same name. When no
 * source has that chain any more, the stop reason says so and nothing is signed (runbook, "Nothing is signed").
 *
 * The step also protects against an older copy of the database. Such a copy may show a withdrawal as waiting although
 * it is paid, or although its envelope is in flight. If the copy signed it again with another transaction source, no
 * sequence number would prevent the second payment.
 * - Paid: the transaction is in a ledger after the copy's cursor, and no withdrawal has its hash. It becomes an unmatched
 *   transaction. Its fingerprint tells which key it pays (forgotten-payments.ts); without one, nothing is signed for its
 *   wallet until an operator resolves it.
 * - In flight: such an envelope expires WITHDRAW_VALID_SECONDS after it was signed (sign-after.ts). There are three signs of an older
 *   copy: the cursor makes a longer step than in ordinary work; the cursor is behind the ledger at which this process
 *   has seen it; PostgreSQL says that the database was promoted or restored. After such a sign nothing is signed until
 *   that time has passed on the ledger and is processed. A longer step is no sign when this process knows that the same
 *   primary only stood still (known-primary.ts).
 */

import type { Config } from '../../config.ts';
import type { Deps } from '../../deps.ts';
import { quarantineUnread } from '../../ledgers/quarantine-store.ts';
import { signAfter } from '../../ledgers/sign-after.ts';
import { maxLagSeconds } from '../../ledgers/signing-allowed.ts';
import { stopReasonOf } from '../../ledgers/stop-reasons.ts';
import { insertUnmatched, type NewUnmatched } from '../../ledgers/unmatched-store.ts';
import {
  beginWithdrawalCursor,
  type CursorPosition,
  moveWithdrawalCursor,
  noteValidity,
  postponeSigning,
  readWithdrawalCursor,
  recordWithdrawalStopReason,
  type WithdrawalCursor,
  type WithdrawalCursorHere,
  writeToLog,
} from '../../ledgers/withdrawal-cursor.ts';
import { provesOwnTransfer } from '../../stellar/contracts/proven-transfer.ts';
import type { LedgerTransaction, WholeLedgers } from '../../stellar/stellar.ts';
import {
  type AppliedTransaction,
  appliedTransaction,
  minTimeOf,
  sourcesOf,
} from '../../stellar/transactions/applied.ts';
import { operationSourcesIn, paymentIn } from '../../stellar/transactions/envelope.ts';
import { blockSettledKeys, matchForgottenPayments, paymentFingerprint } from './forgotten-payments.ts';
import type { AppendOutcomeEvents, EngineDeps } from './hooks.ts';
import { isFingerprint } from './key-fingerprint.ts';
import { createKnownPrimary, type KnownPrimary } from './known-primary.ts';
import { blockSecondPayments, outcomeOf, PAID_TWICE } from './outcome.ts';
import { channelsAmong, findByInnerHash, hasWithdrawals, walletsAmong } from './queries.ts';
import { type Outcome, recordOutcomes, type Withdrawal } from './store.ts';
import { recordUsedSources, type UsedSource } from './tx-source-store.ts';
import { findUnread, reportUnread, type Unread } from './unread-transactions.ts';

/**
 * `cursor`: the withdrawal cursor after the step. `with_outcome`: ids of the withdrawals whose transactions were in its
 * ledgers. `behind`: the network has more ledgers already.
 */
export type IngestedOutcomes = { cursor: WithdrawalCursor; behind: boolean; with_outcome: string[] };

/**
 * What a process has seen: it must not be told less. `told`: hashes of transactions whose difference from an open withdrawal
 * is logged. `onLedger`: called with the last ledger that was read, before its outcomes are recorded.
 */
export type Seen = {
  ledger: number;
  primary: KnownPrimary;
  told: Set<string>;
  onLedger?: (ledger: number) => void;
};

/** Twice the maximum of WITHDRAW_VALID_SECONDS (one hour), because sources lag. */
const LONGEST_WAIT_SECONDS = 7200n;

/**
 * Processes the next whole ledgers. `seen.ledger`: the newest ledger that this process knows to be processed.
 * @throws NetworkUnavailable, and errors of the database
 */
export async function ingestOutcomes(
  deps: EngineDeps,
  seen: Seen = { ledger: 0, primary: createKnownPrimary(deps.clock), told: new Set() },
): Promise<IngestedOutcomes> {
  const read = (await readWithdrawalCursor(deps.db)) ?? (await beginCursor(deps));
  if (read.longest_valid_seconds < deps.config.withdraw_valid_seconds)
    await noteValidity(deps.db, deps.config.withdraw_valid_seconds);
  const isOlder = read.is_copied || read.ledger < seen.ledger;
  const cursor = isOlder ? await noteOlderCopy(deps, read, seen.ledger) : read;
  const anchor = cursor.ledger_hash === null ? null : { ledger: cursor.ledger, hash: cursor.ledger_hash };
  const began = deps.traces.now();
  const range = await deps.stellar.readLedgersAfter(cursor.ledger, anchor);
  const stays: IngestedOutcomes = { cursor, behind: false, with_outcome: [] };
  if (range.read === 'nothing_new') {
    deps.metrics.withdrawals_lag_seconds.set(0);
    return stays;
  }
  if (range.read !== 'ledgers') {
    await recordStop(deps, cursor, stopReasonOf(cursor, range, 'transactions').message);
    return stays;
  }
  seen.onLedger?.(range.through_ledger);
  const { unread, unmatched, readable } = await findUnread(deps, range.transactions);
  const ours = await findOurs(deps, readable);
  if ('unusable' in ours) {
    await recordStop(deps, cursor, `A transaction of ours in the ledger cannot be read: ${ours.unusable}.`);
    return stays;
  }
  const missed = hasMissedLedgers(deps.config, cursor, range);
  const knowledge = missed ? seen.primary.classify(read.primary) : 'same';
  if (knowledge === 'undecided') {
    seen.primary.expect(await writeToLog(deps.db, deps.clock.now()));
    return stays;
  }
  const to = nextCursor(deps, cursor, { range, may_have_forgotten: missed && knowledge === 'unknown' });
  if (to.sign_after > cursor.sign_after)
    deps.log.warn(
      { ledger: to.ledger, sign_after: to.sign_after },
      'ledgers were missed: nothing is signed for some time',
    );
  const behind = range.newest_ledger > range.through_ledger; // by number: several may close in one second
  // Before the transaction: both read the network.
  const [outcomes, appendEvents] = await Promise.all([
    deps.hooks.outcomes.explain(deps, ours.outcomes, ours.rows),
    deps.hooks.outcomes.events(deps, [...ours.rows.values()]),
  ]);
  const { moved, ...ingested } = await recordResults(deps, {
    from: cursor,
    to,
    told: seen.told,
    began,
    ours: { ...ours, outcomes, unmatched: [...unmatched, ...ours.unmatched] },
    unread,
    appendEvents,
  });
  // Not before: an error would leave a hold unrecorded, and the next step would take the copy for the primary.
  if (moved) seen.primary.note(read.primary, missed);
  const lag = range.newest_close_time - ingested.cursor.close_time;
  deps.metrics.withdrawals_lag_seconds.set(Math.max(0, Number(lag)));
  return { ...ingested, behind };
}

/**
 * Begins at the network's newest ledger, for a database without a cursor. If it has withdrawals, the newest of them may
 * have been signed a moment ago: signing waits until it has expired.
 */
async function beginCursor(deps: Deps): Promise<WithdrawalCursorHere> {
  const { sequence: ledger, hash: ledger_hash, close_time } = await deps.stellar.latestLedger();
  const sign_after = (await hasWithdrawals(deps.db)) ? signAfter(deps, close_time, null) : 0n;
  await beginWithdrawalCursor(deps.db, { ledger, ledger_hash, close_time, sign_after });
  return (await readWithdrawalCursor(deps.db)) as WithdrawalCursorHere;
}

/**
 * Postpones signing when the database is another one than before: a restored copy, or a replica promoted without its newest
 * commits.
 */
async function noteOlderCopy(
  deps: Deps,
  cursor: WithdrawalCursor,
  seen_ledger: number,
): Promise<WithdrawalCursor> {
  const { close_time } = await deps.stellar.latestLedger();
  await postponeSigning(deps.db, signAfter(deps, close_time, cursor));
  deps.log.error(
    { ledger: cursor.ledger, seen_ledger },
    'the database may be an older copy of itself: nothing is signed for some time',
  );
  return (await readWithdrawalCursor(deps.db)) as WithdrawalCursor;
}

function nextCursor(
  deps: Pick<Deps, 'clock' | 'config'>,
  cursor: WithdrawalCursor,
  { range, may_have_forgotten }: { range: WholeLedgers; may_have_forgotten: boolean },
): CursorPosition {
  const { through_ledger: ledger, through_hash: ledger_hash, newest_close_time } = range;
  const { through_close_time: close_time } = range;
  // `sign_after` is absurdly late, because a node named a ledger in the far future. No envelope is valid that long.
  // Without this limit nothing would ever be signed.
  const absurd = cursor.sign_after - newest_close_time > LONGEST_WAIT_SECONDS;
  const hold = may_have_forgotten || absurd ? signAfter(deps, newest_close_time, cursor) : 0n;
  const sign_after = absurd || hold > cursor.sign_after ? hold : cursor.sign_after;
  return { ledger, ledger_hash, close_time, sign_after };
}

/**
 * Returns true when this database may have forgotten something since the cursor: the network's newest ledger is further ahead than
 * in ordinary work (this step's last ledger may be a short step). While a network stands still for longer than envelopes
 * are valid, everything that was signed before expires. Then only the time since its next ledger counts.
 */
export function hasMissedLedgers(
  config: Pick<Config, 'withdraw_valid_seconds'>,
  cursor: Pick<WithdrawalCursor, 'close_time' | 'longest_valid_seconds'>,
  { close_times, newest_close_time }: Pick<WholeLedgers, 'close_times' | 'newest_close_time'>,
): boolean {
  const valid_seconds = Math.max(config.withdraw_valid_seconds, cursor.longest_valid_seconds);
  let since = cursor.close_time;
  let before = cursor.close_time;
  for (const close_time of close_times) {
    if (close_time - before > valid_seconds) since = close_time;
    before = close_time;
  }
  return newest_close_time - since > maxLagSeconds(config);
}

type OwnResults = {
  outcomes: Outcome[];
  /** The withdrawals of the outcomes, by id. */
  rows: Map<string, Withdrawal>;
  unmatched: NewUnmatched[];
  used: UsedSource[];
};

type OwnTransaction = { transaction: LedgerTransaction; found: AppliedTransaction };

/** Finds the transactions whose fee account or source is a wallet or a channel of ours, and what each means. */
async function findOurs(
  deps: Deps,
  transactions: LedgerTransaction[],
): Promise<OwnResults | { unusable: string }> {
  const candidates = transactions.map((transaction) => ({
    transaction,
    sources: sourcesOf(transaction.envelope),
  }));
  const accounts = [...new Set(candidates.flatMap(({ sources }) => (sources ? Object.values(sources) : [])))];
  const [wallets, channels] = await Promise.all([
    walletsAmong(deps.db, accounts),
    channelsAmong(deps.db, accounts),
  ]);
  const isOurs = (account: string) => wallets.has(account) || channels.has(account);
  const own: LedgerTransaction[] = [];
  const searched: LedgerTransaction[] = [];
  for (const { transaction, sources } of candidates) {
    if (!sources) continue;
    const isOwn = isOurs(sources.fee_account) || isOurs(sources.source_account);
    if (isOwn) own.push(transaction);
    else if (isKeyed(transaction)) searched.push(transaction);
  }
  const hidden = await hiddenWallets(deps, searched);
  const applied: OwnTransaction[] = [];
  for (const transaction of [...own, ...hidden.transactions]) {
    const found = appliedTransaction(deps.config.passphrase, transaction);
    if ('unusable' in found) return found;
    applied.push({ transaction, found });
  }
  const withdrawals = await findByInnerHash(
    deps.db,
    applied.map(({ found }) => found.inner_hash),
  );
  // Of those that a withdrawal explains, nobody needs the wallet: where the treasury or channels pay they are nearly all.
  const unexplained = applied.filter(
    ({ found }) => isHidden(found, wallets) && !withdrawals.has(found.inner_hash),
  );
  const { wallets: paying } = await hiddenWallets(
    deps,
    unexplained.map(({ transaction }) => transaction),
  );
  const known = new Map([...wallets, ...hidden.wallets, ...paying]);
  return matchWithdrawals(deps, applied, known, withdrawals);
}

/** Returns true when neither its fee account nor its source is a wallet. */
function isHidden(
  { fee_account, source_account }: AppliedTransaction,
  wallets: Map<string, string>,
): boolean {
  return !wallets.has(fee_account) && !wallets.has(source_account);
}

/** Returns true for a possible payment of a key: it may be on a channel that a restored database does not know. */
function isKeyed({ envelope }: LedgerTransaction): boolean {
  const min_time = minTimeOf(envelope);
  return min_time !== null && isFingerprint(min_time);
}

/**
 * Finds wallets that are neither fee account nor source, because somebody else paid the fee of their payment on a channel: the channel
 * (CHANNEL_FEES=channel), the treasury (TREASURY_PAYS=fees), or anybody who sees a transaction in the queue. Few transactions are
 * searched for such wallets. `transactions`: those with an operation of such a wallet.
 */
async function hiddenWallets(deps: Deps, searched: LedgerTransaction[]) {
  const sources = new Map(searched.map((each) => [each, operationSourcesIn(each.envelope)]));
  const wallets = await walletsAmong(deps.db, [...new Set([...sources.values()].flat())]);
  const transactions = searched.filter((each) => sources.get(each)?.some((account) => wallets.has(account)));
  return { wallets, transactions };
}

function matchWithdrawals(
  deps: Deps,
  applied: OwnTransaction[],
  wallets: Map<string, string>,
  withdrawals: Map<string, Withdrawal>,
): OwnResults {
  const { passphrase } = deps.config;
  const ours: OwnResults = {
    outcomes: [],
    rows: new Map(),
    unmatched: [],
    used: [],
  };
  for (const { transaction, found } of applied) {
    const { source_account: account, sequence } = found;
    ours.used.push({ account, sequence, is_wallet: wallets.has(account) });
    const withdrawal = withdrawals.get(found.inner_hash);
    if (withdrawal && !contradicts(passphrase, withdrawal, found)) {
      ours.outcomes.push(outcomeOf(withdrawal, found));
      ours.rows.set(withdrawal.id, withdrawal);
      continue;
    }
    const accounts = [found.fee_account, found.source_account, ...operationSourcesIn(transaction.envelope)];
    const wallet = accounts.find((account) => wallets.has(account));
    const wallet_id = wallet === undefined ? withdrawal?.wallet_id : wallets.get(wallet);
    if (wallet_id === undefined) continue; // the creation or the merge of a channel
    const { ledger, envelope, result } = transaction;
    const envelope_xdr = envelope.toString('base64');
    // What contradicts the outcome of its own withdrawal is for a person.
    const key_fingerprint = withdrawal ? null : paymentFingerprint(passphrase, envelope_xdr);
    deps.log.error(
      { hash: found.hash, ledger, wallet_id, ...(withdrawal && { withdrawal_id: withdrawal.id }) },
      key_fingerprint === null ? UNMATCHED : FORGOTTEN_KEY,
    );
    ours.unmatched.push({
      hash: found.hash,
      wallet_id,
      ledger,
      key_fingerprint,
      envelope_xdr,
      refunds_hash: found.successful ? (paymentIn(passphrase, envelope_xdr)?.memo_return ?? null) : null,
      result_xdr: result.toString('base64'),
    });
  }
  return ours;
}

/**
 * Returns true when the recorded outcome contradicts the ledger. Either the withdrawal was recorded as expired and is in the ledger, or
 * its outcome came from another chain. Or a contract transfer succeeded, and the ledger does not prove that it moved what was
 * ordered. An operator must see that.
 */
function contradicts(passphrase: string, withdrawal: Withdrawal, found: AppliedTransaction): boolean {
  const { status, ledger, envelope_xdr } = withdrawal;
  if (status === 'signed')
    return envelope_xdr !== null && !provesOwnTransfer(passphrase, envelope_xdr, found);
  if (status === 'failed') return found.successful || ledger !== found.ledger;
  return status === 'confirmed' && !found.successful;
}

const UNMATCHED =
  'The ledger has an outgoing transaction of a wallet that matches no withdrawal (was the database restored from an older ' +
  'copy?). Nothing is signed for the wallet until the transaction is resolved: "teller unmatched"; see the runbook.';

const FORGOTTEN_KEY =
  'The ledger has a payment whose withdrawal this database does not know (was it restored from an older copy?). The key of ' +
  'the payment is not paid again: "teller unmatched"; see the runbook.';

const OTHER_PAYMENT =
  'The ledger has a payment with the key of an open withdrawal, and it differs from the withdrawal. The withdrawal is not ' +
  'signed until a person has decided: "teller unmatched"; see the runbook.';

async function recordResults(
  deps: EngineDeps,
  {
    from,
    to,
    ours,
    unread,
    appendEvents,
    told,
    began,
  }: {
    from: WithdrawalCursor;
    to: CursorPosition;
    ours: OwnResults;
    unread: Unread[];
    appendEvents: AppendOutcomeEvents;
    told: Set<string>;
    began: number;
  },
): Promise<Omit<IngestedOutcomes, 'behind'> & { moved: boolean }> {
  const { passphrase } = deps.config;
  const now = deps.clock.now();
  const done = await deps.db.transaction().execute(async (trx) => {
    if (!(await moveWithdrawalCursor(trx, { from, to, now }))) return null;
    const quarantined = await quarantineUnread(trx, unread, now);
    const inserted = await insertUnmatched(trx, ours.unmatched);
    const settled = await blockSettledKeys(
      trx,
      ours.unmatched.filter(({ hash }) => inserted.has(hash)),
    );
    const { outcomes, second, other } = await matchForgottenPayments(trx, passphrase, now);
    const all = [...ours.outcomes, ...outcomes];
    const with_outcome = all.map(({ id }) => id);
    // Withdrawals before transaction sources, as everywhere: in the other order two transactions would deadlock. A wallet whose first
    // withdrawal is forgotten gets its transaction source here: it would otherwise look as if something else used its key.
    const recorded = await recordOutcomes(trx, all, now);
    const beside = await blockSecondPayments(trx, passphrase, all);
    await recordUsedSources(trx, ours.used, with_outcome);
    await appendEvents(trx, [...recorded.values()], now);
    return { with_outcome, recorded, other, quarantined, paid_twice: [...settled, ...second, ...beside] };
  });
  if (!done) return { cursor: (await readWithdrawalCursor(deps.db)) ?? from, with_outcome: [], moved: false };
  for (const hash of done.other.filter((each) => !told.has(each))) deps.log.error({ hash }, OTHER_PAYMENT);
  for (const hash of done.other) told.add(hash);
  for (const hash of done.paid_twice) deps.log.error({ hash }, PAID_TWICE);
  deps.hooks.outcomes.report(deps, [...done.recorded.values()], { began, ledger: to.ledger });
  reportUnread(deps, unread, done.quarantined);
  deps.metrics.unmatched_transactions.inc(ours.unmatched.length);
  deps.metrics.withdrawal_cursor_ledger.set(to.ledger);
  const cursor = { ...to, stop_reason: null, longest_valid_seconds: from.longest_valid_seconds };
  return { cursor, with_outcome: done.with_outcome, moved: true };
}

/** Logs a reason once. A gap's numbers change with every ledger that the source forgets: the reason stays. */
async function recordStop(deps: Deps, before: WithdrawalCursor, stop_reason: string): Promise<void> {
  const recorded = await recordWithdrawalStopReason(deps.db, stop_reason);
  const isKnown = before.stop_reason?.replace(/\d+/g, '') === stop_reason.replace(/\d+/g, '');
  if (recorded && !isKnown)
    deps.log.error(`Ledgers cannot be processed, so nothing is signed. ${stop_reason}`);
}
