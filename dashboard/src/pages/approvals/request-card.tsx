import './request-card.css';
import { Flex, Paper, Stack, Text } from '@mantine/core';
import type { ReactNode, RefObject } from 'react';
import { RelativeTime } from '../../components/date-time.tsx';
import { About } from './about.tsx';
import type { ApprovalRequest } from './request.ts';

type Props = {
  request: ApprovalRequest;
  is_open: boolean;
  /** How it stands, or how it ended. */
  badge: ReactNode;
  /** What can be done about it, at the end of the card. */
  children?: ReactNode;
};

/** One request of a list, whatever its kind. */
export function RequestCard({ request, is_open, badge, children }: Props) {
  const { facts, asked, link } = request;
  return (
    <Paper component="li" withBorder p="md" tabIndex={-1}>
      <Stack gap="sm">
        <Flex direction={{ base: 'column-reverse', sm: 'row' }} gap="sm">
          <div style={{ flex: 1, minWidth: 0 }}>{facts}</div>
          <Flex direction={{ base: 'row', sm: 'column' }} align={{ base: 'center', sm: 'flex-end' }} gap={6}>
            {badge}
            {is_open && asked.approval_expires_at && (
              <Text size="xs" c="dimmed">
                ends <RelativeTime at={asked.approval_expires_at} />
              </Text>
            )}
          </Flex>
        </Flex>
        <About request={request} is_open={is_open} />
        {link && <div>{link}</div>}
        {children}
      </Stack>
    </Paper>
  );
}

type ListProps = { ref?: RefObject<HTMLUListElement | null>; children: ReactNode };

export function CardList({ ref, children }: ListProps) {
  return (
    <ul {...(ref && { ref })} className="cards">
      {children}
    </ul>
  );
}
