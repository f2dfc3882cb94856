/** Pure: which credits are deposits of ours, and to which deposit address each belongs. */
import type { Credit } from '../../stellar/credits/credit.ts';
import { type AddressKey, addressKey } from '../store.ts';

export type LedgerCredit = Credit & { ledger: number; hash: string };
export type Attributed = LedgerCredit & {
  wallet_id: string;
  address_id: string | null;
  memo_id: bigint | null;
};

/** What attribution asks of a wallet; by its account. */
export type Wallets = Map<string, { id: string; numeric_memo_text: boolean }>;

/** Ids our addresses can have; a larger memo id cannot be one, and would not fit their column. */
const MEMO_ID_MAX = 2n ** 53n - 1n;

/** What to look up before `attribute` can decide. */
export function keysToLookUp(credits: LedgerCredit[], wallets: Wallets): AddressKey[] {
  return credits.flatMap((credit) => {
    const wallet = wallets.get(credit.account);
    if (!wallet) return [];
    const memo_id = idOf(credit, wallet.numeric_memo_text);
    return isMintable(memo_id) ? [{ wallet_id: wallet.id, memo_id }] : [];
  });
}

/** Credits to accounts that are no wallets are dropped; a credit whose id is no address of its wallet is unattributed. */
export function attribute(
  credits: LedgerCredit[],
  wallets: Wallets,
  addresses: Map<string, string>,
): Attributed[] {
  return credits.flatMap((credit) => {
    const wallet = wallets.get(credit.account);
    if (!wallet) return [];
    const { id: wallet_id, numeric_memo_text } = wallet;
    const memo_id = idOf(credit, numeric_memo_text);
    const address_id = isMintable(memo_id) ? addresses.get(addressKey({ wallet_id, memo_id })) : undefined;
    return [{ ...credit, wallet_id, memo_id, address_id: address_id ?? null }];
  });
}

/**
 * The id that counts: the muxed one, which wins over the memo (CAP-67); else MEMO_ID; else, where the owner wants it, a
 * memo text that is an id. A muxed id that is no address of ours is still the one: the sender named that and no other.
 */
function idOf({ muxed_id, memo }: Credit, numeric_memo_text: boolean): bigint | null {
  if (muxed_id !== null) return muxed_id;
  if (memo.type === 'id') return BigInt(memo.value);
  return memo.type === 'text' && numeric_memo_text ? idInText(memo.value) : null;
}

const UINT64_MAX = 2n ** 64n - 1n;

/** Only what an id is written as, digit for digit: `007`, `+7` and `7 ` may be meant as something else. */
export function idInText(text: string): bigint | null {
  if (!/^(0|[1-9][0-9]{0,19})$/.test(text)) return null;
  const id = BigInt(text);
  return id <= UINT64_MAX ? id : null;
}

function isMintable(memo_id: bigint | null): memo_id is bigint {
  return memo_id !== null && memo_id >= 1n && memo_id <= MEMO_ID_MAX;
}
