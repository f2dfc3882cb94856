/** The manifest of a base backup: which files it has, with their SHA-256 (PostgreSQL 18, chapter 70). */
import { createHash } from 'node:crypto';
import { OperatorError } from '../../lib/errors.ts';

/** What was found of a file: its length in bytes, and its SHA-256 in hex. */
export type FoundFile = { bytes: number; sha256: string };

type Listed = { Path?: string; 'Encoded-Path'?: string; Size: number; Checksum: string };

/** The log is not in the list, because the server replays it with checksums of its own. */
const LOG_DIR = 'pg_wal/';
const LAST_LINE = /"Manifest-Checksum": "([0-9a-f]{64})"\}\n$/;

/**
 * Compares the files of a backup with its manifest.
 * @throws OperatorError that names the first file that is missing, changed or too much
 */
export function checkManifest(manifest: Buffer, found: Map<string, FoundFile>): void {
  const listed = readManifest(manifest);
  for (const [path, { bytes, sha256 }] of listed) {
    const file = found.get(path);
    if (!file) throw damaged(`${path} is missing`);
    if (file.bytes !== bytes || file.sha256 !== sha256) throw damaged(`${path} was changed`);
  }
  for (const path of found.keys()) {
    if (!listed.has(path) && !path.startsWith(LOG_DIR)) throw damaged(`${path} does not belong to it`);
  }
  if (![...found.keys()].some((path) => path.startsWith(LOG_DIR))) throw damaged('it has no log');
}

function readManifest(manifest: Buffer): Map<string, FoundFile> {
  const text = manifest.toString();
  const [, checksum] = LAST_LINE.exec(text) ?? [];
  const covered = manifest.subarray(0, text.trimEnd().lastIndexOf('\n') + 1);
  if (checksum === undefined || checksum !== createHash('sha256').update(covered).digest('hex'))
    throw damaged('its manifest was changed');
  // The only number that is too large for JavaScript is the system identifier, which is not used from here.
  const { Files } = JSON.parse(text) as { Files: Listed[] };
  return new Map(Files.map((file) => [pathOf(file), { bytes: file.Size, sha256: file.Checksum }]));
}

function pathOf({ Path, 'Encoded-Path': encoded }: Listed): string {
  return Path ?? Buffer.from(encoded ?? '', 'hex').toString();
}

export function damaged(what: string, cause?: unknown): OperatorError {
  return new OperatorError(`The backup is damaged: ${what}.`, { cause });
}
