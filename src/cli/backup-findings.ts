/** Looks at the copy of a database: whether it is sound, and what the service would miss with it. */
import { missingKeys } from '../api/missing-keys.ts';
import { verifyKeys } from '../api/verify-keys.ts';
import { verifyAudit } from '../audit/verify-audit.ts';
import { compareRecordedBooks } from '../deposits/reconcile/recorded-books.ts';
import type { Deps } from '../deps.ts';
import type { Contents, Description } from '../embedded-postgres/backup/description.ts';
import { NetworkUnavailable } from '../stellar/network-unavailable.ts';
import { countOpen, type OpenState } from '../withdrawals/engine/queries.ts';
import { readContents } from './backup-contents.ts';

export type Missing = {
  contents: Contents;
  /** The newest ledger of the network; null when nobody could be asked. */
  latest_ledger: number | null;
  open_withdrawals: Record<OpenState, number>;
  /** Keys of the journal that the copy lacks; null without a journal. */
  missing_keys: number | null;
};

export type Findings = Missing & { faults: string[]; proofs: string[] };

/** Reads, in figures, what a service that starts with this copy does not know. */
export async function findMissing(deps: Deps): Promise<Missing> {
  return {
    contents: await readContents(deps.db),
    latest_ledger: await latestLedger(deps),
    open_withdrawals: await countOpen(deps.db),
    missing_keys: deps.key_journal.path === null ? null : (await missingKeys(deps)).length,
  };
}

/** Checks everything that can be checked without the network, and returns each proof or fault as a sentence. */
export async function findFaults(deps: Deps, described: Description): Promise<Findings> {
  const missing = await findMissing(deps);
  const findings: Findings = { ...missing, faults: [], proofs: [] };
  const note = (fault: string | null, proof: string) =>
    fault === null ? findings.proofs.push(proof) : findings.faults.push(fault);
  note(...contentsAsDescribed(missing.contents, described));
  note(...(await keysOpen(deps)));
  note(...(await booksAgree(deps)));
  note(...(await auditIsWhole(deps)));
  return findings;
}

type Note = [fault: string | null, proof: string];

/**
 * Compares the number of rows and the master key with the description. The description was written at the beginning of the backup,
 * and the copy is of the end: it has as many rows, or more.
 */
function contentsAsDescribed(found: Contents, described: Description): Note {
  const wrong = (['wallets', 'deposits', 'withdrawals'] as const).filter(
    (name) => BigInt(found.counts[name]) < BigInt(described.counts[name]),
  );
  if (found.key_check !== described.key_check) wrong.push('key_check' as 'wallets');
  const { wallets, deposits, withdrawals } = found.counts;
  return [
    wrong.length === 0
      ? null
      : `The copy differs from its description (${wrong.join(', ')}): the description is of another backup.`,
    `Rows: ${wallets} wallets, ${deposits} deposits, ${withdrawals} withdrawals.`,
  ];
}

async function keysOpen(deps: Deps): Promise<Note> {
  const { wallets, channels, treasuries, recorded, broken } = await verifyKeys(deps);
  const names = broken.map(({ id, place }) => `${id} in the ${place}`).join(', ');
  return [
    broken.length === 0
      ? null
      : `Keys: ${broken.length} sealed seeds do not give their public keys: ${names}.`,
    `Keys: the master key opens the seeds of ${wallets} wallets, ${channels} channel accounts, ${treasuries} treasuries, ${recorded} lines of the key journal.`,
  ];
}

async function booksAgree({ db }: Deps): Promise<Note> {
  const { compared, uncompared, known, found } = await compareRecordedBooks(db);
  const names = found.map(
    ({ wallet_id, asset, difference_stroops }) => `${wallet_id} ${asset} ${difference_stroops}`,
  );
  const rest = uncompared === 0 ? '' : ` ${uncompared} wallets have no comparison to hold theirs against.`;
  const before = known === 0 ? '' : ` ${known} differences were known when the backup was made.`;
  return [
    found.length === 0
      ? null
      : `Books: ${found.length} sums of rows differ from the balances of their last comparison, in stroops: ${names.join(', ')}.`,
    `Books: the rows of ${compared} wallets give the balances of their last comparison.${before}${rest}`,
  ];
}

async function auditIsWhole({ db }: Deps): Promise<Note> {
  const reports = await verifyAudit(db);
  const faults = reports.flatMap(({ chain, faults: of }) => of.map((fault) => `${chain}: ${fault}`));
  const entries = reports.reduce((sum, each) => sum + each.entries, 0);
  return [
    faults.length === 0 ? null : `Audit log: ${faults.join('; ')}.`,
    `Audit log: ${entries} entries in ${reports.length} chains, whole.`,
  ];
}

async function latestLedger({ stellar }: Deps): Promise<number | null> {
  try {
    return (await stellar.latestLedger()).sequence;
  } catch (error) {
    if (error instanceof NetworkUnavailable) return null; // a backup must be verifiable without a network
    throw error;
  }
}
