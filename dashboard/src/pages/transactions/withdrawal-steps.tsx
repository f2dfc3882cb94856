import type { Withdrawal } from '../../api/contract.ts';
import { When } from '../../parts/when.tsx';
import type { Step } from './history.tsx';

/** What happened to a withdrawal so far, and what is waited for. */
export function stepsOf(withdrawal: Withdrawal): Step[] {
  const { status, created_at, signed_at, committed_at, fee_bumps, expires_at } = withdrawal;
  const steps: Step[] = [{ title: 'Created', at: created_at, state: 'done' }];
  if (signed_at) {
    const text = 'One envelope: no other will ever be signed for it.';
    steps.push({ title: 'Signed', at: signed_at, state: 'done', text });
  }
  if (committed_at) steps.push({ title: 'Sent to the network', at: committed_at, state: 'done' });
  if (fee_bumps > 0) {
    const text = `${fee_bumps === 1 ? 'Once' : `${fee_bumps} times`}: the same payment, with a higher fee.`;
    steps.push({ title: 'Fee-bumped', state: 'done', text });
  }
  if (status !== 'pending') return [...steps, provenStep(withdrawal)];
  if (!signed_at)
    return [...steps, { title: 'Signature', state: 'waiting', text: 'It waits for a free lane.' }];
  const text = expires_at && (
    <>
      By <When at={expires_at} seconds /> it is in a ledger, or never can be.
    </>
  );
  return [...steps, { title: 'Proof by a closed ledger', state: 'waiting', text }];
}

function provenStep({ status, settled_at, ledger, failure }: Withdrawal): Step {
  if (status === 'confirmed')
    return { title: 'Proven: confirmed', at: settled_at, state: 'good', text: `In ledger ${ledger}.` };
  const where = ledger === null ? '' : ` (ledger ${ledger})`;
  return { title: 'Proven: failed', at: settled_at, state: 'bad', text: `${failure?.message ?? ''}${where}` };
}
