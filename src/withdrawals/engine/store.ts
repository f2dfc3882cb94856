/**
 * Makes the transitions of a withdrawal's status (states.ts). Each statement names the status it starts from, so a late
 * writer changes nothing. Besides, awaiting-store.ts makes those of withdrawals that need approvals, tx-source-store.ts writes
 * the transaction source of a row, and leases.ts its lease.
 */
import { strict as assert } from 'node:assert';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Db, Trx } from '../../db/database.ts';
import type { Tables } from '../../db/tables.ts';
import { signingAllowed } from '../../ledgers/signing-allowed.ts';
import { hasAssignedPayment, hasForgottenPayment, hasUnmatched } from '../../ledgers/unmatched-store.ts';
import { isProcessedUntil } from '../../ledgers/withdrawal-cursor.ts';
import { parseAddress } from '../../stellar/address.ts';
import { spellingsOf } from '../../stellar/recipient.ts';
import { isInFromStatusOf } from './states.ts';

export type Withdrawal = Omit<Selectable<Tables['withdrawals']>, 'leased_until' | 'treasury_stroops'>;

export const columns = [
  'id',
  'wallet_id',
  'owner_id',
  'idempotency_key',
  'status',
  'operation',
  'asset_code',
  'asset_issuer',
  'destination',
  'amount_stroops',
  'memo_id',
  'payee_id',
  'tx_source',
  'sequence',
  'envelope_xdr',
  'inner_tx_hash',
  'stellar_tx_hash',
  'fee_bump_hashes',
  'fee_bid_stroops',
  'max_time',
  'signed_ledger',
  'ledger',
  'fee_stroops',
  'fee_paid_by',
  'fee_charged_stroops',
  'failure_code',
  'failure_message',
  'refund_of',
  'reference',
  'memo_return',
  'soroban_data',
  'resource_fee_stroops',
  'created_at',
  'signed_at',
  'committed_at',
  'settled_at',
  'requested_by',
  'approvals_required',
  'approvals_cause',
  'approvals',
  'order_hash',
  'approval_expires_at',
  'approved_at',
  'payout_id',
  'payout_row',
  'traceparent',
] as const;

/** Rows with these change a trust line. They are no payments: no list of withdrawals has them. */
export const TRUST_LINE_OPERATIONS = ['add_trust_line', 'remove_trust_line'] as const;

/** Returns the right side of `where(column, '=', isAnyOf(values))`: one parameter for any number of values (a statement takes 65,535). */
export function isAnyOf(values: string[]) {
  return sql<string>`any(${values}::text[])`;
}

/** A new row, which takes an Idempotency-Key. */
export type NewWithdrawal = Pick<
  Withdrawal,
  | 'id'
  | 'wallet_id'
  | 'owner_id'
  | 'idempotency_key'
  | 'operation'
  | 'asset_code'
  | 'asset_issuer'
  | 'destination'
  | 'amount_stroops'
  | 'memo_id'
  | 'memo_return'
  | 'refund_of'
  | 'created_at'
> &
  // `requested_by`: not known of what the ledger gave back. `reference`: where the caller gave one. `traceparent`: only of what is
  // traced. The others: of a contract transfer only, or of a payout only.
  Partial<
    Pick<
      Withdrawal,
      | 'requested_by'
      | 'reference'
      | 'soroban_data'
      | 'resource_fee_stroops'
      | 'payout_id'
      | 'payout_row'
      | 'traceparent'
    >
  > &
  // `treasury_stroops`: what the treasury pays of it (treasury-budgets.ts).
  Partial<ApprovedBefore & { treasury_stroops: bigint | null }>;

/** Approvals that a withdrawal has from its claim on, because members have approved the payout that it is in. */
export type ApprovedBefore = Pick<
  Withdrawal,
  | 'approvals_required'
  | 'approvals_cause'
  | 'approvals'
  | 'order_hash'
  | 'approval_expires_at'
  | 'approved_at'
