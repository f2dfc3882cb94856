/**
 * Accounts for every transaction of ours in every closed ledger, once, whatever the number in flight.
 *
 * | step                                     | a crash here leads to                                                  |
 * |------------------------------------------|------------------------------------------------------------------------|
 * | read the ledgers after the cursor        | nothing has happened; they are read again                              |
 * | find what is ours among them             | the same                                                               |
 * | one transaction: outcomes, transaction sources freed,  | all of it is committed or none; whoever comes second finds the cursor  |
 * | sequence numbers, unmatched transactions, cursor         | moved and changes nothing                                              |
 *
 * The cursor moves along one chain of ledger hashes: no outcome comes from another network of the same name. Where no source
 * is on that chain any more, that is said, and nothing is signed (see the runbook, "Nothing is signed").
 *
 * What it guards besides: an older copy of the database. Such a copy may show a withdrawal as waiting that is paid, or
 * whose envelope is still in flight on another transaction source, where no sequence number stands in the way of a second one.
 * - Paid: the transaction is in a ledger after the copy's cursor, no withdrawal knows it, it is an unmatched transaction. Nothing is signed
 *   for its wallet until a person has judged it.
 * - In submission: such an envelope is dead WITHDRAW_VALID_SECONDS after it was signed. When the cursor makes a longer step
 *   than ordinary work does, or is behind where this process has seen it, or the database was promoted or restored by
 *   PostgreSQL's own account, nothing is signed at all until that time has passed on the ledger, and is processed.
 */

import type { Config } from '../../config.ts';
import type { Deps } from '../../deps.ts';
import { maxLagSeconds } from '../../ledgers/signing-allowed.ts';
import { stopReasonOf } from '../../ledgers/stop-reasons.ts';
import { insertUnmatched, type NewUnmatched } from '../../ledgers/unmatched-store.ts';
import {
  beginWithdrawalCursor,
  moveWithdrawalCursor,
  postponeSigning,
  readWithdrawalCursor,
  recordWithdrawalStopReason,
  type WithdrawalCursor,
  type WithdrawalCursorHere,
} from '../../ledgers/withdrawal-cursor.ts';
import type { LedgerRange, LedgerTransaction } from '../../stellar/stellar.ts';
import {
  type AppliedTransaction,
  appliedTransaction,
  sourcesOf,
} from '../../stellar/transactions/applied.ts';
import { operationSourcesIn } from '../../stellar/transactions/envelope.ts';
import { outcomeOf } from './outcome.ts';
import { channelsAmong, findByInnerHash, hasWithdrawals, walletsAmong } from './queries.ts';
import { type Applied, notifyOutcomes, recordOutcomes, type Withdrawal } from './store.ts';
import { advanceSequences, freeTxSources } from './tx-source-store.ts';

/**
 * Where the withdrawal cursor stands; `settled` lists whose outcome this step has recorded. `behind`: there are more ledgers to
 * process at once.
 */
export type IngestedOutcomes = { cursor: WithdrawalCursor; behind: boolean; settled: string[] };

/** WITHDRAW_VALID_SECONDS is an hour at most; twice that, because sources lag. */
const LONGEST_WAIT_SECONDS = 7200n;

/**
 * One step: the next whole ledgers. `seen_ledger`: the last one that this process knew to be processed.
 * @throws NetworkUnavailable, what the database throws.
 */
export async function ingestOutcomes(deps: Deps, seen_ledger = 0): Promise<IngestedOutcomes> {
  const read = (await readWithdrawalCursor(deps.db)) ?? (await begin(deps));
  const isOlder = read.is_copied || read.ledger < seen_ledger;
  const cursor = isOlder ? await noteOlderCopy(deps, read, seen_ledger) : read;
  const anchor = cursor.ledger_hash === null ? null : { ledger: cursor.ledger, hash: cursor.ledger_hash };
  const range = await deps.stellar.readLedgersAfter(cursor.ledger, anchor);
  const stays: IngestedOutcomes = { cursor, behind: false, settled: [] };
  if (range.read === 'nothing_new') return stays;
  if (range.read !== 'ledgers') {
    await raise(deps, stopReasonOf(cursor, range, 'transactions').message);
    return stays;
  }
  const ours = await findOurs(deps, range.transactions);
  if ('unusable' in ours) {
    await raise(deps, `A transaction of ours in the ledger cannot be read: ${ours.unusable}.`);
    return stays;
  }
  const to = next(deps.config, cursor, range);
  if (to.sign_after > cursor.sign_after)
    deps.log.warn({ ledger: to.ledger, sign_after: to.sign_after }, 'ledgers were missed: signing waits');
  const behind = range.newest_close_time > range.through_close_time;
  return { ...(await record(deps, cursor, to, ours)), behind };
}

