/** The migrations of the release before, which `npm run release` keeps in one file: what an upgrade begins from. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Migration, migrationOf, readMigrations } from '../../src/db/migrations.ts';

export const SCHEMA_BEFORE = join(import.meta.dirname, '..', 'fixtures', 'schema-before.sql');

type Files = Pick<Migration, 'name' | 'sql'>[];

/** The text of the file. Each migration is in it byte for byte, because a database knows the hash of what has made it. */
export function schemaBeforeText(files: Files): string {
  return files.map(({ name, sql }) => `-- file ${name}\n${sql}`).join('');
}

export function readSchemaBefore(text: string): Migration[] {
  const [, ...parts] = text.split(/^-- file (\d{4}_\w+\.sql)\n/m);
  return parts.flatMap((name, index) => {
    if (index % 2 === 1) return [];
    return [migrationOf(name, parts[index + 1] ?? '')];
  });
}

/** Null before the first release. */
export function migrationsOfReleaseBefore(): Migration[] | null {
  return existsSync(SCHEMA_BEFORE) ? readSchemaBefore(readFileSync(SCHEMA_BEFORE, 'utf8')) : null;
}

/** What `npm run release` writes for this version. */
export function schemaOfThisVersion(): string {
  return schemaBeforeText(readMigrations());
}
