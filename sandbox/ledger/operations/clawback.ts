import { isIssuer, isValidAsset } from '../asset.ts';
import { ed25519Of } from '../transaction.ts';
import { CLAWBACK_ENABLED, lineLiabilities, loadTrustLine, storeTrustLine } from '../trust-line.ts';
import type { OperationResult, OperationRules } from './rules.ts';
import { MEDIUM } from './rules.ts';

type Code = 0 | -1 | -2 | -3 | -4;
const MALFORMED = -1;
const NOT_CLAWBACK_ENABLED = -2;
const NO_TRUST = -3;
const UNDERFUNDED = -4;

const result = (code: Code): OperationResult => ({ code: 0, tr: { type: 19, clawbackResult: { code } } });

/**
 * stellar-core, ClawbackOpFrame.cpp. Amounts that open offers sell cannot be taken back. Authorization does not
 * matter.
 */
export const clawback: OperationRules<19> = {
  type: 19,
  success: result(0),
  supported: () => true,
  threshold: () => MEDIUM,

  check({ clawbackOp: { asset, from, amount } }, { source }) {
    // A muxed address of the issuer passes this check, as in stellar-core; then there is no trust line.
    const fromIssuer = from.type === 0 && isIssuer(asset, from.ed25519);
    const wellFormed = amount >= 1n && isValidAsset(asset) && isIssuer(asset, source) && !fromIssuer;
    return wellFormed ? null : result(MALFORMED);
  },

  apply({ clawbackOp: { asset, from, amount } }, { txn, events }) {
    const line = asset.type === 0 ? undefined : loadTrustLine(txn, ed25519Of(from), asset);
    if (line === undefined) return result(NO_TRUST);
    if ((line.flags & CLAWBACK_ENABLED) === 0) return result(NOT_CLAWBACK_ENABLED);
    const balance = line.balance - amount;
    if (balance < lineLiabilities(line).selling) return result(UNDERFUNDED);
    storeTrustLine(txn, { ...line, balance });
    events.clawback(asset, from, amount);
    return result(0);
  },
};