/**
 * From the network's newest ledger, for a database without a cursor. Should it have withdrawn before, that may have been
 * a moment ago.
 */
async function begin(deps: Deps): Promise<WithdrawalCursorHere> {
  const { sequence: ledger, hash: ledger_hash, close_time } = await deps.stellar.latestLedger();
  const sign_after = (await hasWithdrawals(deps.db))
    ? close_time + BigInt(deps.config.withdraw_valid_seconds)
    : 0n;
  await beginWithdrawalCursor(deps.db, { ledger, ledger_hash, close_time, sign_after });
  return (await readWithdrawalCursor(deps.db)) as WithdrawalCursorHere;
}

/** Another database than before answers us: a restored copy, or a replica that was promoted without its newest commits. */
async function noteOlderCopy(
  deps: Deps,
  { ledger }: WithdrawalCursor,
  seen_ledger: number,
): Promise<WithdrawalCursor> {
  const { close_time } = await deps.stellar.latestLedger();
  await postponeSigning(deps.db, close_time + BigInt(deps.config.withdraw_valid_seconds));
  deps.log.error({ ledger, seen_ledger }, 'the database may be an older copy of itself: signing waits');
  return (await readWithdrawalCursor(deps.db)) as WithdrawalCursor;
}

function next(
  config: Config,
  cursor: WithdrawalCursor,
  range: WholeLedgers,
): Omit<WithdrawalCursor, 'stop_reason'> {
  const { through_ledger: ledger, through_hash: ledger_hash, newest_close_time } = range;
  const { through_close_time: close_time } = range;
  const missed = hasMissed(config, cursor, range);
  // A node has told us of a ledger in the far future: no envelope lives that long, and nothing would be signed for ever.
  const absurd = cursor.sign_after - newest_close_time > LONGEST_WAIT_SECONDS;
  const sign_after =
    missed || absurd ? newest_close_time + BigInt(config.withdraw_valid_seconds) : cursor.sign_after;
  return { ledger, ledger_hash, close_time, sign_after };
}

type WholeLedgers = Extract<LedgerRange, { read: 'ledgers' }>;

/** An older copy of the database is older by ledgers, and by no fewer than close in the time that is overlooked. */
const ORDINARY_LEDGERS = 5;

/**
 * Whether the ledgers since the cursor may be the time in which this database forgot something: by the newest ledger, not by
 * this step's last, because however many short steps it takes, as many were missed. A network that stood has no ledgers
 * between: what was signed while it stood is dead when it goes on more than WITHDRAW_VALID_SECONDS later.
 */
export function hasMissed(
  config: Pick<Config, 'withdraw_valid_seconds'>,
  cursor: Pick<WithdrawalCursor, 'ledger' | 'close_time'>,
  { newest_close_time, newest_ledger }: Pick<WholeLedgers, 'newest_close_time' | 'newest_ledger'>,
): boolean {
  const behind_seconds = newest_close_time - cursor.close_time;
  if (behind_seconds <= maxLagSeconds(config)) return false;
  return behind_seconds <= config.withdraw_valid_seconds || newest_ledger - cursor.ledger > ORDINARY_LEDGERS;
}

type Ours = {
  outcomes: Applied[];
  unmatched: NewUnmatched[];
  sequences: { account: string; sequence: bigint }[];
};

type OwnTransaction = { transaction: LedgerTransaction; found: AppliedTransaction };

/** Of all transactions those that a wallet or a channel of ours stands behind. */
async function findOurs(deps: Deps, transactions: LedgerTransaction[]): Promise<Ours | { unusable: string }> {
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
  const applied: OwnTransaction[] = [];
  for (const { transaction, sources } of candidates) {
    if (!sources || !(isOurs(sources.fee_account) || isOurs(sources.source_account))) continue;
    const found = appliedTransaction(deps.config.passphrase, transaction);
    if ('unusable' in found) return found;
    applied.push({ transaction, found });
  }
  const withdrawals = await findByInnerHash(
    deps.db,
    applied.map(({ found }) => found.inner_hash),
  );
  return matchWithdrawals(
    deps,
    applied,
    new Map([...wallets, ...(await hiddenWallets(deps, applied, wallets))]),
    withdrawals,
  );
}

