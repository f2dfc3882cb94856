/**
 * Brings one withdrawal from its row to its proven outcome. The waiting request, the settler role and the recovery
 * after a crash all run this; two processes running it for the same row do no harm.
 *
 * | state     | what is true                                  | next step                        | a crash here leads to              |
 * |-----------|-----------------------------------------------|----------------------------------|------------------------------------|
 * | queued    | the key is taken; nothing was ever signed     | take the lane, sign, commit      | the next process starts again here |
 * | signed    | envelope, hash and max_time are committed; it | send the same bytes, look for    | the next process looks for the     |
 * |           | may have been sent, once or often             | the hash, until proof            | hash, and sends the same bytes     |
 * | confirmed | the ledger has it and it succeeded            | none                             |                                    |
 * | failed    | the ledger has it and it failed; or it can    | none                             |                                    |
 * |           | never be in a ledger (see `neverApplied`)     |                                  |                                    |
 *
 * Never: a second envelope for a row; an outcome because of an error, a 404, a clock or what a node said to a
 * submission. The lane is held from before signing until the outcome, so no other envelope competes for the sequence.
 */
import { strict as assert } from 'node:assert';
import { parseAddress, publicKeyOf } from '../chain/address.ts';
import type { Lookup } from '../chain/chain.ts';
import { buildPayment, networkId } from '../chain/payment.ts';
import { failureMessage } from '../chain/result-codes.ts';
import type { Deps } from '../deps.ts';
import {
  findSealedSeed,
  findWithdrawal,
  finish,
  lastSequence,
  leaveLane,
  recordLaneTrouble,
  recordSigned,
  takeLane,
  type Withdrawal,
} from './store.ts';

/** What one `advance` found: the row's outcome is recorded, or what to wait for before the next. */
export type Progress =
  | { next: 'settled' }
  /** Another withdrawal has the lane. */
  | { next: 'wait_for_lane' }
  /** Sent, or not readable just now: look again when a ledger may have closed. */
  | { next: 'look_again'; sent_at_ledger: number | null };

/**
 * One step. `sent_at_ledger` is the newest ledger this process knew when it last sent the envelope; the same bytes go
 * out again when a newer ledger still lacks them. Throws what the database throws, and `network_unavailable` before
 * signing: the row stays as it is, and the step is tried again.
 */
export async function advance(deps: Deps, id: string, sent_at_ledger: number | null): Promise<Progress> {
  const withdrawal = await findWithdrawal(deps.db, id);
  assert(withdrawal, `withdrawal ${id} does not exist`);
  switch (withdrawal.status) {
    case 'confirmed':
    case 'failed':
      await leaveLane(deps.db, id);
      return { next: 'settled' };
    case 'queued':
      return sign(deps, withdrawal);
    case 'signed':
      return prove(deps, withdrawal, sent_at_ledger);
  }
}

async function sign(deps: Deps, withdrawal: Withdrawal): Promise<Progress> {
  const lane = await takeLane(deps.db, withdrawal);
  if (!lane) return { next: 'wait_for_lane' };
  const [{ latest, accounts }, fee_stroops, wallet] = await Promise.all([
    deps.chain.readAccounts([withdrawal.lane]),
    feeBid(deps),
    findSealedSeed(deps.db, withdrawal.wallet_id),
  ]);
  assert(wallet);
  const state = accounts.get(withdrawal.lane);
  const judgement = judgeSequence(state?.sequence, lane.last_sequence);
  if (judgement === 'stale') deps.log.warn({ withdrawal_id: withdrawal.id }, 'the network source lags');
  else if (TROUBLES[judgement] !== lane.trouble) await noteTrouble(deps, withdrawal, judgement);
  if (!state || judgement !== 'in_step') return { next: 'look_again', sent_at_ledger: null };

  const destination = parseAddress(withdrawal.destination);
  assert(destination);
  const sequence = state.sequence + 1n;
  const max_time = latest.close_time + BigInt(deps.config.withdraw_valid_seconds);
  const { operation, amount_stroops, memo_id } = withdrawal;
  const public_key = publicKeyOf(wallet.account);
  const payment = buildPayment(networkId(deps.config.passphrase), {
    lane_public_key: public_key,
    wallet_public_key: public_key,
    sequence,
    fee_stroops,
    max_time,
    operation,
    destination,
    amount_stroops,
    memo_id,
  });
  const signature = deps.vault.signWith(
    wallet.sealed_seed,
    { id: withdrawal.wallet_id, public_key },
    payment.hash,
  );
  const envelope_xdr = payment.envelopeWith([{ public_key, signature }]);
  const committed = await recordSigned(deps.db, withdrawal.id, {
    sequence,
    envelope_xdr,
    hash: payment.hash.toString('hex'),
    max_time,
    first_sent_ledger: latest.sequence,
  });
  // Another process signed this row first: its envelope is the one, ours is forgotten.
  if (!committed) return { next: 'look_again', sent_at_ledger: null };
  return send(deps, withdrawal.id, envelope_xdr, latest.sequence);
}

async function prove(deps: Deps, withdrawal: Withdrawal, sent_at_ledger: number | null): Promise<Progress> {
  const { inner_tx_hash, envelope_xdr, max_time } = withdrawal;
  assert(inner_tx_hash && envelope_xdr && max_time !== null);
  const lookup = await deps.chain.find(inner_tx_hash);
  if (lookup.found === 'applied') {
    await finish(deps.db, withdrawal, appliedOutcome(lookup), deps.clock.now());
    return { next: 'settled' };
  }
  if (lookup.found === 'unknown') {
    deps.log.warn({ withdrawal_id: withdrawal.id, reason: lookup.reason }, 'outcome not readable yet');
    return { next: 'look_again', sent_at_ledger };
  }
  if (lookup.latest_close_time >= max_time) return expire(deps, withdrawal, lookup, sent_at_ledger);
  if (sent_at_ledger !== null && lookup.latest_ledger <= sent_at_ledger)
    return { next: 'look_again', sent_at_ledger };
  return send(deps, withdrawal.id, envelope_xdr, lookup.latest_ledger);
}

