/** A version after this one: the same files, and migrations of its own. */
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');
/** What a service reads. With their times: a dashboard that looks older than its sources would be built again. */
const NEEDED = [
  'bin',
  'src',
  'sandbox',
  'dashboard',
  'migrations',
  'docs',
  'package.json',
  'package-lock.json',
];

/** Lays it into `dir`, which must not exist. `migrations`: their SQL by the names of the files. */
export function layNextVersion(dir: string, migrations: Record<string, string>): void {
  mkdirSync(dir);
  for (const name of NEEDED)
    cpSync(join(ROOT, name), join(dir, name), { recursive: true, preserveTimestamps: true });
  symlinkSync(join(ROOT, 'node_modules'), join(dir, 'node_modules'));
  for (const [name, sql] of Object.entries(migrations)) writeFileSync(join(dir, 'migrations', name), sql);
}

/** A version that expands the schema: tables that others write at the same time get columns, and indexes that are built beside the writes. */
export const EXPANDING = {
  '9996_notes.sql': `-- Expands only.
alter table withdrawals add column note text not null default 'none';
alter table deposits add column note text;
create table notes (withdrawal_id entity_id primary key references withdrawals, text text not null);
`,
  '9997_notes_indexes.sql': `-- no transaction
create index concurrently if not exists withdrawals_note on withdrawals (note, id);

create index concurrently if not exists deposits_ledger on deposits (ledger);
`,
};

/**
 * A version that contracts the schema. Its contraction takes nothing away, because the program is the same; it records
 * every session that writes although it lacks what the contraction needs.
 */
export const CONTRACTING = {
  '9998_new_way.sql':
    '-- Expands only.\ncreate table too_late (session text not null, written text not null);\n',
  '9999_old_way_goes.sql': `-- contracts: needs 9998_new_way.sql
create function note_too_late() returns trigger language plpgsql as $$
begin
  if current_setting('application_name') not like 'stellar-teller 9999%' then
    insert into too_late values (current_setting('application_name'), tg_table_name);
  end if;
  return null;
end $$;
${[
  'withdrawals',
  'deposits',
  'webhook_deliveries',
  'deposit_cursor',
  'withdrawal_cursor',
  'tx_sources',
  'audit_log',
]
  .map(
    (table) =>
      `create trigger ${table}_too_late after insert or update on ${table} for each statement execute function note_too_late();\n`,
  )
  .join('')}`,
};
