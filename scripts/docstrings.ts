/**
 * Part of `npm run check`: refuses the docstring of a function that does not begin with a verb in the third person ("Returns",
 * "Checks"). A reader learns from the first word what the function does. Docstrings of types and constants are nouns, and are
 * not checked.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

type Docstring = { file: string; line: number; words: string };

const ROOT = join(import.meta.dirname, '..');

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
  'Amounts',
  'Assets',
  'Bytes',
  'Codes',
  'Commands',
  'Deposits',
  'Endpoints',
  'Entries',
  'Errors',
  'Events',
  'Failures',
  'Fees',
  'Folders',
  'Hashes',
  'Ids',
  'Keys',
  'Ledgers',
  'Letters',
  'Liveness',
  'Members',
  'Names',
  'Numbers',
  'Options',
  'Others',
  'Parameters',
  'Payments',
  'Programs',
  'References',
  'Roles',
  'Rows',
  'Rules',
  'Seconds',
  'Secrets',
  'Seeds',
  'Servers',
  'Settings',
  'Spaces',
  'Stroops',
  'Teams',
  'Texts',
  'Those',
  'Tokens',
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

/** Returns the message that refuses a docstring. */
export function describeDocstring({ file, line, words }: Docstring): string {
  return `${file}:${line}: "${words}" is no verb; begin with what the function does ("Returns …")`;
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
  for (const docstring of found) console.error(describeDocstring(docstring));
  if (found.length > 0) process.exitCode = 1;
}
