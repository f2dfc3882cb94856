/** The catalogue as SQL (migrations/schema.sql): what the migrations amount to, for people and for a diff. */
import type { Catalogue, Column, Table, View } from './schema-catalogue.ts';

const HEAD = `-- The schema after all migrations. Written by "npm run schema" and compared by "npm run check": do not edit.\n`;

export function schemaText({ domains, functions, tables, views }: Catalogue): string {
  const parts = [
    ...domains.map(({ name, definition }) => `create domain ${name} as ${definition};`),
    ...functions.map(({ definition }) => `${definition.trimEnd()};`),
    ...tables.map(tableText),
    ...views.map(viewText),
  ];
  return `${[HEAD, ...parts].join('\n')}\n`.replaceAll(/\n{3,}/g, '\n\n');
}

function tableText({ name, comment, storage, columns, constraints, indexes, triggers }: Table): string {
  const lines = [
    ...columns.map(columnText),
    ...constraints.map((each) => `constraint ${each.name} ${each.definition}`),
  ];
  const options = storage.length === 0 ? '' : ` with (${storage.join(', ')})`;
  return [
    `\ncreate table ${name} (\n  ${lines.join(',\n  ')}\n)${options};`,
    ...[...indexes, ...triggers].map(({ definition }) => `${definition};`),
    ...commentText('table', name, comment),
    ...columns.flatMap((column) => commentText('column', `${name}.${column.name}`, column.comment)),
  ].join('\n');
}

function columnText({
  name,
  type,
  collation,
  not_null,
  default: value,
  generated,
  identity,
}: Column): string {
  return [
    name,
    type,
    collation && `collate ${collation}`,
    not_null && 'not null',
    value && (generated ? `generated always as (${value}) stored` : `default ${value}`),
    identity && 'generated always as identity',
  ]
    .filter(Boolean)
    .join(' ');
}

function viewText({ name, comment, definition }: View): string {
  return [`\ncreate view ${name} as\n${definition}`, ...commentText('view', name, comment)].join('\n');
}

function commentText(kind: 'table' | 'view' | 'column', name: string, comment: string | null): string[] {
  return comment === null ? [] : [`comment on ${kind} ${name} is '${comment.replaceAll("'", "''")}';`];
}
