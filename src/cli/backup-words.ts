/** The texts of `teller backup` and `teller restore`. */

import type { Contents, Description } from '../embedded-postgres/backup/description.ts';
import { DAY_MS } from '../lib/clock.ts';
import type { Findings, Missing } from './backup-findings.ts';

const [SECOND_MS, MINUTE_MS, HOUR_MS] = [1_000, 60_000, 3_600_000];
const MEGABYTE = 1_000_000;

export function describeCreated(
  dir: string,
  { archive, recipients, started_at, ended_at, ...rest }: Description,
): string {
  const took_ms = Date.parse(ended_at) - Date.parse(started_at);
  const sealed =
    recipients.length === 0
      ? 'It is not encrypted: its readers have e-mail addresses, password hashes and the whole history. Use --recipient, or an encrypted disk.'
      : `It is encrypted to ${recipients.join(' and ')}.`;
  return (
    `Wrote the backup ${dir}: ${(archive.bytes / MEGABYTE).toFixed(1)} MB, in ${ageInWords(took_ms)}.\n${sealed}\n` +
    `It has at least ${rowsInWords(rest)}; the deposit cursor at ${ledgerInWords(rest.deposit_cursor)}, the withdrawal cursor at ` +
    `${ledgerInWords(rest.withdrawal_cursor)}.\n` +
    'The master key is not in it. Keep a copy of the key elsewhere: without it this backup is of no use, and whoever has both has the funds.\n' +
    `Prove the backup: teller backup verify ${dir}${recipients.length === 0 ? '' : ' --identity FILE'}\n`
  );
}

function rowsInWords({ counts: { wallets, deposits, withdrawals } }: Pick<Contents, 'counts'>): string {
  return `${wallets} wallets, ${deposits} deposits, ${withdrawals} withdrawals`;
}

function ledgerInWords(cursor: Contents['deposit_cursor']): string {
  return cursor === null ? 'its beginning' : `ledger ${cursor.ledger}`;
}

/** Returns an age like `3 hours`: one unit is enough to decide whether a backup is too old. */
function ageInWords(ms: number): string {
  const units = [
    [DAY_MS, 'days'],
    [HOUR_MS, 'hours'],
    [MINUTE_MS, 'minutes'],
  ] as const;
  const [unit_ms, name] = units.find(([each_ms]) => ms >= 2 * each_ms) ?? [SECOND_MS, 'seconds'];
  return `${Math.max(0, Math.round(ms / unit_ms))} ${name}`;
}

export function describeVerified(description: Description, findings: Findings, now: Date): string {
  const { service_version, schema, postgres_version, ended_at } = description;
  const { faults, proofs } = findings;
  const lines = [
    `Made by Stellar Teller ${service_version}, schema ${schema}, PostgreSQL ${postgres_version}.`,
    'Files: each is as the server sent it. The copy has started and replayed its log.',
    ...proofs,
    ...faults.map((fault) => `WRONG. ${fault}`),
    ...missingInWords(findings, { as_of: new Date(ended_at), now }),
    faults.length === 0 ? 'The backup can be restored.' : `The backup has ${faults.length} faults.`,
  ];
  return lines.map((line) => `${line}\n`).join('');
}

/** Describes what a service with this state does not know. `as_of`: the time of the state. */
function missingInWords(missing: Missing, { as_of, now }: { as_of: Date; now: Date }): string[] {
  const { contents, latest_ledger, open_withdrawals, missing_keys } = missing;
  const { queued, assigned, signed, awaiting_approval } = open_withdrawals;
  const age = ageInWords(now.getTime() - as_of.getTime());
  return [
    `Missing is everything since ${as_of.toISOString()}, ${age} until now:`,
    `  deposits after ${ledgerInWords(contents.deposit_cursor)}: ${againInWords(contents.deposit_cursor, latest_ledger)}`,
    `  own transactions after ${ledgerInWords(contents.withdrawal_cursor)}: ${againInWords(contents.withdrawal_cursor, latest_ledger)}`,
    `  withdrawals without an outcome in the copy: ${signed} signed, ${queued + assigned} queued, ${awaiting_approval} awaiting approvals`,
    `  ${keysInWords(missing_keys)}`,
  ];
}

function againInWords(cursor: Contents['deposit_cursor'], latest: number | null): string {
  if (latest === null || cursor === null)
    return 'to be read again from the network, which could not be asked now';
  return `${Math.max(0, latest - cursor.ledger)} ledgers to be read again, up to ${latest} at present`;
}

function keysInWords(missing_keys: number | null): string {
  if (missing_keys === null)
    return 'keys of wallets made since: there is no key journal at KEY_JOURNAL, without which they are lost with their money';
  return missing_keys === 0
    ? 'no key: the copy has every key of the key journal'
    : `${missing_keys} keys that the key journal has: "teller keys recover" brings them back`;
}

export type Restored = {
  cluster_dir: string;
  as_of: Date;
  now: Date;
  signing_wait_seconds: number;
  /** Of the archive; null without one. */
  followed_timeline: number | null;
};

/** Describes what was restored, and the next steps of the operating guide, with the figures of this restore. */
export function describeRestored(
  missing: Missing,
  { cluster_dir, as_of, now, signing_wait_seconds, followed_timeline }: Restored,
): string {
  const { contents, missing_keys } = missing;
  const steps = [
    ...(missing_keys === null
      ? [
          'No key journal was read. If there is one, set KEY_JOURNAL and run "teller keys" before the service starts.',
        ]
      : []),
    ...(missing_keys
      ? [
          `The database lacks ${missing_keys} keys of the key journal. Run "teller keys recover" before the service starts.`,
        ]
      : []),
    'Make sure that no process works with the database of before. Then start the service.',
    `Nothing is signed until every payment that may be forgotten has expired: ${signing_wait_seconds} s of ledger time, and up to 60 s more. /readyz tells.`,
    `Deposits after ${ledgerInWords(contents.deposit_cursor)} are read again by themselves, each once. If the sources do not have these ledgers any more, /readyz names the "teller backfill" to run.`,
    'Payments made since then are in the ledger, and not in this database: "teller unmatched" lists them. Get from each client the Idempotency-Keys that it has used since, and run "teller unmatched resolve --from-requests FILE". Do this before anybody assigns or refunds deposits.',
    'What was revoked since is valid again: sessions, API keys, members, second factors, webhook endpoints. Revoke it again.',
    'When "teller reconcile" says that all wallets agree, make a new backup.',
  ];
  const archive = followed_timeline === null ? '' : `, by timeline ${followed_timeline} of the archive`;
  return [
    `Restored into ${cluster_dir}: the state of ${as_of.toISOString()}${archive}, with ${rowsInWords(contents)}.`,
    ...missingInWords(missing, { as_of, now }),
    'Next steps (docs/backup.md):',
    ...steps.map((step, index) => `${index + 1}. ${step}`),
  ]
    .map((line) => `${line}\n`)
    .join('');
}
