/** What a session shows of the browser or program that opened it. It helps its user to recognize it, and proves nothing. */

const LONGEST = 60;

/** In this order: most browsers also name those that they resemble. */
const BROWSERS: [name: string, mark: RegExp][] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Headless)?(?:Chrome|Chromium|CriOS)\//],
  ['Safari', /\bSafari\//],
];

const SYSTEMS: [name: string, mark: RegExp][] = [
  ['Android', /\bAndroid\b/],
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
];

/**
 * Returns a name like `Firefox on Linux` for a browser, and like `python-requests/2.32` for a program; null when the User-Agent tells
 * nothing.
 */
export function deviceName(user_agent: string | undefined): string | null {
  const text = user_agent?.trim() ?? '';
  const browser = text.startsWith('Mozilla/') ? nameIn(BROWSERS, text) : undefined;
  if (browser === undefined) return text.split(' ')[0]?.slice(0, LONGEST) || null;
  const system = nameIn(SYSTEMS, text);
  return system === undefined ? browser : `${browser} on ${system}`;
}

function nameIn(known: [name: string, mark: RegExp][], text: string): string | undefined {
  return known.find(([, mark]) => mark.test(text))?.[0];
}
