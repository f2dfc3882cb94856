/**
 * Makes the keys of a file that has none: of the name of the payout and the number of the row. So the same file under the same
 * name has the same keys, which are used by then. What is paid again under another name is found in paid-before.ts.
 */
import { hash } from 'node:crypto';
import { PAYOUT_KEY } from './row-body.ts';

/** Of a name that is no key by itself, as many digits of its hash: two such names must not have the same keys. */
const HASH_DIGITS = 12;

const MOST_READABLE_CHARS = 100;

/** Makes the key of a row. `name`: of the payout, at most 100 characters. */
export function madeKey(name: string, number: number): string {
  return `${beginOf(name.normalize('NFC'))}-${number}`;
}

function beginOf(name: string): string {
  if (PAYOUT_KEY.test(name)) return name;
  const readable = name
    .normalize('NFKD')
    .replace(/[^\x20-\x7e]/g, '')
    .replace(/^[=+\-@' ]+/, '')
    .slice(0, MOST_READABLE_CHARS); // one character can become several
  return `${readable === '' ? 'payout' : readable}-${hash('sha256', name).slice(0, HASH_DIGITS)}`;
}
