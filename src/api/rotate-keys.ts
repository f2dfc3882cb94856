/**
 * The rotation of the master key, step by step. Every step may be repeated; after a crash the operator repeats it.
 *
 * | step                                                      | seals      | opens       | tokens of    |
 * |-----------------------------------------------------------|------------|-------------|--------------|
 * | 1. every process is started with both keys                | old        | old         | old          |
 * | 2. `keys rotate`: the database names the new key          | new        | both        | both         |
 * | 3. `keys rewrap`: every row is sealed again               | new        | both        | both         |
 * | 4. every process is started without the old key           | new        | new         | new          |
 *
 * Back to the old key, from step 2 or 3: exchange the two keys, and begin again with step 1.
 */
import type { Db } from '../db/database.ts';
import { findProvider } from '../db/key-providers.ts';
import { changeSealingKey, listMasterKeys, type MasterKeyRow } from '../db/master-keys.ts';
import { type RunningProcesses, runningProcesses } from '../db/running-processes.ts';
import { systemClock } from '../lib/clock.ts';
import { OperatorError } from '../lib/errors.ts';
import type { KeyRing, RingKey } from '../vault/master-keys/key-ring.ts';
import { SEALED } from './rewrap-keys.ts';

type RotationDeps = { db: Db; key_ring: KeyRing };

/**
 * Lets MASTER_KEY seal. Returns false when it does already.
 * @throws OperatorError when MASTER_KEY_PREVIOUS is missing, the database has left MASTER_KEY before, or a process runs that does
 * not know it
 */
export async function rotateKeys({ db, key_ring }: RotationDeps): Promise<boolean> {
  const next = key_ring.keys[0] as RingKey;
  const sealing = key_ring.sealing();
  if (next === sealing && key_ring.keys.length > 1) return false;
  if (next === sealing)
    throw new OperatorError(
      `Key ${sealing.id} seals already. Start every process with a new key as MASTER_KEY and with this one as ` +
        'MASTER_KEY_PREVIOUS; then run this command with both. Nothing was changed.',
    );
  refuseLeft(key_ring, await listMasterKeys(db), next);
  refuseUnaware(await runningProcesses(db), next);
  const change = { from: sealing.check, to: next.check, now: systemClock.now() };
  if (!(await changeSealingKey(db, change)))
    throw new OperatorError('Another rotation came first. See "teller keys status". Nothing was changed.');
  key_ring.sealWith({ key_check: next.check });
  return true;
}

/**
 * Refuses a key that has the id of another key, because sealed bytes would not tell the two apart. Refuses a key that was left,
 * because it may be in wrong hands.
 * @throws OperatorError
 */
function refuseLeft({ idOf }: KeyRing, known: MasterKeyRow[], next: RingKey): void {
  const same = known.find(({ key_check }) => idOf(key_check) === next.id);
  if (same && !same.key_check.equals(next.check))
    throw new OperatorError(
      `A key before has the id ${next.id} too, by chance. Make another key. Nothing was changed.`,
    );
  if (same?.left_at)
    throw new OperatorError(
      `Key ${next.id} was left at ${same.left_at.toISOString()}. Make a new key. Nothing was changed.`,
    );
}

/**
 * Refuses the rotation while a process runs that does not know the new key. Such a process could open nothing that the others seal
 * from then on, and would end.
 * @throws OperatorError
 */
function refuseUnaware({ processes, nameless }: RunningProcesses, { id }: RingKey): void {
  const unaware = processes.filter(({ key_ids }) => !key_ids.includes(id)).map(({ name }) => name);
  if (unaware.length > 0)
    throw new OperatorError(
      `These processes do not know key ${id}: ${unaware.join(', ')}. Start them with MASTER_KEY and MASTER_KEY_PREVIOUS. ` +
        'Nothing was changed.',
    );
  if (nameless > 0)
    throw new OperatorError(
      'Another command is connected to the database. Stop it, or wait for its end. Nothing was changed.',
    );
}

/** What `teller keys status` shows. */
export type RotationState = {
  sealing: RingKey;
  known: MasterKeyRow[];
  /** Numbers of rows by kind and key id. */
  rows: { kind: string; counts: Map<string, number> }[];
  /** The key provider that seeds may need, and how many begin as seeds of it do; null without one. */
  provider: { kind: string; key: string; since: Date; seeds_with: number; seeds_without: number } | null;
  running: RunningProcesses;
  /** What the operator does next; null when nothing is to do. */
  next: string | null;
};

/** Reads the state of a rotation. `overlap_seconds`: how long tokens may be in use that were signed before a rotation. */
export async function readRotation(
  { db, key_ring }: RotationDeps,
  overlap_seconds: number,
): Promise<RotationState> {
  const rows = [];
  for (const each of SEALED) rows.push({ kind: each.kind, counts: await each.countByKey(db) });
  const state = {
    sealing: key_ring.sealing(),
    known: await listMasterKeys(db),
    rows,
    provider: await readProvider(db, key_ring),
    running: await runningProcesses(db),
  };
  return { ...state, next: nextStep(key_ring, state, overlap_seconds) };
}

async function readProvider(db: Db, { by_provider }: KeyRing): Promise<RotationState['provider']> {
  const found = await findProvider(db);
  if (!found) return null;
  const { kind, key, since } = found;
  let [all, seeds_without] = [0, 0];
  for (const rows of SEALED.filter(({ are_seeds }) => are_seeds)) {
    all += await rows.countWithout(db, Buffer.of(0)); // nothing begins so
    seeds_without += await rows.countWithout(db, by_provider);
  }
  return { kind, key, since, seeds_with: all - seeds_without, seeds_without };
}

function nextStep(
  { keys, usesProvider }: KeyRing,
  { sealing, known, provider, running }: Omit<RotationState, 'next'>,
  overlap_seconds: number,
): string | null {
  const [next, previous] = keys as [RingKey, RingKey?];
  if (sealing !== next) {
    const unaware = running.processes.filter(({ key_ids }) => !key_ids.includes(next.id));
    const first = unaware.length + running.nameless > 0 ? 'when every process knows both keys, ' : '';
    return `${first}"teller keys rotate" lets key ${next.id} seal`;
  }
  const isHalfWay = provider && (usesProvider() ? provider.seeds_without > 0 : true);
  if (
    isHalfWay ||
    known.some(({ key_check, left_at }) => left_at === null && !key_check.equals(sealing.check))
  )
    return '"teller keys rewrap" seals every row again';
  if (!previous) return null;
  const since = known.find(({ key_check }) => key_check.equals(sealing.check))?.sealing_since;
  const until = new Date((since?.getTime() ?? 0) + overlap_seconds * 1000);
  if (until <= systemClock.now())
    return `take MASTER_KEY_PREVIOUS (key ${previous.id}) away from every process`;
  return (
    `after ${until.toISOString()}, take MASTER_KEY_PREVIOUS (key ${previous.id}) away from every process; before that, people ` +
    'whose login tokens it has signed would have to log in again'
  );
}
