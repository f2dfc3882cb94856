/**
 * Transactions of a processed ledger that cannot be read: they are of a later protocol, or may be made up.
 *
 * | what names a wallet                      | what happens                                                             |
 * |------------------------------------------|--------------------------------------------------------------------------|
 * | any of its bytes                         | it is quarantined, and nothing is signed for the wallet while it waits   |
 * | it is the transaction of a withdrawal    | the same. The withdrawal is neither confirmed nor failed; a version that |
 * |                                          | can read the transaction records its outcome (submissions.ts)            |
 * | its source or fee account, or the source | it is an unmatched transaction too: a person decides                     |
 * | of an operation, and no withdrawal has it|                                                                          |
 * | nothing                                  | nothing: it is passed by                                                 |
 *
 * No other wallet is concerned.
 */
import type { Deps } from '../../deps.ts';
import {
  DOUBTFUL,
  type NewQuarantined,
  toQuarantined,
  type UnreadTransaction,
  unreadOf,
  whyUnreadable,
} from '../../ledgers/quarantine-store.ts';
import type { NewUnmatched } from '../../ledgers/unmatched-store.ts';
import { accountOf } from '../../stellar/address.ts';
import type { LedgerTransaction, Lookup } from '../../stellar/stellar.ts';
import { appliedTransaction, sourcesOf } from '../../stellar/transactions/applied.ts';
import { innerHashIn, operationSourcesIn } from '../../stellar/transactions/envelope.ts';
import { channelsAmong, findByInnerHash, walletsAmong } from './queries.ts';
import type { Withdrawal } from './store.ts';

/** A quarantined transaction, and the wallets that it names. */
export type Unread = { row: NewQuarantined; wallet_ids: string[] };

type Found = { unread: Unread[]; unmatched: NewUnmatched[]; readable: LedgerTransaction[] };

export async function findUnread(deps: Deps, transactions: LedgerTransaction[]): Promise<Found> {
  const found: Found = { unread: [], unmatched: [], readable: [] };
  const accounts = new Map(transactions.filter(isLoose).map((each) => [each, accountsNamed(each)]));
  const wallets = await walletsAmong(deps.db, [...new Set([...accounts.values()].flat())]);
  for (const transaction of transactions) {
    const named = accounts.get(transaction)?.filter((account) => wallets.has(account)) ?? [];
    // Whether a transaction is doubtful takes time to find out, so only one that names a wallet is asked.
    const reason = named.length > 0 ? whyUnreadable(transaction) : null;
    if (reason !== null) {
      const own = new Map(named.map((account) => [account, wallets.get(account) as string]));
      const wallet_ids = [...new Set(own.values())].sort();
      found.unread.push({ row: toQuarantined(transaction, reason), wallet_ids });
      found.unmatched.push(...(await unmatchedOf(deps, transaction, own)));
    } else if (transaction.unknown === undefined) found.readable.push(transaction);
  }
  return found;
}

function isLoose({ unknown, isDoubtful }: LedgerTransaction): boolean {
  return unknown !== undefined || isDoubtful !== undefined;
}

const [KEY_BYTES, WORD_BYTES, WORDS] = [32, 4, 8];

/** Lists every G… whose key may stand in the envelope; in a transaction of a later protocol, in result and meta too. */
function accountsNamed({ envelope, result, meta, unknown }: LedgerTransaction): string[] {
  const accounts = new Set<string>();
  for (const bytes of unknown === undefined ? [envelope] : [envelope, result, meta ?? Buffer.alloc(0)])
    for (let at = 0; at + KEY_BYTES <= bytes.length; at += WORD_BYTES)
      if (mayBeKey(bytes, at)) accounts.add(accountOf(bytes.subarray(at, at + KEY_BYTES)));
  return [...accounts];
}

/** Returns false for most fields: they have two words of zeros, and no key has. */
function mayBeKey(bytes: Buffer, at: number): boolean {
  let zeros = 0;
  for (let word = 0; word < WORDS; word++) if (bytes.readUInt32BE(at + word * WORD_BYTES) === 0) zeros++;
  return zeros < 2;
}

async function unmatchedOf(
  deps: Deps,
  { hash, ledger, envelope, result }: LedgerTransaction,
  wallets: Map<string, string>,
): Promise<NewUnmatched[]> {
  const inner_hash = innerHashIn(deps.config.passphrase, envelope);
  if (inner_hash === null) return []; // of a form that we never sign
  // The wallet may be inside only: on a channel that an older copy does not know, with a fee that somebody else has paid.
  const sources = [...Object.values(sourcesOf(envelope) ?? {}), ...operationSourcesIn(envelope)];
  const wallet_id = sources.map((account) => wallets.get(account)).find((id) => id !== undefined);
  const withdrawals = await findByInnerHash(deps.db, [inner_hash]);
  const onChannel = (await channelsAmong(deps.db, sources)).size > 0;
  const blocked = wallet_id ?? (onChannel ? [...wallets.values()][0] : undefined);
  if (withdrawals.has(inner_hash) || blocked === undefined) return [];
  return [
    {
      hash,
      wallet_id: blocked,
      ledger,
      key_fingerprint: null,
      refunds_hash: null,
      envelope_xdr: envelope.toString('base64'),
      result_xdr: result.toString('base64'),
    },
  ];
}

/** Finds the transaction of this withdrawal, if a processed ledger has it and it could not be read then, whatever became of it since. */
export async function findOwnUnread(
  { db, config }: Pick<Deps, 'db' | 'config'>,
  { wallet_id, inner_tx_hash }: Pick<Withdrawal, 'wallet_id' | 'inner_tx_hash'>,
): Promise<UnreadTransaction | undefined> {
  const unread = await unreadOf(db, wallet_id);
  return unread.find(
    ({ envelope_xdr }) =>
      innerHashIn(config.passphrase, Buffer.from(envelope_xdr, 'base64')) === inner_tx_hash,
  );
}

/** Returns its outcome, which its ledger has proven. Null while this version cannot read it, or its ledger does not prove it. */
export function outcomeIn(
  { config }: Pick<Deps, 'config'>,
  { ledger, reason, resolved_at, envelope_xdr, result_xdr }: UnreadTransaction,
): Extract<Lookup, { found: 'applied' }> | null {
  if (reason === DOUBTFUL && resolved_at === null) return null;
  const [envelope, result] = [envelope_xdr, result_xdr].map((xdr) => Buffer.from(xdr, 'base64')) as [
    Buffer,
    Buffer,
  ];
  const applied = appliedTransaction(config.passphrase, { ledger, envelope, result });
  return 'unusable' in applied ? null : { found: 'applied', ...applied };
}

/** Reports unread transactions, after the commit. `quarantined`: how many of them the deposits' side had not quarantined before. */
export function reportUnread(
  { log, metrics }: Pick<Deps, 'log' | 'metrics'>,
  unread: Unread[],
  quarantined: number,
): void {
  metrics.transactions_quarantined.inc(quarantined);
  for (const { row, wallet_ids } of unread)
    log.error({ hash: row.hash, ledger: row.ledger, reason: row.reason, wallet_ids }, UNREAD);
}

const UNREAD =
  'A transaction that names wallets cannot be read and is quarantined. Nothing is signed for these wallets while it waits: "teller quarantine"; see the runbook.';
