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
export const LONG_FILES = {
  operators: /^test\/operators\/(backup|key-providers|key-rotation|restore|traces|upgrade)\./,
  broken_services: /^test\/sim\/broken-(approvals|deposits|payments|payouts)\./,
};

/** `about`: a change of such a file lets them run; the service as a whole is too much. */
type Rotating = { files: RegExp; about: RegExp };

/**
 * They kill, lie and stop where a shorter test does so too: `npm test` kills one payment, one deposit and one delivery at each
 * step, and the simulation meets the other faults. The oracle that checks them is tested by files of its own, which only its own
 * changes can break. `npm test` leaves these files to the shares of the long forms.
 */
export const ROTATING = {
  kills: {
    files: /^test\/crash\/(kill-at-each-\w+-step|kill-at-random|network-upgrade)\./,
    about: /^(test|src\/(withdrawals|stellar|deposits|ledgers))\//,
  },
  lies: {
    files:
      /^test\/(crash\/(kill-the-database|lies-about-(ledgers|outcomes))|chaos\/(chaos|webhooks\/webhooks))\./,
    about: /^(test|src\/(withdrawals|stellar|deposits|ledgers|webhooks\/delivery))\//,
  },
  outages: {
    files: /^test\/spec\/(database-refuses|older-rpc|restored-database|stall|treasury-switch)\./,
    about: /^(test|src\/(withdrawals|stellar|deposits|ledgers|db))\//,
  },
  oracle: {
    files: /^test\/sim\/(broken-service|falsified-evidence)\./,
    about: /^test\/(oracle|sim)\//,
  },
  upgrade: {
    files: /^src\/cli\/upgrade-database\./,
    about: /^(test|src\/embedded-postgres)\/|^src\/cli\/upgrade-database\b/,
  },
} satisfies Record<string, Rotating>;

/** Gives which part the file is of, when `npm test` leaves it to a share of the long forms though it has a short form. */
export function rotatingOf(file: string): Rotating | undefined {
  return Object.values(ROTATING).find(({ files }) => files.test(file));
}

/**
 * Lists the files that `npm test` runs, in its short or long form; with `quick` without the slow ones, with `rotating` also those
 * that it leaves to the long form because a shorter test shows almost the same.
 */
export function testFiles({ long = false, rotating = false, quick = false }): string[] {
  const others = Object.values(OTHER_COMMANDS);
  const isLong = (file: string) => Object.values(LONG_FILES).some((files) => files.test(file));
  return allTestFiles().filter(
    (file) =>
      !others.some((other) => other.test(file)) &&
      (long || !isLong(file)) &&
      (long || rotating || !rotatingOf(file)) &&
      (!quick || isQuick(file)),
  );
}

/** Lists all test files, also those that other commands run. */
export function allTestFiles(): string[] {
  return globSync(`${FOLDERS}/**/*.test.ts`, { cwd: ROOT }).sort();
}