>;

/**
 * Takes the Idempotency-Keys for these withdrawals, for ever; returns the ids of those that it inserted. A key that is
 * taken already is left alone. Safe to repeat after a lost commit: nothing is inserted twice.
 */
export async function insertClaims(db: Db, claims: NewWithdrawal[], now: Date): Promise<Set<string>> {
  const inserted = await db
    .insertInto('withdrawals')
    .values(
      claims.map(({ approvals = [], ...claim }) => ({
        approvals_required: 0,
        ...claim,
        payee_id: payeeOf(claim),
        approvals: JSON.stringify(approvals),
        status: 'queued' as const,
        leased_until: now,
      })),
    )
    .onConflict((conflict) => conflict.columns(['owner_id', 'idempotency_key']).doNothing())
    .returning('id')
    .execute();
  return new Set(inserted.map(({ id }) => id));
}

/**
 * Returns in SQL whom of the team's payees the order pays: the one that is its recipient, else the one that is its account and has no memo
 * of its own. Null where there is none, and for a trust line.
 */
function payeeOf({ owner_id, operation, ...paid }: NewWithdrawal) {
  if (TRUST_LINE_OPERATIONS.some((each) => each === operation)) return null;
  const spellings = spellingsOf(paid).map(
    ({ destination, memo_id }) =>
      sql`(destination = ${destination} and memo_id is not distinct from ${memo_id}::numeric)`,
  );
  const exact = sql`(${sql.join(spellings, sql` or `)})`;
  const account = parseAddress(paid.destination)?.account ?? null; // a contract with an id is another recipient than the contract alone
  return sql<string | null>`(
    select id from known_payees
     where team_id = ${owner_id} and (${exact} or destination = ${account} and memo_id is null) order by not ${exact} limit 1)`;
}

/** Deletes claims, in the transaction that inserted them. Nobody else has seen the rows, and their keys stay free. */
export async function undoClaims(trx: Trx, ids: string[]): Promise<void> {
  const { numDeletedRows } = await trx
    .deleteFrom('withdrawals')
    .where('id', '=', isAnyOf(ids))
    .where(isInFromStatusOf('undoClaims'))
    .executeTakeFirst();
  assert.equal(numDeletedRows, BigInt(ids.length), 'every claim that is undone was inserted just now');
}

export type SignedEnvelope = {
  id: string;
  tx_source: string;
  /** Of a payment in the native asset: whether it creates the account of its payee (payee-accounts.ts). */
  operation: Withdrawal['operation'];
  sequence: bigint;
  envelope_xdr: string;
  inner_tx_hash: string;
  /** Null where the transaction pays its fee itself. */
  fee_bump_hash: string | null;
  fee_bid_stroops: bigint;
  max_time: bigint;
  signed_ledger: number;
  signed_at: Date;
};

/**
 * Commits the one envelope of each withdrawal; returns the ids of those that it committed. Another process has signed
 * the others, or they may not be signed now: their envelopes must never be sent.
 *
 * `read_at`: close time of the ledger at which the sequence numbers were read, Unix seconds. When the withdrawal cursor
 * is more than `behind_seconds` behind that, or below `seen_ledger`, this database may be an older copy, and another
 * envelope of the same withdrawal may be in flight.
 * @throws pg.DatabaseError that `isCreatedByAnother` knows, when another process has just signed the creation of one of the payees
 */
