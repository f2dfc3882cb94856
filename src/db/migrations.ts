/** The files in migrations/, which a program brings along: what it knows of the schema. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '../lib/errors.ts';

const MIGRATIONS_DIR = join(import.meta.dirname, '..', '..', 'migrations');

/** `needs`: the migration that a program must know to work with the schema after this one. Null when any can. */
export type Migration = { name: string; sql: string; checksum: string; needs: string | null };

/** The schema is one that this program cannot serve, or a migration was edited after it had run. Nothing was changed. */
export class SchemaMismatch extends OperatorError {
  override name = 'SchemaMismatch';
}

/**
 * First line of a file whose statements run one by one, outside of a transaction: `create index concurrently` needs that. Each
 * of them can be repeated, because a crash in between repeats the file. An empty line ends a statement.
 */
const NO_TRANSACTION = '-- no transaction\n';

/**
 * In a line of its own in files that contract the schema, `-- contracts: needs 0005_name.sql`: what goes is used by no
 * version that has that migration. Every other file only expands the schema. So the version before works beside this one.
 */
const CONTRACTS = /^-- contracts: needs (\d{4}_\w+\.sql)$/m;

let names: readonly string[] | undefined;

/** Lists the names of all migrations of this program, in their order. */
export function migrationNames(): readonly string[] {
  names ??= readdirSync(MIGRATIONS_DIR)
    .filter((name) => /^\d{4}_\w+\.sql$/.test(name))
    .sort();
  return names;
}

export function readMigrations(): Migration[] {
  return migrationNames().map((name) => migrationOf(name, readFileSync(join(MIGRATIONS_DIR, name), 'utf8')));
}

/** Returns the migration of a file with this name and text. */
export function migrationOf(name: string, sql: string): Migration {
  const checksum = createHash('sha256').update(sql).digest('hex');
  return { name, sql, checksum, needs: CONTRACTS.exec(sql)?.[1] ?? null };
}

/** Returns the statements of a migration that runs without a transaction; null for one that runs in a transaction. */
export function statementsOf({ sql }: Pick<Migration, 'sql'>): string[] | null {
  if (!sql.startsWith(NO_TRANSACTION)) return null;
  return sql.split(/;\n\n|;\n$/).filter((statement) => statement.trim() !== '');
}
