import { accountMerge } from './account-merge.ts';
import { allowTrust } from './allow-trust.ts';
import { bumpSequence } from './bump-sequence.ts';
import { changeTrust } from './change-trust.ts';
import { claimClaimableBalance } from './claim-claimable-balance.ts';
import { clawback } from './clawback.ts';
import { clawbackClaimableBalance } from './clawback-claimable-balance.ts';
import { createAccount } from './create-account.ts';
import { createClaimableBalance } from './create-claimable-balance.ts';
import { createPassiveSellOffer } from './create-passive-sell-offer.ts';
import { inflation } from './inflation.ts';
import { invokeHostFunction } from './invoke-host-function.ts';
import { manageBuyOffer } from './manage-buy-offer.ts';
import { manageData } from './manage-data.ts';
import { manageSellOffer } from './manage-sell-offer.ts';
import { pathPaymentStrictReceive } from './path-payment-strict-receive.ts';
import { pathPaymentStrictSend } from './path-payment-strict-send.ts';
import { payment } from './payment.ts';
import type { AnyOperationRules, Body, OperationResult } from './rules.ts';
import { OP_NOT_SUPPORTED } from './rules.ts';
import { setOptions } from './set-options.ts';
import { setTrustLineFlags } from './set-trust-line-flags.ts';
import { beginSponsoring, endSponsoring } from './sponsoring.ts';

const ALL: AnyOperationRules[] = [
  createAccount,
  payment,
  setOptions,
  changeTrust,
  allowTrust,
  setTrustLineFlags,
  accountMerge,
  inflation,
  manageData,
  bumpSequence,
  manageSellOffer,
  manageBuyOffer,
  createPassiveSellOffer,
  pathPaymentStrictReceive,
  pathPaymentStrictSend,
  createClaimableBalance,
  claimClaimableBalance,
  beginSponsoring,
  endSponsoring,
  clawback,
  clawbackClaimableBalance,
  invokeHostFunction,
];

const BY_TYPE = new Map(ALL.map((rules) => [rules.type, rules]));

/** The rules of this operation, or undefined when the network does not support it. */
export function rulesOf(body: Body): AnyOperationRules | undefined {
  const rules = BY_TYPE.get(body.type);
  return rules?.supported(body) ? rules : undefined;
}

/** Whether the network answers this operation as stellar-core does, even if the answer is a refusal. */
export function isCovered(body: Body): boolean {
  return body.type === inflation.type || rulesOf(body) !== undefined;
}

/** The result of an operation that was never tried: stellar-core writes success. */
export function placeholderOf(body: Body): OperationResult {
  return BY_TYPE.get(body.type)?.success ?? OP_NOT_SUPPORTED;
}
