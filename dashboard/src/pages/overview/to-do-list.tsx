import { Anchor, Card, List, ThemeIcon, Title } from '@mantine/core';
import { IconAlertTriangle, IconArrowRight } from '@tabler/icons-react';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { approvalsQuery } from '../../api/approvals.ts';
import { factorsQuery } from '../../api/factors.ts';
import { useMay } from '../../api/me.ts';
import { healthQuery, walletQuery } from '../../api/wallets.ts';
import { toDo } from './to-do.ts';

/** What waits for the reader, with links to where it is done. Shows nothing when nothing waits. */
export function ToDoList({ walletId }: { walletId: string }) {
  const health = useQuery(healthQuery(walletId));
  const approvals = useQuery(approvalsQuery);
  const factors = useQuery(factorsQuery);
  const { data: wallet } = useQuery(walletQuery(walletId));
  const may = useMay();
  const waiting = toDo({
    health: knownNow(health),
    approvals: knownNow(approvals)?.items,
    factors: knownNow(factors),
    isPublic: wallet?.network === 'public',
    may,
  });
  if (waiting.length === 0) return null;
  return (
    <Card withBorder padding="lg" component="section" aria-labelledby="to-do">
      <Title order={2} size="h4" mb="sm" id="to-do">
        To do
      </Title>
      <List listStyleType="none" spacing="xs" center>
        {waiting.map(({ words, to, isUrgent }) => (
          <List.Item
            key={to}
            icon={
              <ThemeIcon variant="light" radius="xl" size="sm" color={isUrgent ? 'red' : 'yellow'}>
                {isUrgent ? <IconAlertTriangle size={14} /> : <IconArrowRight size={14} />}
              </ThemeIcon>
            }
          >
            <Anchor size="sm" renderRoot={(props) => <Link to={to} params={{ walletId }} {...props} />}>
              {words}
            </Anchor>
          </List.Item>
        ))}
      </List>
    </Card>
  );
}

/** What was read is not known now while it cannot be read again. */
function knownNow<T>({ data, failureReason }: UseQueryResult<T>): T | undefined {
  return failureReason ? undefined : data;
}
