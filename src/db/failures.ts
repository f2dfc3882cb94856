/** Classifies failed database calls: whether anything was sent, and whether it may have taken effect. */

import { SchemaMismatch } from './migrations.ts';

type PgError = Error & { code?: string; syscall?: string; severity?: string; errors?: unknown[] };

/** The server refused the session itself: it was reached, and nothing was asked of it. */
const REFUSED_SESSIONS = new Map([
  ['28000', 'refuses the login of the service'],
  ['28P01', 'refuses the login of the service'],
  ['3D000', 'is not on its server'],
  ['53300', 'has no connection left'],
  ['57P03', 'takes no connections now: it starts, stops or recovers'],
]);
/** The server ended the session, maybe between commit and answer: admin_shutdown, crash_shutdown, idle timeout. */
const ENDED_SESSIONS = /^(57P0[125]|08...|25P03)$/;
const CONNECT_TIMEOUTS =
  /^(timeout (exceeded )?when trying to connect|Connection terminated due to connection timeout)/;
const BROKEN_SOCKETS = new Set([
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ECONNABORTED',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

/** Returns true when no connection could be made, so that nothing was sent to the server. */
export function isConnectFailure(error: unknown): boolean {
  if (error instanceof SchemaMismatch) return true; // schema-check.ts has refused it
  const { code = '', syscall = '', message = '', errors } = error as PgError;
  if (Array.isArray(errors) && errors.length > 0) return errors.every(isConnectFailure); // one per address tried
  if (syscall === 'connect' || syscall === 'getaddrinfo') return true;
  return REFUSED_SESSIONS.has(code) || CONNECT_TIMEOUTS.test(message);
}

/** Says what is true of the database after this error, without addresses and users: "cannot be reached" only when nothing answered. */
export function describeDatabaseFailure(error: unknown): string {
  if (error instanceof SchemaMismatch) return 'has a schema that this version cannot work with';
  const { code = '', severity } = error as PgError;
  const refusal = REFUSED_SESSIONS.get(code);
  if (refusal) return refusal;
  if (isConnectFailure(error)) return 'cannot be reached';
  if (isConnectionLost(error)) return 'has broken the connection';
  return severity === undefined ? 'cannot be read: see the log' : 'has refused a statement: see the log';
}

/** Returns true when a statement took longer than it may: query_canceled. */
export function isTimedOut(error: unknown): boolean {
  return (error as PgError).code === '57014';
}

/**
 * Returns true when the server refused a statement because of a temporary state, without any effect: read-only after a failover (25),
 * deadlock (40), full disk (53), lock not available (55), statement cancelled (57), I/O (58). PostgreSQL, appendix A.
 */
export function isPassing(error: unknown): boolean {
  const { code = '', severity } = error as PgError;
  return severity !== undefined && !isConnectionLost(error) && /^(25|40|53|55|57|58)...$/.test(code);
}

/**
 * Returns true when the server refused a row because another row that it refers to is gone, without any effect: foreign_key_violation. The
 * request has seen that row, so it was removed since, or a standby without the newest commits took over.
 */
export function isReferenceGone(error: unknown): boolean {
  return (error as PgError).code === '23503';
}

/** Returns true when the connection broke after sending: the statement may have been committed. */
export function isConnectionLost(error: unknown): boolean {
  if (isConnectFailure(error)) return false;
  const { code = '', severity, message = '' } = error as PgError;
  if (severity !== undefined) return ENDED_SESSIONS.test(code);
  return (
    BROKEN_SOCKETS.has(code) ||
    /^(Connection terminated|Client has encountered a connection error)/.test(message)
  );
}
