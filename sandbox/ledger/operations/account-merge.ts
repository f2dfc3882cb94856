import { AUTH_IMMUTABLE, addBalance, numSponsoring, startingSequence } from '../account.ts';
import { NATIVE } from '../asset.ts';
import { sameBytes } from '../bytes.ts';
import type { Account } from '../entry.ts';
import { accountKey } from '../entry.ts';
import { loadAccount, storeAccount } from '../ledger-txn.ts';
import { removeEntry, removeSigner } from '../sponsorship.ts';
import { ed25519Of } from '../transaction.ts';
import type { ApplyContext, OperationResult, OperationRules } from './rules.ts';
import { HIGH, OP_NO_ACCOUNT } from './rules.ts';

type Failure = -1 | -2 | -3 | -4 | -5 | -6 | -7;
const MALFORMED = -1;
const NO_ACCOUNT = -2;
const IMMUTABLE_SET = -3;
const HAS_SUB_ENTRIES = -4;
const SEQNUM_TOO_FAR = -5;
const DEST_FULL = -6;
const IS_SPONSOR = -7;

const failure = (code: Failure): OperationResult => ({
  code: 0,
  tr: { type: 8, accountMergeResult: { code } },
});

const merged = (sourceAccountBalance: bigint): OperationResult => ({
  code: 0,
  tr: { type: 8, accountMergeResult: { code: 0, sourceAccountBalance } },
});

/** stellar-core, MergeOpFrame.cpp. Signers do not prevent a merge; they are removed with the account. */
export const accountMerge: OperationRules<8> = {
  type: 8,
  success: merged(0n),
  supported: () => true,
  threshold: () => HIGH,

  check({ destination }, { source }) {
    return sameBytes(ed25519Of(destination), source) ? failure(MALFORMED) : null;
  },

  apply({ destination }, context) {
    const { header, source, txn, events } = context;
    const to = ed25519Of(destination);
    if (loadAccount(txn, to) === undefined) return failure(NO_ACCOUNT);
    const account = loadAccount(txn, source);
    if (account === undefined) return OP_NO_ACCOUNT;
    const obstacle = obstacleOf(account, context);
    if (obstacle !== undefined) return failure(obstacle);

    storeAccount(txn, withoutSigners(account, context));
    // Read again: the destination may have sponsored the signers.
    const heir = loadAccount(txn, to);
    const enriched = heir && addBalance(header, heir, account.balance);
    if (enriched === undefined) return failure(DEST_FULL);
    storeAccount(txn, enriched);
    removeEntry(context, accountKey(source));
    events.transfer(NATIVE, { type: 0, ed25519: source }, destination, account.balance, 'with_muxed_id');
    return merged(account.balance);
  },
};

function obstacleOf(account: Account, { header, source, sponsorships, ...context }: ApplyContext) {
  if ((account.flags & AUTH_IMMUTABLE) !== 0) return IMMUTABLE_SET;
  if (account.numSubEntries !== account.signers.length) return HAS_SUB_ENTRIES;
  // Q13: if the account is created again in this ledger, it starts at this number. No higher number may have been
  // used, or be used by another transaction of this ledger.
  const start = startingSequence(header);
  const promised = context.highestSequence(source) ?? 0n;
  if (account.seqNum >= start || promised >= start) return SEQNUM_TOO_FAR;
  return sponsorships.isSponsoring(source) || numSponsoring(account) > 0 ? IS_SPONSOR : undefined;
}

function withoutSigners(account: Account, { txn }: ApplyContext): Account {
  let left = account;
  while (left.signers.length > 0) left = removeSigner(txn, left, left.signers.length - 1);
  return left;
}
