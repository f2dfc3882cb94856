/** S17: the database as it was some time ago, put in the place of the present one. */
import type { SimDatabase } from './database.ts';

export async function takeCopy(database: SimDatabase): Promise<void> {
  const copies = (await tables(database)).map(
    (table) => `create table copy.${table} as table public.${table};`,
  );
  await database.ask(`drop schema if exists copy cascade; create schema copy; ${copies.join(' ')}`);
}

/** Every connection breaks. */
export async function putBack(database: SimDatabase): Promise<void> {
  const all = await tables(database);
  const refill = all.map(
    (table) => `insert into public.${table} overriding system value table copy.${table};`,
  );
  await database.ask(
    `begin; set local session_replication_role = replica; truncate ${all.map((table) => `public.${table}`)};
     ${refill.join(' ')} commit`,
  );
  database.breakConnections();
}

/** As PostgreSQL shows a server that was promoted: another timeline than the one that the copy was made on. */
export async function markPromoted(database: SimDatabase): Promise<void> {
  await database.ask("update withdrawal_cursor set database_timeline = 'of the lost server'");
}

async function tables(database: SimDatabase): Promise<string[]> {
  const rows = await database.ask("select tablename from pg_tables where schemaname = 'public' order by 1");
  return rows.map(({ tablename }) => tablename);
}
