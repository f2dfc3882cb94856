import { Badge, Button, Group, Menu, Text } from '@mantine/core';
import { IconDotsVertical, IconPencil, IconUserMinus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { api } from '../../api/client.ts';
import type { Member, Role, Wallet } from '../../api/contract.ts';
import { useMay, useMe } from '../../api/me.ts';
import { MEMBERS, mayManage } from '../../api/team.ts';
import { walletsQuery } from '../../api/wallets.ts';
import { DateTime } from '../../components/date-time.tsx';
import { type Column, InfiniteTable } from '../../components/infinite-table.tsx';
import { ROLE_WORDS } from '../../text/roles.ts';
import { ChangeMember, RemoveMember } from './member-dialogs.tsx';
import { walletsInWords } from './rights.ts';

type Row = Member & { id: string };
type Action = 'change' | 'remove';
type Choose = (action: Action, member: Member) => void;

/** What the table depends on besides its rows. */
type Reader = {
  own_id: string | undefined;
  /** Null for a role that may not change members. */
  manages_as: Role | null;
  wallets: Wallet[];
};

const NO_WALLETS: Wallet[] = [];

export function Members() {
  const me = useMe();
  const may = useMay();
  const { data } = useQuery(walletsQuery);
  const [chosen, setChosen] = useState<{ action: Action; member: Member } | null>(null);
  const wallets = data?.items ?? NO_WALLETS;
  const manages_as = me && may('changeMember') ? me.role : null;
  const own_id = me?.id;
  const columns = useMemo(
    () => memberColumns({ own_id, manages_as, wallets }, (action, member) => setChosen({ action, member })),
    [own_id, manages_as, wallets],
  );
  const close = () => setChosen(null);
  return (
    <>
      <InfiniteTable
        label="Members"
        queryKey={MEMBERS}
        fetchPage={async (cursor, signal) => {
          const page = await api('listMembers', {
            query: { limit: '200', ...(cursor ? { cursor } : {}) },
            ...(signal ? { signal } : {}),
          });
          return { ...page, items: page.items.map((member): Row => ({ ...member, id: member.user_id })) };
        }}
        columns={columns}
        empty={null}
      />
      {chosen?.action === 'change' && <ChangeMember member={chosen.member} onClose={close} />}
      {chosen?.action === 'remove' && <RemoveMember member={chosen.member} onClose={close} />}
    </>
  );
}

function memberColumns(reader: Reader, choose: Choose): Column<Row>[] {
  const { own_id, manages_as, wallets } = reader;
  const facts: Column<Row>[] = [
    { title: 'Name', cell: (member) => <Who {...{ member, own_id, wallets }} /> },
    {
      title: 'Role',
      width: 120,
      visibleFrom: 'sm',
      cell: ({ role }) => ROLE_WORDS[role].label,
    },
    {
      title: 'Wallets',
      visibleFrom: 'sm',
      cell: ({ wallet_ids }) => (
        <Text size="sm" lineClamp={3} style={{ overflowWrap: 'anywhere' }}>
          {walletsInWords(wallet_ids, wallets)}
        </Text>
      ),
    },
    {
      title: 'Joined',
      width: 180,
      visibleFrom: 'md',
      cell: ({ joined_at }) => (
        <Text size="sm">
          <DateTime at={joined_at} />
        </Text>
      ),
    },
  ];
  if (manages_as === null) return facts;
  const actions: Column<Row> = {
    title: 'Action',
    width: { base: 116, sm: 130 },
    cell: (member) =>
      mayManage(manages_as, member.role) && (
        <Manage member={member} isOwn={member.user_id === own_id} choose={choose} />
      ),
  };
  return [...facts, actions];
}

type WhoProps = { member: Member; own_id: string | undefined; wallets: Wallet[] };

/** On a phone the role and the wallets are here too. */
function Who({ member: { user_id, name, email, role, wallet_ids }, own_id, wallets }: WhoProps) {
  return (
    <>
      <Group gap="xs">
        <Text size="sm" fw={550} style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Text>
        {user_id === own_id && <Badge color="gray">you</Badge>}
      </Group>
      <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {email}
      </Text>
      <Text size="sm" hiddenFrom="sm" style={{ overflowWrap: 'anywhere' }}>
        {ROLE_WORDS[role].label} · {walletsInWords(wallet_ids, wallets)}
      </Text>
    </>
  );
}

type ManageProps = { member: Member; isOwn: boolean; choose: Choose };

function Manage({ member, isOwn, choose }: ManageProps) {
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconDotsVertical size={14} />}
          aria-label={`Manage ${member.email}`}
        >
          Manage
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => choose('change', member)}>
          Change role and wallets
        </Menu.Item>
        {!isOwn && (
          <Menu.Item
            color="var(--mantine-color-error)"
            leftSection={<IconUserMinus size={16} />}
            onClick={() => choose('remove', member)}
          >
            Remove from the team
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
