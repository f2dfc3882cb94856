import { addBalance, availableBalance } from '../account.ts';
import { NATIVE } from '../asset.ts';
import { sameBytes } from '../bytes.ts';
import { loadAccount, storeAccount } from '../ledger-txn.ts';
import { ed25519Of } from '../transaction.ts';
import type { OperationResult, OperationRules } from './rules.ts';
import { MEDIUM, OP_NO_ACCOUNT } from './rules.ts';

type Code = 0 | -1 | -2 | -5 | -8;
const MALFORMED = -1;
const UNDERFUNDED = -2;
const NO_DESTINATION = -5;
const LINE_FULL = -8;

const result = (code: Code): OperationResult => ({ code: 0, tr: { type: 1, paymentResult: { code } } });

/**
 * Payment of the native asset (stellar-core, PaymentOpFrame.cpp by way of PathPaymentStrictReceiveOpFrame.cpp:
 * the destination is credited before the source is debited, so a full destination wins over an empty source).
 */
export const payment: OperationRules<1> = {
  type: 1,
  success: result(0),
  supported: ({ paymentOp }) => paymentOp.asset.type === 0,
  threshold: () => MEDIUM,

  check({ paymentOp }) {
    return paymentOp.amount <= 0n ? result(MALFORMED) : null;
  },

  apply({ paymentOp: { destination, amount } }, { header, source, txn, events }) {
    const to = ed25519Of(destination);
    if (sameBytes(to, source)) {
      // Paying oneself succeeds without a look at the balance, and is an event like any other.
      events.transfer(NATIVE, { type: 0, ed25519: source }, destination, amount, 'with_muxed_id');
      return result(0);
    }

    const receiver = loadAccount(txn, to);
    if (receiver === undefined) return result(NO_DESTINATION);
    const credited = addBalance(header, receiver, amount);
    if (credited === undefined) return result(LINE_FULL);
    storeAccount(txn, credited);

    const payer = loadAccount(txn, source);
    if (payer === undefined) return OP_NO_ACCOUNT;
    if (amount > availableBalance(header, payer)) return result(UNDERFUNDED);
    const charged = addBalance(header, payer, -amount);
    if (charged === undefined) return result(UNDERFUNDED);
    storeAccount(txn, charged);
    events.transfer(NATIVE, { type: 0, ed25519: source }, destination, amount, 'with_muxed_id');
    return result(0);
  },
};
