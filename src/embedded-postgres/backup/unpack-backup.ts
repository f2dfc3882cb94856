/** Unpacks a backup into an empty folder, and proves that each file is as the server has sent it. */
import { createHash } from 'node:crypto';
import { access, constants, open, readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { extract } from 'tar';
import { OperatorError } from '../../lib/errors.ts';
import { whyRefused } from '../../lib/folders.ts';
import { syncDirectory } from '../server/files.ts';
import type { Description } from './description.ts';
import { checkManifest, damaged, type FoundFile } from './manifest.ts';
import { openSealed } from './sealed-file.ts';

const CHUNK_BYTES = 1024 * 1024;

/**
 * Fills the folder `into` with the files of the backup in `dir`, and flushes them to the disk. `identities`: of age.
 * @throws OperatorError when the backup is damaged, no identity opens it, or the disk is full. The caller removes `into`.
 */
export async function unpackBackup(
  dir: string,
  into: string,
  { description, identities }: { description: Description; identities: string[] | null },
): Promise<void> {
  const { recipients, archive, manifest } = description;
  if (recipients.length > 0 && identities === null)
    throw new OperatorError(
      `The backup is encrypted to ${recipients.join(' and ')}. Name the file of an identity: --identity FILE.`,
    );
  for (const { name } of [archive, manifest]) await requireReadable(join(dir, name));
  const opened = recipients.length > 0 ? identities : null;
  const read = async <T>(
    file: Description['archive'],
    use: (content: AsyncIterable<Buffer>) => Promise<T>,
  ) => {
    const { content, found } = await openSealed(join(dir, file.name), opened);
    const result = await use(content);
    const { bytes, sha256 } = found();
    if (bytes !== file.bytes || sha256 !== file.sha256) throw damaged(`${file.name} was changed`);
    return result;
  };
  try {
    const listed = await read(manifest, buffer);
    await read(archive, (content) => extractOrdinary(content, into));
    checkManifest(listed, await filesOf(into));
  } catch (error) {
    throw described(error, into);
  }
}

async function requireReadable(path: string): Promise<void> {
  await access(path, constants.R_OK).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw damaged(`${path} is missing`);
    throw new OperatorError(`The backup cannot be read: ${error.message}.`, { cause: error });
  });
}

/**
 * Extracts the files and folders of the archive, and throws afterwards when it has anything else: a link would let the archive
 * write outside of the folder. An error that the filter throws would end the process.
 */
async function extractOrdinary(content: AsyncIterable<Buffer>, into: string): Promise<void> {
  let other: string | null = null;
  const filter = (path: string, entry: object) => {
    const type = 'type' in entry ? entry.type : undefined;
    if (type === 'File' || type === 'Directory') return true;
    other ??= path;
    return false;
  };
  await pipeline(content, extract({ cwd: into, strict: true, preserveOwner: false, filter }));
  if (other !== null) throw damaged(`${other} is no ordinary file`);
}

/**
 * Describes the error for the operator. An error of the operating system keeps its reason; whatever else fails while a backup is
 * read is a fault of its bytes.
 */
function described(error: unknown, into: string): Error {
  if (error instanceof OperatorError) return error;
  const reason = whyRefused(error);
  if (reason !== null)
    return new OperatorError(`Cannot unpack the backup into ${into}: ${reason}.`, { cause: error });
  return damaged((error as Error).message, error);
}

/** Reads each file back, and flushes it and its folder. */
async function filesOf(root: string): Promise<Map<string, FoundFile>> {
  const files = new Map<string, FoundFile>();
  const memory = Buffer.allocUnsafe(CHUNK_BYTES); // one for all: there are a thousand small files
  const visit = async (dir: string): Promise<void> => {
    for (const entry of await readdir(dir, { withFileTypes: true })) {
      const path = join(dir, entry.name);
      if (entry.isDirectory()) await visit(path);
      else files.set(relative(root, path), await readAndFlush(path, memory));
    }
    await syncDirectory(dir);
  };
  await visit(root);
  return files;
}

async function readAndFlush(path: string, memory: Buffer): Promise<FoundFile> {
  const file = await open(path, 'r');
  try {
    const hash = createHash('sha256');
    let bytes = 0;
    for (;;) {
      const { bytesRead } = await file.read(memory, 0, memory.length, null);
      if (bytesRead === 0) break;
      hash.update(memory.subarray(0, bytesRead));
      bytes += bytesRead;
    }
    await file.sync();
    return { bytes, sha256: hash.digest('hex') };
  } finally {
    await file.close();
  }
}