/**
 * Its time is over. It failed if that can be proven, and if nothing unknown has used its sequence number: that could be
 * this very payment, in an envelope that a lost commit made the database forget.
 */
async function expire(
  deps: Deps,
  withdrawal: Withdrawal,
  lookup: Extract<Lookup, { found: 'absent' }>,
  sent_at_ledger: number | null,
): Promise<Progress> {
  const { lane, sequence, max_time } = withdrawal;
  assert(sequence !== null && max_time !== null);
  const lookAgain = { next: 'look_again' as const, sent_at_ledger };
  if (!neverApplied(withdrawal, lookup)) {
    await noteTrouble(deps, withdrawal, 'uncovered');
    return lookAgain;
  }
  const { latest, accounts } = await deps.chain.readAccounts([lane]);
  const state = accounts.get(lane);
  if (!state || latest.close_time < max_time) return lookAgain; // a node that lags shows an old sequence number
  if (state.sequence >= sequence && state.sequence !== (await lastSequence(deps.db, lane))) {
    await noteTrouble(deps, withdrawal, 'ahead');
    return lookAgain;
  }
  const failure = { code: 'expired', message: failureMessage('expired') };
  await finish(deps.db, withdrawal, { status: 'failed', applied: false, failure }, deps.clock.now());
  return { next: 'settled' };
}

/** The answer is a hint and only logged: what it means is decided by looking at the ledger. */
async function send(deps: Deps, id: string, envelope_xdr: string, latest_ledger: number): Promise<Progress> {
  const answer = await deps.chain.submit(envelope_xdr);
  deps.log.debug({ withdrawal_id: id, answer }, 'envelope sent');
  return { next: 'look_again', sent_at_ledger: latest_ledger };
}

/**
 * Whether an envelope may be built on the account's sequence number. Only withdrawals of this database use it, so it is
 * that of the last one applied, or the one the account was created with (ledger << 32: stellar-core,
 * getStartingSequenceNumber). Ahead of that, the ledger has a transaction of ours that this database does not know: it was restored from an older
 * copy. Whatever is queued may be that very payment; signing it could pay twice.
 */
export function judgeSequence(
  sequence: bigint | undefined,
  last_sequence: bigint | null,
): 'in_step' | 'stale' | 'ahead' | 'no_account' {
  if (sequence === undefined) return 'no_account';
  if (last_sequence === null) return (sequence & 0xffffffffn) === 0n ? 'in_step' : 'ahead';
  if (sequence < last_sequence) return 'stale'; // a node that lags
  return sequence === last_sequence ? 'in_step' : 'ahead';
}

const TROUBLES = {
  in_step: null,
  ahead:
    'The ledger has a transaction of this wallet that the database does not know (was it restored from an older copy?). ' +
    'Nothing is signed until "teller lanes accept" says that this is understood; see the runbook.',
  no_account: 'The wallet’s account is not on the network.',
  uncovered:
    'The history of the network source does not cover the first sending of a withdrawal, so that its outcome cannot be ' +
    'proven. Give STELLAR_RPC_URL a source with a longer history.',
};

async function noteTrouble(deps: Deps, withdrawal: Withdrawal, kind: keyof typeof TROUBLES): Promise<void> {
  const trouble = TROUBLES[kind];
  const recorded = await recordLaneTrouble(deps.db, withdrawal, trouble);
  if (recorded && trouble)
    deps.log.error({ withdrawal_id: withdrawal.id, account: withdrawal.lane }, trouble);
}

/**
 * The one proof that a transaction never was and never will be applied: a single source whose history covers our first
 * sending (a network that was reset covers none of it), which has a ledger closed at or after max_time, and no such
 * hash. Close times strictly increase and a ledger takes nothing whose max_time is before its close time, so equality
 * is enough.
 * Source: stellar-core TransactionFrame::isTooLate, HerderSCPDriver close time rule.
 */
export function neverApplied(
  withdrawal: Pick<Withdrawal, 'max_time' | 'first_sent_ledger'>,
  absent: Extract<Lookup, { found: 'absent' }>,
): boolean {
  assert(withdrawal.max_time !== null && withdrawal.first_sent_ledger !== null);
  const { first_sent_ledger, max_time } = withdrawal;
  const covered = absent.oldest_ledger <= first_sent_ledger && first_sent_ledger <= absent.latest_ledger;
  return covered && absent.latest_close_time >= max_time;
}

function appliedOutcome(lookup: Extract<Lookup, { found: 'applied' }>) {
  const { ledger, fee_stroops, failure_code } = lookup;
  return {
    status: lookup.successful ? ('confirmed' as const) : ('failed' as const),
    applied: true as const,
    ledger,
    fee_stroops,
    stellar_tx_hash: lookup.hash,
    failure: failure_code === null ? null : { code: failure_code, message: failureMessage(failure_code) },
  };
}

async function feeBid(deps: Deps): Promise<bigint> {
  const bid = await deps.chain.feePerOperation();
  return bid < deps.config.fee_max_stroops ? bid : deps.config.fee_max_stroops;
}
