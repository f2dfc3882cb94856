/** How much a team may make. Other slices call this file where they make it. */
import type { Db, Trx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../lib/errors.ts';
import { type Counted, countOneMore, readCount } from './quota-store.ts';

type ConfigDeps = Pick<Deps, 'config'>;

/**
 * Counts one more, in the transaction that makes it. Others of the team that make one wait until it ends, so two at once
 * cannot both be the last.
 * @throws AppError `too_many_wallets`, `too_many_addresses`: the transaction must roll back
 */
export async function takeQuota(
  { config }: ConfigDeps,
  trx: Trx,
  team_id: string,
  counted: Counted,
): Promise<void> {
  if ((await countOneMore(trx, team_id, counted)) > quotaOf(config, counted))
    throw quotaReached(config, counted);
}

/**
 * Checks that the team may make one more, without counting it, for what must be done before the transaction of `takeQuota`. Another
 * request may be quicker.
 * @throws AppError as `takeQuota`
 */
export async function requireQuota(
  { config }: ConfigDeps,
  db: Db,
  team_id: string,
  counted: Counted,
): Promise<void> {
  if ((await readCount(db, team_id, counted)) >= quotaOf(config, counted))
    throw quotaReached(config, counted);
}

function quotaOf({ team_quotas }: Deps['config'], counted: Counted): bigint {
  return BigInt(team_quotas[counted]);
}

function quotaReached(config: Deps['config'], counted: Counted): AppError {
  const quota = quotaOf(config, counted);
  return counted === 'wallets'
    ? new AppError(
        'too_many_wallets',
        `A team has at most ${quota} wallets. The operator of the service can raise this.`,
      )
    : new AppError(
        'too_many_addresses',
        `A team has at most ${quota} deposit addresses. The operator of the service can raise this.`,
      );
}
