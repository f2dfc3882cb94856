/**
 * The only writer of unmatched_transactions: outgoing transactions in the ledger that match no withdrawal.
 *
 * | state of a row                        | what is true                                                                  |
 * |---------------------------------------|-------------------------------------------------------------------------------|
 * | no fingerprint, unresolved            | it may be the payment of any open withdrawal: nothing is signed for its wallet. |
 * |                                       | Made with the wallet's key elsewhere, a refund, or a key's second payment       |
 * | a fingerprint, not assigned           | the payment of one key, which this database has forgotten. Blocks that key only, |
 * |                                       | at every wallet of the owner, accepted or not                                 |
 * | no fingerprint, accepted              | blocks nothing. A new withdrawal that equals it is refused                    |
 * | assigned (`withdrawal_id`)            | the payment of that withdrawal                                                |
 * | released                              | a person said that withdrawals equal to it are other payments                 |
 */
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Db, Trx } from '../db/database.ts';
import type { Tables } from '../db/tables.ts';
import { isNamedByUnread } from './quarantine-store.ts';

export type UnmatchedTransaction = Selectable<Tables['unmatched_transactions']>;

const isUnassigned = sql`unmatched.withdrawal_id is null and unmatched.released_at is null`;

/**
 * A condition on a row of `withdrawals`: the ledger has a transaction that pays its key. A key is unique to an owner: it may
 * have been paid from another wallet of the owner. One hash for each wallet with such transactions, not for each
 * transaction: thousands of them may stay for long.
 */
export const hasForgottenPayment = sql<boolean>`exists (
  select from (select distinct unmatched.wallet_id from unmatched_transactions unmatched
                where ${isUnassigned} and unmatched.key_fingerprint is not null) paying
         join wallet_owners wallet on wallet.id = paying.wallet_id
   where (wallet.owner_id = withdrawals.owner_id or wallet.id = withdrawals.wallet_id)
     and exists (select from unmatched_transactions unmatched
                  where unmatched.wallet_id = paying.wallet_id and ${isUnassigned}
                    and unmatched.key_fingerprint = key_fingerprint(paying.wallet_id, withdrawals.idempotency_key)))`;

/**
 * Returns a condition on the wallet with this id: an unresolved transaction without a fingerprint may be any payment of it, or a
 * transaction that cannot be read names it.
 */
