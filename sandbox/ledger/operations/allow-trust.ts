import type { xdr } from '@stellar/stellar-sdk/base';
import { AUTH_REVOCABLE } from '../account.ts';
import type { IssuedAsset } from '../asset.ts';
import { isValidAsset } from '../asset.ts';
import { sameBytes } from '../bytes.ts';
import { publicKey } from '../entry.ts';
import { loadAccount } from '../ledger-txn.ts';
import { AUTHORIZED_TO_MAINTAIN_LIABILITIES, isAuthorized } from '../trust-line.ts';
import type { OperationResult, OperationRules } from './rules.ts';
import { LOW, OP_NO_ACCOUNT } from './rules.ts';
import { AUTH_FLAGS, changeTrustFlags } from './trust-flags.ts';

type Code = 0 | -1 | -2 | -4;
const MALFORMED = -1;
const NO_TRUST_LINE = -2;
const CANT_REVOKE = -4;

const result = (code: Code): OperationResult => ({ code: 0, tr: { type: 7, allowTrustResult: { code } } });

/** stellar-core, AllowTrustOpFrame.cpp: the older form of set_trust_line_flags, for authorization only. */
export const allowTrust: OperationRules<7> = {
  type: 7,
  success: result(0),
  supported: () => true,
  threshold: () => LOW,

  check({ allowTrustOp: { trustor, asset, authorize } }, { source }) {
    const malformed =
      authorize > AUTHORIZED_TO_MAINTAIN_LIABILITIES ||
      !isValidAsset(assetOf(asset, source)) ||
      sameBytes(trustor.ed25519, source);
    return malformed ? result(MALFORMED) : null;
  },

  apply({ allowTrustOp: { trustor, asset, authorize } }, context) {
    const issuer = loadAccount(context.txn, context.source);
    if (issuer === undefined) return OP_NO_ACCOUNT;
    const mayRevoke = (issuer.flags & AUTH_REVOCABLE) !== 0;
    if (authorize === 0 && !mayRevoke) return result(CANT_REVOKE);
    const line = {
      trustor: trustor.ed25519,
      asset: assetOf(asset, context.source),
      noTrustLine: NO_TRUST_LINE,
    } as const;
    const code = changeTrustFlags<Exclude<Code, 0>>(context, line, (before) => {
      const lowers = isAuthorized(before) && authorize === AUTHORIZED_TO_MAINTAIN_LIABILITIES;
      return lowers && !mayRevoke
        ? { refused: CANT_REVOKE }
        : { flags: (before.flags & ~AUTH_FLAGS) | authorize };
    });
    return result(code);
  },
};

function assetOf(code: xdr.AssetCodeWire, issuer: Uint8Array): IssuedAsset {
  if (code.type === 1) {
    return { type: 1, alphaNum4: { assetCode: code.assetCode4, issuer: publicKey(issuer) } };
  }
  return { type: 2, alphaNum12: { assetCode: code.assetCode12, issuer: publicKey(issuer) } };
}
