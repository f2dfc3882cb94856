/**
 * From the queue to a committed envelope: lanes for those whose turn has come, the lanes' sequence numbers in one request,
 * signatures, one commit. Nothing is sent here (flights.ts); only what `sign` returns may be.
 */
import { mostBehindSeconds } from '../db/accounted.ts';
import type { Deps } from '../deps.ts';
import { nextTurn } from '../lib/next-turn.ts';
import { readCursor } from './cursor-store.ts';
import { feeRate } from './fee-rate.ts';
import { type Boarded, giveBackLane, readBoarded, recordLaneTrouble } from './lane-store.ts';
import { signPayment, type Terms } from './sign.ts';
import { recordSigned, type Signed, type Withdrawal } from './store.ts';

/** Signatures between two turns of the event loop: 25 take about 5 ms. */
const SIGNED_PER_TURN = 25;

/**
 * What became of the boarded: `signed` now, and committed; `gone` has no lane of its own any more or is signed already, by
 * another process or by a commit whose answer was lost. The rest keeps its lane and is to be tried again.
 */
export type Signing = { signed: Withdrawal[]; gone: string[] };

/**
 * Signs those of `ids` that may be signed now and commits their envelopes. `seen_ledger`: the last one that this process
 * knew to be accounted for; a database that knows less is an older copy.
 * @throws AppError `network_unavailable`, what the database throws: nothing was signed then, or it is to be asked again.
 */
export async function sign(deps: Deps, ids: string[], until: Date, seen_ledger = 0): Promise<Signing> {
  const boarded = await readBoarded(deps.db, ids);
  const still = new Set(boarded.map(({ id }) => id));
  const gone = ids.filter((id) => !still.has(id));
  if (boarded.length === 0) return { signed: [], gone };
  const lanes = boarded.map(({ lane }) => lane);
  const [{ latest, sequences }, fee_rate_stroops] = await Promise.all([
    deps.chain.readSequences(lanes),
    feeRate(deps),
  ]);
  const ready: Boarded[] = [];
  for (const each of boarded) {
    const judgement = judgeSequence(sequences.get(each.lane), each.last_sequence);
    if (judgement === 'in_step') ready.push(each);
    await noteJudgement(deps, each, judgement, latest.sequence);
  }
  const max_time = latest.close_time + BigInt(deps.config.withdraw_valid_seconds);
  const made: { row: Boarded; signed: Signed }[] = [];
  for (const [index, row] of ready.entries()) {
    const sequence = (sequences.get(row.lane) ?? 0n) + 1n;
    // A node that names too high a ledger must not make us ask for a history that no source has: never beyond our own.
    const first_sent_ledger = Math.min(latest.sequence, seen_ledger || latest.sequence);
    const signed_at = deps.clock.now();
    const terms = { sequence, fee_rate_stroops, max_time, first_sent_ledger, signed_at };
    const signed = await trySigning(deps, row, terms);
    if (signed) made.push({ row, signed });
    if ((index + 1) % SIGNED_PER_TURN === 0) await nextTurn();
  }
  if (made.length === 0) return { signed: [], gone };
  const now = deps.clock.now();
  const committed = await recordSigned(
    deps.db,
    made.map(({ signed }) => signed),
    { read_at: latest.close_time, seen_ledger, behind_seconds: mostBehindSeconds(deps.config), now, until },
  );
  const own = made.filter(({ row }) => committed.has(row.id));
  return { signed: own.map(({ row, signed }) => afterSigning(row, signed, now)), gone };
}

/**
 * Null when it cannot be signed, which a person must see: a damaged row must not stop those of others. It keeps its lane,
 * or it would take every channel in turn.
 */
async function trySigning(deps: Deps, row: Boarded, terms: Terms): Promise<Signed | null> {
  const lane = { account: row.lane, holder: row.id };
  try {
    const signed = signPayment(deps, row, terms);
    if (row.trouble !== null) await recordLaneTrouble(deps.db, { ...lane, trouble: null });
    return signed;
  } catch (error) {
    if (await recordLaneTrouble(deps.db, { ...lane, trouble: UNSIGNABLE }))
      deps.log.error({ err: error, withdrawal_id: row.id }, UNSIGNABLE);
    return null;
  }
}

const UNSIGNABLE =
  'A withdrawal cannot be signed: the sealed seed of its wallet or channel does not open. Restore the row, or the MASTER_KEY.';

/** What the row holds now, without reading it back. */
function afterSigning(row: Boarded, { fee_bump_hash, ...signed }: Signed, first_sent_at: Date): Withdrawal {
  const {
    last_sequence,
    trouble,
    wallet_account,
    wallet_sealed_seed,
    channel_id,
    channel_sealed_seed,
    ...rest
  } = row;
  return {
    ...rest,
    ...signed,
    first_sent_at,
    status: 'signed',
    stellar_tx_hash: fee_bump_hash ?? signed.inner_tx_hash,
    fee_bump_hashes: fee_bump_hash === null ? [] : [fee_bump_hash],
  };
}

type Judgement = 'in_step' | 'stale' | 'ahead' | 'no_account';

/**
 * Whether an envelope may be built on an account's sequence number. Only this database uses our lanes, so it is that of
 * the last transaction accounted for, or the one the account was created with (ledger << 32: stellar-core,
 * getStartingSequenceNumber). Ahead of that, the ledger has a transaction of the lane that is not accounted for.
 */
export function judgeSequence(sequence: bigint | undefined, last_sequence: bigint | null): Judgement {
  if (sequence === undefined) return 'no_account';
  if (last_sequence === null) return (sequence & 0xffffffffn) === 0n ? 'in_step' : 'ahead';
  if (sequence < last_sequence) return 'stale'; // a node that lags
  return sequence === last_sequence ? 'in_step' : 'ahead';
}

const TROUBLES = {
  ahead:
    'The ledger shows a higher sequence number than this database has used: something else uses the account’s key. ' +
    'Nothing is signed on it until "teller tx-sources accept" says that this is understood; see the runbook.',
  no_account: 'The account is not on the network.',
};

async function noteJudgement(
  deps: Deps,
  boarded: Boarded,
  judgement: Judgement,
  read_at_ledger: number,
): Promise<void> {
  const { id, lane } = boarded;
  if (judgement === 'in_step') return;
  if (judgement === 'stale') {
    deps.log.warn({ withdrawal_id: id, account: lane }, 'the network source lags');
    return;
  }
  // The follower may not have come to the transaction yet that used the number: then it is no trouble.
  const cursor = await readCursor(deps.db);
  const accounted_for = cursor?.ledger ?? 0;
  if (judgement === 'ahead' && accounted_for < read_at_ledger) return;
  // Nor is an account missing that is only too young for a source that lags.
  if (judgement === 'no_account' && read_at_ledger < accounted_for) return;
  const trouble = TROUBLES[judgement];
  if (await recordLaneTrouble(deps.db, { account: lane, holder: id, trouble }))
    deps.log.error({ withdrawal_id: id, account: lane }, trouble);
  if (boarded.channel_id !== null) await giveBackLane(deps.db, boarded);
}
