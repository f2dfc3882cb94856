import { Badge, Group, Menu, Text } from '@mantine/core';
import { IconPencil, IconUserMinus } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { api } from '../../api/client.ts';
import type { Member, Role, Wallet } from '../../api/contract.ts';
import { useMay, useMe } from '../../api/me.ts';
import { MEMBERS, mayManage } from '../../api/team.ts';
import { useWallets } from '../../api/wallets.ts';
import { type Column, InfiniteTable } from '../../components/infinite-table.tsx';
import { ManageMenu } from '../../components/manage-menu.tsx';
import { timeColumn } from '../../components/time-column.tsx';
import { ChangeMember, RemoveMember } from './member-dialogs.tsx';
import { PhoneRights, rightsColumns } from './rights-columns.tsx';

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

export function Members() {
  const me = useMe();
  const may = useMay();
  const wallets = useWallets();
  const [chosen, setChosen] = useState<{ action: Action; member: Member } | null>(null);
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
        fetchPage={async (page, given) => {
          const read = await api('listMembers', {
            query: { limit: 200, ...page },
            ...given,
          });
          return { ...read, items: read.items.map((member): Row => ({ ...member, id: member.user_id })) };
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
    ...rightsColumns<Row>(wallets),
    timeColumn('Joined', ({ joined_at }) => joined_at, 'md'),
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
function Who({ member, own_id, wallets }: WhoProps) {
  const { user_id, name, email } = member;
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
      <PhoneRights rights={member} wallets={wallets} />
    </>
  );
}

type ManageProps = { member: Member; isOwn: boolean; choose: Choose };

function Manage({ member, isOwn, choose }: ManageProps) {
  return (
    <ManageMenu what={member.email}>
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
    </ManageMenu>
  );
}
