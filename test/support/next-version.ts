/** A version after this one: the same files, and migrations of its own. */
import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
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

export function newestMigration(): string {
  const names = readdirSync(join(ROOT, 'migrations')).filter((name) => /^\d{4}_\w+\.sql$/.test(name));
  return names.sort().at(-1) as string;
}

/** A version that gives up something this one uses: what this version writes would fail. */
export const CONTRACTING = {
  '9998_new_way.sql': '-- Expands only.\nalter table webhook_endpoints add column new_way boolean;\n',
  '9999_old_way_goes.sql':
    '-- contracts: needs 9998_new_way.sql\nalter table withdrawals drop column requested_by;\n',
};
