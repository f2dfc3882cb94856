/** The catalogue as TypeScript (src/db/tables.ts): the row types that every statement of ours is checked against. */
import type { Catalogue, Column, Table, View } from './schema-catalogue.ts';

const HEAD = `/** Rows as PostgreSQL has them. Written by "npm run schema" from the migrated schema: do not edit. */
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
`;

/** As src/db/database.ts reads them. */
const TYPES: Record<string, string> = {
  bigint: 'bigint',
  boolean: 'boolean',
  bytea: 'Buffer',
  date: 'Date',
  entity_id: 'string',
  integer: 'number',
  json: 'unknown',
  jsonb: 'unknown',
  numeric: 'bigint',
  text: 'string',
  'text[]': 'string[]',
  'timestamp with time zone': 'Date',
  xid8: 'string',
};

/** As src/approvals/approval.ts has it. Written as JSON text, by statements that the types do not see. */
const DECISIONS = `{ user_id: string; decision: 'approved' | 'rejected'; comment: string | null; order_hash: string; at: string }[]`;

/** What the schema cannot say. */
const REFINED: Record<string, string> = {
  'wallets.network': `'sandbox' | 'testnet' | 'public'`,
  'reconciliations.may_explain': 'ColumnType<unknown, string | null | undefined, string | null>',
  'wallet_policies.limits': 'ColumnType<unknown, string | null | undefined, string | null>',
  'wallet_policies.approvals': 'ColumnType<unknown, string | null | undefined, string | null>',
  'policy_changes.new_approvals': 'ColumnType<unknown, string | null, never>',
  'access_changes.approvals': `ColumnType<${DECISIONS}, string | undefined, string>`,
  'policy_changes.approvals': `ColumnType<${DECISIONS}, string, never>`,
  'withdrawals.approvals': `ColumnType<${DECISIONS}, string | undefined, never>`,
  'payouts.approvals': `ColumnType<${DECISIONS}, string | undefined, string>`,
  'webhook_attempts.request_headers': 'Record<string, string> | null',
};

/** The migrations' own table is not for statements. */
const OTHERS = ['migrations'];

export function typesText({ tables, views }: Catalogue): string {
  const known = tables.filter(({ name }) => !OTHERS.includes(name));
  const parts = [...known.map(tableType), ...views.map((view) => viewType(view, known))];
  return `${HEAD}\nexport type Tables = {\n${parts.join('\n')}\n};\n`;
}

function tableType(table: Table): string {
  const lines = table.columns.map((column) => `    ${column.name}: ${columnType(table, column)};`);
  return `  ${table.name}: {\n${lines.join('\n')}\n  };`;
}

function columnType(table: Table, column: Column): string {
  const refined = REFINED[`${table.name}.${column.name}`];
  if (refined) return refined;
  const type = valuesOf(table, column) ?? typeOf(column);
  const value = column.not_null ? type : `${type} | null`;
  if (column.generated) return `GeneratedAlways<${value}>`;
  return column.default !== null || column.identity ? `Generated<${value}>` : value;
}

function typeOf({ name, type }: Column): string {
  const found = TYPES[type.replace(/\(.*\)/, '')];
  if (found === undefined) throw new Error(`No TypeScript type is known for ${type} (column ${name}).`);
  return found;
}

/** The texts that a CHECK constraint allows, as a union. */
function valuesOf({ constraints }: Table, { name }: Column): string | undefined {
  const allowed = new RegExp(`^CHECK \\(\\(${name} = ANY \\(ARRAY\\[(.*)\\]\\)\\)\\)(?: NOT VALID)?$`);
  const list = constraints.map(({ definition }) => allowed.exec(definition)?.[1]).find(Boolean);
  return list && [...list.matchAll(/'([^']*)'::text/g)].map(([, value]) => `'${value}'`).join(' | ');
}

/**
 * A view's columns are those of the table that it reads first, by name: PostgreSQL forgets what is not null.
 * @throws Error for a column that the table does not have
 */
function viewType({ name, definition, columns }: View, tables: Table[]): string {
  const source = /FROM (\w+)/.exec(definition)?.[1];
  const table = tables.find((each) => each.name === source);
  const names = columns.map((column) => {
    const same = table?.columns.find((each) => each.name === column.name && each.type === column.type);
    if (!same) throw new Error(`${source} has no column like ${name}.${column.name}.`);
    return `'${column.name}'`;
  });
  return `  ${name}: Pick<Tables['${source}'], ${names.join(' | ')}>;`;
}
