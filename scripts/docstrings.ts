/**
 * Part of `npm run check`: refuses the docstring of a function that does not begin with a verb in the third person ("Returns",
 * "Checks"). A reader learns from the first word what the function does. Docstrings of types and constants are nouns, and are
 * not checked.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { compareWithList, type Fault } from './shrinking-list.ts';

type Docstring = { file: string; line: number; words: string };

const ROOT = join(import.meta.dirname, '..');

/** Folders in which such docstrings are left. */
const STILL_WITHOUT_VERBS: string[] = [
  'src',
  'src/alerts',
  'src/api',
  'src/api/reference',
  'src/audit',
  'src/auth',
  'src/auth/approvals',
  'src/auth/factors',
  'src/auth/named-keys',
  'src/auth/service-users',
  'src/auth/teams',
  'src/cli',
  'src/embedded-postgres',
  'src/embedded-postgres/backup',
  'src/embedded-postgres/server',
  'src/http',
  'src/sandbox',
  'src/vault',
  'src/vault/master-keys',
  'src/vault/providers',
  'src/wallets',
  'src/withdrawals',
  'src/withdrawals/answers',
  'src/withdrawals/approvals',
  'src/withdrawals/assess',
  'src/withdrawals/channels',
  'src/withdrawals/events',
  'src/withdrawals/operator',
  'src/withdrawals/payouts',
  'src/withdrawals/policies',
  'src/withdrawals/refunds',
  'src/withdrawals/reports',
  'src/withdrawals/request',
  'src/withdrawals/trust-lines',
];

/** Words that end like a verb in the third person and are nouns, or do not say what a function does. */
const NO_VERBS = new Set([
  'Gives',
  'Is',
  'Has',
  'Does',
  'Was',
  'As',
  'This',
  'Its',
  'Always',
  'Less',
  'Unless',
  'Towards',
  'Whereas',
  'Besides',
  'Accounts',
  'Addresses',
  'Assets',
  'Amounts',
  'Bytes',
  'Deposits',
  'Endpoints',
  'Entries',
  'Events',
  'Fees',
  'Hashes',
  'Ids',
  'Keys',
  'Ledgers',
  'Members',
  'Names',
  'Numbers',
  'Options',
  'Others',
  'Payments',
  'Rows',
  'Rules',
  'Seconds',
  'Secrets',
  'Seeds',
  'Servers',
  'Teams',
  'Texts',
  'Those',
  'Transactions',
  'Users',
  'Wallets',
  'Words',
]);

/** Returns the docstrings of functions in a file that do not begin with a verb. */
export function findWithoutVerbs(file: string, text: string): Docstring[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: Docstring[] = [];
  const visit = (node: ts.Node): void => {
    const doc = isFunction(node) ? docstringOf(node) : undefined;
    if (doc && !beginsWithVerb(doc.words))
      found.push({ file, line: source.getLineAndCharacterOfPosition(doc.at).line + 1, words: doc.words });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Returns a fault for each docstring. The list allows folders, not docstrings. */
export function describeDocstrings(found: Docstring[]): Fault[] {
  return found.map(({ file, line, words }) => ({
    entry: dirname(file),
    message: `${file}:${line}: "${words}" is no verb; begin with what the function does ("Returns …")`,
  }));
}

/** Returns true for a declaration, member or variable that is a function. */
function isFunction(node: ts.Node): boolean {
  if (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node) || ts.isMethodSignature(node))
    return true;
  if (ts.isVariableStatement(node))
    return node.declarationList.declarations.every(({ initializer }) => isFunctionValue(initializer));
  return ts.isPropertyAssignment(node) && isFunctionValue(node.initializer);
}

function isFunctionValue(value: ts.Expression | undefined): boolean {
  return value !== undefined && (ts.isArrowFunction(value) || ts.isFunctionExpression(value));
}

/** Returns the docstring directly before a node, without its comment signs; undefined without one, or with tags alone. */
function docstringOf(node: ts.Node): { at: number; words: string } | undefined {
  const text = node.getSourceFile().text;
  const range = ts
    .getLeadingCommentRanges(text, node.pos)
    ?.findLast(({ pos }) => text.startsWith('/**', pos));
  if (!range) return undefined;
  const [words = ''] = /[^\s*][^\n]*/.exec(text.slice(range.pos + 3, range.end - 2)) ?? [];
  return words === '' || words.startsWith('@')
    ? undefined
    : { at: range.pos, words: words.slice(0, 40).trimEnd() };
}

/** Returns true for "Returns …", "Checks, …", and "Pure: checks …", as the project marks functions of their arguments alone. */
function beginsWithVerb(words: string): boolean {
  const [first = ''] = words
    .replace(/^Pure: (\w)/, (_, letter: string) => letter.toUpperCase())
    .split(/[\s,:.]/);
  return /^[A-Z][a-z-]+s$/.test(first) && !NO_VERBS.has(first);
}

/** Returns the files of src/ that are not tests. */
function checkedFiles(): string[] {
  return readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => join('src', file))
    .sort();
}

if (import.meta.main) {
  const found = checkedFiles().flatMap((file) =>
    findWithoutVerbs(file, readFileSync(join(ROOT, file), 'utf8')),
  );
  const wrong = compareWithList(
    describeDocstrings(found),
    STILL_WITHOUT_VERBS,
    'STILL_WITHOUT_VERBS in scripts/docstrings.ts',
  );
  for (const line of wrong) console.error(line);
  if (wrong.length > 0) process.exitCode = 1;
}
