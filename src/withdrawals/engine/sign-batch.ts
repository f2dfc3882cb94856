/**
 * From a transaction source to a committed envelope: read the sequence numbers in one request, sign, commit once. Nothing is
 * sent here. Only the envelopes that `signBatch` returns may be sent (submissions.ts).
 */

import { setImmediate } from 'node:timers/promises';
import type { Deps } from '../../deps.ts';
import { maxLagSeconds } from '../../ledgers/signing-allowed.ts';
import { readWithdrawalCursor } from '../../ledgers/withdrawal-cursor.ts';
import type { Signer } from '../../vault/vault.ts';
import { channelPays, isLow } from './channel-fees.ts';
import { leastProtocolOf } from './contract-transfer.ts';
import { LEAST_RATE_STROOPS } from './fee-bid.ts';
import { contractFeeRate, feeRate } from './fee-rate.ts';
import type { EngineDeps } from './hooks.ts';
import { NotApproved } from './order-hash.ts';
import { payeesOf, withOperations } from './payee-accounts.ts';
import { type EnvelopeTerms, seedsOf, signPayment } from './sign-payment.ts';
import { isCreatedByAnother, recordSigned, type SignedEnvelope, type Withdrawal } from './store.ts';
import { withinTreasuryFunds } from './treasury-funds.ts';
import {
  type AssignedWithdrawal,
  readAssigned,
  recordBlockedReason,
  releaseTxSource,
} from './tx-source-store.ts';

/** 25 signatures take about 5 ms. After them, other work of the event loop runs. */
const SIGNED_PER_TURN = 25;

/**
 * Result of one signing round. `signed`: signed and committed now. `gone`: must not be signed here any more, because
 * another process signed it, or our commit succeeded and its answer was lost, or the withdrawal lost its transaction
 * source. All other withdrawals keep their transaction sources and are tried again: among them those whose key provider
 * is away. `low_channels`: a channel among the transaction sources is to be filled (channel-fees.ts).
 */
export type SigningRound = { signed: Withdrawal[]; gone: string[]; low_channels: boolean };

/**
 * Signs those of `ids` that may be signed now, and commits their envelopes. `seen_ledger`: the newest ledger that this
 * process knows to be processed; a database that knows less is an older copy.
 * @throws NetworkUnavailable, and errors of the database. After an error call it again: committed withdrawals are
 * `gone` then.
 */
export async function signBatch(
  deps: EngineDeps,
  ids: string[],
  until: Date,
  seen_ledger = 0,
): Promise<SigningRound> {
  const began = deps.traces.now();
  const assigned = await readAssigned(deps.db, ids);
  const still = new Set(assigned.map(({ id }) => id));
  const gone = ids.filter((id) => !still.has(id));
  if (assigned.length === 0) return { signed: [], gone, low_channels: false };
  // The keys first: what the network says of sequence numbers and time is new then, however long a key provider takes.
  const seeds = assigned.flatMap((row) => seedsOf(deps, row));
  const round = await deps.vault.withSigner(seeds, async (signer) => {
    const signable = assigned.filter((row) => !seedsOf(deps, row).some((seed) => signer.isAway(seed)));
    if (signable.length === 0) return { signed: [], low_channels: false };
    return signAssigned(deps, signer, signable, { until, seen_ledger, began });
  });
  return { ...round, gone };
}

