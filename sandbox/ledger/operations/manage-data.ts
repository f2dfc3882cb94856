import { subentryProblem } from '../account.ts';
import { dataKey, publicKey } from '../entry.ts';
import { loadAccount, storeAccount } from '../ledger-txn.ts';
import type { OperationResult, OperationRules } from './rules.ts';
import { MEDIUM, OP_NO_ACCOUNT, OP_TOO_MANY_SUBENTRIES } from './rules.ts';
import { isPlainText } from './text.ts';

type Code = 0 | -2 | -3 | -4;
const NAME_NOT_FOUND = -2;
const LOW_RESERVE = -3;
const INVALID_NAME = -4;

const result = (code: Code): OperationResult => ({ code: 0, tr: { type: 10, manageDataResult: { code } } });

/** stellar-core, ManageDataOpFrame.cpp. */
export const manageData: OperationRules<10> = {
  type: 10,
  success: result(0),
  supported: () => true,
  threshold: () => MEDIUM,

  check({ manageDataOp: { dataName } }) {
    return dataName.length < 1 || !isPlainText(dataName.bytes) ? result(INVALID_NAME) : null;
  },

  apply({ manageDataOp: { dataName, dataValue } }, { header, source, txn }) {
    const owner = loadAccount(txn, source);
    if (owner === undefined) return OP_NO_ACCOUNT;
    const key = dataKey(source, dataName);
    const exists = txn.get(key) !== undefined;

    if (dataValue === null) {
      if (!exists) return result(NAME_NOT_FOUND);
      txn.delete(key);
      storeAccount(txn, { ...owner, numSubEntries: owner.numSubEntries - 1 });
      return result(0);
    }
    if (!exists) {
      const problem = subentryProblem(header, owner, 1);
      if (problem === 'too_many') return OP_TOO_MANY_SUBENTRIES;
      if (problem === 'low_reserve') return result(LOW_RESERVE);
      storeAccount(txn, { ...owner, numSubEntries: owner.numSubEntries + 1 });
    }
    const data = { accountId: publicKey(source), dataName, dataValue, ext: { v: 0 } as const };
    txn.put(key, { type: 3, data });
    return result(0);
  },
};
