import { accountAddress, balanceIdHex } from './addresses.ts';
import type { AppliedOperation } from './applied-operation.ts';
import { manageDataFields, setOptionsFields } from './fields/account-settings.ts';
import { claimClaimableBalanceFields, createClaimableBalanceFields } from './fields/claimable-balances.ts';
import { hostFunctionFields } from './fields/host-function.ts';
import { buyOfferFields, passiveOfferFields, sellOfferFields } from './fields/offers.ts';
import {
  accountMergeFields,
  createAccountFields,
  paymentFields,
  strictReceiveFields,
  strictSendFields,
} from './fields/payments.ts';
import { endSponsoringFields, revokeSponsorshipFields, sponsorField } from './fields/sponsorship.ts';
import {
  allowTrustFields,
  changeTrustFields,
  clawbackFields,
  setTrustLineFlagsFields,
} from './fields/trust-lines.ts';

/** By OperationType. */
const TYPES = [
  'create_account',
  'payment',
  'path_payment_strict_receive',
  'manage_sell_offer',
  'create_passive_sell_offer',
  'set_options',
  'change_trust',
  'allow_trust',
  'account_merge',
  'inflation',
  'manage_data',
  'bump_sequence',
  'manage_buy_offer',
  'path_payment_strict_send',
  'create_claimable_balance',
  'claim_claimable_balance',
  'begin_sponsoring_future_reserves',
  'end_sponsoring_future_reserves',
  'revoke_sponsorship',
  'clawback',
  'clawback_claimable_balance',
  'set_trust_line_flags',
  'liquidity_pool_deposit',
  'liquidity_pool_withdraw',
  'invoke_host_function',
  'extend_footprint_ttl',
  'restore_footprint',
];

/**
 * All fields of Horizon's operation record that depend on the kind of operation: `type` and `type_i`, `sponsor` if
 * another account pays the reserve of a new entry, and the fields of the kind. Operations on liquidity pools and
 * footprints, which the sandbox does not have, get only the first two.
 * Source: Horizon, operations_processor.go, through protocols/horizon/operations.
 */
export function operationFields(at: AppliedOperation): Record<string, unknown> {
  const { type } = at.operation.body;
  return { type: TYPES[type], type_i: type, ...sponsorField(at), ...kindFields(at) };
}

function kindFields(at: AppliedOperation): Record<string, unknown> {
  const { body } = at.operation;
  switch (body.type) {
    case 0:
      return createAccountFields(body.createAccountOp, at);
    case 1:
      return paymentFields(body.paymentOp, at);
    case 2:
      return strictReceiveFields(body.pathPaymentStrictReceiveOp, at);
    case 3:
      return sellOfferFields(body.manageSellOfferOp);
    case 4:
      return passiveOfferFields(body.createPassiveSellOfferOp);
    case 5:
      return setOptionsFields(body.setOptionsOp);
    case 6:
      return changeTrustFields(body.changeTrustOp, at);
    case 7:
      return allowTrustFields(body.allowTrustOp, at);
    case 8:
      return accountMergeFields(body.destination, at);
    case 10:
      return manageDataFields(body.manageDataOp);
    case 11:
      return { bump_to: `${body.bumpSequenceOp.bumpTo}` };
    case 12:
      return buyOfferFields(body.manageBuyOfferOp);
    case 13:
      return strictSendFields(body.pathPaymentStrictSendOp, at);
    case 14:
      return createClaimableBalanceFields(body.createClaimableBalanceOp);
    case 15:
      return claimClaimableBalanceFields(body.claimClaimableBalanceOp, at);
    case 16:
      return { sponsored_id: accountAddress(body.beginSponsoringFutureReservesOp.sponsoredId) };
    case 17:
      return endSponsoringFields(at);
    case 18:
      return revokeSponsorshipFields(body.revokeSponsorshipOp);
    case 19:
      return clawbackFields(body.clawbackOp);
    case 20:
      return { balance_id: balanceIdHex(body.clawbackClaimableBalanceOp.balanceId) };
    case 21:
      return setTrustLineFlagsFields(body.setTrustLineFlagsOp);
    case 24:
      return hostFunctionFields(body.invokeHostFunctionOp, at);
    default:
      return {};
  }
}
