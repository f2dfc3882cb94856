import { Badge, Button, Stack, Text } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { askedOf } from '../../api/approvals.ts';
import { api } from '../../api/client.ts';
import type { DecidedApproval } from '../../api/contract.ts';
import { DateTime } from '../../components/date-time.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { useInfiniteList } from '../../components/use-infinite-list.ts';
import type { ApprovalRequest } from './request.ts';
import { CardList, RequestCard } from './request-card.tsx';
import { requestOf } from './request-of.tsx';

/** A list that grows has items with ids. A change that was decided twice is in it twice. */
type Item = DecidedApproval & { id: string };

const LIST = {
  queryKey: ['approvals', 'decided'],
  fetchPage: async (query: { cursor?: string }, given: { signal?: AbortSignal }) => {
    const { items, next_cursor } = await api('listDecidedApprovals', { query, ...given });
    const withId = (item: DecidedApproval): Item => ({
      ...item,
      id: `${askedOf(item)?.id ?? ''} ${item.decided_at}`,
    });
    return { items: items.map(withId), next_cursor };
  },
};

/** What has been decided, newest first. */
export function DecidedList() {
  const { query, hasOlder, older, loadOlder } = useInfiniteList<Item>(LIST, true);
  return (
    <Loaded query={query} lines={6}>
      {({ items }) =>
        items.length === 0 ? (
          <EmptyState icon={IconCheck} title="Nothing has been decided yet" />
        ) : (
          <Stack gap="sm" maw={820} align="flex-start">
            <CardList>
              {items.map((item) => (
                <Card key={item.id} item={item} />
              ))}
            </CardList>
            {older.error && <ErrorAlert error={older.error} retry={loadOlder} />}
            {hasOlder && (
              <Button variant="default" loading={older.isPending} onClick={loadOlder}>
                Show older decisions
              </Button>
            )}
          </Stack>
        )
      }
    </Loaded>
  );
}

const WORDS = {
  approved: ['Approved', 'teal'],
  not_needed: ['Carried out, needed no approvals', 'gray'],
  rejected: ['Rejected', 'red'],
  approval_expired: ['Not approved in time', 'gray'],
  requester_removed: ['Requester removed', 'gray'],
  cancelled: ['Cancelled', 'gray'],
} as const;

function Card({ item }: { item: Item }) {
  const request = requestOf(item);
  if (request === null) return null;
  return <RequestCard request={request} is_open={false} badge={<Outcome item={item} request={request} />} />;
}

function Outcome({
  item: { outcome, decided_at },
  request: { asked },
}: {
  item: Item;
  request: ApprovalRequest;
}) {
  const taken_back = outcome === 'rejected' && asked.approvals.at(-1)?.user_id === asked.requested_by;
  const [word, color] = taken_back ? ['Taken back', 'gray'] : WORDS[outcome];
  return (
    <>
      <Badge color={color}>{word}</Badge>
      <Text size="xs" c="dimmed">
        <DateTime at={decided_at} />
      </Text>
    </>
  );
}
