import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import type { ApprovalRule, Policy } from '../../api/contract.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { approvalsText } from '../../text/approvals.ts';
import { unitOf } from '../../text/asset.ts';
import { formatUnits } from '../../text/money.ts';
import { KIND_WORDS } from './approval-kinds.ts';
import { ApprovalsDialog } from './approvals-dialog.tsx';
import { Rule } from './rule.tsx';
import { useChangePolicy } from './use-policy.ts';

/** What other members must approve. */
export function ApprovalsRule({ policy }: { policy: Policy }) {
  const { approvals, wallet_id, pending } = policy;
  const [dialog, setDialog] = useState<'set' | 'remove' | null>(null);
  const close = () => setDialog(null);
  return (
    <Rule
      walletId={wallet_id}
      title="Approvals"
      description="Members other than the one who asks must approve first. Owners, admins and approvers may."
      actions={
        <>
          {approvals && (
            <Button variant="subtle" onClick={() => setDialog('remove')}>
              Remove the approvals
            </Button>
          )}
          <Button variant="default" onClick={() => setDialog('set')}>
            {approvals ? 'Change the approvals' : 'Ask for approvals'}
          </Button>
        </>
      }
      pending={pending.filter(({ field }) => field === 'approvals')}
      words={({ new_approvals }) =>
        new_approvals ? `Will be asked for: ${ruleInWords(new_approvals)}` : 'No approvals will be asked for'
      }
    >
      <Text fw={600}>{approvals ? ruleInWords(approvals) : 'None: every member acts alone'}</Text>
      {dialog === 'set' && <ApprovalsDialog policy={policy} onClose={close} />}
      {dialog === 'remove' && <RemoveDialog policy={policy} onClose={close} />}
    </Rule>
  );
}

function ruleInWords({ required, above, for: kinds, without_factor }: ApprovalRule): string {
  const amounts = above.map((entry) => `${formatUnits(entry.amount_stroops)} ${unitOf(entry)}`);
  const what = kinds.map((kind) => {
    if (kind !== 'withdrawals') return KIND_WORDS[kind];
    return amounts.length === 0
      ? 'every withdrawal'
      : `withdrawals above ${amounts.join(' or ')} in 24 hours, and of other assets`;
  });
  const from = without_factor ? ', also of members without a second factor' : '';
  return `${approvalsText(required)} for ${what.join('; ')}${from}`;
}

function RemoveDialog({ policy, onClose }: { policy: Policy; onClose: () => void }) {
  const change = useChangePolicy(policy, onClose);
  return (
    <ConfirmDialog
      title="Remove the approvals?"
      action="Remove the approvals"
      danger
      pending={change.isPending}
      error={change.error}
      onConfirm={() => change.mutate({ approvals: null })}
      onClose={onClose}
    >
      This change needs approvals itself. Until it has them, the rule stays.
    </ConfirmDialog>
  );
}
