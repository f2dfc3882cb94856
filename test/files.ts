/** The test files of this checkout, and which command runs which. Paths are relative to the checkout. */
import { globSync } from 'node:fs';
import { dirname } from 'node:path';
import { isQuick } from './plan.ts';

const ROOT = dirname(import.meta.dirname);
const FOLDERS = '{src,sandbox,clients,test}';
/** The test files that `npm test` leaves to other commands. */
export const OTHER_COMMANDS = {
  'npm run test:browser': /^test\/browser\//,
  'npm run test:clients': /^test\/clients\/runtimes/,
};
/** They take minutes, and only the long form has them. */
export const LONG_FILES = /^test\/operators\/(backup|key-providers|key-rotation|restore|traces|upgrade)\./;

/** Lists the files that `npm test` runs, in its short or long form; with `quick` without the slow ones. */
export function testFiles({ long = false, quick = false }): string[] {
  const others = Object.values(OTHER_COMMANDS);
  return allTestFiles().filter(
    (file) =>
      !others.some((other) => other.test(file)) &&
      (long || !LONG_FILES.test(file)) &&
      (!quick || isQuick(file)),
  );
}

/** Lists all test files, also those that other commands run. */
export function allTestFiles(): string[] {
  return globSync(`${FOLDERS}/**/*.test.ts`, { cwd: ROOT }).sort();
}
