/**
 * What a migration does to a process of the version before, which runs on beside it: it may neither take away what that
 * process uses, nor lock a large table for long. Found by comparing the catalogue before and after, and by the locks that the
 * migration holds before its commit, on tables that were there before.
 */
import type pg from 'pg';
import { statementsOf } from '../../src/db/migrations.ts';

/** What a statement of the version before relies on, by name. */
const FACTS = `
  select format('%s %s', case relkind when 'v' then 'view' else 'table' end, relname) as fact, '' as value
    from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'v')
  union all
  select format('column %s.%s', relname, attname), format_type(atttypid, atttypmod)
    from pg_attribute join pg_class on pg_class.oid = attrelid
   where relnamespace = 'public'::regnamespace and relkind in ('r', 'v') and attnum > 0 and not attisdropped
  union all
  select format('function %s', oid::regprocedure), pg_get_function_result(oid)
    from pg_proc where pronamespace = 'public'::regnamespace
  union all
  select format('unique %s', indexrelid::regclass), '' from pg_index join pg_class on pg_class.oid = indexrelid
   where indisunique and relnamespace = 'public'::regnamespace`;

const COLUMNS = `
  select format('%s.%s', relname, attname) as name, relname as table, attnotnull and not atthasdef and attidentity = '' as must_be_given
    from pg_attribute join pg_class on pg_class.oid = attrelid
   where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped`;

const CONSTRAINTS = `
  select format('%s of %s', conname, conrelid::regclass) as name, conrelid::regclass::text as table,
         convalidated and contype in ('c', 'f') as is_checked
    from pg_constraint where connamespace = 'public'::regnamespace and conrelid <> 0 and contype <> 'n'`;

/** The file of each table. PostgreSQL gives a table a new file when a statement rewrites the whole table. */
const FILES = `
  select relname as table, pg_relation_filenode(oid)::text as file from pg_class
   where relnamespace = 'public'::regnamespace and relkind = 'r'`;

/** A lock against writers that lasts as long as an index is built. */
const BUILDING = `
  select relname as table from pg_locks join pg_class on pg_class.oid = relation
   where pid = pg_backend_pid() and mode = 'ShareLock' and relnamespace = 'public'::regnamespace and relkind = 'r'`;

type Snapshot = {
  facts: Map<string, string>;
  columns: { name: string; table: string; must_be_given: boolean }[];
  constraints: { name: string; table: string; is_checked: boolean }[];
  files: Map<string, string>;
};

/**
 * Runs the migration, and gives what a process of the version before would not survive, in words. A line of the migration can
 * allow a harm, with its reason: `-- allowed: table old was rewritten. It has one row.`
 */
export async function harmOf(client: pg.Client, sql: string): Promise<string[]> {
  const before = await look(client);
  const statements = statementsOf({ sql });
  for (const statement of statements ?? ['begin', sql]) await client.query(statement);
  const building = (await client.query<{ table: string }>(BUILDING)).rows.map(({ table }) => table);
  if (statements === null) await client.query('commit');
  const lines = sql.split('\n');
  const isAllowed = (harm: string) => lines.some((line) => line.startsWith(`-- allowed: ${harm}. `));
  return compare(before, await look(client), building).filter((harm) => !isAllowed(harm));
}

async function look(client: pg.Client): Promise<Snapshot> {
  const rows = async (sql: string) => (await client.query(sql)).rows;
  return {
    facts: new Map((await rows(FACTS)).map(({ fact, value }) => [fact, value])),
    columns: await rows(COLUMNS),
    constraints: await rows(CONSTRAINTS),
    files: new Map((await rows(FILES)).map(({ table, file }) => [table, file])),
  };
}

function compare(before: Snapshot, after: Snapshot, building: string[]): string[] {
  const was = (table: string) => before.files.has(table);
  const had = new Set(before.constraints.map(({ name }) => name));
  const given = new Set(before.columns.filter(({ must_be_given }) => must_be_given).map(({ name }) => name));
  return [
    ...[...before.facts].flatMap(([fact, value]) => {
      const now = after.facts.get(fact);
      if (now === undefined) return [`${fact} is gone`];
      return now === value ? [] : [`${fact} was ${value} and is ${now}`];
    }),
    ...after.columns
      .filter(({ name, table, must_be_given }) => was(table) && must_be_given && !given.has(name))
      .map(({ name }) => `column ${name} must be given`),
    ...after.constraints
      .filter(({ name, table, is_checked }) => was(table) && is_checked && !had.has(name))
      .map(({ name }) => `constraint ${name} is checked on all rows: add it "not valid"`),
    ...[...before.files]
      .filter(([table, file]) => (after.files.get(table) ?? file) !== file)
      .map(([table]) => `table ${table} was rewritten`),
    ...[...new Set(building)]
      .filter(was)
      .map((table) => `table ${table} takes no writes while an index is built: use "concurrently"`),
  ];
}
