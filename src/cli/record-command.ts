/**
 * Writes commands of the operator to the audit log that change more than one row of one team: before they begin, because many
 * of them work in steps. Commands about users and wallets write an entry with each change instead.
 */
import type { Command } from 'commander';
import { auditAlone, operator } from '../audit/audit.ts';
import type { Db } from '../db/database.ts';
import { systemClock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { createMetrics } from '../lib/metrics.ts';

/** With an option in brackets: only with, or with "no", only without it. */
const RECORDED = [
  'backfill',
  'rewind [no check]',
  'quarantine dismiss',
  'quarantine retry',
  'reconcile [accept]',
  'keys recover',
  'keys dismiss',
  'keys rotate',
  'keys rewrap',
  'channels create',
  'channels retire',
  'channels merge',
  'tx-sources accept',
  'unmatched accept',
  'unmatched release',
  'unmatched assign',
  'unmatched fail',
  'unmatched resolve',
  'unmatched skip',
  'restore',
];

let command: Command | null = null;

/** Notes the command that this process runs, for `recordCommand`. Call it before the action of the command: a process runs one. */
export function noteCommand(begun: Command): void {
  command = begun;
}

/** Writes the command that this process runs, when it is one of those. */
export async function recordCommand(deps: { db: Db; log: Log }): Promise<void> {
  if (!command || !isRecorded(command)) return;
  await auditAlone({ ...deps, clock: systemClock, metrics: createMetrics() }, operator(), {
    team_id: null,
    action: 'command.run',
    target: { kind: 'command', id: nameOf(command) },
    after: { arguments: command.args, options: command.opts() },
  });
}

function isRecorded(begun: Command): boolean {
  const options = begun.opts();
  return RECORDED.some((recorded) => {
    const [, name, not, option] = /^([\w -]+?)(?: \[(no )?(\w+)\])?$/.exec(recorded) ?? [];
    if (name !== nameOf(begun)) return false;
    return option === undefined || (options[option] !== undefined && options[option] !== false) === !not;
  });
}

function nameOf(begun: Command): string {
  const names = [];
  for (let each: Command | null = begun; each?.parent; each = each.parent) names.unshift(each.name());
  return names.join(' ');
}
