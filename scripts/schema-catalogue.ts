/** What the catalogue of PostgreSQL says about the schema `public`, in one stable order. */
import type pg from 'pg';

export type Column = {
  name: string;
  /** As in DDL: `numeric(20,0)`, `entity_id`, `text[]`. */
  type: string;
  collation: string | null;
  not_null: boolean;
  default: string | null;
  /** The default is the expression that always gives the value. */
  generated: boolean;
  identity: boolean;
  comment: string | null;
};
export type Definition = { name: string; definition: string };
export type Relation = {
  name: string;
  comment: string | null;
  columns: Column[];
};
export type Table = Relation & {
  storage: string[];
  constraints: Definition[];
  indexes: Definition[];
  triggers: Definition[];
};
export type View = Relation & { definition: string };
export type Catalogue = { domains: Definition[]; functions: Definition[]; tables: Table[]; views: View[] };

/** Reads the catalogue of the database that `client` is connected to. */
export async function readCatalogue(client: pg.ClientBase): Promise<Catalogue> {
  const ask = async <Row>(text: string) => (await client.query(text)).rows as Row[];
  return {
    domains: await ask(DOMAINS),
    functions: await ask(FUNCTIONS),
    tables: await ask(TABLES),
    views: await ask(VIEWS),
  };
}

const SCHEMA = `'public'::regnamespace`;

const DOMAINS = `
  select typname as name,
         format('%s%s', format_type(typbasetype, typtypmod), ' collate ' || quote_ident(collname)) as definition
    from pg_type left join pg_collation on pg_collation.oid = typcollation
   where typnamespace = ${SCHEMA} and typtype = 'd' order by typname`;

const FUNCTIONS = `
  select proname as name, pg_get_functiondef(oid) as definition
    from pg_proc where pronamespace = ${SCHEMA} order by proname`;

/** The columns of the relation `relation`. A collation is listed only where it differs from that of the type. */
const COLUMNS = `
  coalesce((select json_agg(json_build_object(
            'name', attname, 'type', format_type(atttypid, atttypmod), 'not_null', attnotnull,
            'comment', col_description(relation.oid, attnum), 'identity', attidentity <> '', 'generated', attgenerated <> '', 'default', pg_get_expr(adbin, adrelid),
            'collation', (select quote_ident(collname) from pg_collation
                           where pg_collation.oid = attcollation and attcollation <> typcollation))
            order by attnum)
       from pg_attribute join pg_type on pg_type.oid = atttypid
       left join pg_attrdef on adrelid = attrelid and adnum = attnum
      where attrelid = relation.oid and attnum > 0 and not attisdropped), '[]') as columns,
  obj_description(relation.oid, 'pg_class') as comment`;

/** A table. Its constraints list their own indexes, and its triggers include the constraint triggers. */
const TABLES = `
  select relname as name, coalesce(to_json(reloptions), '[]') as storage, ${COLUMNS},
         coalesce((select json_agg(json_build_object('name', conname, 'definition', pg_get_constraintdef(oid))
                   order by contype = 'p' desc, conname)
              from pg_constraint where conrelid = relation.oid and contype not in ('n', 't')), '[]') as constraints,
         coalesce((select json_agg(json_build_object('name', indexname, 'definition', indexdef) order by indexname)
              from pg_indexes where schemaname = 'public' and tablename = relname
               and indexname not in (select conname from pg_constraint where conrelid = relation.oid)), '[]') as indexes,
         coalesce((select json_agg(json_build_object('name', tgname, 'definition', pg_get_triggerdef(oid)) order by tgname)
              from pg_trigger where tgrelid = relation.oid and not tgisinternal), '[]') as triggers
    from pg_class relation where relnamespace = ${SCHEMA} and relkind = 'r' order by relname`;

const VIEWS = `
  select relname as name, pg_get_viewdef(oid) as definition, ${COLUMNS}
    from pg_class relation where relnamespace = ${SCHEMA} and relkind = 'v' order by relname`;
