/** Pure: the filters of the audit log as search parameters: they survive a reload and can be shared. */
import type { AuditAction } from '../../api/contract.ts';
import type { QueryOf } from '../../api/operations.ts';
import { ACTIONS } from '../../text/audit-actions.ts';
import { isDay, startOfDay } from '../../text/days.ts';
import { withoutUndefined } from '../../text/without-undefined.ts';

export type AuditSearch = {
  action?: AuditAction;
  actor_id?: string;
  wallet_id?: string;
  /** First and last day, `2026-11-21`, in the reader's time zone. */
  since?: string;
  until?: string;
};

const ID = /^\w{1,64}$/;

/** Ignores parameters that are unknown or invalid. */
export function readAuditSearch(given: Record<string, unknown>): AuditSearch {
  const text = (name: string) => (given[name] === undefined ? '' : String(given[name]));
  const id = (name: string) => (ID.test(text(name)) ? text(name) : undefined);
  const day = (name: string) => (isDay(text(name)) ? text(name) : undefined);
  return withoutUndefined({
    action: ACTIONS.find((action) => action === text('action')),
    actor_id: id('actor_id'),
    wallet_id: id('wallet_id'),
    since: day('since'),
    until: day('until'),
  });
}

/** The filters for the API: whole days in the reader's time zone, including the last. */
export function auditQuery({ since, until, ...filters }: AuditSearch): QueryOf<'listAuditEntries'> {
  return withoutUndefined({
    ...filters,
    since: since && startOfDay(since).toISOString(),
    until: until && startOfDay(until, 1).toISOString(),
  });
}
