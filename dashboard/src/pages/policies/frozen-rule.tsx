import { Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconLock, IconLockOpen } from '@tabler/icons-react';
import type { Policy } from '../../api/contract.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { EffectNotice } from './effect-notice.tsx';
import { Rule } from './rule.tsx';
import { needsApprovals } from './target.ts';
import { useChangePolicy } from './use-policy.ts';

export function FrozenRule({ policy }: { policy: Policy }) {
  const { frozen, operator_freeze, wallet_id, pending } = policy;
  const [asking, ask] = useDisclosure();
  const thawing = pending.filter(({ field }) => field === 'frozen');
  return (
    <Rule
      walletId={wallet_id}
      title="Withdrawals"
      description="Freeze the wallet when something looks wrong."
      actions={
        (thawing.length === 0 || !frozen) && (
          <Button color={frozen ? 'indigo' : 'red'} variant={frozen ? 'default' : 'light'} onClick={ask.open}>
            {frozen ? 'Unfreeze' : 'Freeze'}
          </Button>
        )
      }
      pending={thawing}
    >
      <Group gap="xs" wrap="nowrap">
        {frozen ? <IconLock size={20} aria-hidden="true" /> : <IconLockOpen size={20} aria-hidden="true" />}
        <Text fw={600}>{ownerWords(policy)}</Text>
      </Group>
      {operator_freeze && (
        <Group gap="xs" wrap="nowrap" mt="xs">
          <IconLock size={20} aria-hidden="true" />
          <Text fw={600}>
            Frozen by the operator of the service: {operator_freeze.reason ?? 'no reason is given'}
          </Text>
        </Group>
      )}
      {asking && <FreezeDialog policy={policy} onClose={ask.close} />}
    </Rule>
  );
}

function ownerWords({ frozen, operator_freeze }: Policy): string {
  if (frozen) return 'Frozen: new withdrawals are rejected';
  return operator_freeze ? 'Not frozen by the owner' : 'Not frozen: withdrawals are accepted';
}

function FreezeDialog({ policy, onClose }: { policy: Policy; onClose: () => void }) {
  const { frozen, operator_freeze, delay_seconds } = policy;
  const change = useChangePolicy(policy, onClose);
  return (
    <ConfirmDialog
      title={frozen ? 'Unfreeze the wallet?' : 'Freeze the wallet?'}
      action={frozen ? 'Unfreeze' : 'Freeze now'}
      danger={!frozen}
      pending={change.isPending}
      error={change.error}
      onConfirm={() => change.mutate({ frozen: !frozen })}
      onClose={onClose}
    >
      <EffectNotice
        effect={frozen ? 'later' : 'at_once'}
        delay_seconds={delay_seconds}
        needs_approvals={needsApprovals(policy, 'other')}
      >
        {frozen
          ? operator_freeze
            ? 'The wallet stays frozen by the operator of the service.'
            : 'The wallet accepts withdrawals again.'
          : 'All new withdrawals are rejected. Withdrawals that were accepted before continue. Deposits are not affected. To unfreeze is a change that allows more.'}
      </EffectNotice>
    </ConfirmDialog>
  );
}
