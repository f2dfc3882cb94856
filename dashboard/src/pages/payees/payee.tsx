import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { Fragment, type ReactNode } from 'react';
import { isNotFound } from '../../api/client.ts';
import type { PayeeWithPaid } from '../../api/contract.ts';
import { payeeQuery } from '../../api/payees.ts';
import { Amount } from '../../components/amount.tsx';
import { Copyable, CopyButton } from '../../components/copy.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { Details } from '../../components/details.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Page } from '../../components/page.tsx';
import { PayeeMarks } from '../../components/payee-name.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { Trail } from '../../components/trail.tsx';
import { assetName, assetText } from '../../text/asset.ts';
import { isolated } from '../../text/isolate.ts';
import { MemberName } from '../approvals/member-name.tsx';
import { PayeeMenu } from './payee-menu.tsx';

/** All that is known of a payee, with what it was paid. */
export function PayeePage() {
  const { payeeId } = useParams({ from: '/signed-in/payees/$payeeId' });
  const navigate = useNavigate();
  const query = useQuery(payeeQuery(payeeId));
  if (isNotFound(query.error)) return <Missing id={payeeId} />;
  const { data: payee } = query;
  return (
    <Page
      title={payee ? isolated(payee.name) : 'Payee'}
      trail={
        <Trail here="Payee">
          <TextLink to="/payees" activeOptions={{ exact: true }}>
            Payees
          </TextLink>
        </Trail>
      }
      actions={payee && <PayeeMenu payee={payee} onDeleted={() => void navigate({ to: '/payees' })} />}
    >
      <Loaded query={query} lines={8}>
        {(data) => <Details rows={rowsOf(data)} />}
      </Loaded>
    </Page>
  );
}

function rowsOf(payee: PayeeWithPaid): [string, ReactNode][] {
  const { id, name, destination, memo_id, asset_code, asset_issuer, note, paid, last_paid_at } = payee;
  return [
    [
      'Name',
      <Group key="name" gap="xs">
        {isolated(name)} <PayeeMarks payee={payee} />
      </Group>,
    ],
    [
      'Address',
      <Fragment key="address">
        <span className="mono whole">{destination}</span> <CopyButton value={destination} what="address" />
      </Fragment>,
    ],
    ['Memo id', memo_id === null ? 'Each payment says its own, or has none' : String(memo_id)],
    ['Asset', asset_code === null ? 'Any' : `${assetName({ asset_code, asset_issuer })} only`],
    ['Note', note && isolated(note)],
    ['Paid since it is a payee', <Paid key="paid" paid={paid} />],
    ['Last paid', last_paid_at === null ? 'Never' : <DateTime key="last" at={last_paid_at} seconds />],
    ['Added by', <MemberName key="by" id={payee.created_by} />],
    ['Added', <DateTime key="at" at={payee.created_at} seconds />],
    ['Payee id', <Copyable key="id" value={id} what="payee id" ends={20} />],
  ];
}

function Paid({ paid }: Pick<PayeeWithPaid, 'paid'>) {
  if (paid.length === 0) return 'Nothing';
  return (
    <Stack gap={4}>
      {paid.map((sum) => (
        <span key={assetText(sum)}>
          <Amount stroops={sum.amount_stroops} asset={sum} />
        </span>
      ))}
    </Stack>
  );
}

/** In place of a payee that the team does not have. */
function Missing({ id }: { id: string }) {
  return (
    <Page title="Payee not found">
      <Text>
        The team has no payee with the id{' '}
        <Text span inherit className="mono whole">
          {id}
        </Text>
        . The payments of a deleted payee stay.
      </Text>
      <Button w="fit-content" renderRoot={(props) => <Link to="/payees" {...props} />}>
        Go to the payees
      </Button>
    </Page>
  );
}
