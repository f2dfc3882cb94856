/** Pure: what a node said to a submission, in our words. */
import { xdr } from '@stellar/stellar-sdk';
import type { SubmitHint } from '../stellar.ts';
import { outcomeOf } from '../transactions/result-codes.ts';

const ANSWERS: Record<string, SubmitHint['answer'] | undefined> = {
  PENDING: 'pending',
  DUPLICATE: 'duplicate',
  TRY_AGAIN_LATER: 'try_again_later',
  ERROR: 'refused',
};

/** `status` as stellar-core has it; the result (base64 XDR) of a refusal. A hint need not be readable. */
export function hintOf(status: string, error_result_xdr: string | undefined): SubmitHint {
  const answer = ANSWERS[status] ?? 'no_answer';
  if (answer !== 'refused')
    return { answer, code: answer === 'no_answer' ? status : null, fee_needed_stroops: null };
  try {
    const result = xdr.TransactionResult.fromXdr(error_result_xdr ?? '', 'base64');
    const code = outcomeOf(result).failure_code;
    // stellar-core tells the fee that would be enough as the one charged (TransactionQueue::canAdd).
    return { answer, code, fee_needed_stroops: code === 'tx_insufficient_fee' ? result.feeCharged : null };
  } catch {
    return { answer, code: 'unreadable', fee_needed_stroops: null };
  }
}
