import { strict as assert } from 'node:assert';
import { closeSync, openSync } from 'node:fs';
import { readInto, secureBytes, wipe } from './master-keys/secure-bytes.ts';

const STRKEY_CHARACTERS = 56;
/** Version byte, seed, checksum. Source: SEP-23. */
const STRKEY_BYTES = 35;
const SEED_VERSION = 18 << 3; // S
const CR = 0x0d;
const LF = 0x0a;

/** The message never contains the file's content or its path: a person may have passed the seed as the path. */
export class SeedFileError extends Error {}

/**
 * Calls `use` with the 32 bytes of the seed (S…, SEP-23) in the file. A line end after the seed is allowed. The bytes are in
 * locked memory from the read system call on, never in a string, and are wiped before this returns.
 * @throws SeedFileError
 */
export function withSeedFile<T>(path: string, use: (seed: Buffer) => T): T {
  const text = secureBytes(STRKEY_CHARACTERS + 3); // CR LF, and one byte that must not be there
  const strkey = secureBytes(STRKEY_BYTES);
  try {
    const length = readPath(text, path);
    decodeBase32(strkey, text.subarray(0, withoutLineEnd(text, length)));
    if (strkey[0] !== SEED_VERSION) throw new SeedFileError(NOT_A_SEED);
    if (strkey.readUInt16LE(STRKEY_BYTES - 2) !== crc16(strkey.subarray(0, STRKEY_BYTES - 2)))
      throw new SeedFileError('The secret seed in the seed file is mistyped: its checksum is wrong.');
    return use(strkey.subarray(1, STRKEY_BYTES - 2));
  } finally {
    wipe(text);
    wipe(strkey);
  }
}

const NOT_A_SEED = 'The seed file must hold one secret seed (S and 55 more characters) and nothing else.';

function readPath(bytes: Buffer, path: string): number {
  let file: number | null = null;
  try {
    file = openSync(path, 'r');
    return readInto(bytes, file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new SeedFileError(`The seed file cannot be read (${code ?? 'unknown cause'}).`);
  } finally {
    if (file !== null) closeSync(file);
  }
}

function withoutLineEnd(text: Buffer, length: number): number {
  let end = length;
  if (end > 0 && text[end - 1] === LF) end--;
  if (end < length && end > 0 && text[end - 1] === CR) end--;
  return end;
}

/**
 * Decodes Base32 (RFC 4648, without padding) into `target`. 56 characters are exactly 35 bytes, so no bits are left over.
 * @throws SeedFileError for any other text
 */
function decodeBase32(target: Buffer, text: Buffer): void {
  if (text.length !== STRKEY_CHARACTERS) throw new SeedFileError(NOT_A_SEED);
  let bits = 0;
  let buffered = 0;
  let end = 0;
  for (const character of text) {
    buffered = (buffered << 5) | digitOf(character);
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    target[end++] = buffered >>> bits;
    buffered &= (1 << bits) - 1;
  }
  assert.equal(end, STRKEY_BYTES);
}

function digitOf(character: number): number {
  if (character >= 0x41 && character <= 0x5a) return character - 0x41; // A to Z are 0 to 25
  if (character >= 0x32 && character <= 0x37) return character - 0x32 + 26; // 2 to 7 are 26 to 31
  throw new SeedFileError(NOT_A_SEED);
}

/** Computes the checksum CRC-16/XMODEM (SEP-23). */
function crc16(bytes: Buffer): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = (crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1) & 0xffff;
  }
  return crc;
}
