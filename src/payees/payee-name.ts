/**
 * The names of payees. Pure. Members approve a payment by its name, so a name must not pass for another one, nor for an address or an id.
 */

/** Characters that nobody sees: formats (zero width, direction), and letters that are blank. */
const UNSEEN = /[\p{Cc}\p{Cf}\u115f\u1160\u2800\u3164\uffa0]/u;

/** The form of the id of a payee. */
export const PAYEE_ID = /^pye_[0-9a-z]{26}$/;

const ADDRESS = /^([GC][A-Z2-7]{55}|[MW][A-Z2-7]{68})$/i;

/** Returns the name as it is kept: composed (NFC), without space around it, and with one space where there are several. */
export function plainName(name: string): string {
  return name.normalize('NFC').trim().replace(/\s+/gu, ' ');
}

/** Returns what is wrong with a plain name, as the end of a sentence that begins with the field; null: nothing. */
export function faultOfName(name: string): string | null {
  if (UNSEEN.test(name)) return 'must not have characters that nobody sees';
  const is_other = ADDRESS.test(name) || PAYEE_ID.test(name.toLowerCase());
  return is_other ? 'must not be an address or an id' : null;
}

/** Returns a name in the form in which two names are compared: lower and upper case (ASCII) are the same. */
export function foldName(name: string): string {
  return plainName(name).replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
