import type { xdr } from '@stellar/stellar-sdk/base';
import { AUTH_REVOCABLE } from '../account.ts';
import { isIssuer, isValidAsset } from '../asset.ts';
import { sameBytes } from '../bytes.ts';
import { loadAccount } from '../ledger-txn.ts';
import { AUTHORIZED, CLAWBACK_ENABLED } from '../trust-line.ts';
import type { OperationResult, OperationRules } from './rules.ts';
import { LOW, OP_NO_ACCOUNT } from './rules.ts';
import { ALL_FLAGS, AUTH_FLAGS, changeTrustFlags, isOneAuthorization } from './trust-flags.ts';

type Code = 0 | -1 | -2 | -3 | -4;
const MALFORMED = -1;
const NO_TRUST_LINE = -2;
const CANT_REVOKE = -3;
const INVALID_STATE = -4;

const result = (code: Code): OperationResult => ({
  code: 0,
  tr: { type: 21, setTrustLineFlagsResult: { code } },
});

/** stellar-core, SetTrustLineFlagsOpFrame.cpp. */
export const setTrustLineFlags: OperationRules<21> = {
  type: 21,
  success: result(0),
  supported: () => true,
  threshold: () => LOW,

  check({ setTrustLineFlagsOp: op }, { source }) {
    const concernsOwnAsset = isIssuer(op.asset, source) && !sameBytes(op.trustor.ed25519, source);
    return concernsOwnAsset && isValidAsset(op.asset) && areValidFlags(op) ? null : result(MALFORMED);
  },

  apply({ setTrustLineFlagsOp: { asset, trustor, setFlags, clearFlags } }, context) {
    const issuer = loadAccount(context.txn, context.source);
    if (issuer === undefined || asset.type === 0) return OP_NO_ACCOUNT;
    const revokes = (clearFlags & AUTH_FLAGS) !== 0 && (setFlags & AUTHORIZED) === 0;
    if (revokes && (issuer.flags & AUTH_REVOCABLE) === 0) return result(CANT_REVOKE);
    const line = { trustor: trustor.ed25519, asset, noTrustLine: NO_TRUST_LINE } as const;
    const code = changeTrustFlags<Exclude<Code, 0>>(context, line, (before) => {
      const flags = (before.flags & ~clearFlags) | setFlags;
      return isOneAuthorization(flags) ? { flags } : { refused: INVALID_STATE };
    });
    return result(code);
  },
};

/** Only the flags of the issuer's account enable clawback. The flag of a line can only be cleared here. */
function areValidFlags({ setFlags, clearFlags }: xdr.SetTrustLineFlagsOpWire): boolean {
  if ((setFlags & clearFlags) !== 0 || (setFlags & CLAWBACK_ENABLED) !== 0) return false;
  return ((setFlags | clearFlags) & ~ALL_FLAGS) === 0 && isOneAuthorization(setFlags);
}
