/**
 * The key journal (KEY_JOURNAL): a second place for sealed seeds. A wallet that was made after the last backup is in it when
 * the database is not.
 *
 * | step                                      | after a crash here                                                       |
 * |-------------------------------------------|--------------------------------------------------------------------------|
 * | one line for each key, in one write       | a torn line, which nobody reads: the key was answered to nobody          |
 * | fdatasync                                 | the line may be lost: the key was answered to nobody                     |
 * | is the file still at its path?             | as before                                                                |
 * | the caller commits the row                | a line without a row: a key to recover, or one that nobody knows, which  |
 * |                                           | a person dismisses                                                       |
 *
 * The file is only ever appended to. Several processes may share it: each write is at the end of the file, and begins a
 * new line. Without
 * its master key a line is useless. A header names each master key that has sealed lines; a file without a header of a key of the ring
 * is refused. A rotation of the master key goes on in the same file, with a header of the new key.
 */
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { AppError, OperatorError } from '../lib/errors.ts';
import { faultOfJournal, journalReason } from './journal-fault.ts';
import { type KeyRing, keyIdOf } from './master-keys/key-ring.ts';

export type JournalKey = {
  kind: 'wallet' | 'channel' | 'treasury';
  id: string;
  /** G… */
  account: string;
  sealed_seed: Buffer;
  created_at: Date;
  /** Of a wallet. */
  owner_id: string | null;
  name: string | null;
  /** Of a channel: the treasury that pays its reserve, G…. */
  sponsor: string | null;
  /**
   * A ledger that had closed before anybody knew the account; null when that is not known. Its transactions are in later
   * ledgers only.
   */
  ledger: number | null;
};

/** `ledger` absent: `record` asks for it. */
export type NewJournalKey = Omit<JournalKey, 'ledger'> & Partial<Pick<JournalKey, 'ledger'>>;

export type KeyJournal = {
  /** Null without KEY_JOURNAL. */
  path: string | null;
  /**
   * Returns when the lines are on the disk. Call it before the rows are committed. Without KEY_JOURNAL it does nothing.
   * @throws AppError 503 `key_journal_unavailable`
   */
  record(keys: NewJournalKey[]): Promise<void>;
  /**
   * Dismisses a key. A person has found out that nobody has this key: it was recorded, and its row was never committed. Its line
   * stays in the file.
   * @throws AppError 503 `key_journal_unavailable`
   */
  dismiss(id: string, reason: string): Promise<void>;
  /** Reads every key of the file that is not dismissed, in the order of the file. A key may be there more than once. */
  read(): AsyncGenerator<JournalKey>;
  /**
   * Returns why nothing can be recorded, in words without the path; null when no fault shows. After a failed write it tries one
   * with empty lines. It never rejects.
   */
  fault(): Promise<string | null>;
  close(): Promise<void>;
};

const FORMAT = 'stellar-teller key journal 1';
const RETRY_AFTER_SECONDS = 5;
/** After a failed write these show whether there is room again: a single byte has room in a block that the file has already. */
const EMPTY_LINES = '\n'.repeat(4_096);

export const NO_KEY_JOURNAL: KeyJournal = {
  path: null,
  record: async () => undefined,
  dismiss: async () => undefined,
  read: async function* () {},
  fault: async () => null,
  close: async () => undefined,
};

/**
 * Opens the file, or makes it (mode 0600). `processedLedger` gives the newest ledger that the database has processed.
 * @throws OperatorError when the file cannot be written to, is something else, or belongs to master keys that the ring lacks
 */
export async function openKeyJournal(
  path: string,
  ring: KeyRing,
  processedLedger: () => Promise<number | null>,
): Promise<KeyJournal> {
  const file = await openToAppend(path);
  let headers: Set<string>;
  try {
    headers = await begin(file, path, ring);
  } catch (error) {
    await file.close();
    throw error instanceof OperatorError ? error : notWritable(path, error);
  }
  /** Why the last write failed; null after one that succeeded. */
  let refused: string | null = null;
  let writing = Promise.resolve();

  /**
   * Writes the text in lines of its own, and returns when they are on the disk. A new line begins before them, because this
   * process, or another that shares the file, may have left a torn line.
   * @throws Error also when the file is no longer at `path`
   */
  async function append(text: string): Promise<void> {
    const header = headerOf(ring.sealing().check);
    const bytes = Buffer.from(headers.has(header) ? `\n${text}` : `\n${header}\n${text}`);
    // One system call: `appendFile` writes in pieces, between which another process could write.
    const { bytesWritten } = await file.write(bytes);
    if (bytesWritten < bytes.length)
      throw new Error(`only ${bytesWritten} of ${bytes.length} bytes were written`);
    await file.datasync();
    headers.add(header);
    const fault = await faultOfJournal(path, file);
    if (fault !== null) throw new Error(fault); // who looks for the key at `path` would not find it
    refused = null;
  }

  function appendInTurn(text: string): Promise<void> {
    const done = writing
      .then(() => append(text))
      .catch((error) => {
        refused = journalReason(error);
        return Promise.reject(unavailable(error));
      });
    writing = done.catch(() => undefined); // the next caller tries again
    return done;
  }

  return {
    path,
    async record(keys) {
      if (keys.length === 0) return;
      const ledger = await processedLedger();
      await appendInTurn(keys.map((key) => `${lineOf({ ledger, ...key })}\n`).join(''));
    },
    dismiss: (id, reason) =>
      appendInTurn(`${JSON.stringify({ dismissed: id, reason, dismissed_at: new Date() })}\n`),
    read: () => readKeys(path),
    async fault() {
      const fault = await faultOfJournal(path, file);
      if (fault !== null || refused === null) return fault;
      return appendInTurn(EMPTY_LINES).then(
        () => null,
        () => refused,
      );
    },
    async close() {
      await writing;
      await file.close();
    },
  };
}

