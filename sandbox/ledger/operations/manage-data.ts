import { dataKey, publicKey } from '../entry.ts';
import { createEntry, removeEntry } from '../sponsorship.ts';
import type { OperationResult, OperationRules } from './rules.ts';
import { MEDIUM, reserveFailure } from './rules.ts';
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

  apply({ manageDataOp: { dataName, dataValue } }, context) {
    const { source, txn } = context;
    const key = dataKey(source, dataName);
    const exists = txn.get(key) !== undefined;

    if (dataValue === null) {
      if (!exists) return result(NAME_NOT_FOUND);
      removeEntry(context, key);
      return result(0);
    }
    const data = { accountId: publicKey(source), dataName, dataValue, ext: { v: 0 } as const };
    if (exists) {
      txn.put(key, { type: 3, data });
      return result(0);
    }
    const problem = createEntry(context, key, { type: 3, data }, source);
    return problem === undefined ? result(0) : reserveFailure(problem, result(LOW_RESERVE));
  },
};