/** Signs and commits rows. `signed`: those that are signed and committed now. */
async function signAssigned(
  deps: EngineDeps,
  signer: Signer,
  assigned: AssignedWithdrawal[],
  { until, seen_ledger, began }: { until: Date; seen_ledger: number; began: number },
): Promise<Omit<SigningRound, 'gone'>> {
  const accounts = [...assigned.map(({ tx_source }) => tx_source), ...payeesOf(assigned)];
  const hasContracts = assigned.some(({ operation }) => operation === 'contract_transfer');
  const [{ latest, sequences, spendable }, fee_rate_stroops, contract_rate_stroops] = await Promise.all([
    deps.stellar.readSequences(accounts),
    feeRate(deps),
    hasContracts ? contractFeeRate(deps) : LEAST_RATE_STROOPS,
  ]);
  const ready: AssignedWithdrawal[] = [];
  for (const each of assigned) {
    if (latest.protocol_version < leastProtocolOf(each)) {
      // A source that lags behind an upgrade: by it, the network could not read the transaction.
      deps.log.warn({ withdrawal_id: each.id, protocol_version: latest.protocol_version }, BEFORE_UPGRADE);
      continue;
    }
    const sequence_state = classifySequence(sequences.get(each.tx_source), each.last_sequence);
    if (sequence_state === 'in_step') ready.push(each);
    await noteSequenceState(deps, each, sequence_state, latest.sequence);
  }
  const rates = { fee_rate_stroops, contract_rate_stroops };
  const spendableOf = ({ tx_source }: AssignedWithdrawal) => spendable.get(tx_source) ?? 0n;
  const paying = ready.filter((row) => channelPays(deps.config, row, spendableOf(row)));
  const channel_pays = new Set(paying.map(({ id }) => id));
  const low_channels = ready.some((row) => row.channel_id !== null && isLow(deps.config, spendableOf(row)));
  const requirePayoutRow = await deps.hooks.guards.payoutRows(deps.db, deps.config.passphrase, ready);
  const payable = await withOperations(deps, await withinTreasuryFunds(deps, ready, rates, channel_pays), {
    latest,
    existing: sequences,
    isHeldBack,
  });
  const max_time = latest.close_time + BigInt(deps.config.withdraw_valid_seconds);
  const made: { row: AssignedWithdrawal; signed: SignedEnvelope }[] = [];
  for (const [index, row] of payable.entries()) {
    const sequence = (sequences.get(row.tx_source) ?? 0n) + 1n;
    // Never above our own cursor: a node that names too high a ledger would make us ask for a history that no source has.
    const signed_ledger = Math.min(latest.sequence, seen_ledger || latest.sequence);
    const signed_at = deps.clock.now();
    const of_row = { sequence, channel_pays: channel_pays.has(row.id) };
    const terms = { ...of_row, ...rates, max_time, signed_ledger, signed_at };
    const signed = await trySigning(deps, signer, row, { terms, requirePayoutRow });
    if (signed) made.push({ row, signed });
    if ((index + 1) % SIGNED_PER_TURN === 0) await setImmediate();
  }
  if (made.length === 0) return { signed: [], low_channels };
  const now = deps.clock.now();
  const committed = await commitSigned(
    deps,
    made.map(({ signed }) => signed),
    { read_at: latest.close_time, seen_ledger, now, until },
  );
  const own = made.filter(({ row }) => committed.has(row.id));
  for (const { row, signed } of own) traceSigning(deps, row, signed, began);
  return { signed: own.map(({ row, signed }) => afterSigning(row, signed, now)), low_channels };
}

/** Commits all or nothing: nothing when another process has just signed the creation of a payee. The next round decides again. */
async function commitSigned(
  { db, config }: Deps,
  signed: SignedEnvelope[],
  options: Omit<Parameters<typeof recordSigned>[2], 'behind_seconds'>,
): Promise<Set<string>> {
  try {
    return await recordSigned(db, signed, { ...options, behind_seconds: maxLagSeconds(config) });
  } catch (error) {
    if (!isCreatedByAnother(error)) throw error;
    return new Set();
  }
}

function traceSigning(
  { traces }: Deps,
  row: AssignedWithdrawal,
  signed: SignedEnvelope,
  began: number,
): void {
  const { id: withdrawal_id, wallet_id, traceparent } = row;
  const { signed_ledger: ledger, inner_tx_hash } = signed;
  const attributes = { withdrawal_id, wallet_id, ledger, inner_tx_hash };
  traces.start('sign withdrawal', { parent: traceparent, began, attributes }).end();
}

/**
 * Signs a row. Returns null when the row cannot be signed: an operator must see that, and other rows are signed. The row keeps its
 * transaction source; otherwise it would block one channel after the other.
 */