/**
 * Wallets that are neither fee account nor source: their payment on a channel was fee-bumped by somebody else, which
 * anybody may do who sees it in the queue. Few transactions are looked through for that.
 */
function hiddenWallets(deps: Deps, applied: OwnTransaction[], wallets: Map<string, string>) {
  const others = applied.filter(
    ({ found }) => !wallets.has(found.fee_account) && !wallets.has(found.source_account),
  );
  return walletsAmong(deps.db, [
    ...new Set(others.flatMap(({ transaction }) => operationSourcesIn(transaction.envelope))),
  ]);
}

function matchWithdrawals(
  deps: Deps,
  applied: OwnTransaction[],
  wallets: Map<string, string>,
  withdrawals: Map<string, Withdrawal>,
): Ours {
  const ours: Ours = { outcomes: [], unmatched: [], sequences: [] };
  for (const { transaction, found } of applied) {
    ours.sequences.push({ account: found.source_account, sequence: found.sequence });
    const withdrawal = withdrawals.get(found.inner_hash);
    if (withdrawal && !contradicts(withdrawal, found)) {
      ours.outcomes.push(outcomeOf(withdrawal.id, found));
      continue;
    }
    const accounts = [found.fee_account, found.source_account, ...operationSourcesIn(transaction.envelope)];
    const wallet = accounts.find((account) => wallets.has(account));
    const wallet_id = wallet === undefined ? withdrawal?.wallet_id : wallets.get(wallet);
    if (wallet_id === undefined) continue; // of a channel alone: its making or merging
    const { ledger, envelope, result } = transaction;
    deps.log.error({ hash: found.hash, ledger, wallet_id }, UNMATCHED);
    ours.unmatched.push({
      ...{ hash: found.hash, wallet_id, ledger },
      ...{ envelope_xdr: envelope.toString('base64'), result_xdr: result.toString('base64') },
    });
  }
  return ours;
}

/**
 * Said to have failed for ever, and yet it is in the ledger; or, after ledgers of another chain were believed, to have come to
 * something else than it has: that must be seen by a person.
 */
function contradicts({ status, ledger }: Withdrawal, found: AppliedTransaction): boolean {
  if (status === 'failed') return found.successful || ledger !== found.ledger;
  return status === 'confirmed' && !found.successful;
}

const UNMATCHED =
  'The ledger has a transaction of a wallet that this database does not know (was it restored from an older copy?). ' +
  'Nothing is signed for the wallet until it is judged: "teller unmatched"; see the runbook.';

async function record(
  deps: Deps,
  from: WithdrawalCursor,
  to: Omit<WithdrawalCursor, 'stop_reason'>,
  ours: Ours,
): Promise<Omit<IngestedOutcomes, 'behind'>> {
  const settled = ours.outcomes.map(({ id }) => id);
  const now = deps.clock.now();
  const moved = await deps.db.transaction().execute(async (trx) => {
    if (!(await moveWithdrawalCursor(trx, { from, to, now }))) return false;
    await insertUnmatched(trx, ours.unmatched);
    // Withdrawals before transaction sources, as everywhere: crosswise, two transactions would wait for each other for ever.
    await recordOutcomes(trx, ours.outcomes, now);
    await advanceSequences(trx, ours.sequences);
    await freeTxSources(trx, settled);
    if (settled.length > 0) await notifyOutcomes(trx);
    return true;
  });
  if (moved) count(deps, to, ours);
  return moved
    ? { cursor: { ...to, stop_reason: null }, settled }
    : { cursor: (await readWithdrawalCursor(deps.db)) ?? from, settled: [] };
}

function count(
  { metrics }: Deps,
  { ledger }: Pick<WithdrawalCursor, 'ledger'>,
  { outcomes, unmatched }: Ours,
): void {
  for (const { successful } of outcomes)
    metrics.withdrawal_outcomes.inc({ outcome: successful ? 'confirmed' : 'failed' });
  metrics.unmatched_transactions.inc(unmatched.length);
  metrics.withdrawal_cursor_ledger.set(ledger);
}

async function raise(deps: Deps, stop_reason: string): Promise<void> {
  if (await recordWithdrawalStopReason(deps.db, stop_reason))
    deps.log.error(`Ledgers cannot be processed, so nothing is signed. ${stop_reason}`);
}
