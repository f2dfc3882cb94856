/** What a database says of itself, for the description of its backup. */
import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import { findInstallation } from '../db/installation.ts';
import { newestMigration } from '../db/migrate.ts';
import { countDeposits } from '../deposits/recorded/deposit-store.ts';
import type { Contents } from '../embedded-postgres/backup/description.ts';
import { findDepositCursor } from '../ledgers/deposit-cursor.ts';
import { readWithdrawalCursor } from '../ledgers/withdrawal-cursor.ts';
import { OperatorError } from '../lib/errors.ts';
import { countWallets } from '../wallets/store.ts';
import { countWithdrawals } from '../withdrawals/engine/queries.ts';

/** @throws OperatorError for a database that no service has used yet */
export async function readContents(db: Db): Promise<Contents> {
  const schema = await newestMigration(db);
  const installation = schema === null ? undefined : await findInstallation(db);
  if (schema === null || installation === undefined)
    throw new OperatorError('No service has used this database yet: there is nothing to back up.');
  const { network, passphrase, key_check } = installation;
  const [wallets, deposits, withdrawals] = [
    await countWallets(db),
    await countDeposits(db),
    await countWithdrawals(db),
  ];
  return {
    network,
    passphrase,
    schema,
    key_check: key_check.toString('base64'),
    postgres_version: await serverVersion(db),
    deposit_cursor: positionOf(await findDepositCursor(db)),
    withdrawal_cursor: positionOf(await readWithdrawalCursor(db)),
    counts: { wallets: `${wallets}`, deposits: `${deposits}`, withdrawals: `${withdrawals}` },
  };
}

function positionOf(
  cursor: { ledger: number; close_time: bigint | null } | undefined,
): Contents['deposit_cursor'] {
  if (cursor === undefined) return null;
  const { ledger, close_time } = cursor;
  return { ledger, close_time: close_time === null ? null : `${close_time}` };
}

async function serverVersion(db: Db): Promise<string> {
  const { rows } = await sql<{
    version: string;
  }>`select current_setting('server_version') as version`.execute(db);
  return `${rows[0]?.version}`;
}
