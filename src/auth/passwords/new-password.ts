/** Which new passwords are refused: common ones, and those that say only whose account it is. */

const OWN_WORDS = ['stellarteller', 'stellar', 'teller'];

/**
 * Returns what is wrong with a new password, as a sentence without its subject; null when nothing is. Only the whole password is
 * compared (NIST SP 800-63B, 3.1.1.2): a common word as a part of a longer password does no harm.
 */
export async function faultOfNewPassword(password: string, email: string): Promise<string | null> {
  const text = password.normalize('NFKC').toLowerCase();
  if (saysOnly(text, [...wordsOf(email), ...OWN_WORDS]))
    return 'must not contain only the e-mail address or the name of this service';
  if ((await commonPasswords()).has(text)) return 'is one of the most common passwords: choose another one';
  return null;
}

/** Returns true when nothing but the words and separators is in the text. */
function saysOnly(text: string, words: string[]): boolean {
  const letters = lettersOf(text);
  return letters !== '' && words.reduce((rest, word) => rest.replaceAll(word, ''), letters) === '';
}

function wordsOf(email: string): string[] {
  const [name = ''] = email.split('@');
  return [email, name].map((text) => lettersOf(text.normalize('NFKC').toLowerCase())).filter(Boolean);
}

function lettersOf(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}]/gu, '');
}

let loaded: Promise<ReadonlySet<string>> | undefined;

/** Loads the common passwords, with the first new password: few processes ever need the list. All its passwords are in lower case. */
function commonPasswords(): Promise<ReadonlySet<string>> {
  loaded ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common']),
  );
  return loaded;
}
