/**
 * How mails show what anybody may choose, like the name of a team: a mail of the service must take no link of theirs to a stranger.
 */

/**
 * Returns what a mail calls whoever has this name. Null for a name that a mail program would show as a link, or that reads as one.
 */
export function mailedName(name: string): string | null {
  const read = name.normalize('NFKC').replaceAll(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '');
  if (LINK.test(read)) return null;
  const line = name.replaceAll(/[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]+/gu, ' ').trim();
  return line.length > NAME_MAX ? `${[...line].slice(0, NAME_MAX).join('')}…` : line;
}

/** Returns the URL as text that no mail program makes a link of: `https[:]//shop[.]example/hook`. */
export function mailedUrl(url: string): string {
  return url.replaceAll(/[:.]/g, '[$&]');
}

/** Longer ones are messages. */
const NAME_MAX = 40;
/** A scheme, an address, `www`, a domain, also with a space before its point, or an IP address. */
const LINK = /:\/|\/\/|[@＠]|www\b|[\p{L}\p{N}] ?[.。]\p{L}[\p{L}\p{N}-]|\d+(?:\.\d+){3}/iu;
