import { open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { ServerUser } from './binaries.ts';

export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Writes a file that only `owner` may read (when empty: this process): complete or not at all, also after a power cut. */
export async function writePrivate(path: string, text: string, owner: ServerUser = {}): Promise<void> {
  const draft = `${path}.new`;
  await rm(draft, { force: true });
  const file = await open(draft, 'wx', 0o600);
  try {
    if (owner.uid !== undefined && owner.gid !== undefined) await file.chown(owner.uid, owner.gid);
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
  await syncDirectory(dirname(path));
}

/** Makes a rename durable: without it a power cut could undo it. */
export async function syncDirectory(dir: string): Promise<void> {
  const handle = await open(dir, 'r');
  await handle.sync().finally(() => handle.close());
}
