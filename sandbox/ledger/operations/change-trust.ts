import { AUTH_CLAWBACK_ENABLED, AUTH_REQUIRED } from '../account.ts';
import type { IssuedAsset } from '../asset.ts';
import { isIssuer, issuerOf, isValidAsset } from '../asset.ts';
import type { Account } from '../entry.ts';
import { publicKey, trustLineKey } from '../entry.ts';
import { loadAccount } from '../ledger-txn.ts';
import { createEntry, removeEntry } from '../sponsorship.ts';
import type { TrustLine } from '../trust-line.ts';
import {
  AUTHORIZED,
  CLAWBACK_ENABLED,
  lineLiabilities,
  loadTrustLine,
  servesPools,
  storeTrustLine,
} from '../trust-line.ts';
import type { ApplyContext, OperationResult, OperationRules } from './rules.ts';
import { MEDIUM, reserveFailure } from './rules.ts';

type Code = 0 | -1 | -2 | -3 | -4 | -5 | -7;
const MALFORMED = -1;
const NO_ISSUER = -2;
const INVALID_LIMIT = -3;
const LOW_RESERVE = -4;
const SELF_NOT_ALLOWED = -5;
const CANNOT_DELETE = -7;

const result = (code: Code): OperationResult => ({ code: 0, tr: { type: 6, changeTrustResult: { code } } });

/** stellar-core, ChangeTrustOpFrame.cpp. Shares of liquidity pools are not supported. */
export const changeTrust: OperationRules<6> = {
  type: 6,
  success: result(0),
  supported: ({ changeTrustOp: { line } }) => line.type !== 3,
  threshold: () => MEDIUM,

  check({ changeTrustOp: { line, limit } }, { source }) {
    const isIssued = line.type === 1 || line.type === 2;
    const wellFormed = isIssued && limit >= 0n && isValidAsset(line) && !isIssuer(line, source);
    return wellFormed ? null : result(MALFORMED);
  },

  apply({ changeTrustOp: { line, limit } }, context) {
    if (line.type !== 1 && line.type !== 2) return result(SELF_NOT_ALLOWED);
    const existing = loadTrustLine(context.txn, context.source, line);
    return existing === undefined ? create(line, limit, context) : change(existing, line, limit, context);
  },
};

function create(asset: IssuedAsset, limit: bigint, context: ApplyContext): OperationResult {
  if (limit === 0n) return result(INVALID_LIMIT);
  const issuer = loadAccount(context.txn, issuerOf(asset));
  if (issuer === undefined) return result(NO_ISSUER);
  const trustLine: TrustLine = {
    accountId: publicKey(context.source),
    asset,
    balance: 0n,
    limit,
    flags: startingFlags(issuer),
    ext: { v: 0 },
  };
  const key = trustLineKey(context.source, asset);
  const problem = createEntry(context, key, { type: 1, trustLine }, context.source);
  return problem === undefined ? result(0) : reserveFailure(problem, result(LOW_RESERVE));
}

function startingFlags(issuer: Account): number {
  const authorized = (issuer.flags & AUTH_REQUIRED) === 0 ? AUTHORIZED : 0;
  return authorized | ((issuer.flags & AUTH_CLAWBACK_ENABLED) === 0 ? 0 : CLAWBACK_ENABLED);
}

function change(line: TrustLine, asset: IssuedAsset, limit: bigint, context: ApplyContext): OperationResult {
  if (limit < line.balance + lineLiabilities(line).buying) return result(INVALID_LIMIT);
  if (limit === 0n) {
    if (servesPools(line)) return result(CANNOT_DELETE);
    removeEntry(context, trustLineKey(context.source, asset));
    return result(0);
  }
  if (loadAccount(context.txn, issuerOf(asset)) === undefined) return result(NO_ISSUER);
  storeTrustLine(context.txn, { ...line, limit });
  return result(0);
}
