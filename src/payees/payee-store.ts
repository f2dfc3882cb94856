/** The only writer of payees. */
import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import type { Db, Trx } from '../db/database.ts';
import { newestFirst, type PageRequest } from '../db/newest-first.ts';
import { ADDRESS, anyOf, begins, type Condition, contains, DIGITS, possible } from '../db/search.ts';
import { selectFound } from '../db/search-wallets.ts';
import type { Tables } from '../db/tables.ts';
import { parseAddress } from '../stellar/address.ts';
import { type Recipient, spellingsOf } from '../stellar/recipient.ts';

/** `asset_code` null: it may be paid any asset. `deleted_at`: null while it can be paid. */
export type Payee = Selectable<Tables['payees']>;

/** The payee that a new one would be a second time: by its name, or by whom it is. */
export type Clash = 'name' | 'destination';

/**
 * Returns what another payee of the team has already; null: nothing. Lower and upper case (ASCII) of a name are the same.
 */
export async function clashOf(
  db: Db,
  { id, team_id, name, destination, memo_id }: Payee,
): Promise<Clash | null> {
  const is_named = sql<boolean>`lower(name collate "C") = lower(${name}::text collate "C")`;
  const is_recipient = isOneOfRecipients(spellingsOf({ destination, memo_id }));
  const other = await live(db, team_id)
    .select(is_named.as('is_named'))
    .where('id', '<>', id)
    .where(sql<boolean>`(${is_named} or ${is_recipient})`)
    .orderBy('is_named', 'desc')
    .executeTakeFirst();
  return other === undefined ? null : other.is_named ? 'name' : 'destination';
}

/** @throws pg.DatabaseError for a payee that `clashOf` finds: call that before, with the team locked */
export async function insertPayee(trx: Trx, payee: Payee): Promise<void> {
  await trx.insertInto('payees').values(payee).execute();
}

