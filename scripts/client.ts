/**
 * Writes the parts of the TypeScript client that follow from docs/openapi.json, or with --check says whether they are up
 * to date: contract.ts has the types and the table of operations, operations.ts a class for each group of methods.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { classesText } from './client/classes.ts';
import { contractText } from './client/contract.ts';
import { ROOT } from './client/document.ts';

const FOLDER = join('clients', 'typescript', 'src');
const HEADER = '// Written by scripts/client.ts from docs/openapi.json.\n';
const written: [name: string, text: string][] = [
  ['contract.ts', await contractText()],
  ['operations.ts', classesText()],
];
for (const [name, text] of written) {
  const file = join(FOLDER, name);
  if (!process.argv.includes('--check')) writeFileSync(join(ROOT, file), HEADER + text);
  else if (readFileSync(join(ROOT, file), 'utf8') !== HEADER + text) {
    console.error(`${file} differs from docs/openapi.json: run "npm run openapi".`);
    process.exitCode = 1;
  }
}
