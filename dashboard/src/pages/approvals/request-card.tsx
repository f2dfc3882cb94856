import './request-card.css';
import { Flex, Paper, Stack, Text } from '@mantine/core';
import type { ReactNode, RefObject } from 'react';
import { useWallets } from '../../api/wallets.ts';
import { RelativeTime } from '../../components/date-time.tsx';
import { isolated } from '../../text/isolate.ts';
import { Decisions } from './decisions.tsx';
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
  const { facts, asked, wallet_id, link } = request;
  const wallet = useWallets().find(({ id }) => id === wallet_id);
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
        <div>
          {wallet && <Text size="sm">Wallet: {isolated(wallet.name)}</Text>}
          <Decisions asked={asked} is_open={is_open} />
        </div>
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
