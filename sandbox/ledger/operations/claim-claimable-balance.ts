import { sameBytes } from '../bytes.ts';
import { claimableBalanceKey } from '../entry.ts';
import { balanceParty } from '../events.ts';
import { addToHolding, isHoldingAuthorized, loadHolding, storeHolding } from '../holding.ts';
import { loadAccount, storeAccount } from '../ledger-txn.ts';
import { removeEntry } from '../sponsorship.ts';
import { allowsClaim } from './claim-predicate.ts';
import type { OperationResult, OperationRules } from './rules.ts';
import { LOW, OP_NO_ACCOUNT } from './rules.ts';

type Code = 0 | -1 | -2 | -3 | -4 | -5;
const DOES_NOT_EXIST = -1;
const CANNOT_CLAIM = -2;
const LINE_FULL = -3;
const NO_TRUST = -4;
const NOT_AUTHORIZED = -5;

const result = (code: Code): OperationResult => ({
  code: 0,
  tr: { type: 15, claimClaimableBalanceResult: { code } },
});

/** stellar-core, ClaimClaimableBalanceOpFrame.cpp. */
export const claimClaimableBalance: OperationRules<15> = {
  type: 15,
  success: result(0),
  supported: () => true,
  threshold: () => LOW,
  check: () => null,

  apply({ claimClaimableBalanceOp: { balanceId } }, context) {
    const { header, source, muxedSource, txn, events } = context;
    const key = claimableBalanceKey(balanceId);
    const data = txn.get(key)?.data;
    if (data?.type !== 4) return result(DOES_NOT_EXIST);
    const { asset, amount, claimants } = data.claimableBalance;
    const claimant = claimants.find(({ v0 }) => sameBytes(v0.destination.ed25519, source));
    if (claimant === undefined || !allowsClaim(claimant.v0.predicate, header.scpValue.closeTime)) {
      return result(CANNOT_CLAIM);
    }
    const receiving = loadHolding(txn, source, asset);
    if (receiving === undefined) return result(NO_TRUST);
    if (!isHoldingAuthorized(receiving)) return result(NOT_AUTHORIZED);
    const credited = addToHolding(header, receiving, amount);
    if (credited === undefined) return result(LINE_FULL);
    storeHolding(txn, credited);

    const account = loadAccount(txn, source);
    if (account === undefined) return OP_NO_ACCOUNT;
    storeAccount(txn, account); // The account counts as changed, whatever the asset is.
    removeEntry(context, key);
    events.transfer(asset, balanceParty(balanceId), muxedSource, amount, 'with_muxed_id');
    return result(0);
  },
};
