/**
 * Migrates an empty database and writes what comes of it: migrations/schema.sql and the row types in src/db/tables.ts.
 * With --check it says instead whether both are up to date.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { createTestDatabase } from '../test/support/postgres.ts';
import { type Catalogue, readCatalogue } from './schema-catalogue.ts';
import { schemaText } from './schema-dump.ts';
import { typesText } from './schema-types.ts';

const ROOT = join(import.meta.dirname, '..');
const TYPES_FILE = 'src/db/tables.ts';

const catalogue = await migratedCatalogue();
const texts = {
  'migrations/schema.sql': schemaText(catalogue),
  [TYPES_FILE]: formatted(typesText(catalogue)),
};
for (const [file, text] of Object.entries(texts)) {
  const path = join(ROOT, file);
  if (!process.argv.includes('--check')) writeFileSync(path, text);
  else if (readFileSync(path, 'utf8') !== text) {
    console.error(`${file} differs from the migrations: run "npm run schema" and look at the difference.`);
    process.exitCode = 1;
  }
}

async function migratedCatalogue(): Promise<Catalogue> {
  const database = await createTestDatabase();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    return await readCatalogue(client);
  } finally {
    await client.end();
    await database.drop();
  }
}

/** As `npm run format` would leave it. */
function formatted(text: string): string {
  const biome = join(ROOT, 'node_modules', '.bin', 'biome');
  const { status, stdout, stderr } = spawnSync(biome, ['format', `--stdin-file-path=${TYPES_FILE}`], {
    cwd: ROOT,
    input: text,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}
