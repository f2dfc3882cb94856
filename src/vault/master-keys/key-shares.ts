/**
 * The master key in shares (Shamir's secret sharing): `threshold` of them give the key, fewer tell nothing of it.
 *
 * The library gives no error for too few shares, nor for a damaged one: it gives another key. So each share has what its set
 * is, how many are needed and a checksum, and a combined key is checked against the key check of the set.
 *
 * The library copies its bytes on the heap. So only commands that end right after use this file, never the service.
 */
import { createHash, randomBytes } from 'node:crypto';
import { combine, split } from 'shamir-secret-sharing';
import { OperatorError } from '../../lib/errors.ts';
import { deriveKey } from './derive-key.ts';
import { secureBytes, wipe } from './secure-bytes.ts';

const CHECKSUM_CHARACTERS = 8;
const KEY_CHECK_CHARACTERS = 16;
const FORM =
  /^Stellar Teller master key, share ([0-9]{1,3}) of ([0-9]{1,3}); ([0-9]{1,3}) are needed\nset: ([0-9a-f]{8})\nkey check: ([0-9a-f]{16})\nshare: ([0-9a-f]{66})\nchecksum: ([0-9a-f]{8})$/;

type Share = {
  number: number;
  shares: number;
  threshold: number;
  set: string;
  key_check: string;
  bytes: Buffer;
};

/**
 * Splits the key. Returns the texts of the shares in their order. Each text is for another person.
 * @throws OperatorError unless 2 <= threshold <= shares <= 255
 */
export async function splitKey(
  key: Buffer,
  { shares, threshold }: { shares: number; threshold: number },
): Promise<string[]> {
  if (!(2 <= threshold && threshold <= shares && shares <= 255))
    throw new OperatorError(
      'At least 2 shares must be needed, and there must be as many shares, at most 255.',
    );
  const set = randomBytes(4).toString('hex');
  const key_check = keyCheck(key);
  const parts = await split(Uint8Array.from(key), shares, threshold);
  return parts.map((bytes, index) =>
    textOf({ number: index + 1, shares, threshold, set, key_check, bytes: Buffer.from(bytes) }),
  );
}

/**
 * Combines the shares. Returns their key in locked memory. More shares than needed are fine.
 * @throws OperatorError that says which share is at fault: damaged, given twice, of another set; or that more are needed
 */
export async function combineShares(texts: string[]): Promise<Buffer> {
  const shares = texts.map(read);
  const [first] = shares;
  if (!first) throw new OperatorError('No share was given.');
  const other = shares.find(({ set }) => set !== first.set);
  if (other)
    throw new OperatorError(
      `Share ${other.number} is of the set ${other.set}, and share ${first.number} of the set ${first.set}: they do not belong together.`,
    );
  const numbers = new Set(shares.map(({ number }) => number));
  if (numbers.size < shares.length) throw new OperatorError('A share was given twice.');
  if (shares.length < first.threshold)
    throw new OperatorError(`${first.threshold} shares are needed, and ${shares.length} were given.`);
  const combined = await combine(shares.map(({ bytes }) => Uint8Array.from(bytes)));
  const key = secureBytes(combined.length);
  key.set(combined);
  combined.fill(0);
  if (keyCheck(key) === first.key_check) return key;
  wipe(key);
  throw new OperatorError('These shares do not give the key of their set: at least one of them was changed.');
}

/** Returns 16 hexadecimal digits that tell whether a key is the right one. They reveal nothing else of the key. */
function keyCheck(key: Buffer): string {
  return deriveKey(key, 'check of shares').toString('hex').slice(0, KEY_CHECK_CHARACTERS);
}

function textOf({ number, shares, threshold, set, key_check, bytes }: Share): string {
  const body = [
    `Stellar Teller master key, share ${number} of ${shares}; ${threshold} are needed`,
    `set: ${set}`,
    `key check: ${key_check}`,
    `share: ${bytes.toString('hex')}`,
  ].join('\n');
  return `${body}\nchecksum: ${checksum(body)}\n`;
}

/**
 * Reads the text of a share. It ignores spaces at line ends and empty lines, which people add.
 * @throws OperatorError when the text is no share, or its checksum is wrong
 */
function read(text: string, index: number): Share {
  const lines = text.split('\n').map((line) => line.trim());
  const body = lines.filter(Boolean);
  const found = FORM.exec(body.join('\n'));
  const [, number, shares, threshold, set, key_check, bytes, sum] = found ?? [];
  if (!found || !set || !key_check || !bytes)
    throw new OperatorError(`The text given as number ${index + 1} is no share of a master key.`);
  if (checksum(body.slice(0, -1).join('\n')) !== sum)
    throw new OperatorError(`Share ${number} is mistyped: its checksum is wrong.`);
  return {
    number: Number(number),
    shares: Number(shares),
    threshold: Number(threshold),
    set,
    key_check,
    bytes: Buffer.from(bytes, 'hex'),
  };
}

function checksum(body: string): string {
  return createHash('sha256').update(body).digest('hex').slice(0, CHECKSUM_CHARACTERS);
}