/** Finds a payee, a deleted one too. */
export async function findPayee(db: Db, team_id: string, id: string): Promise<Payee | undefined> {
  return db
    .selectFrom('payees')
    .selectAll()
    .where('team_id', '=', team_id)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Finds these payees of a team, deleted ones too. */
export async function findPayees(db: Db, team_id: string, ids: string[]): Promise<Map<string, Payee>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('payees')
    .selectAll()
    .where('team_id', '=', team_id)
    .where('id', '=', sql<string>`any(${ids}::text[])`)
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** Locks a payee that is not deleted until the transaction ends. */
export async function lockPayee(trx: Trx, team_id: string, id: string): Promise<Payee | undefined> {
  return live(trx, team_id).selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

export async function listPayees(db: Db, team_id: string, page: PageRequest): Promise<Payee[]> {
  const { where, order } = newestFirst('payees', { team_id }, page.before);
  return live(db, team_id).selectAll().where(where).orderBy(order).limit(page.limit).execute();
}

/** Reads all payees of a team, which are not many. */
export async function everyPayee(db: Db, team_id: string): Promise<Payee[]> {
  return live(db, team_id).selectAll().execute();
}

/** Returns what a search of the team finds: payees by a part of their name, and by the beginning of their destination, memo or id. */
export function searchesOfPayees(team_id: string, text: string): RawBuilder<unknown>[] {
  const ways = possible([
    contains('payees.name', text),
    begins('payees.destination', text.toUpperCase(), ADDRESS.test(text)),
    isMuxed(text),
    begins('payees.memo_id', text, DIGITS.test(text)),
    begins('payees.id', text.toLowerCase(), /^pye/i.test(text)),
  ]);
  const columns = {
    id: sql`id`,
    name: sql`name`,
    counterparty: sql`destination`,
    created_at: sql`created_at`,
  };
  const rest = sql`payees where team_id = ${team_id} and deleted_at is null and ${anyOf(ways)}`;
  return [selectFound('payee', columns, rest)];
}

/** Returns the condition that the text is the M… address of an account which a payee has with that id as its memo. */
function isMuxed(text: string): Condition | null {
  const destination = text.toUpperCase();
  const address = parseAddress(destination);
  if (address === null || address.muxed_id === null) return null;
  return isOneOfRecipients(spellingsOf({ destination, memo_id: null }));
}

export async function countPayees(db: Db, team_id: string): Promise<number> {
  const { count } = await live(db, team_id)
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

export async function updatePayee(
  trx: Trx,
  { id, name, note, named_at, deleted_at }: Pick<Payee, 'id' | 'name' | 'note' | 'named_at' | 'deleted_at'>,
): Promise<void> {
  await trx.updateTable('payees').set({ name, note, named_at, deleted_at }).where('id', '=', id).execute();
}

/** Lists the wallets of the team whose allow lists have the payee, or will have it. An entry of a payee begins with its id. */
export async function walletsThatAllow(trx: Trx, { id, team_id }: Payee): Promise<string[]> {
  const rows = await trx
    .selectFrom('allowed_destinations')
    .innerJoin('wallet_owners', 'wallet_owners.id', 'wallet_id')
    .select('wallet_id')
    .distinct()
    .where('owner_id', '=', team_id)
    .where(sql<boolean>`starts_with(destination, ${`${id} `})`)
    .orderBy('wallet_id')
    .execute();
  return rows.map(({ wallet_id }) => wallet_id);
}

/**
 * Finds when wallets of the team last paid this recipient; null: never. Of a payee without a memo it knows the payments to its account with
 * any memo, and not those to an M… of the account.
 */
export async function lastPaidTo(
  db: Db,
  { team_id, destination, memo_id }: Pick<Payee, 'team_id' | 'destination' | 'memo_id'>,
): Promise<Date | null> {
  const spellings = spellingsOf({ destination, memo_id });
  const { last } = await db
    .selectFrom('payments_to_destinations')
    .innerJoin('wallet_owners', 'wallet_owners.id', 'wallet_id')
    .select(sql<Date | null>`max(settled_at)`.as('last'))
    .where('owner_id', '=', team_id)
    .where(
      spellings.length > 1
        ? isOneOfRecipients(spellings)
        : sql<boolean>`destination collate "C" = ${destination}`,
    )
    .executeTakeFirstOrThrow();
  return last;
}

/** What a payee was paid of an asset. */
export type PaidSum = { asset_code: string; asset_issuer: string | null; amount_stroops: bigint };

/**
 * Sums what a payee was paid, by asset, the native one first. Reads every payment of the payee, so no list asks for this.
 * `wallet_ids`: by these wallets alone; null: by all.
 */
export async function sumPaid(db: Db, payee_id: string, wallet_ids: string[] | null): Promise<PaidSum[]> {
  return db
    .selectFrom('payee_payments')
    .select(['asset_code', 'asset_issuer'])
    .select(sql<bigint>`sum(amount_stroops)`.as('amount_stroops'))
    .where('payee_id', '=', payee_id)
    .where(isByOneOf(wallet_ids))
    .groupBy(['asset_code', 'asset_issuer'])
    .orderBy('asset_issuer', (order) => order.nullsFirst())
    .orderBy('asset_code')
    .execute();
}

/**
 * Finds when each of these payees was last paid since it is one; without those that were not. Reads one payment of each wallet that
 * has paid the payee, the newest, however many there are. `wallet_ids`: by these wallets alone; null: by all.
 */
export async function lastPayments(
  db: Db,
  payee_ids: string[],
  wallet_ids: string[] | null,
): Promise<Map<string, Date>> {
  const newest = (and: RawBuilder<unknown>) => sql`(
    select wallet_id, settled_at from payee_payments where payee_id = payee.id and ${and}
     order by wallet_id desc, settled_at desc limit 1)`;
  const { rows } = await sql<{ payee_id: string; last: Date }>`
    select payee.id as payee_id, max(settled_at) as last
      from unnest(${payee_ids}::text[]) as payee (id)
     cross join lateral (
       with recursive of_wallets as (
         ${newest(sql`true`)}
         union all
         select further.* from of_wallets
          cross join lateral ${newest(sql`payee_payments.wallet_id < of_wallets.wallet_id`)} as further
       ) select * from of_wallets) as last_of_wallet
     where ${isByOneOf(wallet_ids)}
     group by payee.id`.execute(db);
  return new Map(rows.map(({ payee_id, last }) => [payee_id, last]));
}

function isByOneOf(wallet_ids: string[] | null): RawBuilder<SqlBool> {
  return wallet_ids === null ? sql`true` : sql`wallet_id = any(${wallet_ids}::text[])`;
}

/** Returns the condition that `destination` and `memo_id` of a row are one of these. The index of withdrawals has this collation. */
function isOneOfRecipients(recipients: Recipient[]): RawBuilder<SqlBool> {
  const each = recipients.map(
    ({ destination, memo_id }) =>
      sql`(destination collate "C" = ${destination} and memo_id is not distinct from ${memo_id}::numeric)`,
  );
  return sql`(${sql.join(each, sql` or `)})`;
}

function live(db: Db, team_id: string) {
  return db.selectFrom('payees').where('team_id', '=', team_id).where('deleted_at', 'is', null);
}
