/**
 * The loop of a process that brings payouts forward: it notes outcomes, completes payouts, and claims the next rows. Every process
 * with the engine runs it. A crash may stop it at any line: each step is one transaction, and the rows say what is next.
 *
 * Limits: so many withdrawals of payouts are open at once, of a wallet and in all, that ledgers are full and single withdrawals still
 * find room. These go first wherever both wait (engine/tx-source-store.ts). A blocked wallet begins no row, and what waits there is
 * not counted in all: else two such wallets would stop the payouts of every team until an operator has decided.
 */
import { auditedOnWallet, THE_SERVICE } from '../../audit/audit.ts';
import { type Loop, startLoop } from '../../lib/loop.ts';
import { NetworkUnavailable } from '../../stellar/network-unavailable.ts';
import { enqueueEvents } from '../../webhooks/events/enqueue.ts';
import type { WithdrawalEngine } from '../engine/engine.ts';
import type { EngineDeps } from '../engine/hooks.ts';
import { claimRows } from './claim-rows.ts';
import { countOpen, countRows, noteOutcomes } from './payout-row-store.ts';
import { showPayout } from './payout-schema.ts';
import { listBeginning, listFinished, lockPayout, recordChange } from './payout-store.ts';
import { inTurns } from './payout-turns.ts';

/** As many as two ledgers of the public network take. */
const MOST_OPEN_OF_WALLET = 1_000;
const MOST_OPEN = 2_000;
/** Of one transaction: other claims wait for the policy of the wallet so long. */
const CLAIMED_AT_ONCE = 100;
const LOOK_MS = 1_000;

export function startPayouts(deps: EngineDeps, engine: Pick<WithdrawalEngine, 'signSoon'>): Loop {
  const step = async () => {
    const { begun, more } = await payoutStep(deps);
    if (begun > 0) engine.signSoon();
    return more;
  };
  return startLoop({ ...deps, name: 'payouts', step, idle_ms: LOOK_MS });
}

/**
 * Runs one step of the loop: records outcomes, completes payouts, and begins rows. `begun`: how many rows became withdrawals;
 * `more`: whether there may be more to do at once.
 */
export async function payoutStep(deps: EngineDeps): Promise<{ begun: number; more: boolean }> {
  const noted = await noteOutcomes(deps.db);
  for (const finished of await listFinished(deps.db))
    await apart(deps, finished.id, () => complete(deps, finished));
  const begun = await beginRows(deps);
  return { begun, more: begun > 0 || noted > 0 };
}

/** Begins rows of running payouts, which take turns (payout-turns.ts). Returns how many have begun. */
async function beginRows(deps: EngineDeps): Promise<number> {
  const running = await listBeginning(deps.db);
  if (running.length === 0) return 0;
  const open = await countOpen(deps.db);
  let room = MOST_OPEN - [...open.values()].reduce((sum, { count, stuck }) => sum + count - stuck, 0);
  let begun = 0;
  for (const { payout, share } of inTurns(running, { room, now: deps.clock.now() })) {
    const of_wallet = open.get(payout.wallet_id) ?? { count: 0, stuck: 0 };
    const limit = Math.min(CLAIMED_AT_ONCE, share, room, MOST_OPEN_OF_WALLET - of_wallet.count);
    if (limit <= 0) continue;
    const claimed = (await apart(deps, payout.id, () => claimRows(deps, payout, limit))) ?? 0;
    open.set(payout.wallet_id, { ...of_wallet, count: of_wallet.count + claimed });
    room -= claimed;
    begun += claimed;
  }
  return begun;
}

/**
 * Runs work on one payout; null when it fails. A payout that cannot be brought forward, because its accounts cannot be read,
 * keeps back no other.
 */
async function apart<T>(deps: EngineDeps, payout_id: string, work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof NetworkUnavailable && error.is_told))
      deps.log.error({ err: error, payout_id }, 'a payout could not be brought forward');
    return null;
  }
}

/** Records that every row has its outcome, with its event. */
async function complete(
  deps: EngineDeps,
  { id, wallet_id, owner_id }: { id: string; wallet_id: string; owner_id: string },
): Promise<void> {
  const by = { actor: THE_SERVICE, wallet: { id: wallet_id, owner_id } };
  await auditedOnWallet(deps, by, async (trx, note) => {
    const payout = await lockPayout(trx, wallet_id, id);
    const counted = await countRows(trx, [id]);
    if (!payout || counted.some(({ status }) => status === 'waiting' || status === 'pending')) return;
    const now = deps.clock.now();
    const change = {
      status: 'completed',
      settled_at: now,
      reason_code: null,
      reason: null,
    } as const;
    if (!(await recordChange(trx, id, ['running', 'paused'], change))) return;
    const data = showPayout({ ...payout, ...change }, counted);
    await enqueueEvents(trx, [
      { wallet_id, type: 'payout.completed', about: id, deposit_id: null, data, now },
    ]);
    const after = { name: payout.name, rows: payout.row_count };
    note({
      action: 'payout.completed',
      target: { kind: 'payout', id },
      before: { status: payout.status },
      after,
    });
  });
}
