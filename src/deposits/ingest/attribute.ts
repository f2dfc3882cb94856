/** Pure: which credits are deposits of our wallets, and which deposit address each one belongs to. */
import type { Credit } from '../../stellar/credits/credit.ts';

export type LedgerCredit = Credit & { ledger: number; hash: string };
export type Attributed = LedgerCredit & {
  wallet_id: string;
  address_id: string | null;
  memo_id: bigint | null;
};

/** By account (G…). */
export type WalletsByAccount = Map<string, { id: string; numeric_memo_text: boolean }>;

/** A deposit address by the wallet and the memo id of the sender. */
export type AddressKey = { wallet_id: string; memo_id: bigint };

/** Returns the key of an address in maps. */
export function addressKey({ wallet_id, memo_id }: AddressKey): string {
  return `${wallet_id} ${memo_id}`;
}

/** The largest memo id of our addresses. A larger one does not fit their column. */
const MEMO_ID_MAX = 2n ** 53n - 1n;

/** Lists the deposit addresses that `attribute` needs. */
export function keysToLookUp(credits: LedgerCredit[], wallets: WalletsByAccount): AddressKey[] {
  return credits.flatMap((credit) => {
    const wallet = wallets.get(credit.account);
    if (!wallet) return [];
    const memo_id = idOf(credit, wallet.numeric_memo_text);
    return isMintable(memo_id) ? [{ wallet_id: wallet.id, memo_id }] : [];
  });
}

/** Drops credits to other accounts. A credit is unattributed (no address_id) when its wallet has no address with its id. */
export function attribute(
  credits: LedgerCredit[],
  wallets: WalletsByAccount,
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
 * Returns the id of a credit: the muxed id (CAP-67: it wins over the memo); else MEMO_ID; else a memo text in digits, if the
 * wallet's setting allows it. An unknown muxed id still wins: the sender chose it.
 */
function idOf({ muxed_id, memo }: Credit, numeric_memo_text: boolean): bigint | null {
  if (muxed_id !== null) return muxed_id;
  if (memo.type === 'id') return BigInt(memo.value);
  return memo.type === 'text' && numeric_memo_text ? idInText(memo.value) : null;
}

const UINT64_MAX = 2n ** 64n - 1n;

/** Reads the id in a text of digits only. Returns null for `007`, `+7` and `7 `: they may mean something else. */
export function idInText(text: string): bigint | null {
  if (!/^(0|[1-9][0-9]{0,19})$/.test(text)) return null;
  const id = BigInt(text);
  return id <= UINT64_MAX ? id : null;
}

function isMintable(memo_id: bigint | null): memo_id is bigint {
  return memo_id !== null && memo_id >= 1n && memo_id <= MEMO_ID_MAX;
}
