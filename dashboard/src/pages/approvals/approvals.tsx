import { Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { approvalsQuery } from '../../api/approvals.ts';
import { Loaded } from '../../components/loaded.tsx';
import { Page } from '../../components/page.tsx';
import { DecidedList } from './decided-list.tsx';
import { readApprovalsSearch } from './search.ts';
import { Waiting } from './waiting.tsx';

/** What awaits approvals in the team, and what has been decided. */
export function Approvals() {
  const query = useQuery(approvalsQuery);
  const { tab = 'waiting' } = useSearch({ from: '/signed-in/approvals' });
  const navigate = useNavigate();
  const open = (next: string | null) =>
    void navigate({ to: '/approvals', search: readApprovalsSearch({ tab: next }) });
  const count = query.data === undefined ? '' : ` (${query.data.items.length})`;
  return (
    <Page
      title="Approvals"
      description="Withdrawals, payouts, changes of policies and changes of access that other members must approve before they happen."
    >
      <Tabs value={tab} onChange={open} keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="waiting">Waiting{count}</Tabs.Tab>
          <Tabs.Tab value="decided">Decided</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="waiting">
          <Loaded query={query} lines={6}>
            {({ items }) => <Waiting items={items} />}
          </Loaded>
        </Tabs.Panel>
        <Tabs.Panel value="decided">
          <DecidedList />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
