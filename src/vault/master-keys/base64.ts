/** Base64 (RFC 4648, section 4) from locked memory to locked memory: strings of the runtime cannot be wiped. */
import { secureBytes } from './secure-bytes.ts';

const PAD = 0x3d; // =

/**
 * Decodes the text. Returns null when no encoder writes this text. Padding may be absent. The bytes are written into `into`, and
 * must fill it exactly, else it returns null. Without `into` they are in new locked memory.
 */
export function decodeBase64(text: Buffer, into?: Buffer): Buffer | null {
  const digits = text.subarray(0, withoutPadding(text));
  if (text.length !== digits.length && text.length % 4 !== 0) return null;
  if (digits.length % 4 === 1) return null;
  const length = Math.floor((digits.length * 6) / 8);
  if (into && into.length !== length) return null;
  const bytes = into ?? secureBytes(length);
  let bits = 0;
  let buffered = 0;
  let end = 0;
  for (const character of digits) {
    const digit = digitOf(character);
    if (digit === null) return null;
    buffered = (buffered << 6) | digit;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes[end++] = buffered >>> bits;
    buffered &= (1 << bits) - 1;
  }
  return buffered === 0 ? bytes : null; // bits that are left over are 0
}

/** Encodes the bytes. Returns the text with padding, as characters in locked memory. */
export function encodeBase64(bytes: Buffer): Buffer {
  const text = secureBytes(Math.ceil(bytes.length / 3) * 4).fill(PAD);
  let bits = 0;
  let buffered = 0;
  let end = 0;
  for (const byte of bytes) {
    buffered = (buffered << 8) | byte;
    bits += 8;
    while (bits >= 6) {
      bits -= 6;
      text[end++] = characterOf(buffered >>> bits);
      buffered &= (1 << bits) - 1;
    }
  }
  if (bits > 0) text[end] = characterOf(buffered << (6 - bits));
  return text;
}

function withoutPadding(text: Buffer): number {
  let end = text.length;
  while (end > text.length - 2 && text[end - 1] === PAD) end--;
  return end;
}

function digitOf(character: number): number | null {
  if (character >= 0x41 && character <= 0x5a) return character - 0x41; // A to Z are 0 to 25
  if (character >= 0x61 && character <= 0x7a) return character - 0x61 + 26; // a to z are 26 to 51
  if (character >= 0x30 && character <= 0x39) return character - 0x30 + 52; // 0 to 9 are 52 to 61
  if (character === 0x2b) return 62; // +
  return character === 0x2f ? 63 : null; // /
}

function characterOf(digit: number): number {
  if (digit < 26) return 0x41 + digit;
  if (digit < 52) return 0x61 + digit - 26;
  if (digit < 62) return 0x30 + digit - 52;
  return digit === 62 ? 0x2b : 0x2f;
}
