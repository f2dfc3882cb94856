/** Pure: a node's answer to a submission as a SubmitHint. */
import { xdr } from '../protocol/sdk.ts';
import type { SubmitHint } from '../stellar.ts';
import { outcomeOf } from '../transactions/result-codes.ts';

const ANSWERS: Record<string, SubmitHint['answer'] | undefined> = {
  PENDING: 'pending',
  DUPLICATE: 'duplicate',
  TRY_AGAIN_LATER: 'try_again_later',
  ERROR: 'refused',
};

/** Reads a hint. `status`: as stellar-core names it. `error_result_xdr`: base64, of a refusal. Never throws: it is only a hint. */
export function hintOf(status: string, error_result_xdr: string | undefined): SubmitHint {
  const answer = ANSWERS[status] ?? 'no_answer';
  if (answer !== 'refused')
    return { answer, code: answer === 'no_answer' ? status : null, fee_needed_stroops: null };
  try {
    const result = xdr.TransactionResult.fromXdr(error_result_xdr ?? '', 'base64');
    const code = outcomeOf(result).failure_code;
    // Here `feeCharged` is the fee that would be enough (stellar-core TransactionQueue::canAdd).
    return { answer, code, fee_needed_stroops: code === 'tx_insufficient_fee' ? result.feeCharged : null };
  } catch {
    return { answer, code: 'unreadable', fee_needed_stroops: null };
  }
}
