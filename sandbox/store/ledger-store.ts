import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { SQLOutputValue } from 'node:sqlite';
import { DatabaseSync } from 'node:sqlite';
import { xdr } from '@stellar/stellar-sdk/base';
import type { Header } from '../ledger/account.ts';
import { base64 } from '../ledger/bytes.ts';
import type { ClosedLedger } from '../ledger/close.ts';
import type { Entry, EntryKey } from '../ledger/entry.ts';
import type { EntryChange } from '../ledger/ledger-txn.ts';
import type { FeeRow, LedgerCounts, LedgerRange, Order, TransactionQuery } from './history-query.ts';
import { COUNTS_SQL, countsOf, historyClauses } from './history-query.ts';
import { LedgerWriter } from './ledger-writer.ts';
import { FOREIGN_FILE, prepareSchema } from './schema.ts';

export type StoredLedger = {
  sequence: number;
  hash: Buffer;
  close_time: bigint;
  header: Uint8Array;
  /** Fee for each operation in its transaction set, in stroops. */
  base_fee: bigint;
};

export type StoredTransaction = {
  ledger: number;
  application_order: number;
  close_time: bigint;
  hash: Uint8Array;
  inner_hash: Uint8Array | null;
  successful: number;
  fee_charged: bigint;
  /** The most that it offered to pay, in stroops. */
  max_fee: bigint;
  operation_count: number;
  envelope: Uint8Array;
  result: Uint8Array;
  fee_changes: Uint8Array;
  meta: Uint8Array;
  /** Null for classic transactions: the part of the fee for resources. */
  resource_fee_charged: bigint | null;
  refund_changes: Uint8Array;
  /** JSON text of RPC's `events` object. */
  events: string;
};

/** The columns that getEvents reads. */
export type TransactionEvents = Pick<
  StoredTransaction,
  'ledger' | 'application_order' | 'close_time' | 'hash' | 'successful' | 'events'
>;

const TRANSACTION_COLUMNS = `t.ledger, t.application_order, close_time, t.hash, inner_hash, successful, fee_charged,
  max_fee, operation_count, envelope, result, fee_changes, meta, resource_fee_charged, refund_changes, events`;

/**
 * Every closed ledger, its transactions and the state, in one SQLite file. Each ledger is one SQLite transaction,
 * written to disk before `append` returns. So a crash loses nothing that a client has seen.
 */
export class LedgerStore {
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, ReturnType<DatabaseSync['prepare']>>();
  readonly #writer: LedgerWriter;

