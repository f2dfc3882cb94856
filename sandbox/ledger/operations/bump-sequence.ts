import { withSequence } from '../account.ts';
import { loadAccount, storeAccount } from '../ledger-txn.ts';
import type { OperationResult, OperationRules } from './rules.ts';
import { LOW, OP_NO_ACCOUNT } from './rules.ts';

type Code = 0 | -1;
const BAD_SEQ = -1;

const result = (code: Code): OperationResult => ({ code: 0, tr: { type: 11, bumpSeqResult: { code } } });

/** stellar-core, BumpSequenceOpFrame.cpp. Bumping to a lower number succeeds and only counts as a use. */
export const bumpSequence: OperationRules<11> = {
  type: 11,
  success: result(0),
  supported: () => true,
  threshold: () => LOW,

  check({ bumpSequenceOp: { bumpTo } }) {
    return bumpTo < 0n ? result(BAD_SEQ) : null;
  },

  apply({ bumpSequenceOp: { bumpTo } }, { header, source, txn }) {
    const account = loadAccount(txn, source);
    if (account === undefined) return OP_NO_ACCOUNT;
    storeAccount(txn, withSequence(header, account, bumpTo > account.seqNum ? bumpTo : account.seqNum));
    return result(0);
  },
};
