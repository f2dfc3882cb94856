import { OperatorError } from '../lib/errors.ts';
import type { Db } from './database.ts';

export type Installation = {
  network: string;
  passphrase: string;
  key_check: Buffer;
  start_ledger: number;
  /** The ledger that is read after it must name it. */
  start_ledger_hash: string;
};

const COLUMNS = ['network', 'passphrase', 'key_check', 'start_ledger', 'start_ledger_hash'] as const;

/** The database belongs to another network or master key. */
export class InstallationMismatch extends OperatorError {}

/**
 * Binds the database to its network and master key at the first start, and refuses another network later: it does not have the
 * accounts of the wallets. The caller looks whether it has the key (master-keys.ts). `latestLedger` is called at the first start
 * only; every wallet is created after that ledger.
 * @throws InstallationMismatch
 */
export async function bindInstallation(
  db: Db,
  expected: { network: string; passphrase: string; key_check: Buffer },
  latestLedger: () => Promise<{ sequence: number; hash: string }>,
): Promise<Installation> {
  const found =
    (await findInstallation(db)) ?? (await create(db, { ...expected, ...begin(await latestLedger()) }));
  if (found.network !== expected.network || found.passphrase !== expected.passphrase) {
    throw new InstallationMismatch(
      `This database belongs to the network "${found.network}" (${found.passphrase}), ` +
        `but the configuration says "${expected.network}" (${expected.passphrase}).`,
    );
  }
  return found;
}

function begin({ sequence, hash }: { sequence: number; hash: string }) {
  return { start_ledger: sequence, start_ledger_hash: hash };
}

/** Reads what this database is bound to; undefined before the first start. */
export async function findInstallation(db: Db): Promise<Installation | undefined> {
  return db.selectFrom('installation').select(COLUMNS).executeTakeFirst();
}

/**
 * Reads the ledger that every wallet is younger than: deposits are read after it.
 * @throws Error before the first start
 */
export async function readStart(db: Db): Promise<{ ledger: number; ledger_hash: string }> {
  const found = await findInstallation(db);
  if (!found) throw new Error('the database is not bound to a network yet');
  return { ledger: found.start_ledger, ledger_hash: found.start_ledger_hash };
}

/** Inserts the row. Of two first starts at once one row wins, and both compare themselves with it. */
async function create(db: Db, values: Installation): Promise<Installation> {
  await db
    .insertInto('installation')
    .values(values)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return db.selectFrom('installation').select(COLUMNS).executeTakeFirstOrThrow();
}
