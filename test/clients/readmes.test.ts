/** What both clients promise in the same words. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const CLIENTS = join(import.meta.dirname, '..', '..', 'clients');

/** The rows that say of each outcome what became of the payment. */
function outcomesIn(language: string): string[] {
  const readme = readFileSync(join(CLIENTS, language, 'README.md'), 'utf8');
  const [, table = ''] = readme.split('| what you get | the payment | do |\n');
  return table.split('\n\n')[0]?.split('\n') ?? [];
}

test('the READMEs say the same about each outcome of a withdrawal', () => {
  const rows = outcomesIn('typescript');
  assert.ok(rows.some((row) => row.includes('idempotency_key_in_flight')));
  assert.deepEqual(outcomesIn('python'), rows);
});
