/**
 * `teller keys rewrap`: seals every row again, with the master key that seals now, while the service runs.
 *
 * | step, for each row                                   | after a crash here                                            |
 * |------------------------------------------------------|---------------------------------------------------------------|
 * | open it, seal it again, open that too                | the row is as it was: the key before opens it                 |
 * | replace the bytes that were read, in one statement   | the row is one or the other: each is opened by a key          |
 * | in one transaction, in which nothing else begins to  | nothing is noted: the next run looks again                    |
 * | seal: look at all rows, whether one needs another    |                                                               |
 * | key, and note that the other keys are left           |                                                               |
 *
 * A run begins at the first row and passes over those that are done. Two runs at once do each row once: the later one finds other
 * bytes than it read. No new row can need another key, because the database refuses it (master-keys.ts). When a rotation, or another
 * command, changes what seals during the run, nothing is noted, because the counts of this run are worthless then.
 */
import { sealedAlertSettings, sealedOldAlertWebhooks } from '../alerts/settings-store.ts';
import { sealedFactors } from '../auth/factors/factor-store.ts';
import type { Db } from '../db/database.ts';
import { leaveOtherProviders } from '../db/key-providers.ts';
import { holdSealingKey, isSealedWithAnotherKey, leaveOtherKeys } from '../db/master-keys.ts';
import type { SealedRow, SealedRows } from '../db/sealed-rows.ts';
import { systemClock } from '../lib/clock.ts';
import { AppError, OperatorError } from '../lib/errors.ts';
import { publicKeyOf } from '../stellar/address.ts';
import type { Keys } from '../vault/keys.ts';
import type { KeyRing } from '../vault/master-keys/key-ring.ts';
import { sealedWallets } from '../wallets/store.ts';
import { sealedEndpoints, sealedOldSecrets } from '../webhooks/store/endpoint-store.ts';
import { sealedChannels, sealedTreasuries } from '../withdrawals/channels/channel-store.ts';

/** Everything of the database that a master key seals. */
export const SEALED: readonly SealedRows[] = [
  sealedWallets,
  sealedChannels,
  sealedTreasuries,
  sealedEndpoints,
  sealedOldSecrets,
  sealedAlertSettings,
  sealedOldAlertWebhooks,
  sealedFactors,
];

const PAGE = 100;

/** `resealed`: rows that this run has sealed again. `broken`: those that no key opens, which stay as they are. */
export type Rewrapped = { resealed: number; broken: { kind: string; key: string }[]; is_done: boolean };

/**
 * Seals each row again that another key than the present one has sealed. `is_done`: no row needs another key, and the database notes that.
 * @throws OperatorError when another key or provider begins to seal during the run
 */
export async function rewrapKeys({ db, ...keys }: { db: Db } & Keys): Promise<Rewrapped> {
  const rewrapped: Rewrapped = { resealed: 0, broken: [], is_done: false };
  try {
    for (const rows of SEALED) await rewrapTable({ db, ...keys }, rows, rewrapped);
  } catch (error) {
    throw isSealedWithAnotherKey(error) ? sealsOtherwise() : error;
  }
  if (rewrapped.broken.length === 0) rewrapped.is_done = await leaveOthers(db, keys.key_ring);
  return rewrapped;
}

/**
 * Notes that the other keys and providers are left. Returns false, and notes nothing, while a row is sealed in another way.
 * @throws OperatorError when the ring no longer seals as the database says
 */
function leaveOthers(db: Db, ring: KeyRing): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const held = await holdSealingKey(trx);
    if (!held || !ring.sealsAs(held)) throw sealsOtherwise();
    if ((await countOthers(trx, ring)) > 0) return false;
    const now = systemClock.now();
    await leaveOtherKeys(trx, held, now);
    await leaveOtherProviders(trx, held, now);
    return true;
  });
}

async function rewrapTable(
  { db, ...keys }: { db: Db } & Keys,
  rows: SealedRows,
  rewrapped: Rewrapped,
): Promise<void> {
  const prefix = prefixOf(keys.key_ring, rows);
  for (let after: string | null = null; ; ) {
    const page: SealedRow[] = await rows.pageWithout(db, { prefix, after, limit: PAGE });
    const last = page.at(-1);
    if (!last) return;
    const allResealed = await Promise.all(page.map((row) => resealedOf(keys, row))); // a key provider answers many at a time
    for (const [index, row] of page.entries()) {
      const resealed = allResealed[index];
      if (!resealed) rewrapped.broken.push({ kind: rows.kind, key: row.key });
      else if (await rows.replace(db, row, resealed)) rewrapped.resealed++;
    }
    after = last.key;
  }
}

/** Returns the bytes with which the rows of this table begin when they are sealed as now. */
function prefixOf(ring: KeyRing, { are_seeds }: SealedRows): Buffer {
  return are_seeds ? ring.seedPrefix() : ring.prefix();
}

/**
 * Seals a row again, and returns its new bytes. Null when no key opens the row, or its seed is not that of its account.
 * @throws AppError 503 `key_provider_unavailable`: then nothing is known of the row
 */
async function resealedOf(
  { vault, secrets }: Keys,
  { sealed_for, account, sealed }: SealedRow,
): Promise<Buffer | null> {
  try {
    if (account === null) return secrets.reseal(sealed_for, sealed);
    return await vault.reseal(sealed, { id: sealed_for, public_key: publicKeyOf(account) });
  } catch (error) {
    if (error instanceof AppError) throw error;
    return null; // the caller names the row
  }
}

/** Counts the rows that are sealed in another way than that of now. */
async function countOthers(db: Db, ring: KeyRing): Promise<number> {
  let others = 0;
  for (const rows of SEALED) others += await rows.countWithout(db, prefixOf(ring, rows));
  return others;
}

function sealsOtherwise(): OperatorError {
  return new OperatorError(
    'Another master key or key provider has begun to seal. Every row is opened as before, and no key is noted as left. Run ' +
      '"teller keys rewrap" again; see "teller keys status".',
  );
}
