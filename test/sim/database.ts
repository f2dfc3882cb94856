/**
 * A real PostgreSQL database behind gates. All processes of a simulation share one connection to it, one call at a
 * time; from `begin` to its end a transaction is one turn, each of its statements a gate. A connection that breaks, or
 * a process that dies, inside a transaction leaves nothing of it.
 */
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { type Db, openDatabase } from '../../src/db/database.ts';
import type { Tables } from '../../src/db/tables.ts';
import type { Log } from '../../src/lib/log.ts';
import type { Random } from '../support/random.ts';
import { AdvisoryLocks } from './advisory-locks.ts';
import { Connection, type Statement } from './connection.ts';
import {
  aborted,
  DATABASE_DOWN,
  DATABASE_FAULTS,
  type DatabaseFault,
  notQueryable,
  ROLLBACK_FAULTS,
} from './database-faults.ts';
import type { Faults, GateKind } from './faults.ts';
import { ListeningSocket } from './listening.ts';
import { type Owner, quiet, type Scheduler } from './scheduler.ts';

/** A process as the database sees it. */
export type KillableOwner = Owner & { kill(): void };

const SLOWEST_MS = 20_000;
/** Kysely says the second form where a transaction has an isolation level. */
const BEGINS = /^(begin|start transaction)\b/;