async function openToAppend(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'a', 0o600);
  } catch (error) {
    throw notWritable(path, error);
  }
}

function notWritable(path: string, error: unknown): OperatorError {
  const { code } = error as NodeJS.ErrnoException;
  const reason = `${journalReason(error)}${code ? ` (${code})` : ''}`;
  return new OperatorError(`KEY_JOURNAL ${path} cannot be written to: ${reason}.`, { cause: error });
}

function headerOf(key_check: Buffer): string {
  return JSON.stringify({ format: FORMAT, key_check: key_check.toString('base64') });
}

/** Writes the header of the key that seals, if it is not there yet. Returns the headers of the file. */
async function begin(file: FileHandle, path: string, ring: KeyRing): Promise<Set<string>> {
  const headers = await readHeaders(path, ring);
  const header = headerOf(ring.sealing().check);
  if (!headers.has(header)) await file.appendFile(`\n${header}\n`);
  await file.sync();
  const folder = await open(dirname(path), 'r');
  await folder.sync(); // the name must survive a power failure too
  await folder.close();
  return headers.add(header);
}

/**
 * Reads the headers. Returns an empty set for a new file, and for a file whose first write was torn by a crash.
 * @throws OperatorError when the file is no key journal, or has no header of a key of the ring
 */
async function readHeaders(path: string, ring: KeyRing): Promise<Set<string>> {
  const headers = new Set<string>();
  const ours = ring.keys.map(({ check }) => headerOf(check));
  for await (const line of linesOf(path)) {
    if (line === '' || (headers.size > 0 && !line.startsWith('{"format"'))) continue;
    if (parsed(line)?.format === FORMAT) headers.add(line);
    else if (headers.size === 0 && !ours.some((header) => header.startsWith(line)))
      throw new OperatorError(`KEY_JOURNAL ${path} is not a key journal.`);
  }
  if (headers.size > 0 && !ours.some((header) => headers.has(header))) throw writtenByOthers(path, headers);
  return headers;
}

function writtenByOthers(path: string, headers: Set<string>): OperatorError {
  const checks = [...headers].map((header) => Buffer.from(`${parsed(header)?.key_check}`, 'base64'));
  return new OperatorError(
    `KEY_JOURNAL ${path} was written with another master key: ${checks.map(keyIdOf).join(', ')}. If that is the key before a ` +
      'rotation, start once with it as MASTER_KEY_PREVIOUS: then its keys are recorded again.',
  );
}

function lineOf({ sealed_seed, created_at, ...key }: JournalKey): string {
  return JSON.stringify({ ...key, sealed_seed: sealed_seed.toString('base64'), created_at });
}

/** Reads the keys that are not dismissed. A dismissal counts for the lines before it only: somebody has a key that is recorded again. */
async function* readKeys(path: string): AsyncGenerator<JournalKey> {
  const dismissals = new Map<unknown, number>();
  let number = 0;
  for await (const line of linesOf(path)) {
    number++;
    if (line.includes('"dismissed"')) dismissals.set(parsed(line)?.dismissed, number);
  }
  number = 0;
  for await (const line of linesOf(path)) {
    number++;
    const key = parsed(line);
    if (typeof key?.id !== 'string') continue; // a header, or a line that a crash has torn
    if (number < (dismissals.get(key.id) ?? 0)) continue;
    const { sealed_seed, created_at } = key;
    yield {
      ...(key as unknown as JournalKey),
      ledger: typeof key.ledger === 'number' ? key.ledger : null,
      sealed_seed: Buffer.from(`${sealed_seed}`, 'base64'),
      created_at: new Date(`${created_at}`),
    };
  }
}

async function* linesOf(path: string): AsyncGenerator<string> {
  const file = await open(path, 'r');
  const lines = createInterface({ input: file.createReadStream(), crlfDelay: Number.POSITIVE_INFINITY });
  for await (const line of lines) yield line;
}

function parsed(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null; // torn
  }
}

function unavailable(cause: unknown): AppError {
  return new AppError('key_journal_unavailable', 'The key journal cannot be written to; nothing was made.', {
    retry_after_seconds: RETRY_AFTER_SECONDS,
    cause,
  });
}
