import type { PathResult } from './path-payment.ts';
import {
  CONSTRAINT_NOT_MET,
  creditDestination,
  debitSource,
  destinationProblem,
  failedTrade,
  NEVER_TRIED,
  paid,
  pathProblem,
  tradeAlong,
} from './path-payment.ts';
import type { OperationResult, OperationRules } from './rules.ts';
import { MEDIUM } from './rules.ts';

const wrap = (result: PathResult): OperationResult => ({
  code: 0,
  tr: { type: 2, pathPaymentStrictReceiveResult: result },
});

/** stellar-core, PathPaymentStrictReceiveOpFrame.cpp: credits the destination before any trade or payment. */
export const pathPaymentStrictReceive: OperationRules<2> = {
  type: 2,
  success: wrap(NEVER_TRIED),
  supported: () => true,
  threshold: () => MEDIUM,

  check({ pathPaymentStrictReceiveOp: payment }) {
    const code = pathProblem(payment, payment.destAmount, payment.sendMax);
    return code === undefined ? null : wrap({ code });
  },

  apply({ pathPaymentStrictReceiveOp: payment }, context) {
    const { destAmount, sendMax } = payment;
    const undeliverable =
      destinationProblem(payment, context) ?? creditDestination(payment, destAmount, context);
    if (undeliverable !== undefined) return wrap({ code: undeliverable });

    const trade = tradeAlong(payment, { strict: 'strict_receive', amount: destAmount }, context);
    if (typeof trade !== 'object') return failedTrade(trade, wrap);
    if (trade.amount > sendMax) return wrap({ code: CONSTRAINT_NOT_MET });
    const unpaid = debitSource(payment, trade.amount, context);
    if (unpaid !== undefined) return wrap({ code: unpaid });
    return wrap(paid(payment, destAmount, trade.claimed, context));
  },
};
