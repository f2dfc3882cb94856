import type { RunningService } from './running-service.ts';

/**
 * Runs `work` while the withdrawal cursor stands still, however quick the ledgers and slow the machine: no withdrawal gets its outcome,
 * and no payout completes.
 */
export async function whileOutcomesWait<T>(
  { query }: Pick<RunningService, 'query'>,
  work: () => Promise<T>,
): Promise<T> {
  await query('begin');
  try {
    await query('select from withdrawal_cursor for no key update');
    return await work();
  } finally {
    await query('rollback');
  }
}
