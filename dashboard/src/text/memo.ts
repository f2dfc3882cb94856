/** Pure: a transaction's memo in words. */
import type { Deposit, Transaction } from '../api/contract.ts';
import { isolated } from './isolate.ts';

type Memo = Pick<Deposit, 'memo_type' | 'memo'>;

const NAMES = { none: 'none', id: 'id', text: 'text', hash: 'hash', return: 'return hash' } as const;

/** `text “invoice 7”`, `id 42`, `none`. */
export function memoWords({ memo_type, memo }: Memo): string {
  if (memo_type === 'none') return NAMES.none;
  return memo_type === 'text' ? `${NAMES.text} “${isolated(memo ?? '')}”` : `${NAMES[memo_type]} ${memo}`;
}

/** `memo 42`, `memo “invoice 7”`: what a list says of a transaction; null for none. */
export function memoOf({ memo_id, memo_text }: Pick<Transaction, 'memo_id' | 'memo_text'>): string | null {
  if (memo_text !== null) return `memo “${isolated(memo_text)}”`;
  return memo_id === null ? null : `memo ${memo_id}`;
}

/** Why a deposit belongs to no deposit address. */
export function whyUnattributed(deposit: Memo & Pick<Deposit, 'memo_id' | 'kind'>): string {
  const { memo_type, memo, memo_id, kind } = deposit;
  if (kind === 'create_account' && memo_type === 'none' && memo_id === null)
    return 'It created the wallet’s account and has no memo: your own funds, or those of a test network';
  // A numeric memo text may be the memo id (a wallet setting). Any other id comes from the M… address.
  const by_memo = memo_type === 'id' || memo_type === 'text' ? memo : null;
  if (memo_id !== null && String(memo_id) !== by_memo)
    return `Paid to an M… address with id ${memo_id}; no deposit address has this id`;
  switch (memo_type) {
    case 'none':
      return 'Paid without a memo';
    case 'id':
      return `No deposit address has memo id ${memo}`;
    case 'text':
      return memo_id === null
        ? `Memo text “${isolated(memo ?? '')}” is not read as a memo id`
        : `No deposit address has the id in memo text “${isolated(memo ?? '')}”`;
    case 'hash':
    case 'return':
      return `A memo of type ${NAMES[memo_type]} identifies no deposit address`;
  }
}
