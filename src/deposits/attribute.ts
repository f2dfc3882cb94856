/** Pure: which credits are deposits of ours, and to which deposit address each belongs. */
import type { Credit } from '../chain/credits.ts';
import { type AddressKey, addressKey } from './store.ts';

export type LedgerCredit = Credit & { ledger: number; hash: string };
export type Attributed = LedgerCredit & {
  wallet_id: string;
  address_id: string | null;
  memo_id: bigint | null;
};

/** Ids our addresses can have; a larger memo id cannot be one, and would not fit their column. */
const MEMO_ID_MAX = 2n ** 53n - 1n;

/** What to look up before `attribute` can decide. */
export function keysToLookUp(credits: LedgerCredit[], wallets: Map<string, string>): AddressKey[] {
  return credits.flatMap((credit) => {
    const [wallet_id, memo_id] = [wallets.get(credit.account), idOf(credit)];
    return wallet_id && isMintable(memo_id) ? [{ wallet_id, memo_id }] : [];
  });
}

/** Credits to accounts that are no wallets are dropped; a credit whose id is no address of its wallet is unattributed. */
export function attribute(
  credits: LedgerCredit[],
  wallets: Map<string, string>,
  addresses: Map<string, string>,
): Attributed[] {
  return credits.flatMap((credit) => {
    const wallet_id = wallets.get(credit.account);
    if (!wallet_id) return [];
    const memo_id = idOf(credit);
    const address_id = isMintable(memo_id) ? addresses.get(addressKey({ wallet_id, memo_id })) : undefined;
    return [{ ...credit, wallet_id, memo_id, address_id: address_id ?? null }];
  });
}

/** The muxed id if there is one, else MEMO_ID, else null: muxed information wins over the memo (CAP-67). */
function idOf({ muxed_id, memo }: Credit): bigint | null {
  return muxed_id ?? (memo.type === 'id' ? BigInt(memo.value) : null);
}

function isMintable(memo_id: bigint | null): memo_id is bigint {
  return memo_id !== null && memo_id >= 1n && memo_id <= MEMO_ID_MAX;
}
