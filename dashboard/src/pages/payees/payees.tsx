import { Badge, Button, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconAddressBook, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Payee } from '../../api/contract.ts';
import { useMay } from '../../api/me.ts';
import { payeesQuery } from '../../api/payees.ts';
import { Copyable } from '../../components/copy.tsx';
import { RelativeTime } from '../../components/date-time.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { LinedList, NamedItem } from '../../components/lined-list.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Page } from '../../components/page.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { assetName } from '../../text/asset.ts';
import { isolated } from '../../text/isolate.ts';
import { isNew } from '../../text/payees.ts';
import { MemberName } from '../approvals/member-name.tsx';
import { NewPayee } from './new-payee.tsx';
import { PayeeMenu } from './payee-menu.tsx';

/** Whom the team pays, by name. */
export function Payees() {
  const query = useQuery(payeesQuery);
  const may = useMay();
  const [adding, add] = useDisclosure();
  return (
    <Page
      title="Payees"
      description="Whom the team pays, by name. The address of a payee never changes: another address is another payee."
      actions={
        may('createPayee') && (
          <Button leftSection={<IconPlus size={16} />} onClick={add.open}>
            New payee
          </Button>
        )
      }
    >
      <Loaded query={query}>{({ items }) => <Found payees={items} />}</Loaded>
      {adding && <NewPayee onClose={add.close} />}
    </Page>
  );
}

function Found({ payees }: { payees: Payee[] }) {
  const { search = '' } = useSearch({ from: '/signed-in/payees' });
  const navigate = useNavigate({ from: '/payees' });
  if (payees.length === 0)
    return (
      <EmptyState icon={IconAddressBook} title="No payees yet">
        Save whom you pay often: withdrawals, payouts and allow lists then name them.
      </EmptyState>
    );
  const found = payees.filter((payee) => matches(payee, search));
  return (
    <>
      <TextInput
        label="Search"
        placeholder="Name, address, memo or note"
        maw={420}
        value={search}
        onChange={({ currentTarget: { value } }) =>
          void navigate({ to: '.', search: value === '' ? {} : { search: value }, replace: true })
        }
      />
      {found.length === 0 ? (
        <EmptyState icon={IconAddressBook} title="No payee matches" />
      ) : (
        <LinedList>
          {found.map((payee) => (
            <Row key={payee.id} payee={payee} />
          ))}
        </LinedList>
      )}
    </>
  );
}

function matches({ id, name, destination, memo_id, note }: Payee, search: string): boolean {
  const wanted = search.trim().toLowerCase();
  return [id, name, destination, `${memo_id ?? ''}`, note ?? ''].some((text) =>
    text.toLowerCase().includes(wanted),
  );
}

function Row({ payee }: { payee: Payee }) {
  const { id, name, destination, memo_id, asset_code, asset_issuer, note, created_by, created_at } = payee;
  const facts = [
    ...(memo_id === null ? [] : [`memo ${memo_id}`]),
    ...(asset_code === null ? [] : [`${assetName({ asset_code, asset_issuer })} only`]),
  ];
  return (
    <NamedItem
      id={id}
      name={
        <TextLink to="/payees/$payeeId" params={{ payeeId: id }} inherit>
          {isolated(name)}
        </TextLink>
      }
      badge={
        isNew(payee, Date.now()) && (
          <Badge color="yellow" variant="light">
            New
          </Badge>
        )
      }
      actions={<PayeeMenu payee={payee} />}
    >
      <Text size="sm" component="div">
        <Copyable value={destination} what="address" ends={12} />
        {facts.map((fact) => ` · ${fact}`)}
      </Text>
      {note !== null && (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {isolated(note)}
        </Text>
      )}
      <Text size="sm" c="dimmed" component="div">
        <LastPaid at={payee.last_paid_at} /> · added by <MemberName id={created_by} short />{' '}
        <RelativeTime at={created_at} />
      </Text>
    </NamedItem>
  );
}

function LastPaid({ at }: { at: string | null }) {
  if (at === null) return 'Never paid';
  return (
    <>
      Last paid <RelativeTime at={at} />
    </>
  );
}
