/**
 * Copies the whole database of the service into an empty one of a newer PostgreSQL, while nobody writes to either:
 *
 * | step                                                                                | what shows a fault                      |
 * |-------------------------------------------------------------------------------------|-----------------------------------------|
 * | 1. the original has nothing that a copy would lose: other schemas, tables, databases | OperatorError that names them           |
 * | 2. the schema is made by the migrations that have made the original                 | the tables and columns are compared     |
 * | 3. the rows are copied in the binary format, in one transaction, without triggers   | an error of PostgreSQL                  |
 * | 4. the sequences go on at the same number                                           | they are compared                       |
 * | 5. the number of rows and a checksum of each table are compared                     | Error that names the table              |
 *
 * Foreign keys and checks are not asked again: rows that are the same satisfy them as before. A failure leaves a copy to throw
 * away, and an original that is as it was.
 */
import { strict as assert } from 'node:assert';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { OperatorError } from '../lib/errors.ts';
import { migrate, migrationsOf } from './migrate.ts';

/** Whatever the server's configuration says, rows read as the same text on both. */
const SESSION = `set timezone = 'UTC'; set datestyle = 'ISO'; set intervalstyle = 'postgres'; set bytea_output = 'hex';
  set extra_float_digits = 1; set statement_timeout = 0; set synchronize_seqscans = off`;

type Table = {
  name: string;
  /** With their types. */
  columns: string[];
  /** Those that are copied: no generated ones, which the copy computes, and no numbers of transactions. */
  copied: string[];
  /** Those whose values are compared. */
  compared: string[];
};

export type Copied = { migrations: number; tables: number; rows: bigint; sequences: number };

/**
 * Fills the empty database at `to` with the one at `from`. `tell` is called before each step.
 * @throws OperatorError when the original cannot be copied by this program; Error when the copy is not the same
 */
export async function copyDatabase(from: string, to: string, tell: (step: string) => void): Promise<Copied> {
  const original = await open(from);
  try {
    await original.query('begin isolation level repeatable read read only');
    const migrations = await migrationsOf(original);
    tell('the schema is made');
    if (migrations.size > 0) await migrate(to, { only: migrations });
    const copy = await open(to);
    try {
      return { migrations: migrations.size, ...(await copyRows(original, copy, tell)) };
    } finally {
      await copy.end();
    }
  } finally {
    await original.end();
  }
}

async function open(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: 'stellar-teller-copy' });
  client.on('error', () => undefined); // the statement that runs fails, which is enough
  await client.connect();
  await client.query(SESSION);
  return client;
}

async function copyRows(
  original: pg.Client,
  copy: pg.Client,
  tell: (step: string) => void,
): Promise<Omit<Copied, 'migrations'>> {
  await refuseStrangeThings(original, copy);
  const tables = await listTables(original);
  assert.deepEqual(
    await listTables(copy),
    tables,
    'the migrations make other tables than those of the database',
  );
  await copy.query('begin; set local session_replication_role = replica'); // no triggers, no foreign keys
  // The migrations have inserted rows too.
  if (tables.length > 0) await copy.query(`truncate ${tables.map(({ name }) => name).join(', ')}`);
  for (const table of tables) {
    tell(`${table.name} is copied`);
    await copyTable(original, copy, table);
  }
  const sequences = await continueSequences(original, copy);
  await copy.query('commit');
  let rows = 0n;
  for (const table of tables) {
    tell(`${table.name} is compared`);
    rows += await compareTable(original, copy, table);
  }
  tell('statistics are gathered');
  await copy.query('analyze');
  return { tables: tables.length, rows, sequences };
}

