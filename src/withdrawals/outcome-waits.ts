/**
 * Reads that wait for the outcome of a withdrawal (db/waits.ts). They leave the engine alone: a withdrawal may await approvals
 * for a day, and the engine must not look for ledgers all that time.
 */
import { createWaits, type Waits } from '../db/waits.ts';
import type { Deps } from '../deps.ts';
import { findOfWallet, idsWithOutcome } from './engine/queries.ts';
import { OUTCOMES_CHANNEL, type Withdrawal } from './engine/store.ts';

export type OutcomeWaits = Waits<{ team_id: string; wallet_id: string; id: string }>;

export function createOutcomeWaits(deps: Deps): OutcomeWaits {
  return createWaits(deps, {
    name: 'outcome waits',
    channel: OUTCOMES_CHANNEL,
    of_team: deps.config.team_quotas.waiting,
    async look(waits) {
      const settled = new Set(
        await idsWithOutcome(
          deps.db,
          waits.map(({ id }) => id),
        ),
      );
      return waits.filter(({ id }) => settled.has(id));
    },
  });
}

/**
 * Waits for the outcome of a withdrawal. Returns the withdrawal once it has its outcome, or as it is after `ms`; undefined when
 * the wallet has no withdrawal of this id. `had_place`: false when the request did not wait to the end because too many do; its
 * caller should pause.
 */
export async function awaitOutcome(
  deps: Deps,
  waits: OutcomeWaits,
  { team_id, wallet_id, id }: { team_id: string; wallet_id: string; id: string },
  ms: number,
  signal: AbortSignal,
): Promise<{ withdrawal: Withdrawal; had_place: boolean } | undefined> {
  const withdrawal = await findOfWallet(deps.reads, wallet_id, id);
  if (!withdrawal) return undefined;
  if (withdrawal.settled_at !== null || ms === 0) return { withdrawal, had_place: true };
  const had_place = await waits.wait({ team_id, wallet_id, id }, ms, signal);
  return { withdrawal: (await findOfWallet(deps.reads, wallet_id, id)) ?? withdrawal, had_place };
}
