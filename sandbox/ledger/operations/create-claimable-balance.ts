import { xdr } from '@stellar/stellar-sdk/base';
import { AUTH_CLAWBACK_ENABLED } from '../account.ts';
import { isValidAsset } from '../asset.ts';
import { hex, sha256 } from '../bytes.ts';
import { claimableBalanceKey, publicKey } from '../entry.ts';
import { balanceParty } from '../events.ts';
import type { Holding } from '../holding.ts';
import { addToHolding, availableOf, isHoldingAuthorized, loadHolding, storeHolding } from '../holding.ts';
import { loadAccount, storeAccount } from '../ledger-txn.ts';
import { createEntry } from '../sponsorship.ts';
import { CLAWBACK_ENABLED } from '../trust-line.ts';
import { absolutePredicate, isValidPredicate } from './claim-predicate.ts';
import type { ApplyContext, OperationResult, OperationRules } from './rules.ts';
import { MEDIUM, OP_NO_ACCOUNT, reserveFailure } from './rules.ts';

type Failure = -1 | -2 | -3 | -4 | -5;
const MALFORMED = -1;
const LOW_RESERVE = -2;
const NO_TRUST = -3;
const NOT_AUTHORIZED = -4;
const UNDERFUNDED = -5;

const failure = (code: Failure): OperationResult => ({
  code: 0,
  tr: { type: 14, createClaimableBalanceResult: { code } },
});

const created = (balanceId: xdr.ClaimableBalanceIdWire): OperationResult => ({
  code: 0,
  tr: { type: 14, createClaimableBalanceResult: { code: 0, balanceId } },
});

/** The result of an operation that was never tried. */
const NO_BALANCE: xdr.ClaimableBalanceIdWire = { type: 0, v0: new Uint8Array(32) };

/** stellar-core, CreateClaimableBalanceOpFrame.cpp. */
export const createClaimableBalance: OperationRules<14> = {
  type: 14,
  success: created(NO_BALANCE),
  supported: () => true,
  threshold: () => MEDIUM,

  check({ createClaimableBalanceOp: { asset, amount, claimants } }) {
    const distinct = new Set(claimants.map(({ v0 }) => hex(v0.destination.ed25519)));
    const wellFormed =
      isValidAsset(asset) &&
      amount > 0n &&
      claimants.length > 0 &&
      distinct.size === claimants.length &&
      claimants.every(({ v0 }) => isValidPredicate(v0.predicate));
    return wellFormed ? null : failure(MALFORMED);
  },

  apply({ createClaimableBalanceOp: { asset, amount, claimants } }, context) {
    const { header, source, txn, events } = context;
    const account = loadAccount(txn, source);
    if (account === undefined) return OP_NO_ACCOUNT;
    storeAccount(txn, account); // The account counts as changed, whoever pays.
    const paying = loadHolding(txn, source, asset);
    if (paying === undefined) return failure(NO_TRUST);
    if (!isHoldingAuthorized(paying)) return failure(NOT_AUTHORIZED);
    const charged = availableOf(header, paying) < amount ? undefined : addToHolding(header, paying, -amount);
    if (charged === undefined) return failure(UNDERFUNDED);
    storeHolding(txn, charged);

    const balanceId = balanceIdOf(context);
    const claimableBalance: xdr.ClaimableBalanceEntryWire = {
      balanceId,
      claimants: claimants.map(({ v0 }) => {
        const predicate = absolutePredicate(v0.predicate, header.scpValue.closeTime);
        return { type: 0, v0: { ...v0, predicate } };
      }),
      asset,
      amount,
      ext: isClawbackEnabled(paying, account.flags) ? { v: 1, v1: { ext: { v: 0 }, flags: 1 } } : { v: 0 },
    };
    const key = claimableBalanceKey(balanceId);
    const problem = createEntry(context, key, { type: 4, claimableBalance }, source);
    if (problem !== undefined) return reserveFailure(problem, failure(LOW_RESERVE));
    events.transfer(asset, { type: 0, ed25519: source }, balanceParty(balanceId), amount, 'bare');
    return created(balanceId);
  },
};

/** As on the trust line that the amount comes from. If the issuer pays, its own flag decides. */
function isClawbackEnabled(from: Holding, issuerFlags: number): boolean {
  if (from.kind === 'line') return (from.line.flags & CLAWBACK_ENABLED) !== 0;
  return from.kind === 'issuer' && (issuerFlags & AUTH_CLAWBACK_ENABLED) !== 0;
}

function balanceIdOf({ tx, index }: ApplyContext): xdr.ClaimableBalanceIdWire {
  const operationId = { sourceAccount: publicKey(tx.source), seqNum: tx.tx.seqNum, opNum: index };
  return { type: 0, v0: sha256(xdr.HashIdPreimage.schema.encode({ type: 6, operationId })) };
}