export function walletHasUnmatched(wallet_id: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(exists (
  select from unmatched_transactions unmatched
   where unmatched.wallet_id = ${wallet_id} and unmatched.resolved_at is null and unmatched.key_fingerprint is null)
  or ${isNamedByUnread(wallet_id)})`;
}

/** A condition on a row of `withdrawals`: an unmatched transaction may be its payment. */
export const hasUnmatched = sql<boolean>`(${hasForgottenPayment} or ${walletHasUnmatched(sql`withdrawals.wallet_id`)})`;

/** A condition on a row of `withdrawals`: an operator has assigned an unmatched transaction to it as its payment. */
export const hasAssignedPayment = sql<boolean>`exists (
  select from unmatched_transactions unmatched where unmatched.withdrawal_id = withdrawals.id)`;

export type NewUnmatched = Pick<
  UnmatchedTransaction,
  'hash' | 'wallet_id' | 'ledger' | 'key_fingerprint' | 'refunds_hash' | 'envelope_xdr' | 'result_xdr'
>;

/**
 * Inserts transactions. Returns the hashes of the new ones. A transaction that is known already stays as it is, resolved or not: its ledger may be
 * read again after a rewind.
 */
export async function insertUnmatched(db: Db, unmatched: NewUnmatched[]): Promise<Set<string>> {
  if (unmatched.length === 0) return new Set();
  const inserted = await db
    .insertInto('unmatched_transactions')
    .values(unmatched)
    .onConflict((conflict) => conflict.doNothing())
    .returning('hash')
    .execute();
  return new Set(inserted.map(({ hash }) => hash));
}

/** Reads the transactions that no withdrawal has, accepted ones too, oldest first. */
export async function listUnassigned(db: Db): Promise<UnmatchedTransaction[]> {
  return db
    .selectFrom('unmatched_transactions')
    .selectAll()
    .where('withdrawal_id', 'is', null)
    .orderBy('ledger')
    .orderBy('hash')
    .execute();
}

/** Finds the transactions that no withdrawal has and that pay the keys of these withdrawals, each with the withdrawal's id, oldest first. */
export async function forgottenPayments(
  db: Db,
  open: { id: string; wallet_id: string; owner_id: string; idempotency_key: string }[],
): Promise<(UnmatchedTransaction & { open_id: string })[]> {
  const of = <K extends keyof (typeof open)[number]>(key: K) => open.map((each) => each[key]);
  const { rows } = await sql<UnmatchedTransaction & { open_id: string }>`
    select unmatched.*, open.id as open_id
      from unnest(${of('id')}::text[], ${of('wallet_id')}::text[], ${of('owner_id')}::text[], ${of('idempotency_key')}::text[])
           as open (id, wallet_id, owner_id, idempotency_key)
           join (unmatched_transactions unmatched join wallet_owners wallet on wallet.id = unmatched.wallet_id)
             on ${isUnassigned} and (wallet.owner_id = open.owner_id or wallet.id = open.wallet_id)
                and unmatched.key_fingerprint = key_fingerprint(unmatched.wallet_id, open.idempotency_key)
     order by unmatched.ledger, unmatched.hash
  `.execute(db);
  return rows;
}

/**
 * Finds the transactions that no withdrawal has and that a new withdrawal may repeat: those of these wallets that name no key, and those
 * that pay one of these keys of their owner. They stay as they are until the caller's transaction ends: an operator who
 * accepts one in the meantime would not see the new withdrawal.
 */
export async function possibleDuplicates(
  trx: Trx,
  asked: { wallet_id: string; owner_id: string; idempotency_key: string }[],
): Promise<(UnmatchedTransaction & { owner_id: string })[]> {
  const of = <K extends keyof (typeof asked)[number]>(key: K) => asked.map((each) => each[key]);
  const { rows } = await sql<UnmatchedTransaction & { owner_id: string }>`
    select unmatched.*, wallet.owner_id
      from unmatched_transactions unmatched join wallet_owners wallet on wallet.id = unmatched.wallet_id
     where ${isUnassigned} and wallet.owner_id = any(${of('owner_id')}::text[])
       and (unmatched.key_fingerprint is null and unmatched.wallet_id = any(${of('wallet_id')}::text[])
            or exists (select from unnest(${of('owner_id')}::text[], ${of('idempotency_key')}::text[])
                                   as asked (owner_id, idempotency_key)
                        where asked.owner_id = wallet.owner_id
                          and unmatched.key_fingerprint = key_fingerprint(unmatched.wallet_id, asked.idempotency_key)))
     order by unmatched.ledger, unmatched.hash
       for share of unmatched
  `.execute(trx);
  return rows;
}

/** Locks the transaction with this hash, if no withdrawal has it. Nobody else changes it before the caller's transaction ends. */
export async function lockUnassigned(trx: Trx, hash: string): Promise<UnmatchedTransaction | undefined> {
  return trx
    .selectFrom('unmatched_transactions')
    .selectAll()
    .where('hash', '=', hash)
    .where('withdrawal_id', 'is', null)
    .forUpdate()
    .executeTakeFirst();
}

/** Finds the unmatched transaction that an operator has assigned to this withdrawal as its payment. */
export async function unmatchedAssignedTo(
  db: Db,
  withdrawal_id: string,
): Promise<UnmatchedTransaction | undefined> {
  return db
    .selectFrom('unmatched_transactions')
    .selectAll()
    .where('withdrawal_id', '=', withdrawal_id)
    .executeTakeFirst();
}

/** Reads the wallet's unmatched transactions that are not the payment of a withdrawal, resolved or not, oldest first. */
export async function unmatchedWithoutWithdrawal(
  db: Db,
  wallet_id: string,
): Promise<{ hash: string; ledger: number }[]> {
  return db
    .selectFrom('unmatched_transactions')
    .select(['hash', 'ledger'])
    .where('wallet_id', '=', wallet_id)
    .where('withdrawal_id', 'is', null)
    .orderBy('ledger')
    .execute();
}

/** Notes that the transaction is not the payment of an open withdrawal. Returns false, and changes nothing, when it is resolved already. */
export async function acceptTransaction(db: Db, hash: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('unmatched_transactions')
    .set({ resolved_at: now })
    .where('hash', '=', hash)
    .where('resolved_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/**
 * Notes that the transaction is the payment of this withdrawal. Returns false, and changes nothing, when another withdrawal has the
 * transaction, or the withdrawal another transaction.
 */
export async function assignTransaction(
  db: Db,
  { hash, withdrawal_id, now }: { hash: string; withdrawal_id: string; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('unmatched_transactions')
    .set({ withdrawal_id, resolved_at: sql`coalesce(resolved_at, ${now})` })
    .where('hash', '=', hash)
    .where('withdrawal_id', 'is', null)
    .where(sql<boolean>`not exists (
      select from unmatched_transactions other where other.withdrawal_id = ${withdrawal_id})`)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/**
 * Finds transactions that are assigned to these withdrawals, whose outcomes come from other transactions.
 */
export async function assignedBeside(
  db: Db,
  outcomes: { id: string; stellar_tx_hash: string }[],
): Promise<UnmatchedTransaction[]> {
  const { rows } = await sql<UnmatchedTransaction>`
    select unmatched.*
      from unnest(${outcomes.map(({ id }) => id)}::text[], ${outcomes.map((each) => each.stellar_tx_hash)}::text[])
           as outcome (id, hash)
           join unmatched_transactions unmatched on unmatched.withdrawal_id = outcome.id and unmatched.hash <> outcome.hash
  `.execute(db);
  return rows;
}

/**
 * Notes that withdrawals that equal the transaction are other payments: it keeps none back any more. False, and nothing is changed,
 * when a withdrawal has it, or it is released already.
 */
export async function releaseTransaction(db: Db, hash: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('unmatched_transactions')
    .set({ released_at: now, resolved_at: sql`coalesce(resolved_at, ${now})` })
    .where('hash', '=', hash)
    .where('withdrawal_id', 'is', null)
    .where('released_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Blocks the wallet of a transaction, because nobody knows what it has paid besides: it belongs to no withdrawal and no key, and blocks its wallet until a person has decided. */
export async function blockWallet(db: Db, hash: string): Promise<void> {
  await db
    .updateTable('unmatched_transactions')
    .set({ key_fingerprint: null, withdrawal_id: null, resolved_at: null })
    .where('hash', '=', hash)
    .execute();
}

/** Counts the unmatched transactions that block the wallet. */
export async function countUnmatched(db: Db, wallet_id: string): Promise<number> {
  const { count } = await db
    .selectFrom('unmatched_transactions')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('wallet_id', '=', wallet_id)
    .where('resolved_at', 'is', null)
    .where('key_fingerprint', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}

/** Counts the wallets that are blocked by unmatched transactions. Nothing is signed for these wallets. */
export async function countBlockedWallets(db: Db): Promise<bigint> {
  const { count } = await db
    .selectFrom('unmatched_transactions')
    .select(sql<bigint>`count(distinct wallet_id)`.as('count'))
    .where('resolved_at', 'is', null)
    .where('key_fingerprint', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}

/** Counts the unmatched transactions that nobody has resolved: `wallet` ones keep their wallet back, `key` ones a single key. */
export async function countUnresolved(db: Db): Promise<{ wallet: number; key: number }> {
  return db
    .selectFrom('unmatched_transactions')
    .select([
      sql<number>`(count(*) filter (where key_fingerprint is null))::int`.as('wallet'),
      sql<number>`(count(*) filter (where key_fingerprint is not null))::int`.as('key'),
    ])
    .where('resolved_at', 'is', null)
    .executeTakeFirstOrThrow();
}
