import { Badge, Button, Menu, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import {
  IconKey,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlus,
  IconRobot,
  IconTrash,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ServiceUser } from '../../api/contract.ts';
import { useMay } from '../../api/me.ts';
import { serviceUsersQuery } from '../../api/team.ts';
import { useWallets } from '../../api/wallets.ts';
import { Copyable } from '../../components/copy.tsx';
import { RelativeTime } from '../../components/date-time.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { LoadedList, NamedItem } from '../../components/lined-list.tsx';
import { ManageMenu } from '../../components/manage-menu.tsx';
import { addressesInWords } from '../../text/addresses.ts';
import { ROLE_WORDS } from '../../text/roles.ts';
import { Section } from '../developers/section.tsx';
import { walletsInWords } from './rights.ts';
import { DisableServiceUser, EnableServiceUser, RemoveServiceUser } from './service-user-dialogs.tsx';
import { ChangeServiceUser, NewServiceUserDialog } from './service-user-form.tsx';
import { SecretsDialog } from './service-user-secrets.tsx';

type Action = 'change' | 'secrets' | 'disable' | 'enable' | 'remove';

/** The programs of the team. */
export function ServiceUsers() {
  const query = useQuery(serviceUsersQuery);
  const [adding, add] = useDisclosure();
  const [chosen, setChosen] = useState<{ action: Action; of: ServiceUser } | null>(null);
  const may = useMay();
  const shown = query.data?.items.find(({ id }) => id === chosen?.of.id);
  const close = () => setChosen(null);
  return (
    <Section
      title="Service users"
      description="A service user is a program that acts with the rights of a member: a backend that withdraws, for example. It exchanges its secret, or what its key has signed, for a login token of 15 minutes. It cannot sign in here."
      actions={
        may('createServiceUser') && (
          <Button leftSection={<IconPlus size={16} />} onClick={add.open}>
            New service user
          </Button>
        )
      }
    >
      <LoadedList
        query={query}
        empty={
          <EmptyState icon={IconRobot} title="No service users yet">
            Your backend needs one to withdraw: an API key never can.
          </EmptyState>
        }
      >
        {(each) => <Row service_user={each} choose={(action) => setChosen({ action, of: each })} />}
      </LoadedList>
      {adding && <NewServiceUserDialog onClose={add.close} />}
      {shown && chosen?.action === 'change' && <ChangeServiceUser service_user={shown} onClose={close} />}
      {shown && chosen?.action === 'secrets' && <SecretsDialog service_user={shown} onClose={close} />}
      {shown && chosen?.action === 'disable' && <DisableServiceUser service_user={shown} onClose={close} />}
      {shown && chosen?.action === 'enable' && <EnableServiceUser service_user={shown} onClose={close} />}
      {/* Once it is removed, the list has it no more, and the dialog shows what it has left. */}
      {chosen?.action === 'remove' && <RemoveServiceUser service_user={chosen.of} onClose={close} />}
    </Section>
  );
}

type RowProps = { service_user: ServiceUser; choose: (action: Action) => void };

function Row({ service_user, choose }: RowProps) {
  const { id, name, role, wallet_ids, allowed_ips, enabled, last_used_at } = service_user;
  const wallets = useWallets();
  const may = useMay();
  return (
    <NamedItem
      id={id}
      name={name}
      badge={!enabled && <Badge color="gray">disabled</Badge>}
      actions={may('changeServiceUser') && <Manage service_user={service_user} choose={choose} />}
    >
      <Text size="sm" component="div">
        <Copyable value={id} what="client id" ends={12} />
      </Text>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {ROLE_WORDS[role].label} · {walletsInWords(wallet_ids, wallets)} · from{' '}
        {addressesInWords(allowed_ips)}
      </Text>
      <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {credentialsInWords(service_user)} · last used{' '}
        {last_used_at === null ? 'never' : <RelativeTime at={last_used_at} />}
      </Text>
    </NamedItem>
  );
}

function credentialsInWords({ secrets, public_keys }: ServiceUser): string {
  const words = [
    ...secrets.map(({ last_four }) => `secret …${last_four}`),
    ...public_keys.map(({ kid, alg }) => `${alg} key ${kid}`),
  ];
  return words.length === 0 ? 'no secret and no key' : words.join(', ');
}

function Manage({ service_user: { name, enabled, disabled_by }, choose }: RowProps) {
  return (
    <ManageMenu what={`the service user ${name}`}>
      <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => choose('change')}>
        Change
      </Menu.Item>
      <Menu.Item leftSection={<IconKey size={16} />} onClick={() => choose('secrets')}>
        Secrets
      </Menu.Item>
      {enabled && (
        <Menu.Item leftSection={<IconPlayerPause size={16} />} onClick={() => choose('disable')}>
          Disable
        </Menu.Item>
      )}
      {!enabled && disabled_by === 'team' && (
        <Menu.Item leftSection={<IconPlayerPlay size={16} />} onClick={() => choose('enable')}>
          Enable
        </Menu.Item>
      )}
      <Menu.Item
        color="var(--mantine-color-error)"
        leftSection={<IconTrash size={16} />}
        onClick={() => choose('remove')}
      >
        Remove
      </Menu.Item>
    </ManageMenu>
  );
}
