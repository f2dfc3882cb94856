import { isIssuer } from '../asset.ts';
import { claimableBalanceKey } from '../entry.ts';
import { balanceParty } from '../events.ts';
import { loadAccount, storeAccount } from '../ledger-txn.ts';
import { removeEntry } from '../sponsorship.ts';
import type { OperationResult, OperationRules } from './rules.ts';
import { MEDIUM, OP_NO_ACCOUNT } from './rules.ts';

type Code = 0 | -1 | -2 | -3;
const DOES_NOT_EXIST = -1;
const NOT_ISSUER = -2;
const NOT_CLAWBACK_ENABLED = -3;

const result = (code: Code): OperationResult => ({
  code: 0,
  tr: { type: 20, clawbackClaimableBalanceResult: { code } },
});

/** stellar-core, ClawbackClaimableBalanceOpFrame.cpp. */
export const clawbackClaimableBalance: OperationRules<20> = {
  type: 20,
  success: result(0),
  supported: () => true,
  threshold: () => MEDIUM,
  check: () => null,

  apply({ clawbackClaimableBalanceOp: { balanceId } }, context) {
    const { source, txn, events } = context;
    const key = claimableBalanceKey(balanceId);
    const data = txn.get(key)?.data;
    if (data?.type !== 4) return result(DOES_NOT_EXIST);
    const { asset, amount, ext } = data.claimableBalance;
    if (!isIssuer(asset, source)) return result(NOT_ISSUER);
    if (ext.v !== 1 || (ext.v1.flags & 1) === 0) return result(NOT_CLAWBACK_ENABLED);
    const account = loadAccount(txn, source);
    if (account === undefined) return OP_NO_ACCOUNT;
    storeAccount(txn, account); // The account counts as changed, whoever gets the reserve back.
    removeEntry(context, key);
    events.clawback(asset, balanceParty(balanceId), amount);
    return result(0);
  },
};