export class SimDatabase {
  readonly #real: pg.Client;
  /** Sees the database as it was at first, so the server removes no old version of a row: see `holdVersions`. */
  readonly #holder: pg.Client;
  readonly #scheduler: Scheduler;
  readonly #random: Random;
  readonly #faults: Faults;
  /** Breaks of rules that no answer shows, like waiting for the network with a transaction open. */
  readonly violations: string[] = [];
  statements = 0;
  /** How often an ingester had read a ledger that another ingester had just recorded. */
  overtaken = 0;
  /** Nobody can connect, and whatever is asked over an old connection breaks it. */
  down = false;
  readonly #names = new Map<string, string>();
  /** Connections of an earlier one are broken. */
  #epoch = 0;
  readonly #cut = new Map<Owner, number>();
  #listeners: { owner: Owner; socket: ListeningSocket }[] = [];
  readonly locks = new AdvisoryLocks((connection) => connection.owner.alive && this.#isOpen(connection));

  private constructor(
    [real, holder]: [pg.Client, pg.Client],
    scheduler: Scheduler,
    random: Random,
    faults: Faults,
  ) {
    this.#real = real;
    this.#holder = holder;
    this.#scheduler = scheduler;
    this.#random = random;
    this.#faults = faults;
    real.on('notification', ({ channel, payload = '' }) => this.#announce(channel, payload));
  }

  static async open(
    url: string,
    log: Log,
    options: { scheduler: Scheduler; random: Random; faults: Faults },
  ): Promise<SimDatabase> {
    const { pool } = openDatabase(url, log); // never connects: for its options, the exact types among them
    const clients = [new pg.Client(pool.options), new pg.Client(pool.options)] as [pg.Client, pg.Client];
    for (const client of clients) await client.connect();
    await holdVersions(clients[1]);
    return new SimDatabase(clients, options.scheduler, options.random, options.faults);
  }

  /** Past all gates: for the simulation itself. */
  async ask(text: string, values: unknown[] = []): Promise<any[]> {
    return (await this.#real.query(text, values)).rows;
  }

  /** What a process has for a pool. */
  poolOf(owner: KillableOwner): pg.Pool {
    const connect = () =>
      new Promise<Connection>((resolve, reject) =>
        this.#scheduler.soon(owner, () => {
          if (this.#admit(owner, reject))
            resolve(new Connection(owner, this.#epochOf(owner), (made) => this.#turn(owner, made)));
        }),
      );
    const stream = () => this.#listeningSocket(owner);
    return { connect, end: async () => undefined, options: { user: 'sim', stream } } as unknown as pg.Pool;
  }

  /** Past all gates, as a Db. */
  direct(): Db {
    const connection = {
      query: (text: string, values: unknown[]) => this.#real.query(text, values),
      release() {},
    };
    return databaseOf({ connect: async () => connection, end: async () => undefined } as unknown as pg.Pool);
  }

  async close(): Promise<void> {
    await this.#holder.end();
    await this.#real.end();
  }

  /** Breaks all connections, as when the server or its network ends. */
  breakConnections(): void {
    this.#epoch++;
    for (const { socket } of this.#listeners) socket.destroy();
    this.#listeners = [];
  }

  /** Breaks the connections of one client, as when the server gives it up. */
  breakConnectionsOf(owner: Owner): void {
    this.#cut.set(owner, (this.#cut.get(owner) ?? 0) + 1);
  }

  #epochOf(owner: Owner): number {
    return this.#epoch + (this.#cut.get(owner) ?? 0);
  }

  /** Returns true while the server takes the connection for open. */
  #isOpen({ owner, epoch, broken, patience_ms, used_at_ms }: Connection): boolean {
    const silent = patience_ms > 0 && this.#scheduler.now_ms - used_at_ms > patience_ms;
    return !broken && !silent && epoch === this.#epochOf(owner);
  }

  /** Whether the process gets a connection just now; otherwise it hears why not, or nothing any more. */
  #admit(owner: KillableOwner, reject: (error: Error) => void): boolean {
    const choice = this.down
      ? { fault: DATABASE_DOWN.connect }
      : this.#faults.choose(owner, 'connect', DATABASE_FAULTS.connect, '');
    if (!choice) return true;
    if ('kill' in choice) {
      owner.kill();
    } else if ('error' in choice.fault) {
      this.#scheduler.history.record(owner.name, `connect: ${choice.fault.name}`);
      reject(choice.fault.error());
    }
    return false;
  }

  #listeningSocket(owner: KillableOwner): ListeningSocket {
    return new ListeningSocket({
      connect: (socket) =>
        this.#scheduler.soon(owner, () => {
          if (this.#admit(owner, (error) => socket.destroy(error))) socket.accept();
        }),
      listen: (socket) =>
        this.#scheduler.soon(owner, async () => {
          await this.#real.query(`listen ${socket.channel}`);
          this.#listeners.push({ owner, socket });
          socket.listening();
        }),
    });
  }

  /** Notifies each listener at some time, if the process and its connection live. */
  #announce(channel: string, payload: string): void {
    this.#listeners = this.#listeners.filter(({ owner, socket }) => owner.alive && !socket.destroyed);
    for (const { owner, socket } of this.#listeners) {
      if (socket.channel === channel) this.#scheduler.soon(owner, () => socket.notify(payload));
    }
  }

  #turn(owner: KillableOwner, connection: Connection): void {
    this.#scheduler.soon(owner, async () => {
      await this.#next(owner, connection);
      while (connection.in_transaction && owner.alive) {
        await quiet();
        if (connection.waiting.length > 0) await this.#next(owner, connection);
        else await this.#strand(owner, connection);
      }
      if (connection.in_transaction) await this.#undo(connection);
    });
  }

  /** Nothing but the database may be waited for while a transaction is open. */
  async #strand(owner: Owner, connection: Connection): Promise<void> {
    this.violations.push(`${owner.name} waits for something else with a transaction open`);
    connection.broken = true;
    await this.#undo(connection);
  }

  async #next(owner: KillableOwner, connection: Connection): Promise<void> {
    const statement = connection.waiting.shift();
    if (!statement) return; // it was carried out within a transaction's turn
    const kind: GateKind = statement.text === 'commit' ? 'commit' : 'statement';
    if (!this.#isOpen(connection)) {
      connection.broken = true;
      statement.reject(notQueryable());
      return;
    }
    if (connection.aborted) return this.#refuseAborted(connection, statement);
    const candidates = statement.text === 'rollback' ? ROLLBACK_FAULTS : DATABASE_FAULTS[kind];
    const choice = this.down
      ? { fault: DATABASE_DOWN.statement }
      : this.#faults.choose(owner, kind, candidates, statement.text);
    if (!choice) return this.#carryOut(owner, connection, statement);
    if ('kill' in choice) {
      if (choice.kill === 'after') await this.#effect(connection, statement);
      return owner.kill();
    }
    const { fault } = choice;
    this.#scheduler.history.record(owner.name, `db ${brief(statement.text)}: ${fault.name}`);
    if ('slow' in fault) return this.#slowly(owner, connection, statement, fault);
    if (fault.at === 'after') await this.#effect(connection, statement).catch(() => undefined);
    await this.#fail(connection, statement, fault);
  }

  async #carryOut(owner: Owner, connection: Connection, statement: Statement, wait_ms = 0): Promise<void> {
    const { text, resolve, reject } = statement;
    const answer = await this.#effect(connection, statement).then(
      (result) => () => resolve(result),
      (error: Error & { code?: string }) => {
        this.#scheduler.history.record(owner.name, `db ${brief(text)}: ${error.code} ${error.message}`);
        return () => reject(error);
      },
    );
    if (wait_ms === 0) answer();
    else this.#scheduler.later(owner, wait_ms, answer);
  }

  /** Inside a transaction only its end can be slow to be heard of: the transaction is one turn. */
  async #slowly(
    owner: Owner,
    connection: Connection,
    statement: Statement,
    fault: DatabaseFault,
  ): Promise<void> {
    const wait_ms = this.#random.integer(100, SLOWEST_MS);
    const within = connection.in_transaction || BEGINS.test(statement.text);
    if (within || fault.at === 'after') {
      return this.#carryOut(owner, connection, statement, within ? 0 : wait_ms);
    }
    this.#scheduler.later(owner, wait_ms, () => this.#carryOut(owner, connection, statement));
  }

  async #effect(connection: Connection, { text, values }: Statement): Promise<pg.QueryResult> {
    this.statements++;
    connection.used_at_ms = this.#scheduler.now_ms;
    const result = await this.#prepared(this.#ofSession(connection, text, values), values);
    if (/^update "(deposit_cursor|leaderships)"/.test(text) && result.rowCount === 0) this.overtaken++;
    if (BEGINS.test(text)) connection.in_transaction = true;
    if (text === 'commit' || text === 'rollback') connection.in_transaction = false;
    return result;
  }

  /** What concerns the session is kept here: to the real server all connections are one. */
  #ofSession(connection: Connection, text: string, values: unknown[]): string {
    const [, patience_ms] = /^set idle_session_timeout = (\d+)$/.exec(text) ?? [];
    if (patience_ms === undefined) return this.locks.answering(connection, text, values);
    connection.patience_ms = Number(patience_ms);
    return 'select 1';
  }

  /** Prepared once: the server need not read and plan the same statement again. */
  #prepared(text: string, values: unknown[]): Promise<pg.QueryResult> {
    if (values.length === 0) return this.#real.query(text);
    const name = this.#names.get(text) ?? `s${this.#names.size}`;
    this.#names.set(text, name);
    return this.#real.query({ name, text, values });
  }

  async #fail(connection: Connection, statement: Statement, fault: DatabaseFault): Promise<void> {
    if (!('error' in fault)) return;
    if (fault.breaks_connection) connection.broken = true;
    else if (connection.in_transaction) connection.aborted = true;
    if (connection.in_transaction) await this.#undo(connection, !connection.aborted);
    statement.reject(fault.error());
  }

  #refuseAborted(connection: Connection, { text, resolve, reject }: Statement): void {
    if (text !== 'rollback' && text !== 'commit') {
      reject(aborted());
      return;
    }
    connection.aborted = false;
    connection.in_transaction = false;
    resolve({ command: 'ROLLBACK', rowCount: null, rows: [] });
  }

  /** @param over the process will not end it itself */
  async #undo(connection: Connection, over = true): Promise<void> {
    await this.#real.query('rollback');
    if (over) connection.in_transaction = false;
  }
}

/**
 * Begins a transaction that keeps the server from removing old versions of rows. When it removes them depends on the transactions
 * of all databases of the server, and where the next rows lie depends on it, and so does what a query gives first among
 * equals: without this, the same seed would be another history beside other tests.
 */
async function holdVersions(holder: pg.Client): Promise<void> {
  await holder.query('begin isolation level repeatable read');
  await holder.query('select 1');
}

/** The Db of a process, over its gates. */
export function databaseOf(pool: pg.Pool): Db {
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}

export function brief(sql: string): string {
  const words = sql.replace(/\s+/g, ' ').trim();
  return words.length > 60 ? `${words.slice(0, 60)}…` : words;
}
