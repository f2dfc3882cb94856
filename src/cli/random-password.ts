import { randomInt } from 'node:crypto';

const CHARS = 'abcdefghijkmnpqrstuvwxyz23456789'; // no characters that look alike
const LENGTH = 16;

/** Makes a password of 80 random bits that a person can type. */
export function randomPassword(): string {
  return Array.from({ length: LENGTH }, () => CHARS[randomInt(CHARS.length)]).join('');
}
