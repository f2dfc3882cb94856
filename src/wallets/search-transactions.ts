/** The search in a wallet's list of transactions. `deposits` and `withdrawals` are the names that the list gives its views. */
import { sql } from 'kysely';
import { anyOf, asciiLower, begins, type Condition, isAddressFound, isMemoId } from '../db/search.ts';

/** What was typed, and the wallet in which it is looked for. */
export type Sought = { wallet_id: string; account: string; text: string };

const HASH = /^[0-9a-f]{1,64}$/i;
const ADDRESS = /^[GM][A-Z2-7]*$/i;
const DIGITS = /^[0-9]{1,20}$/;

/** A condition on `deposits`: the text is the beginning of its hash, sender, id or memo, or its address is found. */
export function isDepositFound({ wallet_id, account, text }: Sought): Condition {
  const lower = text.toLowerCase();
  return anyOf([
    begins('deposits.id', lower, /^dep/i.test(text)),
    begins('deposits.stellar_tx_hash', lower, HASH.test(text)),
    begins('deposits.source_account', text.toUpperCase(), ADDRESS.test(text)),
    ...isMemoId('deposits.memo_id', account, text),
    // As its sender wrote it: a deposit that was assigned by hand has the memo id of its address.
    sql`(deposits.memo_type = 'text' and starts_with(lower(deposits.memo collate "C"), ${asciiLower(text)}))`,
    sql`(deposits.assigned_by_hand and starts_with(deposits.memo, ${text}))`,
    sql`deposits.address_id in (select id from address_labels
          where address_labels.wallet_id = ${wallet_id} and ${isAddressFound('address_labels', { account, text })})`,
  ]);
}

/** A condition on `withdrawals`: the text is the beginning of its outer or inner hash, destination, id or memo id. */
export function isWithdrawalFound(text: string): Condition {
  const lower = text.toLowerCase();
  return anyOf([
    begins('withdrawals.id', lower, /^wd/i.test(text)),
    begins('withdrawals.stellar_tx_hash', lower, HASH.test(text)),
    begins('withdrawals.inner_tx_hash', lower, HASH.test(text)),
    begins('withdrawals.destination', text.toUpperCase(), ADDRESS.test(text)),
    begins('withdrawals.memo_id', text, DIGITS.test(text)),
  ]);
}
