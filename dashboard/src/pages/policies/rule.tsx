import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { IconClock } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { PendingPolicyChange } from '../../api/contract.ts';
import { useMay } from '../../api/me.ts';
import { DateTime, RelativeTime } from '../../components/date-time.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { Decide } from '../approvals/decide.tsx';
import { Decisions } from '../approvals/decisions.tsx';
import { useDeciding } from '../approvals/use-deciding.ts';
import { changeRequest } from './change-request.tsx';
import { ChangeWords } from './change-words.tsx';
import { useRevoke } from './use-policy.ts';

type Props = {
  walletId: string;
  title: string;
  /** The purpose of the rule, or what it is about. */
  description: ReactNode;
  /** The buttons that change the rule. */
  actions: ReactNode;
  pending: PendingPolicyChange[];
  /** The rule in force. */
  children: ReactNode;
};

/** One rule: in force, pending, and its buttons. */
export function Rule({ walletId, title, description, actions, pending, children }: Props) {
  const may = useMay();
  return (
    <Paper withBorder p="lg" component="section" aria-label={title}>
      <Stack gap="sm">
        <Group justify="space-between" align="flex-start" gap="sm">
          <div style={{ flex: '1 1 260px' }}>
            <Title order={2} size="h4">
              {title}
            </Title>
            <Text size="sm" c="dimmed" component="div">
              {description}
            </Text>
          </div>
          {may('changePolicy') && <Group gap="xs">{actions}</Group>}
        </Group>
        {children}
        {pending.map((change) => (
          <Pending key={change.id} walletId={walletId} change={change} />
        ))}
      </Stack>
    </Paper>
  );
}

function Pending({ walletId, change }: { walletId: string; change: PendingPolicyChange }) {
  const revoke = useRevoke(walletId);
  const may = useMay();
  const deciding = useDeciding(change.id);
  const awaits = change.status === 'awaiting_approval';
  const { takes_effect_at } = change;
  return (
    <Paper bg="var(--mantine-color-yellow-light)" p="sm">
      <Group justify="space-between" gap="sm">
        <Group gap="sm" wrap="nowrap" align="flex-start" style={{ flex: '1 1 240px' }}>
          <IconClock size={20} aria-hidden="true" style={{ flex: 'none' }} />
          <div>
            <Text size="sm" component="div">
              <ChangeWords change={change} />
            </Text>
            {awaits ? (
              <Decisions asked={change} />
            ) : (
              <Text size="sm">
                <strong>
                  <RelativeTime at={takes_effect_at} />
                </strong>
                , <DateTime at={takes_effect_at} />
              </Text>
            )}
          </div>
        </Group>
        {awaits && <Decide request={changeRequest(walletId, change, true)} deciding={deciding} />}
        {may('revokePolicyChange') && (
          <Button
            size="xs"
            variant="default"
            loading={revoke.isPending}
            onClick={() => revoke.mutate(change)}
          >
            Cancel the change
          </Button>
        )}
      </Group>
      {revoke.error && <ErrorAlert error={revoke.error} />}
    </Paper>
  );
}
