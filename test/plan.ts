/**
 * Which test files run in which process, and in which order. Every process loads the same packages and compiles the same
 * functions before it does its work, so many small files share one. A file that takes long has a process of its own, and
 * begins early: the last process to end decides how long a run takes.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const ROOT = join(import.meta.dirname, '..');

/** In the order in which they begin; what matches none of these begins last. */
const SINGLES = [
  /^test\/crash\/kill/,
  /^test\/(crash|chaos|sim)\//,
  /^test\/spec\/operations/,
  /^test\/packages\/npm/, // it builds the package
  /^test\/operators\//,
  /^test\/spec\//,
  /^src\/api\/rewrap-keys/,
  /^src\/(cli|embedded-postgres)\//,
  /^sandbox\/main/,
  /^src\/vault\//, // it searches the memory of its process
];
const FILES_TOGETHER = 12;
/** Files that share a service (`joinService`), by its settings: one start for so many. */
const SHARING = /\bjoinService\((?:'(\w+)')?\)/;
const FILES_SHARING = 8;
/** Beside the files above, `--quick` leaves these out: what remains takes about a minute on two idle cores. */
const SLOW = [
  /^sandbox\//,
  // These wait for leases and time-outs in real time.
  /^src\/webhooks\/delivery\/(hostile|isolation)/,
  /^src\/deposits\/ingest\/take-over/,
  /^src\/db\/leadership/,
  /^src\/webhooks\/(upkeep|events\/fetch-events)/,
  // These try every fault, or very many inputs.
  /^src\/withdrawals\/channels\/channels/,
  /^src\/withdrawals\/engine\/(blocked|never-applied|signing-stops)/,
  /^src\/deposits\/reconcile\/compare-books/,
  /^src\/stellar\/(transactions\/build-payment|credits\/credits|ledgers\/xdr-parts)\./,
];

export function isQuick(file: string): boolean {
  return [...SINGLES, ...SLOW].every((pattern) => !pattern.test(file));
}

/**
 * Writes a test file for each process into `folder`, and gives each with the files that it runs. Node's runner takes them in
 * the order of their names.
 */
export function writePlan(files: string[], folder: string): Map<string, string[]> {
  mkdirSync(folder);
  const rank = (file: string) => SINGLES.findIndex((pattern) => pattern.test(file));
  const singles = files.filter((file) => rank(file) >= 0).sort((one, other) => rank(one) - rank(other));
  const { alone = [], ...sharing } = Object.groupBy(singles, settingOf);
  const groups = Object.values(sharing).flatMap((files = []) => inGroups(files, FILES_SHARING));
  const early = [...groups, ...alone.map((file) => [file])].sort(
    ([one = ''], [other = '']) => rank(one) - rank(other),
  );
  const small = files.filter((file) => rank(file) < 0);
  const shares = [...early, ...inGroups(small, FILES_TOGETHER)];
  const entries = shares.map((share, index): [string, string[]] => {
    const entry = join(folder, `${String(index).padStart(3, '0')}.test.mjs`);
    writeFileSync(entry, entryOf(share));
    return [entry, share];
  });
  return new Map(entries);
}

/** The settings of the service that the file shares, or `alone`. */
function settingOf(file: string): string {
  const found = SHARING.exec(readFileSync(join(ROOT, file), 'utf8'));
  return found ? (found[1] ?? 'plain') : 'alone';
}

function inGroups(files: string[], size: number): string[][] {
  return Array.from({ length: Math.ceil(files.length / size) }, (_, index) =>
    files.slice(index * size, (index + 1) * size),
  );
}

/** Each file becomes a suite, so that its hooks are its own. The last of them, after the file's own, tells what it cost. */
function entryOf(files: string[]): string {
  const suites = files.map((file) => {
    const url = pathToFileURL(join(ROOT, file)).href;
    if (files.length === 1) return `suite(${JSON.stringify(file)}, () => import(${JSON.stringify(url)}));`;
    return `suite(${JSON.stringify(file)}, async () => {
  let ended;
  before(() => { ended = countFile(${JSON.stringify(file)}); });
  await import(${JSON.stringify(url)});
  after(() => ended());
});`;
  });
  const counting = pathToFileURL(join(import.meta.dirname, 'support', 'cost.ts')).href;
  return [
    "import { after, before, suite } from 'node:test';",
    `import { countFile } from ${JSON.stringify(counting)};`,
    ...suites,
    '',
  ].join('\n');
}
