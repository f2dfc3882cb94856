import { Counter, Gauge, type Registry } from 'prom-client';

/** A pool of `pg`. */
type Pool = { totalCount: number; idleCount: number; waitingCount: number };

/** Creates the metrics of what a process does besides its work: connections, loops, leadership, the audit log. */
export function createProcessMetrics(registers: Registry[]) {
  return {
    database_read_timestamp_seconds: new Gauge({
      name: 'teller_database_read_timestamp_seconds',
      help: 'When the gauges that count rows of the database were read last, in Unix seconds; they are NaN after a read that failed',
      registers,
    }),
    wal_archive_waiting: new Gauge({
      name: 'teller_wal_archive_waiting',
      help: 'Segments of the log of the embedded database that wait for their archive; 0 without BACKUP_WAL_DIR',
      registers,
    }),
    disk_free_bytes: new Gauge({
      name: 'teller_disk_free_bytes',
      help: 'Bytes that the service can still write on the disk of the place: data_dir, key_journal or backup_wal_dir; absent where the place is not used',
      labelNames: ['place'] as const,
      registers,
    }),
    disk_size_bytes: new Gauge({
      name: 'teller_disk_size_bytes',
      help: 'Size of the disk of the place: data_dir, key_journal or backup_wal_dir',
      labelNames: ['place'] as const,
      registers,
    }),
    key_journal_writable: new Gauge({
      name: 'teller_key_journal_writable',
      help: 'Whether the key journal can be written to: 1 or 0; absent without KEY_JOURNAL',
      labelNames: [] as const,
      registers,
    }),
    wal_archive_refused: new Gauge({
      name: 'teller_wal_archive_refused',
      help: '1 while the archive has refused the newest segment of the log of the embedded database, else 0',
      registers,
    }),
    loop_success_timestamp_seconds: new Gauge({
      name: 'teller_loop_success_timestamp_seconds',
      help: 'When a step of the loop succeeded last in this process, in Unix seconds',
      labelNames: ['loop'] as const,
      registers,
    }),
    loop_failures: new Counter({
      name: 'teller_loop_failures_total',
      help: 'Steps of the loop that failed in this process; each is repeated after a second',
      labelNames: ['loop'] as const,
      registers,
    }),
    leads: new Gauge({
      name: 'teller_leads',
      help: '1 while this process leads the work, 0 while it waits to: deposits or reconciliation',
      labelNames: ['work'] as const,
      registers,
    }),
    leadership_disputed: new Gauge({
      name: 'teller_leadership_disputed',
      help: '1 for ten minutes after two processes had the lock of the one that leads the work: deposits or reconciliation',
      labelNames: ['work'] as const,
      registers,
    }),
    trace_spans_dropped: new Counter({
      name: 'teller_trace_spans_dropped_total',
      help: 'Spans of traces that were not sent, by reason: queue_full or not_accepted (by the collector)',
      labelNames: ['reason'] as const,
      registers,
    }),
    audit_entries: new Counter({
      name: 'teller_audit_entries_total',
      help: 'Entries that this process has appended to the audit log, by action: sign-ins, failures and every change',
      labelNames: ['action'] as const,
      registers,
    }),
  };
}

/** Tells how the pools are used at the moment when somebody asks for the metrics. Call it once per process. */
export function watchPools({ registry }: { registry: Registry }, pools: Record<string, Pool>): void {
  const registers = [registry];
  const all = Object.entries(pools);
  new Gauge({
    name: 'teller_database_connections',
    help: 'Open database connections of this process, by pool and state: in_use or idle',
    labelNames: ['pool', 'state'] as const,
    registers,
    collect() {
      for (const [pool, { totalCount, idleCount }] of all) {
        this.set({ pool, state: 'in_use' }, totalCount - idleCount);
        this.set({ pool, state: 'idle' }, idleCount);
      }
    },
  });
  new Gauge({
    name: 'teller_database_waiting',
    help: 'Statements of this process that wait for a database connection, by pool',
    labelNames: ['pool'] as const,
    registers,
    collect() {
      for (const [pool, { waitingCount }] of all) this.set({ pool }, waitingCount);
    },
  });
}
