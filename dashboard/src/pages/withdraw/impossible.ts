/** Pure: which previewed withdrawals cannot be paid now, whatever happens in the next moments. */
import type { WithdrawalPreview } from '../../api/contract.ts';

/** Of these failures nothing is in doubt. Others depend on what an issuer or a payee does: they may be sent all the same. */
const NEVER_PAID = ['op_underfunded', 'op_no_destination'];

/** Whether the service refuses it, or the network would certainly fail it and keep the fee. */
export function isImpossible({ would_send, problems }: WithdrawalPreview): boolean {
  return !would_send || problems.some(({ code }) => NEVER_PAID.includes(code));
}
