import type { AppliedOperation } from './applied-operation.ts';
import { bumpSequenceEffects, manageDataEffects, setOptionsEffects } from './effects/account-settings.ts';
import {
  claimClaimableBalanceEffects,
  clawbackClaimableBalanceEffects,
  createClaimableBalanceEffects,
} from './effects/claimable-balances.ts';
import type { Effect } from './effects/effect.ts';
import { hostFunctionEffects } from './effects/host-function.ts';
import {
  accountMergeEffects,
  clawbackEffects,
  createAccountEffects,
  inflationEffects,
  paymentEffects,
  strictReceiveEffects,
  strictSendEffects,
} from './effects/payments.ts';
import { sponsorshipEffects } from './effects/sponsorship.ts';
import { offerEffects } from './effects/trades.ts';
import { allowTrustEffects, changeTrustEffects, setTrustLineFlagsEffects } from './effects/trust-lines.ts';

/**
 * The effects of the operation in Horizon's order, which decides their numbers: first those of its kind, then those
 * of sponsorship. A failed transaction has none. Id, paging_token, _links and created_at are added later.
 * Source: Horizon, effects_processor.go, through protocols/horizon/effects.
 */
export function effectsOf(at: AppliedOperation): Effect[] {
  return at.successful ? [...kindEffects(at), ...sponsorshipEffects(at)] : [];
}

function kindEffects(at: AppliedOperation): Effect[] {
  const { body } = at.operation;
  switch (body.type) {
    case 0:
      return createAccountEffects(body.createAccountOp, at);
    case 1:
      return paymentEffects(body.paymentOp, at);
    case 2:
      return strictReceiveEffects(body.pathPaymentStrictReceiveOp, at);
    case 3:
    case 4:
    case 12:
      return offerEffects(at);
    case 5:
      return setOptionsEffects(body.setOptionsOp, at);
    case 6:
      return changeTrustEffects(body.changeTrustOp, at);
    case 7:
      return allowTrustEffects(body.allowTrustOp, at);
    case 8:
      return accountMergeEffects(body.destination, at);
    case 9:
      return inflationEffects(at);
    case 10:
      return manageDataEffects(body.manageDataOp, at);
    case 11:
      return bumpSequenceEffects(at);
    case 13:
      return strictSendEffects(body.pathPaymentStrictSendOp, at);
    case 14:
      return createClaimableBalanceEffects(body.createClaimableBalanceOp, at);
    case 15:
      return claimClaimableBalanceEffects(at);
    case 19:
      return clawbackEffects(body.clawbackOp, at);
    case 20:
      return clawbackClaimableBalanceEffects(at);
    case 21:
      return setTrustLineFlagsEffects(body.setTrustLineFlagsOp, at);
    case 24:
      return hostFunctionEffects(at);
    default:
      return []; // beginning, ending and revoking a sponsorship only show in the entries
  }
}
