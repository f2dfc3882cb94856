/** S17: the database as it was some time ago, put in the place of the present one. */
import type { SimDatabase } from './database.ts';

export async function takeCopy(database: SimDatabase): Promise<void> {
  const copies = (await tables(database)).map(
    ({ name, columns }) => `create table copy.${name} as select ${columns} from public.${name};`,
  );
  await database.ask(`drop schema if exists copy cascade; create schema copy; ${copies.join(' ')}`);
}

/** Every connection breaks. */
export async function putBack(database: SimDatabase): Promise<void> {
  const all = await tables(database);
  const refill = all.map(
    ({ name, columns }) =>
      `insert into public.${name} (${columns}) overriding system value select ${columns} from copy.${name};`,
  );
  await database.ask(
    `begin; set local session_replication_role = replica; truncate ${all.map(({ name }) => `public.${name}`)};
     ${refill.join(' ')} commit`,
  );
  database.breakConnections();
}

/** As PostgreSQL shows a server that was promoted: another timeline than the one that the copy was made on. */
export async function markPromoted(database: SimDatabase): Promise<void> {
  await database.ask("update withdrawal_cursor set database_timeline = 'of the lost server'");
}

/** With their columns, but for those that PostgreSQL makes of the others. */
async function tables(database: SimDatabase): Promise<{ name: string; columns: string }[]> {
  const rows = await database.ask(`
    select relname as name, string_agg(quote_ident(attname), ', ' order by attnum) as columns
      from pg_class join pg_attribute on attrelid = pg_class.oid
     where relnamespace = 'public'::regnamespace and relkind = 'r'
       and attnum > 0 and not attisdropped and attgenerated = ''
     group by relname order by relname`);
  return rows as { name: string; columns: string }[];
}
