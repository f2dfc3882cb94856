import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import type { Policy } from '../../api/contract.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { ApprovalsDialog } from './approvals-dialog.tsx';
import { Rule } from './rule.tsx';
import { ruleInWords } from './rule-words.ts';
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
    >
      <Text fw={600}>{approvals ? ruleInWords(approvals) : 'None: every member acts alone'}</Text>
      {dialog === 'set' && <ApprovalsDialog policy={policy} onClose={close} />}
      {dialog === 'remove' && <RemoveDialog policy={policy} onClose={close} />}
    </Rule>
  );
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