/** @throws OperatorError that names what a copy would lose */
async function refuseStrangeThings(original: pg.Client, copy: pg.Client): Promise<void> {
  const sql = `
    select format('database %s', datname) as thing from pg_database where not datistemplate and datname <> 'postgres'
    union all select format('schema %s', nspname) from pg_namespace
     where nspname !~ '^pg_' and nspname not in ('information_schema', 'public')
    union all select format('extension %s', extname) from pg_extension where extname <> 'plpgsql'
    union all select format('tablespace %s', spcname) from pg_tablespace where spcname !~ '^pg_'
    union all select format('%s %s', case relkind when 'v' then 'view' when 'm' then 'materialized view' when 'i' then 'index'
                                     when 'S' then 'sequence' when 'f' then 'foreign table' else 'table' end, relname)
      from pg_class where relnamespace = 'public'::regnamespace
    union all select format('function %s', proname) from pg_proc where pronamespace = 'public'::regnamespace
    union all select format('trigger %s of %s', tgname, tgrelid::regclass) from pg_trigger where not tgisinternal
    order by thing`;
  const things = async (client: pg.Client) =>
    (await client.query<{ thing: string }>(sql)).rows.map(({ thing }) => thing);
  const known = new Set(await things(copy));
  const strange = (await things(original)).filter((thing) => !known.has(thing));
  if (strange.length === 0) return;
  throw new OperatorError(
    `The database has what is not of the service, and what the copy would not have: ${strange.join(', ')}. ` +
      'Remove it (you can make it again afterwards), and repeat this.',
  );
}

/** Lists the tables by their names. */
async function listTables(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<{ name: string; column: string; type: string; generated: boolean }>(
    `select quote_ident(relname) as name, quote_ident(attname) as column, attgenerated <> '' as generated,
            format_type(atttypid, atttypmod) as type
       from pg_class join pg_attribute on attrelid = pg_class.oid
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and attnum > 0 and not attisdropped
      order by relname collate "C", attname collate "C"`,
  );
  return [...Map.groupBy(rows, ({ name }) => name)].map(([name, columns]) => {
    // Each server counts its transactions by itself: rows get the number of the transaction that inserts them.
    const kept = columns.filter(({ type }) => type !== 'xid8');
    return {
      name,
      columns: columns.map(({ column, type }) => `${column} ${type}`),
      copied: kept.filter(({ generated }) => !generated).map(({ column }) => column),
      compared: kept.map(({ column }) => column),
    };
  });
}

async function copyTable(original: pg.Client, copy: pg.Client, { name, copied }: Table): Promise<void> {
  const what = `${name} (${copied.join(', ')})`;
  await pipeline(
    original.query(copyTo(`copy ${what} to stdout (format binary)`)),
    copy.query(copyFrom(`copy ${what} from stdin (format binary)`)),
  );
}

/** Compares a table. Returns the number of rows. @throws Error when a row is not the same */
async function compareTable(
  original: pg.Client,
  copy: pg.Client,
  { name, compared }: Table,
): Promise<bigint> {
  // The sum of hashes needs no order. 120 bits of each.
  const part = (first: number) => `sum(('x' || substr(hash, ${first}, 15))::bit(60)::bigint)::text`;
  const sql = `
    select count(*)::text as rows, ${part(1)} as first, ${part(16)} as second
      from (select encode(sha256(convert_to(row(${compared.join(', ')})::text, 'UTF8')), 'hex') as hash from ${name}) as hashes`;
  const [of_original, of_copy] = await Promise.all([original, copy].map((client) => client.query(sql)));
  assert.deepEqual(of_copy?.rows, of_original?.rows, `the rows of ${name} are not the same in the copy`);
  return BigInt(of_original?.rows[0].rows);
}

/** Continues the sequences of the original. Returns how many there are. */
async function continueSequences(original: pg.Client, copy: pg.Client): Promise<number> {
  const { rows: sequences } = await original.query<{ name: string }>(
    `select quote_ident(relname) as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'S'`,
  );
  for (const { name } of sequences) {
    const state = `select last_value::text, is_called from ${name}`;
    const { rows } = await original.query<{ last_value: string; is_called: boolean }>(state);
    await copy.query('select setval($1::regclass, $2::bigint, $3)', [
      name,
      rows[0]?.last_value,
      rows[0]?.is_called,
    ]);
    assert.deepEqual(
      (await copy.query(state)).rows,
      rows,
      `the sequence ${name} is not the same in the copy`,
    );
  }
  return sequences.length;
}
