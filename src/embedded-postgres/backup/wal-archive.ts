/**
 * The archive of the log (WAL): with it a backup can be brought to a later time. The server itself writes it, a segment of
 * 16 MiB or what a minute has.
 *
 * | step of the server, for each segment                | after a crash here                                                |
 * |-----------------------------------------------------|-------------------------------------------------------------------|
 * | compress it into `NAME.gz.new`                      | the server repeats the segment                                    |
 * | flush, rename to `NAME.gz`, flush the folder        | the server repeats it, and finds the same bytes under the name    |
 * | note it as archived; only then may its file go away | the same                                                          |
 *
 * A segment is never overwritten: under a name with other bytes the archive takes nothing. To which database the archive belongs
 * is written in it (archive-identity.ts).
 */
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '../../lib/errors.ts';
import { makeFolder, whyRefused } from '../../lib/folders.ts';
import { runFile, SERVER_ENV, type ServerUser } from '../server/binaries.ts';
import { takeOver } from '../server/server-user.ts';
import { IDENTIFIER_FILE } from './archive-identity.ts';

/** Segments, whole or `.partial`, the notes of backups, the histories of timelines, and what a crash leaves of them. */
const OF_THE_LOG = /^([0-9A-F]{24}(\.partial|\.[0-9A-F]{8}\.backup)?|[0-9A-F]{8}\.history)(\.gz(\.new)?)?$/;
const OF_THE_IDENTIFIER = [IDENTIFIER_FILE, `${IDENTIFIER_FILE}.new`];

/** A segment that is not full is archived after this time: so much may be lost with the machine. */
const ARCHIVE_TIMEOUT_SECONDS = 60;

/** Returns the settings of a server that archives its log into `dir`. */
export function archiveSettings(dir: string): Record<string, string> {
  return {
    archive_mode: 'on',
    archive_timeout: `${ARCHIVE_TIMEOUT_SECONDS}`,
    archive_command: archiveCommand(dir),
  };
}

/** Returns the settings of a server that archives nothing now, and keeps each segment of its log until a later start archives it. */
export function keepLogSettings(): Record<string, string> {
  return { archive_mode: 'on', archive_command: '' };
}

/** Returns the command that archives a segment. PostgreSQL puts the path of the segment in place of %p, and its name in place of %f. */
export function archiveCommand(dir: string): string {
  const target = `${quoted(dir)}/%f.gz`;
  return (
    `if test -f ${target}; then gzip -dc ${target} | cmp -s - %p; ` +
    `else gzip -c %p > ${target}.new && sync ${target}.new && mv ${target}.new ${target} && sync ${quoted(dir)}; fi`
  );
}

/**
 * Returns the command for a server that reads the log of an archive. Exit code 1 says that a segment is not there; a higher one
 * than 125 ends the recovery, because a damaged segment must not look like the end of the log. Segments may be uncompressed too: a
 * person may have copied them from a server that has ended.
 */
export function restoreCommand(dir: string): string {
  const source = `${quoted(dir)}/%f`;
  return (
    `if test -f ${source}.gz; then gzip -dc ${source}.gz > "%p" || exit 255; ` +
    `elif test -f ${source}; then cp ${source} "%p" || exit 255; else exit 1; fi`
  );
}

/** Quotes the path for a shell, inside a setting in which % has a meaning. */
function quoted(path: string): string {
  return `'${path.replaceAll("'", `'\\''`).replaceAll('%', '%%')}'`;
}

/**
 * Makes the folder when it is absent, for the user of the server. That of a restored database may be another one than before.
 * @throws OperatorError when the server cannot write there; or, with nothing changed, for a folder with files of somebody
 */
export async function prepareArchive(dir: string, user: ServerUser): Promise<void> {
  try {
    makeFolder(dir);
    await takeOver(dir, user, requireArchive);
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(
      `Cannot use BACKUP_WAL_DIR ${dir}: ${whyRefused(error) ?? (error as Error).message}.`,
    );
  }
  const writable = await runFile('/bin/sh', ['-c', 'test -w "$1" && test -x "$1"', 'sh', dir], {
    ...user,
    cwd: '/',
    env: SERVER_ENV,
  }).then(
    () => true,
    () => false,
  );
  if (!writable)
    throw new OperatorError(
      `The user of the database (id ${user.uid ?? process.geteuid?.()}) cannot write to BACKUP_WAL_DIR ${dir}. Give it the folder, and let it pass those above.`,
    );
}

/**
 * Refuses a folder that has anything else than an archive: root makes another user the owner of all that is in it.
 * @throws OperatorError
 */
function requireArchive(dir: string): void {
  for (const name of readdirSync(dir)) {
    const stats = lstatSync(join(dir, name));
    const named = OF_THE_LOG.test(name) || OF_THE_IDENTIFIER.includes(name);
    if (named && stats.isFile() && stats.nlink === 1) continue;
    throw new OperatorError(
      `BACKUP_WAL_DIR ${dir} has ${name}, which does not belong to an archive of the log. The folder gets an owner of its own: ` +
        'name an empty one, for example a new folder in it. Nothing was changed.',
    );
  }
}
