/** The user that runs PostgreSQL, which refuses root. When root starts the service, the server has a user id of its own. */
import { randomInt } from 'node:crypto';
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
} from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError } from '../../lib/errors.ts';
import { exists, runFile, SERVER_ENV, type ServerUser } from './binaries.ts';
import { readIfThere } from './files.ts';

/** User id of `nobody`, which exists on every Linux. Other programs of the machine have it too. */
export const NOBODY = 65534;
/** Ids that systemd's table leaves unused (https://systemd.io/UIDS-GIDS). Containers that have 65,536 ids have them too. */
const [FIRST_ID, LAST_ID] = [60_706, 61_183];

/**
 * Chooses the user for the server of the cluster in `dir`, below the data directory `home`. For root: the owner of the cluster, if
 * that is a user id without a name or the owner of `home`; else an unused id. For others: empty, their own user.
 * @throws OperatorError when the cluster belongs to somebody else, or there is no unused id
 */
export async function serverUser(dir: string, home: string): Promise<ServerUser> {
  const owner = (await exists(dir)) ? await stat(dir) : undefined;
  const us = process.geteuid?.();
  if (us === 0) {
    if (owner === undefined || owner.uid === 0) return unusedUser();
    const { uid, gid } = owner;
    const keeps = uid === (await stat(home)).uid || (await isWithoutName(uid));
    return keeps ? { uid, gid } : unusedUser();
  }
  if (owner && owner.uid !== us) {
    throw new OperatorError(
      `The database in ${dir} belongs to user id ${owner.uid}, but Stellar Teller runs as user id ${us}. ` +
        'Start Stellar Teller as the owner or as root, or set another DATA_DIR.',
    );
  }
  return {};
}

/**
 * Chooses an unused id by chance, so that two installations on a machine hardly have the same one.
 * @throws OperatorError when there is none
 */
async function unusedUser(): Promise<ServerUser> {
  const used = new Set([...(await namedIds()), ...(await idsOfProcesses())]);
  const maps = await Promise.all(['uid_map', 'gid_map'].map((name) => readIfThere(`/proc/self/${name}`)));
  const unused = Array.from({ length: LAST_ID - FIRST_ID + 1 }, (_, index) => FIRST_ID + index).filter(
    (id) => !used.has(id) && maps.every((map) => isMapped(id, map)),
  );
  const id = unused.length > 0 ? unused[randomInt(unused.length)] : undefined;
  if (id === undefined) {
    throw new OperatorError(
      `PostgreSQL must not run as root, and there is no unused user id from ${FIRST_ID} to ${LAST_ID} for it. ` +
        'Start Stellar Teller as a user of its own.',
    );
  }
  return { uid: id, gid: id };
}

/**
 * Returns true when this container has the id. `map` has lines of the first id inside, the first id outside, and their number.
 * Without a map every id is there.
 */
function isMapped(id: number, map: string | undefined): boolean {
  const ranges = (map ?? '')
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  return map === undefined || ranges.some(([first = 0, , count = 0]) => id >= first && id < first + count);
}

async function isWithoutName(uid: number): Promise<boolean> {
  return uid !== NOBODY && !(await namedIds()).has(uid);
}

/** Reads the ids of users and groups with a name. Those of a directory service are not here: they are outside of our range. */
async function namedIds(): Promise<Set<number>> {
  const files = await Promise.all(['/etc/passwd', '/etc/group'].map(readIfThere));
  const lines = files.flatMap((text) => text?.split('\n') ?? []);
  return new Set(
    lines
      .flatMap((line) => line.split(':').slice(2, 4))
      .filter((text) => /^\d+$/.test(text))
      .map(Number),
  );
}

/** Reads every user id and group id that a running process has. */
async function idsOfProcesses(): Promise<Set<number>> {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  // A process may end while it is looked at.
  const read = (name: string) => readIfThere(`/proc/${name}/status`).catch(() => undefined);
  const lines = (await Promise.all(names.map(read))).flatMap(
    (text) => text?.match(/^(Uid|Gid|Groups):.*$/gm) ?? [],
  );
  return new Set(lines.flatMap((line) => line.match(/\d+/g) ?? []).map(Number));
}

/** Returns true when `user` can enter `dir`. Tries it as that user: mode bits do not show ACLs or security modules. */
export async function canReach(user: ServerUser, dir: string): Promise<boolean> {
  if (user.uid === undefined) return true;
  const options = { ...user, cwd: '/', env: SERVER_ENV };
  return runFile('/bin/sh', ['-c', 'cd "$1"', 'sh', dir], options).then(
    () => true,
    () => false,
  );
}

/**
 * Makes `user` the owner of `dir` and everything in it, and takes away all rights of others. Programs of the owner before may be at
 * work there: so each name is opened inside the open directory and never followed, and a directory changes its owner before its
 * entries are read.
 * @throws OperatorError for a link that is not the user's, or a file that has a second name: it may be anybody's
 */
export function giveTo(user: Required<ServerUser>, dir: string): void {
  give(user, openSync(dir, constants.O_RDONLY), dir);
}

/**
 * Makes the user the owner of `dir`, as `giveTo` does, when this process is root and `dir` belongs to root or to the user of a
 * server before. Else changes nothing. `requireOurs` is called before anything changes, and may refuse.
 */
export async function takeOver(
  dir: string,
  { uid, gid }: ServerUser,
  requireOurs: (dir: string) => void,
): Promise<void> {
  if (uid === undefined || gid === undefined) return;
  const { uid: owner } = await stat(dir);
  if (owner === uid || !(owner === 0 || (await isWithoutName(owner)))) return;
  requireOurs(dir);
  giveTo({ uid, gid }, dir);
}

/** Takes an open file or directory, and closes it. `shown` is its name for a person. */
function give(user: Required<ServerUser>, found: number, shown: string): void {
  try {
    const stats = fstatSync(found);
    const is_directory = stats.isDirectory();
    if (!is_directory && !(stats.isFile() && stats.nlink === 1)) throw notOrdinary(shown);
    fchownSync(found, user.uid, user.gid);
    fchmodSync(found, is_directory ? 0o700 : 0o600);
    if (is_directory) giveEntries(user, `/proc/self/fd/${found}`, shown);
  } finally {
    closeSync(found);
  }
}

function giveEntries(user: Required<ServerUser>, dir: string, shown: string): void {
  for (const name of readdirSync(dir)) {
    const entry = openUnlessLink(join(dir, name));
    if (entry !== null) give(user, entry, join(shown, name));
    else if (lstatSync(join(dir, name)).uid !== user.uid) throw notOrdinary(join(shown, name));
  }
}

/** Opens a path, and returns null for a link. O_NONBLOCK: a pipe would wait for its other end. */
function openUnlessLink(path: string): number | null {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ELOOP') return null;
    throw error;
  }
}

function notOrdinary(path: string): OperatorError {
  return new OperatorError(
    `The database needs an owner of its own, but ${path} is no ordinary file. Move it away; or give all of the database, ` +
      `its links and what they name to a user id that nothing else has (chown -hR), for example ${FIRST_ID}.`,
  );
}
