/**
 * Writes a backup of the embedded database into a new folder, while the database works on.
 *
 * | step                                                   | what a crash here leaves                                        |
 * |--------------------------------------------------------|-----------------------------------------------------------------|
 * | make `DIR.unfinished-…`, and the folders above         | that folder, which no command takes for a backup: it lacks      |
 * | write `base.tar.gz` from the stream of the server      | `backup.json`. Remove it                                        |
 * | compare each file in the stream with the manifest      | the same                                                        |
 * | write `backup_manifest.gz`, then `backup.json`         | the same, or a whole backup without its name                    |
 * | rename the folder to `DIR`, and flush those above      | the backup, or the folder of before                             |
 *
 * Each file is flushed to the disk before the rename. After an error the unfinished folder is removed.
 * The names end in `.age` when the files are encrypted.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pipeline, Readable, Transform } from 'node:stream';
import { systemClock } from '../../lib/clock.ts';
import { OperatorError } from '../../lib/errors.ts';
import { makeFolder, whyRefused } from '../../lib/folders.ts';
import { version } from '../../lib/version.ts';
import type { Place } from '../server/access.ts';
import { syncDirectory } from '../server/files.ts';
import { type BaseBackup, openBaseBackup } from './base-backup.ts';
import { type Contents, type Description, writeDescription } from './description.ts';
import { checkManifest } from './manifest.ts';
import { requireRecipients, writeSealed } from './sealed-file.ts';
import { tarEntries } from './tar-entries.ts';

export type BackupOrder = {
  dir: string;
  place: Place;
  password: string | undefined;
  /** Of age; empty: the backup is not encrypted. */
  recipients: string[];
  contents: Contents;
};

/**
 * Makes the backup. When it returns, the whole backup is on the disk.
 * @throws OperatorError when `dir` exists, a recipient is invalid, or the disk is full; no new `dir` is left then.
 */
export async function writeBackup(order: BackupOrder): Promise<Description> {
  const dir = resolve(order.dir);
  requireRecipients(order.recipients);
  if (existsSync(dir)) throw new OperatorError(`${dir} exists already. Nothing was written.`);
  const above = nearestFolder(dir);
  const draft = `${dir}.unfinished-${randomBytes(4).toString('hex')}`;
  let backup: BaseBackup | null = null;
  try {
    makeFolder(dirname(dir));
    makeFolder(draft);
    const started_at = systemClock.now().toISOString();
    backup = await openBaseBackup(order.place, order.password);
    const description = await writeFiles(draft, backup, { ...order, started_at });
    await rename(draft, dir);
    for (let folder = dirname(dir); ; folder = dirname(folder)) {
      await syncDirectory(folder);
      if (folder === above) break; // what holds the name of the uppermost new folder
    }
    return description;
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    const reason = whyRefused(error);
    if (reason === null) throw error;
    throw new OperatorError(`Cannot write the backup to ${dir}: ${reason}. Nothing of it was kept.`, {
      cause: error,
    });
  } finally {
    backup?.close();
  }
}

/** Finds the nearest folder above `path` that is there. */
function nearestFolder(path: string): string {
  const above = dirname(path);
  return existsSync(above) ? above : nearestFolder(above);
}

async function writeFiles(
  draft: string,
  backup: BaseBackup,
  { recipients, contents, started_at }: BackupOrder & { started_at: string },
): Promise<Description> {
  const write = async (base: string, content: Readable) => {
    const name = `${base}.gz${recipients.length > 0 ? '.age' : ''}`;
    return { name, ...(await writeSealed(join(draft, name), content, recipients)) };
  };
  const entries = tarEntries();
  const archive = await write('base.tar', watched(backup.archive, entries.write));
  const { manifest, ...range } = await backup.end;
  checkManifest(manifest, entries.end());
  const ended_at = systemClock.now().toISOString();
  return writeDescription(draft, {
    service_version: version,
    system_identifier: backup.system_identifier,
    started_at,
    ended_at,
    ...range,
    ...contents,
    recipients,
    archive,
    manifest: await write('backup_manifest', Readable.from([manifest])),
  });
}

/** Passes the bytes of `source` on, after `look` has seen them. When one of the two streams fails, the other one does too. */
function watched(source: Readable, look: (chunk: Buffer) => void): Readable {
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      try {
        look(chunk);
        done(null, chunk);
      } catch (error) {
        done(error as Error);
      }
    },
  });
  pipeline(source, stream, () => undefined);
  return stream;
}
