/** What a search over the wallets of a team finds of wallets, addresses, transactions and assets (db/search-wallets.ts). */
import { type RawBuilder, sql } from 'kysely';
import { ADDRESS, anyOf, begins, contains, indexedWaysToAddress, possible } from '../db/search.ts';
import { foundIds, SEARCHED, selectFound } from '../db/search-wallets.ts';
import { waysToAdjustment, waysToDeposit, waysWithoutKey } from './search-transactions.ts';

/** Returns the selects for a text. `team_id`: whose Idempotency-Key the text may be. */
export function searchesOfWallets(team_id: string, text: string): RawBuilder<unknown>[] {
  return [
    wallets(text),
    addresses(text),
    deposits(text),
    withdrawals(team_id, text),
    adjustments(text),
    assets(text),
  ];
}

const col = {
  id: sql`id`,
  wallet_id: sql`wallet_id`,
  asset_code: sql`asset_code`,
  asset_issuer: sql`asset_issuer`,
  amount_stroops: sql`amount_stroops`,
  created_at: sql`created_at`,
};

function wallets(text: string): RawBuilder<unknown> {
  const ways = possible([
    contains('searched.name', text),
    begins('searched.id', text.toLowerCase(), /^wal/i.test(text)),
    begins('searched.account', text.toUpperCase(), ADDRESS.test(text)),
  ]);
  return selectFound(
    'wallet',
    { id: sql`id`, wallet_id: sql`id`, name: sql`name`, created_at: sql`created_at` },
    sql`searched where ${anyOf(ways)}`,
  );
}

function addresses(text: string): RawBuilder<unknown> {
  const ids = foundIds(
    indexedWaysToAddress('address_labels', { wallet_id: SEARCHED.id, account: SEARCHED.account, text }).map(
      (way) => sql`select id from address_labels where wallet_id = ${SEARCHED.id} and ${way}`,
    ),
  );
  return selectFound(
    'address',
    { id: sql`id`, wallet_id: sql`wallet_id`, name: sql`label` },
    sql`address_labels where id = any(${ids})`,
  );
}

function deposits(text: string): RawBuilder<unknown> {
  const ids = foundIds(
    waysToDeposit({ account: SEARCHED.account, text }).map(
      (way) => sql`select id from deposit_movements as deposits where wallet_id = ${SEARCHED.id} and ${way}`,
    ),
  );
  const name = sql`(select label from address_labels where address_labels.id = address_id)`;
  return selectFound(
    'deposit',
    { ...col, name, counterparty: sql`source_account` },
    sql`deposit_movements where id = any(${ids})`,
  );
}

function withdrawals(team_id: string, text: string): RawBuilder<unknown> {
  const has_key = sql<boolean>`(owner_id = ${team_id} and idempotency_key = ${text})`;
  const ids = foundIds(
    [...waysWithoutKey(text), has_key].map(
      (way) =>
        sql`select id from withdrawal_movements as withdrawals where wallet_id = ${SEARCHED.id} and ${way}`,
    ),
  );
  return selectFound(
    'withdrawal',
    { ...col, name: sql`reference`, counterparty: sql`destination` },
    sql`withdrawal_movements where id = any(${ids})`,
  );
}

function adjustments(text: string): RawBuilder<unknown> {
  const ids = foundIds(
    waysToAdjustment(text).map(
      (way) =>
        sql`select id from adjustment_movements as adjustments where wallet_id = ${SEARCHED.id} and ${way}`,
    ),
  );
  return selectFound(
    'adjustment',
    { ...col, counterparty: sql`caused_by` },
    sql`adjustment_movements where id = any(${ids})`,
  );
}

/** Finds assets by the beginning of their code, the issuer, or both as `CODE:ISSUER`. */
function assets(text: string): RawBuilder<unknown> {
  return selectFound(
    'asset',
    {
      id: sql`asset_code || ':' || asset_issuer`,
      wallet_id: sql`wallet_id`,
      asset_code: sql`asset_code`,
      asset_issuer: sql`asset_issuer`,
    },
    sql`searched cross join lateral (
          select wallet_id, asset_code, asset_issuer from wallet_assets where wallet_id = ${SEARCHED.id} offset 0) as asset
         where starts_with(lower(asset_code), lower(${text})) or asset_issuer = upper(${text})
            or lower(asset_code || ':' || asset_issuer) = lower(${text})`,
  );
}
