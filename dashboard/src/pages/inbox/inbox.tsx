import { Switch } from '@mantine/core';
import { IconInbox } from '@tabler/icons-react';
import { useParams } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import { api } from '../../api/client.ts';
import type { Deposit } from '../../api/contract.ts';
import { rolesOf, useMay, useMe } from '../../api/me.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { InfiniteTable } from '../../components/infinite-table.tsx';
import { Page } from '../../components/page.tsx';
import { rolesInWords } from '../../text/roles.ts';
import { AssignDialog } from './assign-dialog.tsx';
import { type Action, inboxColumns } from './columns.tsx';
import { RefundDialog } from './refund-dialog.tsx';

export function Inbox() {
  const { walletId } = useParams({ from: '/signed-in/wallets/$walletId/inbox' });
  const [withRefunded, setWithRefunded] = useState(false);
  const [chosen, setChosen] = useState<{ action: Action; deposit: Deposit } | null>(null);
  // Rows done on this page: the list refreshes only its newest rows, and these may be further down.
  const [done, setDone] = useState<ReadonlySet<string>>(new Set());

  const close = () => setChosen(null);
  const markDone = ({ id }: Deposit) => setDone((before) => new Set(before).add(id));

  const hidden = useCallback(
    ({ id, refund_withdrawal_id }: Deposit) => (refund_withdrawal_id === null ? done.has(id) : !withRefunded),
    [done, withRefunded],
  );

  const isKnown = useMe() !== undefined;
  const may = useMay();
  const [assign, refund] = [may('assignDeposit'), may('refundDeposit')];
  const columns = useMemo(
    () => inboxColumns((action, deposit) => setChosen({ action, deposit }), { assign, refund }),
    [assign, refund],
  );

  return (
    <Page
      title="Inbox"
      description={`Deposits that belong to no deposit address. ${
        isKnown && !assign
          ? `${rolesInWords(rolesOf('assignDeposit'))} can assign each one to an address or refund it.`
          : 'Assign each one to an address or refund it.'
      } Your own funds can stay here.`}
      actions={
        <Switch
          label="Show refunded"
          checked={withRefunded}
          onChange={({ currentTarget }) => setWithRefunded(currentTarget.checked)}
        />
      }
    >
      <InfiniteTable
        label="Unattributed deposits"
        queryKey={['wallet', walletId, 'inbox']}
        fetchPage={(page, given) =>
          api('listDeposits', {
            id: walletId,
            query: { attributed: false, limit: page.cursor ? 200 : 100, ...page },
            ...given,
          })
        }
        columns={columns}
        hidden={hidden}
        empty={
          <EmptyState icon={IconInbox} title="The inbox is empty">
            Every deposit belongs to a deposit address or was refunded. Deposits without a known memo appear
            here by themselves.
          </EmptyState>
        }
      />
      {chosen?.action === 'assign' && (
        <AssignDialog deposit={chosen.deposit} onClose={close} onAssigned={() => markDone(chosen.deposit)} />
      )}
      {chosen?.action === 'refund' && (
        <RefundDialog deposit={chosen.deposit} onClose={close} onRefunded={() => markDone(chosen.deposit)} />
      )}
    </Page>
  );
}
