/**
 * What an e-mail address is, and which spellings of it are the same one. Everything that takes or compares an address calls
 * this file: PostgreSQL folds by its locale, and so differently.
 *
 * | part       | folded                                                                                         |
 * |------------|------------------------------------------------------------------------------------------------|
 * | local part | NFC, then lower case; ς is σ, because which of them a Σ becomes depends on what stands after it  |
 * | domain     | as IDNA asks for it in the DNS: lower case, `xn--…`                                             |
 */
import { domainToASCII } from 'node:url';

/** `email`: as it was typed, for people and mails. `folded`: the same for each spelling of the address. */
export type ParsedEmail = { email: string; folded: string };

/** Of an address: longer ones fit into no SMTP command (RFC 5321, 4.5.3.1.3). */
export const EMAIL_MAX = 254;
/** Nothing that is not seen, and nothing that lists of addresses, names or comments are written with. */
const ADDRESS =
  /^([^\s\p{C}\p{Z}\p{Default_Ignorable_Code_Point}"(),:;<>@[\]\\]+)@([^\s\p{C}\p{Z}\p{Default_Ignorable_Code_Point}"(),:;<>@[\]\\]+)$/u;
/** ASCII that no host name has. `domainToASCII` would read a path, a port or a percent-encoded letter. */
const NOT_IN_DOMAIN = /[!-,/:-@[-^`{-~]/;
const DOMAIN_MAX = 253;

/** Reads an e-mail address; null for another text. Space around it does not count. */
export function parseEmail(text: string): ParsedEmail | null {
  const email = text.trim().normalize('NFC');
  const [, local, host] = ADDRESS.exec(email) ?? [];
  if (local === undefined || host === undefined || email.length > EMAIL_MAX) return null;
  const domain = foldDomain(host);
  return domain === null ? null : { email, folded: `${lowerCase(local)}@${domain}` };
}

/** Folds an address. A text that is not an address is folded to a text that is not an address either. */
export function foldEmail(text: string): string {
  return parseEmail(text)?.folded ?? lowerCase(text.trim());
}

function lowerCase(text: string): string {
  return text.normalize('NFC').toLowerCase().replaceAll('ς', 'σ').normalize('NFC');
}

function foldDomain(host: string): string | null {
  if (NOT_IN_DOMAIN.test(host)) return null;
  const domain = domainToASCII(host);
  const labels = domain.split('.');
  if (labels.includes('') || domain.length > DOMAIN_MAX) return null;
  return /^\d+$/.test(labels.at(-1) ?? '') ? null : domain; // an IP address is no domain
}