  /**
   * @param dir folder of `ledger.db`, created when absent; null keeps everything in memory
   * @throws when another process uses the folder, or it belongs to another network
   */
  constructor(dir: string | null, passphrase: string) {
    if (dir !== null) mkdirSync(dir, { recursive: true });
    const file = dir === null ? ':memory:' : join(dir, 'ledger.db');
    this.#db = new DatabaseSync(file);
    try {
      prepareSchema(this.#db, passphrase);
    } catch (error) {
      this.#db.close();
      if (isLocked(error)) throw new Error(`The sandbox ledger ${file} is in use by another process.`);
      if (isNoDatabase(error)) throw new Error(FOREIGN_FILE);
      throw error;
    }
    this.#writer = new LedgerWriter(this.#db);
  }

  close(): void {
    this.#db.close();
  }

  latest(): StoredLedger | undefined {
    return this.#ledger('SELECT * FROM ledgers ORDER BY sequence DESC LIMIT 1');
  }

  oldest(): StoredLedger | undefined {
    return this.#ledger('SELECT * FROM ledgers ORDER BY sequence LIMIT 1');
  }

  ledger(sequence: number): StoredLedger | undefined {
    return this.#ledger('SELECT * FROM ledgers WHERE sequence = ?', sequence);
  }

  *entries(): Generator<[EntryKey, Entry]> {
    for (const row of this.#prepare('SELECT key, entry FROM entries').iterate()) {
      const key = base64(row.key as Uint8Array);
      yield [key, xdr.LedgerEntry.schema.decode(row.entry as Uint8Array)];
    }
  }

  /** Writes the first ledger of a new network. Deletes everything else. */
  begin(header: Header, headerXdr: Uint8Array, hash: Buffer, changes: EntryChange[]): void {
    this.#atomically(() => {
      const tables = this.#prepare(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'network'",
      );
      for (const { name } of tables.all()) this.#db.exec(`DELETE FROM ${name}`);
      this.#writer.write({
        header,
        headerXdr,
        hash,
        transactions: [],
        baseFee: BigInt(header.baseFee),
        changes,
      });
    });
  }

  /** Writes a closed ledger to disk, and deletes ledgers before `oldestKept`. */
  append(ledger: ClosedLedger, oldestKept: number): void {
    this.#atomically(() => {
      this.#writer.write(ledger);
      this.#writer.forgetBefore(oldestKept);
    });
  }

  /** Deletes the history of ledgers before `oldestKept`. Does not touch the state. */
  prune(oldestKept: number): void {
    this.#atomically(() => this.#writer.forgetBefore(oldestKept));
  }

  #atomically(work: () => void): void {
    this.#db.exec('BEGIN IMMEDIATE');
    try {
      work();
      this.#db.exec('COMMIT');
    } catch (error) {
      // Some errors have rolled back already. A second rollback would throw and hide the first error.
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
      throw error;
    }
  }

  /** By the hash of the transaction, or of the inner transaction of a fee-bump. */
  transaction(range: LedgerRange, hash: Buffer): StoredTransaction | undefined {
    const from = `SELECT ${TRANSACTION_COLUMNS} FROM transactions t JOIN ledgers l ON l.sequence = t.ledger`;
    const inRange = 't.ledger BETWEEN ? AND ?';
    const { oldest, latest } = range;
    return (
      this.#transactions(`${from} WHERE t.hash = ? AND ${inRange}`, hash, oldest, latest)[0] ??
      this.#transactions(
        `${from} WHERE inner_hash = ? AND ${inRange} ORDER BY ledger, application_order LIMIT 1`,
        hash,
        oldest,
        latest,
      )[0]
    );
  }

  transactions(range: LedgerRange, query: TransactionQuery): StoredTransaction[] {
    const { clauses, parameters } = historyClauses(range, query);
    return this.#transactions(`SELECT ${TRANSACTION_COLUMNS} ${clauses}`, ...parameters);
  }

  /** Whether any transaction of these ledgers concerns the account. */
  hasTransactionsOf(range: LedgerRange, ed25519: Uint8Array): boolean {
    const sql = 'SELECT 1 FROM account_transactions WHERE account = ? AND ledger BETWEEN ? AND ? LIMIT 1';
    return this.#prepare(sql).get(ed25519, range.oldest, range.latest) !== undefined;
  }

  ledgers(range: LedgerRange, from: number, order: Order, limit: number): StoredLedger[] {
    const sql = `SELECT * FROM ledgers WHERE sequence ${order === 'asc' ? '>=' : '<='} ?
      AND sequence BETWEEN ? AND ? ORDER BY sequence ${order} LIMIT ?`;
    return this.#prepare(sql).all(from, range.oldest, range.latest, limit).map(toLedger);
  }

  counts(ledger: number): LedgerCounts {
    return countsOf(this.#prepare(COUNTS_SQL).all(ledger));
  }

  /**
   * Fees in stroops, with the operations that they pay for: for a fee-bump one more than its inner transaction has.
   */
  feeRows(range: LedgerRange): FeeRow[] {
    const sql = `SELECT fee_charged, max_fee, operation_count FROM transactions WHERE ledger BETWEEN ? AND ?`;
    return this.#prepare(sql).all(range.oldest, range.latest) as FeeRow[];
  }

  /** In the order of application. */
  transactionsOf(ledger: number): StoredTransaction[] {
    return this.#transactions(
      `SELECT ${TRANSACTION_COLUMNS} FROM transactions t JOIN ledgers l ON l.sequence = t.ledger
       WHERE t.ledger = ? ORDER BY application_order`,
      ledger,
    );
  }

  /** Events of the first ledger in the range that has transactions, in the order of application. */
  nextEvents(range: LedgerRange): TransactionEvents[] {
    return this.#transactions(
      `SELECT t.ledger, application_order, close_time, t.hash, successful, events
       FROM transactions t JOIN ledgers l ON l.sequence = t.ledger
       WHERE t.ledger = (SELECT MIN(ledger) FROM transactions WHERE ledger BETWEEN ? AND ?)
       ORDER BY application_order`,
      range.oldest,
      range.latest,
    );
  }

  /**
   * Fee for each operation in stroops, of every transaction of these ledgers. As in stellar-rpc, only the
   * operations of the inner transaction count (feewindow.go), so a fee-bump of one operation shows twice the base
   * fee. For contract transactions, the inclusion fee.
   */
  fees(range: LedgerRange, phase: 'classic' | 'contract'): bigint[] {
    const [fee, isOfPhase] =
      phase === 'classic'
        ? ['fee_charged / (operation_count - (inner_hash IS NOT NULL))', 'IS NULL']
        : ['fee_charged - resource_fee_charged', 'IS NOT NULL'];
    const sql = `SELECT ${fee} AS fee FROM transactions
      WHERE ledger BETWEEN ? AND ? AND resource_fee_charged ${isOfPhase}`;
    const rows = this.#prepare(sql).all(range.oldest, range.latest) as { fee: bigint }[];
    return rows.map(({ fee }) => BigInt(fee));
  }

  #ledger(sql: string, ...parameters: number[]): StoredLedger | undefined {
    const row = this.#prepare(sql).get(...parameters);
    return row === undefined ? undefined : toLedger(row);
  }

  #transactions(sql: string, ...parameters: (number | Uint8Array)[]): StoredTransaction[] {
    return this.#prepare(sql)
      .all(...parameters)
      .map((row) => ({
        ...(row as unknown as StoredTransaction),
        ledger: Number(row.ledger),
        application_order: Number(row.application_order),
        successful: Number(row.successful),
        operation_count: Number(row.operation_count),
      }));
  }

  #prepare(sql: string) {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#db.prepare(sql);
    statement.setReadBigInts(true);
    this.#statements.set(sql, statement);
    return statement;
  }
}

function toLedger(row: Record<string, SQLOutputValue>): StoredLedger {
  return {
    sequence: Number(row.sequence),
    hash: Buffer.from(row.hash as Uint8Array),
    close_time: BigInt(row.close_time as bigint),
    header: row.header as Uint8Array,
    base_fee: BigInt(row.base_fee as bigint),
  };
}

function isNoDatabase(error: unknown): boolean {
  return error instanceof Error && /file is not a database/.test(error.message);
}

function isLocked(error: unknown): boolean {
  return error instanceof Error && /database is locked/.test(error.message);
}
