/**
 * Debian's Chromium, or Chrome, where it is installed. Nothing is downloaded. The headless shell comes first: Chromium itself
 * draws a window with its buttons around each page, and needs half as much processor time again.
 */
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const PLACES = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

const found = () => PLACES.find((place) => existsSync(place));

/** Why the tests in a browser are skipped; false where they run. */
export function whySkipped(): string | false {
  return found() ? false : 'there is no Chromium: `npm run test:browser` installs it on Debian, as root';
}

/** `more`: further switches. */
export function launchChromium(more: string[] = []): Promise<Browser> {
  const isRoot = process.getuid?.() === 0;
  return chromium.launch({
    executablePath: found() ?? '',
    args: [
      // Chromium refuses to run as root with its sandbox on.
      ...(isRoot ? ['--no-sandbox'] : []),
      '--disable-gpu',
      // Asks its maker for nothing: whatever leaves the machine would be the dashboard's.
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...more,
    ],
  });
}
