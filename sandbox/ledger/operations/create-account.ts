import { addBalance, availableBalance, newAccount } from '../account.ts';
import { NATIVE } from '../asset.ts';
import { sameBytes } from '../bytes.ts';
import { accountKey } from '../entry.ts';
import { loadAccount, storeAccount } from '../ledger-txn.ts';
import { createEntry } from '../sponsorship.ts';
import type { OperationResult, OperationRules } from './rules.ts';
import { MEDIUM, OP_NO_ACCOUNT, reserveFailure } from './rules.ts';

type Code = 0 | -1 | -2 | -3 | -4;
const MALFORMED = -1;
const UNDERFUNDED = -2;
const LOW_RESERVE = -3;
const ALREADY_EXIST = -4;

const result = (code: Code): OperationResult => ({ code: 0, tr: { type: 0, createAccountResult: { code } } });

/** stellar-core, CreateAccountOpFrame.cpp. A starting balance of 0 is allowed since protocol 14 (sponsorship). */
export const createAccount: OperationRules<0> = {
  type: 0,
  success: result(0),
  supported: () => true,
  threshold: () => MEDIUM,

  check({ createAccountOp: { destination, startingBalance } }, { source }) {
    const malformed = startingBalance < 0n || sameBytes(destination.ed25519, source);
    return malformed ? result(MALFORMED) : null;
  },

  apply({ createAccountOp: { destination, startingBalance } }, context) {
    const { header, source, txn, events } = context;
    if (loadAccount(txn, destination.ed25519) !== undefined) return result(ALREADY_EXIST);
    const account = { ...newAccount(destination.ed25519, header), balance: startingBalance };
    const key = accountKey(destination.ed25519);
    // The new account comes before its creator: a sponsor must have the reserve left before it pays the balance.
    const problem = createEntry(context, key, { type: 0, account }, source);
    if (problem !== undefined) return reserveFailure(problem, result(LOW_RESERVE));

    const payer = loadAccount(txn, source);
    if (payer === undefined) return OP_NO_ACCOUNT;
    if (availableBalance(header, payer) < startingBalance) return result(UNDERFUNDED);
    const charged = addBalance(header, payer, -startingBalance);
    if (charged === undefined) return result(UNDERFUNDED);
    storeAccount(txn, charged);
    const to = { type: 0, ed25519: destination.ed25519 } as const;
    events.transfer(NATIVE, { type: 0, ed25519: source }, to, startingBalance, 'with_muxed_id');
    return result(0);
  },
};
