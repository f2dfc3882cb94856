/** What both clients promise in the same words. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { VERSION } from '../../clients/typescript/src/version.ts';

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

test('the READMEs link to nothing that a package does not bring: they are read in a registry too', () => {
  for (const language of ['typescript', 'python']) {
    const readme = readFileSync(join(CLIENTS, language, 'README.md'), 'utf8');
    const targets = [...readme.matchAll(/\]\(([^)]+)\)/g)].map(([, target = '']) => target);
    assert.deepEqual(
      targets.filter((target) => !/^(https:\/\/|#)/.test(target)),
      [],
      language,
    );
  }
});

test('the READMEs install the version that the package has, and the clients name it in their requests', () => {
  const { version } = JSON.parse(readFileSync(join(CLIENTS, 'typescript', 'package.json'), 'utf8'));
  assert.equal(VERSION, version);
  const readme = (language: string) => readFileSync(join(CLIENTS, language, 'README.md'), 'utf8');
  assert.ok(readme('typescript').includes(`npm install ./stellar-teller-client-${version}.tgz`));
  assert.match(
    readFileSync(join(CLIENTS, 'python', 'pyproject.toml'), 'utf8'),
    RegExp(`^version = "${version}"$`, 'm'),
  );
  assert.ok(readme('python').includes(`pip install ./stellar_teller_client-${version}-py3-none-any.whl`));
});
