import { useQuery } from '@tanstack/react-query';
import { approvalsQuery } from '../../api/approvals.ts';
import { Loaded } from '../../components/loaded.tsx';
import { Page } from '../../components/page.tsx';
import { Waiting } from './waiting.tsx';

/** What awaits approvals in the team. */
export function Approvals() {
  const query = useQuery(approvalsQuery);
  return (
    <Page
      title="Approvals"
      description="Withdrawals, payouts, changes of policies and changes of access that other members must approve before they happen."
    >
      <Loaded query={query} lines={6}>
        {({ items }) => <Waiting items={items} />}
      </Loaded>
    </Page>
  );
}