export async function recordSigned(
  db: Db,
  signed: SignedEnvelope[],
  options: { read_at: bigint; behind_seconds: number; seen_ledger: number; now: Date; until: Date },
): Promise<Set<string>> {
  const { read_at, behind_seconds, seen_ledger, now, until } = options;
  const of = <K extends keyof SignedEnvelope>(key: K) => signed.map((each) => each[key]);
  const { rows } = await sql<{ id: string }>`
    update withdrawals
       set status = 'signed', operation = signed.operation, sequence = signed.sequence, envelope_xdr = signed.envelope_xdr,
           inner_tx_hash = signed.inner_tx_hash,
           stellar_tx_hash = coalesce(signed.fee_bump_hash, signed.inner_tx_hash),
           fee_bump_hashes = array_remove(array[signed.fee_bump_hash], null),
           fee_bid_stroops = signed.fee_bid_stroops, max_time = signed.max_time,
           signed_ledger = signed.signed_ledger, signed_at = signed.signed_at, committed_at = ${now},
           leased_until = ${until}
      from unnest(${of('id')}::text[], ${of('tx_source')}::text[], ${of('operation')}::text[], ${of('sequence')}::bigint[],
                  ${of('envelope_xdr')}::text[], ${of('inner_tx_hash')}::text[], ${of('fee_bump_hash')}::text[],
                  ${of('fee_bid_stroops')}::bigint[], ${of('max_time')}::bigint[], ${of('signed_ledger')}::int[],
                  ${of('signed_at')}::timestamptz[])
           as signed (id, tx_source, operation, sequence, envelope_xdr, inner_tx_hash, fee_bump_hash, fee_bid_stroops, max_time,
                      signed_ledger, signed_at)
     where withdrawals.id = signed.id and ${isInFromStatusOf('recordSigned')} and withdrawals.tx_source = signed.tx_source
       and exists (select from tx_sources where tx_sources.account = signed.tx_source and tx_sources.withdrawal_id = signed.id)
       and not ${hasUnmatched}
       and ${signingAllowed({ ledger: seen_ledger, close_time: read_at - BigInt(behind_seconds) })}
    returning withdrawals.id
  `.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** Returns true when a statement failed because two rows would have created one account: then nothing was changed. SQLSTATE 23505, unique_violation. */
export function isCreatedByAnother(error: unknown): boolean {
  const { code, constraint } = error as { code?: string; constraint?: string };
  return code === '23505' && constraint === 'withdrawals_creating';
}

export type FeeBump = { id: string; fee_bump_hash: string; envelope_xdr: string; fee_bid_stroops: bigint };

/** Commits a fee-bump of the same inner transaction before it is sent. False when the row was bumped or has its outcome. */
export async function recordFeeBump(db: Db, bump: FeeBump, former_bid_stroops: bigint): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('withdrawals')
    .set({
      envelope_xdr: bump.envelope_xdr,
      stellar_tx_hash: bump.fee_bump_hash,
      fee_bump_hashes: sql`array_append(fee_bump_hashes, ${bump.fee_bump_hash}::text)`,
      fee_bid_stroops: bump.fee_bid_stroops,
    })
    .where('id', '=', bump.id)
    .where('status', '=', 'signed')
    .where('fee_bid_stroops', '=', former_bid_stroops)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** The outcome of a withdrawal whose transaction is in a ledger. */
export type Outcome = {
  id: string;
  successful: boolean;
  ledger: number;
  fee_stroops: bigint;
  /** G… that paid the fee. When that is not the wallet, a fee of 0 is recorded for the wallet. */
  fee_account: string;
  stellar_tx_hash: string;
  inner_tx_hash: string;
  failure: { code: string; message: string } | null;
};

/** Says who paid a fee. A stranger may fee-bump a transaction too. A former treasury is a treasury, and a merged channel a channel. */
function feePaidBy(fee_account: RawBuilder<unknown>, wallet_account: RawBuilder<unknown>) {
  return sql<Withdrawal['fee_paid_by']>`case when ${fee_account} = ${wallet_account} then 'wallet'
    when exists (select from channels where channels.account = ${fee_account}) then 'channel'
    when exists (select from treasury where treasury.account = ${fee_account}) then 'treasury' else 'other' end`;
}

/** A row whose outcome a statement has recorded. */
export type Recorded = Pick<Withdrawal, (typeof RECORDED)[number]>;

const RECORDED = [
  'id',
  'wallet_id',
  'operation',
  'asset_code',
  'asset_issuer',
  'amount_stroops',
  'destination',
  'status',
  'failure_code',
  'signed_ledger',
  'ledger',
  'stellar_tx_hash',
  'fee_charged_stroops',
  'fee_paid_by',
  'created_at',
  'approved_at',
  'settled_at',
  'traceparent',
] as const;

/**
 * Records proven outcomes; returns the rows that it changed, by id. A row that has an outcome already keeps it. The commit wakes the
 * processes that wait for outcomes. Call `reportOutcomes` (report-outcomes.ts) with the rows after it.
 */
export async function recordOutcomes(db: Db, outcomes: Outcome[], now: Date): Promise<Map<string, Recorded>> {
  if (outcomes.length === 0) return new Map();
  const of = <K extends keyof Outcome>(key: K) => outcomes.map((each) => each[key]);
  const { rows } = await sql<Recorded>`
    with recorded as (
      update withdrawals
         set status = case when applied.successful then 'confirmed' else 'failed' end, ledger = applied.ledger,
             fee_stroops = case when applied.fee_account = wallet.account then applied.fee_stroops else 0 end,
             fee_charged_stroops = applied.fee_stroops,
             fee_paid_by = ${feePaidBy(sql`applied.fee_account`, sql`wallet.account`)},
             stellar_tx_hash = applied.stellar_tx_hash,
             inner_tx_hash = applied.inner_tx_hash,
             failure_code = applied.failure_code, failure_message = applied.failure_message, settled_at = ${now}
        from unnest(${of('id')}::text[], ${of('successful')}::boolean[], ${of('ledger')}::int[],
                    ${of('fee_stroops')}::bigint[], ${of('fee_account')}::text[], ${of('stellar_tx_hash')}::text[],
                    ${of('inner_tx_hash')}::text[],
                    ${outcomes.map(({ failure }) => failure?.code ?? null)}::text[],
                    ${outcomes.map(({ failure }) => failure?.message ?? null)}::text[])
             as applied (id, successful, ledger, fee_stroops, fee_account, stellar_tx_hash, inner_tx_hash, failure_code,
                         failure_message)
       cross join wallet_accounts as wallet
       where withdrawals.id = applied.id and wallet.id = withdrawals.wallet_id and ${isInFromStatusOf('recordOutcomes')}
      returning withdrawals.fee_stroops, ${sql.join(RECORDED.map((name) => sql.ref(`withdrawals.${name}`)))}
    ), added as (${addToDays(sql`recorded`)})
    select ${sql.join(RECORDED.map((name) => sql.ref(name)))} from recorded, pg_notify(${OUTCOMES_CHANNEL}, '')
  `.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

/**
 * Returns the statement that adds withdrawals to the sums of their days, which the statistics show. `rows`: a table or query of
 * withdrawals with a fee. A withdrawal is added once: by the transaction that records its outcome.
 *
 * The sums are locked in the order of their key. Otherwise the outcomes of two processes could wait for each other.
 */
export function addToDays(rows: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
      insert into withdrawal_days as total (wallet_id, day, asset_code, asset_issuer, withdrawals, stroops, fees_stroops)
      select wallet_id, (created_at at time zone 'UTC')::date, asset_code, asset_issuer, count(*) filter (where is_paid),
             coalesce(sum(amount_stroops) filter (where is_paid), 0), sum(fee_stroops)
        from ${rows}
       cross join lateral (
         select status = 'confirmed' and operation not in ('add_trust_line', 'remove_trust_line') as is_paid) as outcome
       group by 1, 2, 3, 4 order by 1, 2, 3, 4
      on conflict on constraint withdrawal_days_key do update
         set withdrawals = total.withdrawals + excluded.withdrawals, stroops = total.stroops + excluded.stroops,
             fees_stroops = total.fees_stroops + excluded.fees_stroops`;
}

/**
 * Records that a signed withdrawal can never be applied. False while an unmatched transaction of its wallet is
 * unresolved, or a ledger up to its max_time is not processed: the transaction could be this payment, in an envelope
 * that the database forgot with a lost commit. Also false when the row has its outcome.
 */
export async function recordExpired(
  db: Db,
  id: string,
  failure: { code: string; message: string },
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('withdrawals')
    .set({ status: 'failed', failure_code: failure.code, failure_message: failure.message, settled_at: now })
    .where('id', '=', id)
    .where(isInFromStatusOf('recordExpired'))
    .where((where) => where.not(hasUnmatched))
    // An operator may have assigned one since the caller looked: its process may have been frozen for long.
    .where((where) => where.not(hasAssignedPayment))
    .where(isProcessedUntil(sql.ref('withdrawals.max_time')))
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/**
 * Records that a withdrawal which was never signed fails, because the ledger has another payment with its key. False when it
 * was signed, or no such payment is known.
 */
export async function recordKeyTaken(db: Db, id: string, now: Date): Promise<boolean> {
  const failure_message = 'The Idempotency-Key has paid something else, before this database was restored.';
  const { numUpdatedRows } = await db
    .updateTable('withdrawals')
    .set({ status: 'failed', failure_code: 'key_taken', failure_message, settled_at: now })
    .where('id', '=', id)
    .where(isInFromStatusOf('recordKeyTaken'))
    .where(hasForgottenPayment)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** What a transaction of the ledger has paid under a key, and its outcome. */
export type PaidWithdrawal = NewWithdrawal &
  Pick<Withdrawal, 'tx_source' | 'sequence' | 'envelope_xdr'> & { outcome: Outcome };

/**
 * Inserts the row of a withdrawal that this database has forgotten, with its outcome. False, and nothing is changed, when
 * the key is taken.
 */
export async function insertPaid(db: Db, paid: PaidWithdrawal, now: Date): Promise<boolean> {
  const { outcome, approvals: _, ...claim } = paid;
  const { successful, ledger, fee_stroops, fee_account, stellar_tx_hash, inner_tx_hash, failure } = outcome;
  const wallet = await findWalletAccount(db, claim.wallet_id);
  const row = {
    ...claim,
    ledger,
    stellar_tx_hash,
    inner_tx_hash,
    status: successful ? ('confirmed' as const) : ('failed' as const),
    approvals_required: 0,
    fee_stroops: fee_account === wallet ? fee_stroops : 0n,
    fee_charged_stroops: fee_stroops,
    fee_paid_by: feePaidBy(sql`${fee_account}::text`, sql`${wallet}::text`),
    failure_code: failure?.code ?? null,
    failure_message: failure?.message ?? null,
    leased_until: now,
    settled_at: now,
  };
  const inserted = await db
    .insertInto('withdrawals')
    .values(row)
    .onConflict((conflict) => conflict.columns(['owner_id', 'idempotency_key']).doNothing())
    .returning('id')
    .execute();
  if (inserted.length === 0) return false;
  await addToDays(sql`(select * from withdrawals where id = ${claim.id}) as inserted`).execute(db);
  return true;
}

async function findWalletAccount(db: Db, wallet_id: string): Promise<string> {
  const { account } = await db
    .selectFrom('wallet_accounts')
    .select('account')
    .where('id', '=', wallet_id)
    .executeTakeFirstOrThrow();
  return account;
}

/** Wakes the processes that wait for outcomes, once this transaction is committed. `recordOutcomes` does the same. */
export async function notifyOutcomes(db: Db): Promise<void> {
  await sql`select pg_notify(${OUTCOMES_CHANNEL}, '')`.execute(db);
}

export const OUTCOMES_CHANNEL = 'withdrawal_outcomes';
