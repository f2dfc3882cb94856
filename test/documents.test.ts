/** Documents rot in silence: a link to a file that moved, a variable or metric that was renamed. */
import { strict as assert } from 'node:assert';
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { headingAnchors } from './support/heading-anchors.ts';

const ROOT = join(import.meta.dirname, '..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const documents = globSync('**/*.md', { cwd: ROOT, exclude: ['**/node_modules', '**/dist', 'data'] });

function isBroken(document: string, link: string): boolean {
  const [path, anchor] = link.split('#');
  const file = path ? join(dirname(document), path) : document;
  if (!existsSync(join(ROOT, file))) return true;
  return anchor !== undefined && file.endsWith('.md') && !headingAnchors(read(file)).has(anchor);
}

test('every link between documents leads to a file, and to a heading in it', () => {
  assert.ok(documents.includes('README.md'));
  const broken = documents.flatMap((document) =>
    [...read(document).matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, link = '']) => link)
      .filter((link) => !/^[a-z]+:/.test(link) && isBroken(document, link))
      .map((link) => `${document}: ${link}`),
  );
  assert.deepEqual(broken, []);
});

test('docs/configuration.md has a row for every variable of the service', () => {
  // The schemas of src/config.ts; `NAME: true` picks a variable of another one. The vault reads the master key itself.
  const inSchemas = read('src/config.ts').matchAll(/^ {2}([A-Z][A-Z_]+):(?! true)/gm);
  const variables = [...[...inSchemas].map(([, name]) => name), 'MASTER_KEY', 'MASTER_KEY_PREVIOUS'];
  assert.ok(variables.length > 20);
  const rows = read('docs/configuration.md')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(/`([A-Z_]+)`/g)].map(([, name]) => name));
  assert.deepEqual(rows.sort(), variables.sort());
});

test('every metric that the operating guide and the runbook name exists', () => {
  const metrics = ['metrics.ts', ...globSync('metrics/*.ts', { cwd: join(ROOT, 'src/lib') })]
    .map((file) => read(join('src/lib', file)))
    .join('\n');
  const named = `${read('docs/operating.md')}${read('docs/runbook.md')}`.match(/\bteller_[a-z_]+/g) ?? [];
  assert.ok(named.length > 10);
  assert.deepEqual(
    named.filter((name) => !metrics.includes(`'${name}'`)),
    [],
  );
});

/** The folders that ARCHITECTURE.md names in the first column of the table after `heading`. */
function foldersInTable(heading: string): string[] {
  const [, after = ''] = read('ARCHITECTURE.md').split(`\n${heading}\n`);
  const lines = after.split('\n').filter((line) => line !== '');
  const table = lines.slice(
    0,
    lines.findIndex((line) => !line.startsWith('|')),
  );
  return table.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`([a-z/-]+)\/`/g)].map(([, name = '']) => name),
  );
}

test('ARCHITECTURE.md has a row for each folder of src/, and names no folder that is gone', () => {
  const named = foldersInTable('## The folders of src/');
  assert.deepEqual(
    named.filter((name) => !existsSync(join(ROOT, 'src', name))),
    [],
  );
  const folders = readdirSync(join(ROOT, 'src'), { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  );
  assert.deepEqual(
    named.filter((name) => !name.includes('/')).sort(),
    folders.map(({ name }) => name).sort(),
  );
  const beside = foldersInTable('Beside `src/`:');
  assert.ok(beside.length > 5);
  assert.deepEqual(
    beside.filter((name) => !existsSync(join(ROOT, name))),
    [],
  );
});

test('the list of decisions has each decision, with its title', () => {
  const pages = globSync('0*.md', { cwd: join(ROOT, 'docs/decisions') }).sort();
  const lines = pages.map((page) => {
    const [heading = ''] = read(`docs/decisions/${page}`).split('\n');
    const [number, title] = heading.replace('# ', '').split(/\. (.*)/);
    return `${number}. [${title}](${page})`;
  });
  const [, list = ''] = read('docs/decisions/README.md').split('## All decisions\n\n');
  assert.equal(list, `${lines.join('\n')}\n`);
});

test('the glossary defines each term once', () => {
  const [terms = ''] = read('docs/glossary.md').split('\n## Retired words\n');
  const rows = terms.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| term |'));
  const defined = rows.flatMap((row) => (row.split('|')[1] ?? '').split(',')).map((term) => term.trim());
  assert.ok(defined.length > 100);
  assert.deepEqual(
    defined.filter((term, index) => defined.indexOf(term) !== index),
    [],
  );
});
