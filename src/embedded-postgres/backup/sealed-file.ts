/** A file of a backup: compressed with gzip, and encrypted with age (https://age-encryption.org/v1) if there are recipients. */
import { createHash, type Hash } from 'node:crypto';
import { createReadStream, createWriteStream, readFileSync } from 'node:fs';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { constants, createGunzip, createGzip } from 'node:zlib';
import { Decrypter, Encrypter } from 'age-encryption';
import { OperatorError } from '../../lib/errors.ts';
import type { FoundFile } from './manifest.ts';

/** Files of a database are mostly zeros and repetition: a higher level is much slower and hardly smaller. */
const LEVEL = constants.Z_BEST_SPEED;

/** @throws OperatorError for a text that is no recipient. */
export function requireRecipients(recipients: string[]): void {
  for (const recipient of recipients) {
    try {
      new Encrypter().addRecipient(recipient);
    } catch (error) {
      throw new OperatorError(
        `${recipient} is no recipient of age: it begins with age1, and "age-keygen" prints it. Nothing was written.`,
        { cause: error },
      );
    }
  }
}

/** Reads the identities of a file as `age-keygen` writes it. @throws OperatorError when it cannot be read, or has none */
export function readIdentities(path: string): string[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new OperatorError(`The identity cannot be read: ${(error as Error).message}.`, { cause: error });
  }
  const identities = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith('AGE-SECRET-KEY-'));
  if (identities.length === 0)
    throw new OperatorError(
      `${path} has no line that begins with AGE-SECRET-KEY-, as "age-keygen" writes it.`,
    );
  return identities;
}

/** Returns when the file is on the disk. @throws Error of `content` or of the operating system */
export async function writeSealed(path: string, content: Readable, recipients: string[]): Promise<FoundFile> {
  const stored = counted();
  const out = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true });
  const gzip = createGzip({ level: LEVEL });
  const packed = pipeline(content, gzip);
  packed.catch(() => undefined); // it is awaited below, after the encryption has begun
  const sealed = recipients.length === 0 ? gzip : await encrypted(gzip, recipients);
  await Promise.all([packed, pipeline(sealed, stored.stream, out)]);
  return stored.found();
}

async function encrypted(content: Readable, recipients: string[]): Promise<Readable> {
  const encrypter = new Encrypter();
  for (const recipient of recipients) encrypter.addRecipient(recipient);
  return fromWeb(await encrypter.encrypt(toWeb(content)));
}

/**
 * Opens a file, and returns its content. `found` tells, after the end of the content, how many bytes the file has and their
 * SHA-256. Nothing may act on the content before: what comes before a damaged place is delivered. `identities`: null for a file
 * that is not encrypted.
 * @throws OperatorError when no identity opens the file
 */
export async function openSealed(
  path: string,
  identities: string[] | null,
): Promise<{ content: Readable; found(): FoundFile }> {
  const stored = counted();
  const read = pipeline(createReadStream(path), stored.stream);
  read.catch(() => undefined); // the content fails with the same error
  const packed = identities === null ? stored.stream : await decrypted(stored.stream, identities);
  const content = createGunzip();
  pipeline(packed, content).catch(() => undefined); // likewise
  return { content, found: stored.found };
}

async function decrypted(content: Readable, identities: string[]): Promise<Readable> {
  const decrypter = new Decrypter();
  for (const identity of identities) decrypter.addIdentity(identity);
  try {
    return fromWeb(await decrypter.decrypt(toWeb(content)));
  } catch (error) {
    content.destroy();
    if (!/no identity matched/.test((error as Error).message)) throw error;
    throw new OperatorError('The backup is encrypted to other recipients: this identity does not open it.');
  }
}

/** Passes bytes on, and notes their number and their SHA-256. */
function counted(): { stream: Transform; found(): FoundFile } {
  const hash: Hash = createHash('sha256');
  let bytes = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  return { stream, found: () => ({ bytes, sha256: hash.copy().digest('hex') }) };
}

function toWeb(stream: Readable): globalThis.ReadableStream<Uint8Array> {
  return Readable.toWeb(stream) as globalThis.ReadableStream<Uint8Array>;
}

function fromWeb(stream: globalThis.ReadableStream<Uint8Array>): Readable {
  return Readable.fromWeb(stream as ReadableStream);
}
