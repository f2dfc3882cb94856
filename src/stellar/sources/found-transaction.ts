import { UnusableAnswer, xdrBytes } from '../answers/answers.ts';
import type { CheckedTransaction } from '../answers/source.ts';
import { appliedTransaction } from '../transactions/applied.ts';

/** A transaction as a source states it, not proven yet. XDR in base64. */
export type StatedTransaction = {
  ledger: number;
  successful: boolean;
  envelope_xdr: string;
  result_xdr: string;
  meta_xdr: string | null;
  close_time: bigint | null;
};

/**
 * Checks a transaction that a source found under the asked hash (inner or outer): its XDR must have this hash and the
 * stated outcome. @throws UnusableAnswer
 */
export function checkFound(
  method: string,
  asked: { passphrase: string; hash: string },
  stated: StatedTransaction,
): CheckedTransaction {
  const transaction = {
    ledger: stated.ledger,
    envelope: xdrBytes(method, stated.envelope_xdr),
    result: xdrBytes(method, stated.result_xdr),
    meta: stated.meta_xdr === null ? null : xdrBytes(method, stated.meta_xdr),
  };
  const applied = appliedTransaction(asked.passphrase, transaction);
  if ('unusable' in applied) throw new UnusableAnswer(method, applied.unusable);
  const { ledger, hash, inner_hash, successful, fee_stroops, fee_account, failure_code, call_result } =
    applied;
  if (asked.hash !== hash && asked.hash !== inner_hash)
    throw new UnusableAnswer(method, `asked for ${asked.hash}, got ${hash}`);
  if (successful !== stated.successful) throw new UnusableAnswer(method, 'status and result differ');
  return {
    found: 'applied',
    transaction: { ...transaction, hash },
    close_time: stated.close_time,
    outcome: {
      found: 'applied',
      ledger,
      hash,
      successful,
      fee_stroops,
      fee_account,
      failure_code,
      call_result,
    },
  };
}
