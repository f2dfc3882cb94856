/**
 * The rows of a table that have something sealed, for the rotation of the master key: how many each key has sealed, and how each
 * is replaced by the same thing, sealed with another key. A replacement names the bytes that it replaces: so a change that comes between, or
 * another run, loses nothing.
 */
import { type SqlBool, sql } from 'kysely';
import type { Db } from './database.ts';

/** `account`: of a seed; null for another secret. The bytes open for `sealed_for` and `account` alone. */
export type SealedRow = { key: string; sealed_for: string; account: string | null; sealed: Buffer };

export type SealedRows = {
  /** In words, in the plural. */
  kind: string;
  /** They are seeds, in which a key provider may have a part. */
  are_seeds: boolean;
  table: string;
  /** Reads up to `limit` rows behind the row `after` that do not begin with `prefix`, in the order of their keys. */
  pageWithout(db: Db, page: { prefix: Buffer; after: string | null; limit: number }): Promise<SealedRow[]>;
  /** Returns false when the row has other bytes by now, or is gone. */
  replace(db: Db, row: SealedRow, resealed: Buffer): Promise<boolean>;
  /** Counts the rows by the id of the key that they name. */
  countByKey(db: Db): Promise<Map<string, number>>;
  /** Counts the rows that do not begin with `prefix`. */
  countWithout(db: Db, prefix: Buffer): Promise<number>;
};

/** `key`: the column that identifies a row. `sealed_for`: an expression of SQL over the row. */
type Table = {
  kind: string;
  table: string;
  column: 'sealed_seed' | 'sealed_secret';
  key: string;
  key_type: 'text' | 'bigint';
  sealed_for: string;
};

/** Describes the sealed rows of a table of the slice that calls. */
export function sealedRows({ kind, table, column, key, key_type, sealed_for }: Table): SealedRows {
  const [from, sealed, id, type] = [sql.table(table), sql.ref(column), sql.ref(key), sql.raw(key_type)];
  const account = column === 'sealed_seed' ? sql.ref('account') : sql`null`;
  return {
    kind,
    are_seeds: column === 'sealed_seed',
    table,
    async pageWithout(db, { prefix, after, limit }) {
      const isBehind =
        after === null ? sql<SqlBool>`true` : sql<SqlBool>`${id} > cast(${after}::text as ${type})`;
      const { rows } = await sql<SealedRow>`
        select ${id}::text as key, ${sql.raw(sealed_for)} as sealed_for, ${account} as account, ${sealed} as sealed
          from ${from}
         where substr(${sealed}, 1, ${prefix.length}) <> ${prefix} and ${isBehind}
         order by ${id} limit ${limit}`.execute(db);
      return rows;
    },
    async replace(db, row, resealed) {
      const { numAffectedRows } = await sql`
        update ${from} set ${sealed} = ${resealed}
         where ${id} = cast(${row.key}::text as ${type}) and ${sealed} = ${row.sealed}`.execute(db);
      return numAffectedRows === 1n;
    },
    async countWithout(db, prefix) {
      const { rows } = await sql<{ count: bigint }>`
        select count(*) as count from ${from}
         where ${sealed} is not null and substr(${sealed}, 1, ${prefix.length}) <> ${prefix}`.execute(db);
      return Number(rows[0]?.count ?? 0);
    },
    async countByKey(db) {
      const { rows } = await sql<{ key_id: string; count: bigint }>`
        select encode(substr(${sealed}, 2, 4), 'hex') as key_id, count(*) as count
          from ${from} where ${sealed} is not null group by 1`.execute(db);
      return new Map(rows.map(({ key_id, count }) => [key_id, Number(count)]));
    },
  };
}
