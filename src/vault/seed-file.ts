import { strict as assert } from 'node:assert';
import { closeSync, openSync, readSync } from 'node:fs';
import { secureBytes, wipe } from './secure-bytes.ts';

const STRKEY_CHARACTERS = 56;
/** Version byte, seed, checksum. Source: SEP-23. */
const STRKEY_BYTES = 35;
const SEED_VERSION = 18 << 3; // S
const CR = 0x0d;
const LF = 0x0a;

/** Its message never has anything of the file, nor its path: somebody may have put the seed where the path belongs. */
export class SeedFileError extends Error {}

/**
 * Calls `use` with the 32 bytes of the seed (S…, SEP-23) that the file holds, a line end after it or not. They are in
 * locked memory from the read system call on, never a string, and wiped when this returns.
 * @throws SeedFileError
 */
export function withSeedFile<T>(path: string, use: (seed: Buffer) => T): T {
  const text = secureBytes(STRKEY_CHARACTERS + 3); // CR LF, and one byte that must not be there
  const strkey = secureBytes(STRKEY_BYTES);
  try {
    const length = readInto(text, path);
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

/** As many bytes as there are, up to all of `bytes`. */
function readInto(bytes: Buffer, path: string): number {
  let file: number | null = null;
  try {
    file = openSync(path, 'r');
    let length = 0;
    for (;;) {
      const read = readSync(file, bytes, length, bytes.length - length, null);
      length += read;
      if (read === 0 || length === bytes.length) return length;
    }
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

/** RFC 4648 without padding. 56 characters are 35 bytes exactly, so there are no bits left over to check. */
function decodeBase32(target: Buffer, text: Buffer): void {
  if (text.length !== STRKEY_CHARACTERS) throw new SeedFileError(NOT_A_SEED);
  let bits = 0;
  let held = 0;
  let end = 0;
  for (const character of text) {
    held = (held << 5) | digitOf(character);
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    target[end++] = held >>> bits;
    held &= (1 << bits) - 1;
  }
  assert.equal(end, STRKEY_BYTES);
}

function digitOf(character: number): number {
  if (character >= 0x41 && character <= 0x5a) return character - 0x41; // A to Z are 0 to 25
  if (character >= 0x32 && character <= 0x37) return character - 0x32 + 26; // 2 to 7 are 26 to 31
  throw new SeedFileError(NOT_A_SEED);
}

/** CRC-16/XMODEM, as SEP-23 wants. */
function crc16(bytes: Buffer): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = (crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1) & 0xffff;
  }
  return crc;
}
