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
  tr: { type: 13, pathPaymentStrictSendResult: result },
});

/** stellar-core, PathPaymentStrictSendOpFrame.cpp: debits the source before any trade or delivery. */
export const pathPaymentStrictSend: OperationRules<13> = {
  type: 13,
  success: wrap(NEVER_TRIED),
  supported: () => true,
  threshold: () => MEDIUM,

  check({ pathPaymentStrictSendOp: payment }) {
    const code = pathProblem(payment, payment.sendAmount, payment.destMin);
    return code === undefined ? null : wrap({ code });
  },

  apply({ pathPaymentStrictSendOp: payment }, context) {
    const { sendAmount, destMin } = payment;
    const unpaid = destinationProblem(payment, context) ?? debitSource(payment, sendAmount, context);
    if (unpaid !== undefined) return wrap({ code: unpaid });

    const trade = tradeAlong(payment, { strict: 'strict_send', amount: sendAmount }, context);
    if (typeof trade !== 'object') return failedTrade(trade, wrap);
    if (trade.amount < destMin) return wrap({ code: CONSTRAINT_NOT_MET });
    const undeliverable = creditDestination(payment, trade.amount, context);
    if (undeliverable !== undefined) return wrap({ code: undeliverable });
    return wrap(paid(payment, trade.amount, trade.claimed, context));
  },
};
