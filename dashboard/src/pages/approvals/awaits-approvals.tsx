import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import { IconUserCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Decide, TakeBack } from './decide.tsx';
import { Decisions } from './decisions.tsx';
import type { ApprovalRequest } from './request.ts';
import { useDeciding } from './use-deciding.ts';

type Props = {
  request: ApprovalRequest;
  /** What has not happened yet. */
  words: string;
  mb?: 'lg' | 0;
  /** What the page knows beside the card. */
  children?: ReactNode;
};

/** The section of a page whose withdrawal or payout awaits approvals: what a card has, on the page itself. */
export function AwaitsApprovals({ request, words, mb = 0, children }: Props) {
  const { asked, facts } = request;
  return (
    <Paper withBorder p="lg" component="section" aria-labelledby="approval" mb={mb} maw={820}>
      <Stack gap="sm">
        <Group gap="xs" wrap="nowrap">
          <IconUserCheck size={20} aria-hidden="true" />
          <Title order={2} size="h4" id="approval">
            Awaits approvals
          </Title>
        </Group>
        <Text size="sm">{words}</Text>
        {facts}
        <Decisions asked={asked} />
        {children}
        <Decide request={request} deciding={useDeciding(asked.id)} />
        <TakeBack request={request} />
      </Stack>
    </Paper>
  );
}
