/** The description of a backup, `backup.json`: what a restore must know before it unpacks anything. Nothing in it is secret. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { OperatorError } from '../../lib/errors.ts';
import { writePrivate } from '../server/files.ts';

const FORMAT = 'stellar-teller backup 1';
const DESCRIPTION_FILE = 'backup.json';

const lsn = z.string().regex(/^[0-9A-F]+\/[0-9A-F]+$/);
const digits = z.string().regex(/^\d+$/);
const file = z.object({
  name: z.string().regex(/^[\w.]+$/),
  bytes: z.int(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
/** `close_time`: in Unix seconds. */
const cursor = z.object({ ledger: z.int(), close_time: digits.nullable() }).nullable();

/** What the database says of itself. Its cursors and counts are those of the beginning: the copy has at least these. */
const Contents = z.object({
  network: z.string(),
  passphrase: z.string(),
  /** Base64; tells the master key without revealing it. */
  key_check: z.string(),
  /** The newest migration. */
  schema: z.string(),
  postgres_version: z.string(),
  deposit_cursor: cursor,
  withdrawal_cursor: cursor,
  counts: z.object({ wallets: digits, deposits: digits, withdrawals: digits }),
});

const Description = Contents.extend({
  format: z.literal(FORMAT),
  service_version: z.string(),
  system_identifier: digits,
  timeline: z.int(),
  start_lsn: lsn,
  end_lsn: lsn,
  started_at: z.iso.datetime(),
  ended_at: z.iso.datetime(),
  /** To whom it is encrypted; empty: to nobody. */
  recipients: z.array(z.string()),
  archive: file,
  manifest: file,
});

export type Contents = z.output<typeof Contents>;
export type Description = z.output<typeof Description>;

/** Writes the description into the folder of a backup. Until then the folder is no backup. */
export async function writeDescription(
  dir: string,
  values: Omit<Description, 'format'>,
): Promise<Description> {
  const description = { format: FORMAT, ...values } as const;
  await writePrivate(join(dir, DESCRIPTION_FILE), `${JSON.stringify(description, null, 2)}\n`);
  return description;
}

/** @throws OperatorError for a folder that has no whole backup, and for a backup of a format that this version does not know */
export function readDescription(dir: string): Description {
  const value = parse(readText(dir), dir);
  if (value.format !== FORMAT)
    throw new OperatorError(
      `${dir} has the format "${value.format}", and this version knows "${FORMAT}". Use the version that made it, or a newer one.`,
    );
  const parsed = Description.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new OperatorError(
    `The backup is damaged: ${DESCRIPTION_FILE} has no valid ${issue?.path.join('.')} (${issue?.message}).`,
  );
}

function readText(dir: string): string {
  try {
    return readFileSync(join(dir, DESCRIPTION_FILE), 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new OperatorError(
      code === 'ENOENT' || code === 'ENOTDIR'
        ? `${dir} is no whole backup: it has no ${DESCRIPTION_FILE}, which "teller backup create" writes last.`
        : `The backup cannot be read: ${message}.`,
      { cause: error },
    );
  }
}

function parse(text: string, dir: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {
    // Not the text that was written: the same as another value.
  }
  throw new OperatorError(`The backup is damaged: ${join(dir, DESCRIPTION_FILE)} is not JSON.`);
}
