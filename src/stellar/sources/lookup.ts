import { appliedTransaction } from '../transactions/applied.ts';
import { UnusableAnswer, xdrBytes } from './answers.ts';
import type { FoundAtSource } from './source.ts';

/** What a source says of a transaction in a ledger, XDR in base64. */
export type ClaimedTransaction = {
  ledger: number;
  successful: boolean;
  envelope_xdr: string;
  result_xdr: string;
  meta_xdr: string | null;
  close_time: bigint | null;
};

/**
 * A transaction that a source says it has under the hash that we asked for (inner or outer), believed only when its own
 * XDR says the same: this hash, this outcome. @throws UnusableAnswer
 */
export function foundApplied(
  method: string,
  asked: { passphrase: string; hash: string },
  claim: ClaimedTransaction,
): FoundAtSource {
  const transaction = {
    ledger: claim.ledger,
    envelope: xdrBytes(method, claim.envelope_xdr),
    result: xdrBytes(method, claim.result_xdr),
    meta: claim.meta_xdr === null ? null : xdrBytes(method, claim.meta_xdr),
  };
  const applied = appliedTransaction(asked.passphrase, transaction);
  if ('unusable' in applied) throw new UnusableAnswer(method, applied.unusable);
  const { ledger, hash, inner_hash, successful, fee_stroops, fee_account, failure_code } = applied;
  if (asked.hash !== hash && asked.hash !== inner_hash)
    throw new UnusableAnswer(method, `asked for ${asked.hash}, got ${hash}`);
  if (successful !== claim.successful) throw new UnusableAnswer(method, 'status and result differ');
  return {
    found: 'applied',
    transaction: { ...transaction, hash },
    close_time: claim.close_time,
    outcome: { found: 'applied', ledger, hash, successful, fee_stroops, fee_account, failure_code },
  };
}
