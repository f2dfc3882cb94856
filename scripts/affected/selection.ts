/**
 * Pure: which test files a change can break. In doubt a test runs.
 *
 * | changed                                                | runs                                                     |
 * |--------------------------------------------------------|----------------------------------------------------------|
 * | packages, migrations, support of tests, this selection | everything                                               |
 * | the engine and what proves a payment                   | everything                                               |
 * | a module                                               | tests that import or start it, by whatever way           |
 * | a file of a row in readers.ts, also a module           | its readers, and the tests that import or start them     |
 * | a module that is gone                                  | nothing: what imported or started it has changed as well |
 * | any other file                                         | everything                                               |
 *
 * The rotating files (test/files.ts) start the whole service, so they depend on every module. They run only after a change of what
 * they are about; otherwise a share of the long forms has them.
 */
import { rotatingOf } from '../../test/files.ts';
import { READERS, READERS_OF_ALL, type Row } from './readers.ts';

/** Module → the modules that it imports, and its text. Paths are relative to the checkout. */
export type Modules = Map<string, { imports: string[]; text: string }>;

export type Selection = {
  /** Why everything runs; null when only `files` run. */
  everything: string | null;
  /** Test file → the changed file that it depends on. Those of `npm run test:browser` and `test:clients` too. */
  files: Map<string, string>;
};

/** A change of these is a change of what every test stands on. */
const EVERYTHING = [
  /(^|\/)(package|package-lock|tsconfig|tsconfig[.]build)[.]json$/,
  /^[.](ci\/run|npmrc|dependency-cruiser)/,
  /^(bin|migrations|test\/support)\//,
  /^test\/(run|plan|files)[.]ts$/,
  /^scripts\/(affected|ci\/)/,
];
/** What decides whether a payment is made twice or a deposit is lost. */
const ENGINE = [
  /^src\/(ledgers|db|vault)\/.*[.]ts$/,
  /^src\/withdrawals\/engine\/.*[.]ts$/,
  /^src\/stellar\/(ledgers|transactions|credits|protocol|xdr)\/.*[.]ts$/,
];
/** These start programs by the names of their files, or read modules as text. */
export const NAME_FILES = /^(bin|scripts|test|sandbox\/bin)\/|\/testing\/|[.]test[.]ts$/;
/** Its cases name files, and the selection runs it after every change. */
const SAMPLES_ONLY = /^test\/scripts\//;
const MODULE =
  /^(src|sandbox|test|clients\/typescript\/src|dashboard\/src|scripts|bench|bin)\/.*[.]([cm]?[jt]s|tsx)$/;

export const isTest = (file: string) => file.endsWith('.test.ts');

/** Gives the test files that `changed` files can break. */
export function selectTests(modules: Modules, changed: string[]): Selection {
  const everything = whyEverything(changed);
  if (everything) return { everything, files: new Map() };
  const files = new Map<string, string>();
  const reached = reachedByTests(modules);
  for (const file of changed) {
    const dependedOn = [file, ...readersOf(modules, file)];
    for (const [test, closure] of reached)
      if (
        !files.has(test) &&
        !waitsForItsShare(test, file) &&
        dependedOn.some((module) => closure.has(module))
      )
        files.set(test, file);
  }
  return { everything: null, files };
}

function waitsForItsShare(test: string, changed: string): boolean {
  const rotating = rotatingOf(test);
  return rotating !== undefined && !rotating.about.test(changed);
}

const REACHED = new WeakMap<Modules, Map<string, Set<string>>>();

/** Gives each test file with every module that it imports or starts, by whatever way, and itself. */
export function reachedByTests(modules: Modules): Map<string, Set<string>> {
  const known = REACHED.get(modules);
  if (known) return known;
  const named = Map.groupBy(modules.keys(), nameOf);
  const next = new Map([...modules.keys()].map((file) => [file, dependenciesOf(modules, file, named)]));
  const reachedFrom = (test: string) => {
    const reached = new Set([test]);
    for (const file of reached) for (const dependency of next.get(file) ?? []) reached.add(dependency);
    return reached;
  };
  const all = new Map([...modules.keys()].filter(isTest).map((test) => [test, reachedFrom(test)]));
  REACHED.set(modules, all);
  return all;
}

/** Says why a change of these files makes every test run; null when it does not. */
export function whyEverything(changed: string[]): string | null {
  const engine = engineFileOf(changed);
  const support = changed.find((file) => isOf(EVERYTHING, file));
  if (support) return `Every test stands on ${support}.`;
  if (engine) return `What a payment depends on has changed: ${engine}.`;
  const unknown = changed.find((file) => !MODULE.test(file) && rowsOf(file).length === 0);
  return unknown ? `Nobody has written down which tests read ${unknown}.` : null;
}

/** Gives the first of these files that is of the engine, or of what proves a payment; null when none is. */
export function engineFileOf(changed: string[]): string | null {
  return changed.find((file) => isOf(ENGINE, file)) ?? null;
}

/** A test of the engine or of the support is not what other tests stand on. */
function isOf(patterns: RegExp[], file: string): boolean {
  return !isTest(file) && patterns.some((pattern) => pattern.test(file));
}

function readersOf(modules: Modules, file: string): string[] {
  const readers = [...READERS_OF_ALL, ...rowsOf(file).flatMap((row) => row.readers)];
  return [...modules.keys()].filter((module) => readers.some((reader) => reader.test(module)));
}

function rowsOf(file: string): Row[] {
  return READERS.filter(({ changed }) => changed.test(file));
}

/** `named`: the modules of each file name. */
function dependenciesOf(modules: Modules, file: string, named: Map<string, string[]>): string[] {
  const { imports = [], text = '' } = modules.get(file) ?? {};
  if (!NAME_FILES.test(file) || SAMPLES_ONLY.test(file)) return imports;
  const namedHere = namesIn(text).flatMap((path) =>
    (named.get(nameOf(path)) ?? []).filter((module) => module === path || module.endsWith(`/${path}`)),
  );
  return [...imports, ...namedHere];
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Names of files at the end of a text in quotes, except those that the module imports. */
function namesIn(text: string): string[] {
  const isImported = (path: string, index: number) =>
    path.startsWith('.') && /(from |import |import\()['"]$/.test(text.slice(Math.max(0, index - 10), index));
  return [...text.matchAll(/([\w./-]*\w[.](?:[cm]?[jt]s|tsx))['"`]/g)]
    .filter(({ 1: path = '', index }) => !isImported(path, index))
    .map(({ 1: path = '' }) => path.replace(/^[./]+/, ''));
}
