import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { applyMutation, mutationsOf } from '../../scripts/affected/mutation.ts';

const SRC = join(import.meta.dirname, '..', '..', 'src');
const mutants = (text: string) => mutationsOf(text).map((mutation) => applyMutation(text, mutation));

test('a mutation changes one operator, condition or number', () => {
  assert.deepEqual(mutants('if (a < 3) b(true);'), [
    'if (!(a < 3)) b(true);',
    'if (a <= 3) b(true);',
    'if (a < (3 + 1)) b(true);',
    'if (a < 3) b(false);',
  ]);
  assert.deepEqual(mutants('const a = b === c ? 1n : d;'), [
    'const a = !(b === c) ? 1n : d;',
    'const a = b !== c ? 1n : d;',
    'const a = b === c ? (1n + 1n) : d;',
  ]);
});

test('types, texts and comments have no mutation', () => {
  assert.deepEqual(mutants("type A = true | 1; // a < b\nconst a: 1 | A = '1 < 2' as A;"), []);
});

test('every mutated module can be run: its types can be stripped', () => {
  const files = globSync('lib/*.ts', { cwd: SRC }).filter((file) => !/[.](test|d)[.]ts$/.test(file));
  const all = files.flatMap((file) => mutants(readFileSync(join(SRC, file), 'utf8')));
  assert.ok(all.length > 100);
  for (const text of all) stripTypeScriptTypes(text, { mode: 'strip' });
});
