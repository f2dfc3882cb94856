import { Button, Text } from '@mantine/core';
import { IconMail } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { api } from '../../api/client.ts';
import type { Invitation, Wallet } from '../../api/contract.ts';
import { useMay } from '../../api/me.ts';
import { INVITATIONS } from '../../api/team.ts';
import { useWallets } from '../../api/wallets.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { type Column, InfiniteTable } from '../../components/infinite-table.tsx';
import { timeColumn } from '../../components/time-column.tsx';
import { Section } from '../developers/section.tsx';
import { PhoneRights, rightsColumns } from './rights-columns.tsx';

/** The invitations that can still be accepted. */
export function Invitations() {
  const wallets = useWallets();
  const mayRevoke = useMay()('revokeInvitation');
  const [chosen, setChosen] = useState<Invitation | null>(null);
  const columns = useMemo(
    () => invitationColumns(wallets, mayRevoke ? setChosen : null),
    [wallets, mayRevoke],
  );
  return (
    <Section title="Open invitations" description="Each link works once, within 7 days.">
      <InfiniteTable
        label="Open invitations"
        queryKey={INVITATIONS}
        fetchPage={(page, given) =>
          api('listInvitations', {
            query: { limit: 200, ...page },
            ...given,
          })
        }
        columns={columns}
        empty={
          <EmptyState icon={IconMail} title="No open invitations">
            An invitation is here until it is accepted, revoked, or expires.
          </EmptyState>
        }
      />
      {chosen && <Revoke invitation={chosen} onClose={() => setChosen(null)} />}
    </Section>
  );
}

function invitationColumns(
  wallets: Wallet[],
  revoke: ((invitation: Invitation) => void) | null,
): Column<Invitation>[] {
  const facts: Column<Invitation>[] = [
    {
      title: 'E-mail',
      cell: (invitation) => (
        <>
          <Text size="sm" fw={550} style={{ overflowWrap: 'anywhere' }}>
            {invitation.email}
          </Text>
          <PhoneRights rights={invitation} wallets={wallets} />
          <Text size="sm" c="dimmed" hiddenFrom="md" className="whole">
            valid until <DateTime at={invitation.expires_at} />
          </Text>
        </>
      ),
    },
    ...rightsColumns<Invitation>(wallets),
    timeColumn('Valid until', ({ expires_at }) => expires_at, 'md'),
  ];
  if (!revoke) return facts;
  const actions: Column<Invitation> = {
    title: 'Action',
    width: { base: 116, sm: 130 },
    cell: (invitation) => (
      <Button
        size="xs"
        variant="default"
        onClick={() => revoke(invitation)}
        aria-label={`Revoke the invitation of ${invitation.email}`}
      >
        Revoke
      </Button>
    ),
  };
  return [...facts, actions];
}

function Revoke({ invitation: { id, email }, onClose }: { invitation: Invitation; onClose: () => void }) {
  const client = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => api('revokeInvitation', { invitation_id: id }),
    onSettled: () => client.invalidateQueries({ queryKey: INVITATIONS }),
    onSuccess: onClose,
  });
  return (
    <ConfirmDialog
      title="Revoke the invitation?"
      action="Revoke"
      danger
      pending={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate()}
      onClose={onClose}
    >
      The link for <strong style={{ overflowWrap: 'anywhere' }}>{email}</strong> stops working at once. You
      can invite again.
    </ConfirmDialog>
  );
}
