/**
 * Every process seals with the master key that the database names.
 *
 * | a rotation is committed            | what this process does                                                               |
 * |------------------------------------|--------------------------------------------------------------------------------------|
 * | before its start                   | it starts with the key that the database names                                       |
 * | while it runs                      | it follows within seconds; until then tokens and sealed bytes of both keys are valid |
 * | between a sealing and its commit   | the database refuses the row; the process follows, and seals and commits once more   |
 * | to a key that this process lacks   | it ends, with a reason                                                               |
 */
import type { Db } from '../db/database.ts';
import { InstallationMismatch } from '../db/installation.ts';
import {
  isSealedWithAnotherKey,
  listMasterKeys,
  type MasterKeyRow,
  readSealingKey,
} from '../db/master-keys.ts';
import type { Deps } from '../deps.ts';
import type { Log } from '../lib/log.ts';
import type { KeyRing } from '../vault/master-keys/key-ring.ts';
import type { DataKeys } from '../vault/providers/data-keys.ts';
import { requireProvider } from './key-provider.ts';

type RingDeps = { db: Db; key_ring: KeyRing; data_keys: DataKeys | null; log: Log };

/**
 * Lets the ring seal with the key that the database names; before the first start it changes nothing.
 * @throws InstallationMismatch when the ring lacks that key, or this process the key provider
 */
export async function followSealingKey(deps: RingDeps): Promise<void> {
  const { db, key_ring, log } = deps;
  const named = await readSealingKey(db);
  if (!named) return;
  if (!key_ring.find(named.key_check)) throw lacks(key_ring, key_ring.idOf(named.key_check));
  const [before, seeds_before] = [key_ring.prefix(), key_ring.seedPrefix()];
  if (named.provider_check || key_ring.usesProvider()) await requireProvider(deps);
  key_ring.sealWith(named);
  if (!before.equals(key_ring.prefix()))
    log.info({ key_id: key_ring.sealing().id }, 'the master key that the database names seals from now on');
  else if (!seeds_before.equals(key_ring.seedPrefix()))
    log.info(
      { key_provider: key_ring.usesProvider() },
      'new seeds are sealed as the database names it from now on',
    );
}

/**
 * Follows the database as `followSealingKey` does, for a start.
 * @throws InstallationMismatch also when the ring lacks a key that rows may still need, or has one that is not of this database
 */
export async function requireKeys(deps: RingDeps): Promise<void> {
  const { db, key_ring } = deps;
  refuseSameId(key_ring);
  await followSealingKey(deps);
  await requireProvider(deps);
  const known = await listMasterKeys(db);
  if (known.length === 0 && key_ring.keys.length > 1)
    throw new InstallationMismatch(
      'This database is new and had no key before: take MASTER_KEY_PREVIOUS away for its first start.',
    );
  const needed = known.find(({ key_check, left_at }) => left_at === null && !key_ring.find(key_check));
  if (needed) throw stillNeeds(key_ring, key_ring.idOf(needed.key_check));
  refuseUnknown(key_ring, known);
}

/** Refuses a ring whose two keys have one id: sealed bytes name only the id, so the right key would be unknown. */
function refuseSameId({ keys }: KeyRing): void {
  const [newest, previous] = keys;
  if (newest?.id === previous?.id)
    throw new InstallationMismatch(
      `MASTER_KEY and MASTER_KEY_PREVIOUS both have the id ${newest?.id}, by chance. Make another new key.`,
    );
}

/**
 * Refuses a previous key that this database never had, when MASTER_KEY seals already. A new MASTER_KEY is what a rotation begins
 * with.
 * @throws InstallationMismatch
 */
function refuseUnknown({ keys, sealing }: KeyRing, known: MasterKeyRow[]): void {
  const [newest, previous] = keys;
  if (!previous || newest !== sealing()) return;
  if (known.some(({ key_check }) => key_check.equals(previous.check))) return;
  throw new InstallationMismatch(
    `MASTER_KEY_PREVIOUS is key ${previous.id}, which this database never had; it seals with key ${newest.id}, which is ` +
      'MASTER_KEY. For a rotation, MASTER_KEY is the new key, and MASTER_KEY_PREVIOUS is the key before.',
  );
}

const given = ({ keys }: KeyRing) => keys.map(({ id }) => id).join(' and ');

function lacks(ring: KeyRing, id: string): InstallationMismatch {
  return new InstallationMismatch(
    'MASTER_KEY is not the one that sealed the wallets of this database. Start with the original key. ' +
      `The database seals with key ${id}; given is ${given(ring)}. After a rotation, and after the restore of a backup from ` +
      'before one, give both keys: MASTER_KEY and MASTER_KEY_PREVIOUS.',
  );
}

function stillNeeds(ring: KeyRing, id: string): InstallationMismatch {
  return new InstallationMismatch(
    `The database may have rows that only key ${id} opens; given is ${given(ring)}. Set MASTER_KEY_PREVIOUS to key ${id}, ` +
      'and run "teller keys rewrap" before you take that key away.',
  );
}

/** Makes what Deps calls `withSealingKey`. */
export function createWithSealingKey(deps: RingDeps): Deps['withSealingKey'] {
  return async (work) => {
    try {
      return await work();
    } catch (error) {
      if (!isSealedWithAnotherKey(error)) throw error;
      await followSealingKey(deps);
      return work();
    }
  };
}