async function trySigning(
  deps: Deps,
  signer: Signer,
  row: AssignedWithdrawal,
  { terms, requirePayoutRow }: { terms: EnvelopeTerms; requirePayoutRow: (row: AssignedWithdrawal) => void },
): Promise<SignedEnvelope | null> {
  const tx_source = { account: row.tx_source, withdrawal_id: row.id };
  try {
    requirePayoutRow(row);
    const signed = signPayment(deps, signer, row, terms);
    if (row.blocked_reason !== null)
      await recordBlockedReason(deps.db, { ...tx_source, blocked_reason: null });
    return signed;
  } catch (error) {
    const blocked_reason = error instanceof NotApproved ? NOT_APPROVED : UNSIGNABLE;
    if (await recordBlockedReason(deps.db, { ...tx_source, blocked_reason }))
      deps.log.error({ err: error, withdrawal_id: row.id }, blocked_reason);
    return null;
  }
}

const NOT_APPROVED =
  'A withdrawal is not what its members have approved: somebody has changed its row. Nothing is signed for it. Restore the ' +
  'row from a backup or the audit log.';
const BEFORE_UPGRADE =
  'A withdrawal to a muxed contract waits to be signed: a source of the network shows a ledger of an older protocol.';
const UNSIGNABLE =
  'A withdrawal cannot be signed: the sealed seed of its wallet, its channel or the treasury does not open, or there is no ' +
  'treasury. Restore the row, or the MASTER_KEY.';

const isHeldBack = ({ blocked_reason }: AssignedWithdrawal) =>
  blocked_reason === NOT_APPROVED || blocked_reason === UNSIGNABLE;

/** Returns the row as `recordSigned` has written it. */
function afterSigning(
  row: AssignedWithdrawal,
  { fee_bump_hash, ...signed }: SignedEnvelope,
  committed_at: Date,
): Withdrawal {
  const {
    last_sequence,
    blocked_reason,
    wallet_account,
    wallet_sealed_seed,
    channel_id,
    channel_sealed_seed,
    treasury,
    ...rest
  } = row;
  return {
    ...rest,
    ...signed,
    committed_at,
    status: 'signed',
    stellar_tx_hash: fee_bump_hash ?? signed.inner_tx_hash,
    fee_bump_hashes: fee_bump_hash === null ? [] : [fee_bump_hash],
  };
}

type SequenceState = 'in_step' | 'stale' | 'ahead' | 'no_account';

/**
 * Says whether an envelope may be built on an account's sequence number: only on that of its last processed transaction, or on
 * the number that the account was created with (ledger << 32: stellar-core, getStartingSequenceNumber). A higher number
 * means that the ledger has a transaction of the account that is not processed, or that somebody else uses its key.
 */
export function classifySequence(sequence: bigint | undefined, last_sequence: bigint | null): SequenceState {
  if (sequence === undefined) return 'no_account';
  if (last_sequence === null) return (sequence & 0xffffffffn) === 0n ? 'in_step' : 'ahead';
  if (sequence < last_sequence) return 'stale'; // a node that lags
  return sequence === last_sequence ? 'in_step' : 'ahead';
}

const BLOCKED_REASONS = {
  ahead:
    'The ledger shows a higher sequence number than this database has used: something else uses the account’s key. ' +
    'Nothing is signed on it until "teller tx-sources accept" says that this is understood; see the runbook.',
  no_account: 'The account is not on the network.',
};

async function noteSequenceState(
  deps: Deps,
  assigned: AssignedWithdrawal,
  sequence_state: SequenceState,
  read_at_ledger: number,
): Promise<void> {
  const { id, tx_source } = assigned;
  if (sequence_state === 'in_step') return;
  if (sequence_state === 'stale') {
    deps.log.warn(
      { withdrawal_id: id, account: tx_source },
      'a source of the network lags, so a withdrawal waits to be signed',
    );
    return;
  }
  // The ingest loop may reach the transaction that used the number later: then there is nothing to block.
  const cursor = await readWithdrawalCursor(deps.db);
  const processed_ledger = cursor?.ledger ?? 0;
  if (sequence_state === 'ahead' && processed_ledger < read_at_ledger) return;
  // A source that lags does not know a new account yet.
  if (sequence_state === 'no_account' && read_at_ledger < processed_ledger) return;
  const blocked_reason = BLOCKED_REASONS[sequence_state];
  if (await recordBlockedReason(deps.db, { account: tx_source, withdrawal_id: id, blocked_reason }))
    deps.log.error({ withdrawal_id: id, account: tx_source }, blocked_reason);
  if (assigned.channel_id !== null) await releaseTxSource(deps.db, assigned);
}
