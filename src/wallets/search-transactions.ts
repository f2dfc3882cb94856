/**
 * The search in a wallet's list of transactions. `deposits`, `withdrawals` and `adjustments` are the names that the list
 * gives its views.
 */
import { type RawBuilder, sql } from 'kysely';
import {
  ADDRESS,
  anyOf,
  asciiLower,
  begins,
  type Condition,
  DIGITS,
  idsByAnyOf,
  indexedWaysToAddress,
  isMemoId,
  possible,
  type Sought,
  waysToAddress,
} from '../db/search.ts';
import { parseUnits } from '../lib/stroops.ts';
import { parseContractAddress } from '../stellar/contract-address.ts';

const HASH = /^[0-9a-f]{1,64}$/i;
/** `1,234.5` */
const IN_GROUPS = /^[0-9]{1,3}(,[0-9]{3})+([.][0-9]+)?$/;

/** Returns a condition on `deposits`: the text is its amount, the beginning of its hash, sender, id or memo, or its address is found. */
export function isDepositFound(sought: Sought): Condition {
  return anyOf([
    ...waysToDeposit(sought),
    // A look-up per row: PostgreSQL makes of "exists" a search of all addresses.
    sql`(select ${anyOf(waysToAddress('address_labels', sought))}
           from address_labels where address_labels.id = deposits.address_id)`,
  ]);
}

/** Returns a query for the ids of the deposits that are found and for which `where` holds. */
export function foundDeposits(sought: Sought, where: Condition): RawBuilder<unknown> {
  const own = idsByAnyOf(
    waysToDeposit(sought),
    (way) => sql`select id from deposit_movements as deposits where ${where} and ${way}`,
  );
  const addresses = idsByAnyOf(
    indexedWaysToAddress('address_labels', sought),
    (way) => sql`select id from address_labels where wallet_id = ${sought.wallet_id} and ${way}`,
  );
  return sql`${own} union select deposits.id from (${addresses}) as address
               join deposit_movements as deposits on deposits.address_id = address.id where ${where}`;
}

/** Returns the ways to find a deposit without its address. */
export function waysToDeposit({ account, text }: Omit<Sought, 'wallet_id'>): Condition[] {
  const lower = text.toLowerCase();
  return possible([
    begins('deposits.id', lower, /^dep/i.test(text)),
    begins('deposits.stellar_tx_hash', lower, HASH.test(text)),
    begins('deposits.source_account', text.toUpperCase(), ADDRESS.test(text)),
    ...isMemoId('deposits.memo_id', account, text),
    isAmount('deposits.amount_stroops', text),
    // As its sender wrote it: a deposit that was assigned by hand has the memo id of its address.
    sql`(deposits.memo_type = 'text' and starts_with(lower(deposits.memo collate "C"), ${asciiLower(text)}))`,
    sql`(deposits.assigned_by_hand and starts_with(deposits.memo collate "C", ${text}))`,
  ]);
}

/** What is looked for among the withdrawals of a wallet, and the team that owns the wallet. */
type SoughtWithdrawal = { owner_id: string; text: string };

/**
 * Returns a condition on `withdrawals`: the text is its amount, the beginning of its outer or inner hash, destination, id, memo id,
 * Idempotency-Key or reference, or a W… address whose contract it has paid with this id as memo id.
 */
export function isWithdrawalFound(sought: SoughtWithdrawal): Condition {
  return anyOf(waysToWithdrawal(sought));
}

/** Returns a query for the ids of the withdrawals that are found and for which `where` holds. */
export function foundWithdrawals(sought: SoughtWithdrawal, where: Condition): RawBuilder<unknown> {
  return idsByAnyOf(
    waysToWithdrawal(sought),
    (way) => sql`select id from withdrawal_movements as withdrawals where ${where} and ${way}`,
  );
}

function waysToWithdrawal({ owner_id, text }: SoughtWithdrawal): Condition[] {
  const has_key = begins('withdrawals.idempotency_key', text, true);
  // By the index that keeps keys unique, which is of the team.
  return [...waysWithoutKey(text), sql`(withdrawals.owner_id = ${owner_id} and ${has_key})`];
}

/** Returns the ways to find a withdrawal by what it has beside its Idempotency-Key. */
export function waysWithoutKey(text: string): Condition[] {
  const lower = text.toLowerCase();
  const inner = begins('withdrawals.inner_tx_hash', lower, HASH.test(text));
  return possible([
    begins('withdrawals.id', lower, /^wd/i.test(text)),
    begins('withdrawals.stellar_tx_hash', lower, HASH.test(text)),
    inner && sql`(inner_tx_hash is distinct from stellar_tx_hash and ${inner})`,
    begins('withdrawals.destination', text.toUpperCase(), ADDRESS.test(text)),
    begins('withdrawals.memo_id', text, DIGITS.test(text)),
    isMuxedContract(text),
    isAmount('withdrawals.amount_stroops', text),
    sql`starts_with(lower(withdrawals.reference collate "C"), ${asciiLower(text)})`,
  ]);
}

function isMuxedContract(text: string): Condition | null {
  const address = parseContractAddress(text.toUpperCase());
  if (!address || address.muxed_id === null) return null;
  const { contract, muxed_id } = address;
  return sql`(withdrawals.destination collate "C" = ${contract} and withdrawals.memo_id = ${`${muxed_id}`})`;
}

/**
 * Returns a condition on `adjustments`: the text is its amount, or the beginning of its hash or id, or of the account or contract
 * that did it.
 */
export function isAdjustmentFound(text: string): Condition {
  return anyOf(waysToAdjustment(text));
}

/** Returns a query for the ids of the adjustments that are found and for which `where` holds. */
export function foundAdjustments(text: string, where: Condition): RawBuilder<unknown> {
  return idsByAnyOf(
    waysToAdjustment(text),
    (way) => sql`select id from adjustment_movements as adjustments where ${where} and ${way}`,
  );
}

/** Returns the conditions by which an adjustment is found. Account, contract and amount have no index: a wallet has few adjustments. */
export function waysToAdjustment(text: string): Condition[] {
  const lower = text.toLowerCase();
  return possible([
    begins('adjustments.id', lower, /^adj/i.test(text)),
    begins('adjustments.stellar_tx_hash', lower, HASH.test(text)),
    begins('adjustments.caused_by', text.toUpperCase(), ADDRESS.test(text)),
    isAmount('adjustments.amount_stroops', text),
  ]);
}

/** Returns the condition that the text is this amount in units, as people write it and as the dashboard shows it. */
function isAmount(column: string, text: string): Condition | null {
  const stroops = parseUnits(IN_GROUPS.test(text) ? text.replaceAll(',', '') : text);
  return stroops === null ? null : sql`${sql.ref(column)} = ${stroops}`;
}
