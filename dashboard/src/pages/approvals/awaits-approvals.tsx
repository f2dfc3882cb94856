import { Group, Paper, Stack, Title } from '@mantine/core';
import { IconUserCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';

/** The section of a page whose withdrawal or payout awaits approvals. */
export function AwaitsApprovals({ mb = 0, children }: { mb?: 'lg' | 0; children: ReactNode }) {
  return (
    <Paper withBorder p="lg" component="section" aria-labelledby="approval" mb={mb} maw={820}>
      <Stack gap="sm">
        <Group gap="xs" wrap="nowrap">
          <IconUserCheck size={20} aria-hidden="true" />
          <Title order={2} size="h4" id="approval">
            Awaits approvals
          </Title>
        </Group>
        {children}
      </Stack>
    </Paper>
  );
}
