/** How a database call can go wrong, with the errors that pg gives. */
import type { Fault, GateKind } from './faults.ts';

export type DatabaseFault = Fault &
  (
    | { error: () => Error; breaks_connection: boolean }
    /** The statement is slow, and takes effect before or after the wait. */
    | { slow: true }
  );

const lost = () => new Error('Connection terminated unexpectedly');
const refused = () =>
  Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' });
const timedOut = () => new Error('timeout exceeded when trying to connect');
const reset = () => Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' });
const server = (code: string, severity: 'ERROR' | 'FATAL', message: string) => () =>
  Object.assign(new Error(message), { code, severity });

/** On a connection that broke. */
export const notQueryable = () => new Error('Client has encountered a connection error and is not queryable');
/** In a transaction that an error has ended, until it is rolled back. */
export const aborted = server('25P02', 'ERROR', 'current transaction is aborted');

const breaking = (name: string, at: Fault['at'], error: () => Error): DatabaseFault => ({
  name: `db_${name}_${at}`,
  at,
  error,
  breaks_connection: true,
});
const shutdown = server('57P01', 'FATAL', 'terminating connection due to administrator command');
const failing = (name: string, error: () => Error): DatabaseFault => ({
  name: `db_${name}`,
  at: 'before',
  error,
  breaks_connection: false,
});

const LOST = [
  breaking('lost', 'before', lost),
  breaking('lost', 'after', lost),
  breaking('reset', 'before', reset),
  breaking('reset', 'after', reset),
  breaking('shutdown', 'before', shutdown),
  breaking('shutdown', 'after', shutdown),
];
const SLOW: DatabaseFault[] = [
  { name: 'db_slow_before', at: 'before', slow: true },
  { name: 'db_slow_after', at: 'after', slow: true },
];
const ERRORS = [
  failing('serialization', server('40001', 'ERROR', 'could not serialize access')),
  failing('deadlock', server('40P01', 'ERROR', 'deadlock detected')),
  failing('statement_timeout', server('57014', 'ERROR', 'canceling statement due to statement timeout')),
];

/** What can happen at which gate; the plain ones first. */
export const DATABASE_FAULTS: Record<Exclude<GateKind, 'request'>, readonly DatabaseFault[]> = {
  connect: [
    { name: 'db_refused', at: 'before', error: refused, breaks_connection: true },
    { name: 'db_connect_timeout', at: 'before', error: timedOut, breaks_connection: true },
    {
      name: 'db_too_many_connections',
      at: 'before',
      error: server('53300', 'FATAL', 'sorry, too many clients already'),
      breaks_connection: true,
    },
  ],
  statement: [...LOST, ...ERRORS, ...SLOW],
  commit: [
    ...LOST,
    failing('serialization_at_commit', server('40001', 'ERROR', 'could not serialize access')),
  ],
};

/** PostgreSQL refuses no rollback: only the connection can be lost. */
export const ROLLBACK_FAULTS: readonly DatabaseFault[] = LOST;

/** Of a server that is not there. */
export const DATABASE_DOWN = {
  connect: DATABASE_FAULTS.connect[0] as DatabaseFault,
  statement: DATABASE_FAULTS.statement[0] as DatabaseFault,
};
