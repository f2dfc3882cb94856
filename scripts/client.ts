/**
 * Writes what follows from docs/openapi.json in the TypeScript client and in the dashboard, or with --check says whether it
 * is up to date: contract.ts has the types and the table of operations, operations.ts a class for each group of methods,
 * roles-of.ts of the dashboard the roles that each operation needs.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { classesText } from './client/classes.ts';
import { contractText } from './client/contract.ts';
import { ROOT } from './client/document.ts';
import { rolesText } from './client/roles.ts';

const FOLDER = join('clients', 'typescript', 'src');
const HEADER = '// Written by scripts/client.ts from docs/openapi.json.\n';
const written: [file: string, text: string][] = [
  [join(FOLDER, 'contract.ts'), await contractText()],
  [join(FOLDER, 'operations.ts'), classesText()],
  [join('dashboard', 'src', 'api', 'roles-of.ts'), rolesText()],
];
for (const [file, text] of written) {
  if (!process.argv.includes('--check')) writeFileSync(join(ROOT, file), HEADER + text);
  else if (readFileSync(join(ROOT, file), 'utf8') !== HEADER + text) {
    console.error(`${file} differs from docs/openapi.json: run "npm run openapi".`);
    process.exitCode = 1;
  }
}
