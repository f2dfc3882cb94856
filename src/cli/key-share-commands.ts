/** `teller keys split` and `teller keys combine`: the master key as shares for several people (docs/key-ceremony.md). */
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { readConfig } from '../config.ts';
import { OperatorError } from '../lib/errors.ts';
import { whyRefused } from '../lib/folders.ts';
import { createLog } from '../lib/log.ts';
import { combineShares, splitKey } from '../vault/master-keys/key-shares.ts';
import { loadMasterKey, writeKeyFile } from '../vault/master-keys/master-key.ts';
import { wipe } from '../vault/master-keys/secure-bytes.ts';
import { whole } from './command-line.ts';
import { protectMemory } from './protect-memory.ts';

type SplitOptions = { shares: number; threshold: number; out: string };

export function keyShareCommands(keys: Command): void {
  keys
    .command('split')
    .description('write the master key as shares into a new folder, one file for each person')
    .requiredOption('--shares <count>', 'how many shares', whole(2, 255))
    .requiredOption('--threshold <count>', 'how many of them give the key', whole(2, 255))
    .requiredOption('--out <folder>', 'the folder, which must not exist')
    .action(splitMasterKey);

  keys
    .command('combine')
    .description('write the key file that shares give')
    .argument('<shares...>', 'files with shares: as many as are needed, or more')
    .requiredOption('--out <file>', 'the key file, which must not exist')
    .action(combineMasterKey);
}

async function splitMasterKey({ shares, threshold, out }: SplitOptions): Promise<void> {
  const config = readConfig(process.env);
  protectMemory(config.network, createLog('warn', process.stdout.isTTY));
  const { key } = loadMasterKey({ ...config, may_create: false });
  const texts = await splitKey(key, { shares, threshold });
  wipe(key);
  refusingExisting(out, () => mkdirSync(out, { mode: 0o700 }));
  try {
    writeShares(out, texts);
  } catch (error) {
    rmSync(out, { recursive: true });
    throw new OperatorError(`Cannot write the shares into ${out}: ${reasonOf(error)}. None was kept.`);
  }
  process.stdout.write(
    `Wrote ${shares} shares into ${resolve(out)}: any ${threshold} of them give the master key.\n` +
      'Try "teller keys combine" with some of them before the key itself goes away. Then give each share to another person, and delete the folder.\n',
  );
}

function writeShares(folder: string, texts: string[]): void {
  chmodSync(folder, 0o700); // whatever the umask is
  for (const [index, text] of texts.entries())
    writeFileSync(join(folder, `share-${index + 1}.txt`), text, { flag: 'wx', mode: 0o600, flush: true });
}

async function combineMasterKey(files: string[], { out }: { out: string }): Promise<void> {
  protectMemory('public', createLog('warn', process.stdout.isTTY)); // it reads no configuration: the strictest
  const key = await combineShares(files.map(readShare));
  refusingExisting(out, () => writeKeyFile(out, key));
  wipe(key);
  process.stdout.write(`Wrote the master key into ${resolve(out)}. Set MASTER_KEY_FILE to this path.\n`);
}

function readShare(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new OperatorError(`The share cannot be read: ${(error as Error).message}.`);
  }
}

function refusingExisting(path: string, make: () => void): void {
  try {
    make();
  } catch (error) {
    const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST';
    throw new OperatorError(
      isThere ? `${path} exists already. Nothing was written.` : `Cannot write ${path}: ${reasonOf(error)}.`,
    );
  }
}

function reasonOf(error: unknown): string {
  return whyRefused(error) ?? (error as Error).message;
}
