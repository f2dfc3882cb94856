import type { xdr } from '@stellar/stellar-sdk/base';
import { AUTH_CLAWBACK_ENABLED, AUTH_IMMUTABLE, AUTH_REVOCABLE } from '../account.ts';
import { sameBytes } from '../bytes.ts';
import type { Account } from '../entry.ts';
import { loadAccount, storeAccount } from '../ledger-txn.ts';
import { addSigner, removeSigner } from '../sponsorship.ts';
import type { ApplyContext, CheckContext, OperationResult, OperationRules } from './rules.ts';
import { HIGH, MEDIUM, OP_NO_ACCOUNT, reserveFailure } from './rules.ts';
import { isPlainText } from './text.ts';

type Code = xdr.SetOptionsResultWire['code'];
const LOW_RESERVE = -1;
const TOO_MANY_SIGNERS = -2;
const BAD_FLAGS = -3;
const INVALID_INFLATION = -4;
const CANT_CHANGE = -5;
const UNKNOWN_FLAG = -6;
const THRESHOLD_OUT_OF_RANGE = -7;
const BAD_SIGNER = -8;
const INVALID_HOME_DOMAIN = -9;
const AUTH_REVOCABLE_REQUIRED = -10;

const ALL_FLAGS = 0xf;
const MAX_SIGNERS = 20;
const MAX_WEIGHT = 255;

const result = (code: Code): OperationResult => ({ code: 0, tr: { type: 5, setOptionsResult: { code } } });

/** stellar-core, SetOptionsOpFrame.cpp. */
export const setOptions: OperationRules<5> = {
  type: 5,
  success: result(0),
  supported: () => true,

  threshold({ setOptionsOp: op }) {
    const touchesAuth = [op.masterWeight, op.lowThreshold, op.medThreshold, op.highThreshold, op.signer];
    return touchesAuth.some((field) => field !== null) ? HIGH : MEDIUM;
  },

  check({ setOptionsOp: op }, context) {
    const code = flagProblem(op) ?? weightProblem(op) ?? signerProblem(op, context);
    if (code !== undefined) return result(code);
    return op.homeDomain !== null && !isPlainText(op.homeDomain.bytes) ? result(INVALID_HOME_DOMAIN) : null;
  },

  apply({ setOptionsOp: op }, context) {
    const before = loadAccount(context.txn, context.source);
    if (before === undefined) return OP_NO_ACCOUNT;
    if (op.inflationDest !== null && loadAccount(context.txn, op.inflationDest.ed25519) === undefined) {
      return result(INVALID_INFLATION);
    }
    const flags = changedFlags(before.flags, op);
    if (typeof flags !== 'number') return flags;
    const account: Account = {
      ...before,
      flags,
      inflationDest: op.inflationDest ?? before.inflationDest,
      homeDomain: op.homeDomain ?? before.homeDomain,
      thresholds: new Uint8Array(
        [op.masterWeight, op.lowThreshold, op.medThreshold, op.highThreshold].map(
          (value, index) => value ?? before.thresholds[index] ?? 0,
        ),
      ),
    };
    const changed = op.signer === null ? account : changeSigner(account, op.signer, context);
    if ('code' in changed) return changed;
    storeAccount(context.txn, changed);
    return result(0);
  },
};

function flagProblem({ setFlags, clearFlags }: xdr.SetOptionsOpWire): Code | undefined {
  if (((setFlags ?? 0) & ~ALL_FLAGS) !== 0 || ((clearFlags ?? 0) & ~ALL_FLAGS) !== 0) return UNKNOWN_FLAG;
  return ((setFlags ?? 0) & (clearFlags ?? 0)) !== 0 ? BAD_FLAGS : undefined;
}

function weightProblem(op: xdr.SetOptionsOpWire): Code | undefined {
  const values = [op.masterWeight, op.lowThreshold, op.medThreshold, op.highThreshold];
  return values.some((value) => value !== null && value > MAX_WEIGHT) ? THRESHOLD_OUT_OF_RANGE : undefined;
}

function signerProblem({ signer }: xdr.SetOptionsOpWire, { source }: CheckContext): Code | undefined {
  if (signer === null) return undefined;
  const isSelf = signer.key.type === 0 && sameBytes(signer.key.ed25519, source);
  const emptyPayload = signer.key.type === 3 && signer.key.ed25519SignedPayload.payload.length === 0;
  return isSelf || emptyPayload || signer.weight > MAX_WEIGHT ? BAD_SIGNER : undefined;
}

function changedFlags(flags: number, op: xdr.SetOptionsOpWire): number | OperationResult {
  const immutable = (flags & AUTH_IMMUTABLE) !== 0;
  if (immutable && ((op.setFlags ?? 0) !== 0 || (op.clearFlags ?? 0) !== 0)) return result(CANT_CHANGE);
  const changed = (flags & ~(op.clearFlags ?? 0)) | (op.setFlags ?? 0);
  const clawbackAlone = (changed & AUTH_CLAWBACK_ENABLED) !== 0 && (changed & AUTH_REVOCABLE) === 0;
  return clawbackAlone ? result(AUTH_REVOCABLE_REQUIRED) : changed;
}

function changeSigner(
  account: Account,
  signer: xdr.SignerWire,
  context: ApplyContext,
): Account | OperationResult {
  const at = account.signers.findIndex((known) => compareKeys(known.key, signer.key) >= 0);
  const candidate = account.signers[at];
  const known = candidate !== undefined && compareKeys(candidate.key, signer.key) === 0;
  if (signer.weight === 0) return known ? removeSigner(context.txn, account, at) : account;
  if (known) return { ...account, signers: account.signers.with(at, signer) };
  if (account.signers.length >= MAX_SIGNERS) return result(TOO_MANY_SIGNERS);
  const added = addSigner(context, account, at === -1 ? account.signers.length : at, signer);
  return typeof added === 'string' ? reserveFailure(added, result(LOW_RESERVE)) : added;
}

/** Signers are sorted by their key, as in stellar-core: payloads by their bytes, whatever their length. */
function compareKeys(a: xdr.SignerKeyWire, b: xdr.SignerKeyWire): number {
  return a.type - b.type || Buffer.compare(sortedBy(a), sortedBy(b));
}

function sortedBy(key: xdr.SignerKeyWire): Uint8Array {
  if (key.type === 0) return key.ed25519;
  if (key.type === 1) return key.preAuthTx;
  if (key.type === 2) return key.hashX;
  const { ed25519, payload } = key.ed25519SignedPayload;
  return Buffer.concat([ed25519, payload]);
}
