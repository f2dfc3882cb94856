/** Pure: the filters of the audit log as search parameters, and the entry that is open: they survive a reload and can be shared. */
import { isDay } from '../../text/days.ts';
import { withoutUndefined } from '../../text/without-undefined.ts';

export type AuditSearch = {
  /** Of this version of the service or not: the page knows the actions, whose names load with it. */
  action?: string;
  actor_id?: string;
  wallet_id?: string;
  /** First and last day, `2026-11-21`, in the reader's time zone. */
  since?: string;
  until?: string;
  /** The number of the entry that is open in the drawer. */
  entry?: string;
};

const ID = /^\w{1,64}$/;
const ACTION = /^[a-z_.]{1,64}$/;
const NUMBER = /^[1-9]\d{0,14}$/;

/** Ignores parameters that are unknown or invalid. */
export function readAuditSearch(given: Record<string, unknown>): AuditSearch {
  const text = (name: string) => (given[name] === undefined ? '' : String(given[name]));
  const matching = (name: string, pattern: RegExp) => (pattern.test(text(name)) ? text(name) : undefined);
  const day = (name: string) => (isDay(text(name)) ? text(name) : undefined);
  return withoutUndefined({
    action: matching('action', ACTION),
    actor_id: matching('actor_id', ID),
    wallet_id: matching('wallet_id', ID),
    since: day('since'),
    until: day('until'),
    entry: matching('entry', NUMBER),
  });
}
