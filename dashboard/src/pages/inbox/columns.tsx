import { Button, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Deposit } from '../../api/contract.ts';
import { Amount } from '../../components/amount.tsx';
import { shortened } from '../../components/copy.tsx';
import { DateTime } from '../../components/date-time.tsx';
import type { Column } from '../../components/infinite-table.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { assetName } from '../../text/asset.ts';
import { whyUnattributed } from '../../text/memo.ts';
import { plainUnits } from '../../text/money.ts';

export type Action = 'assign' | 'refund';
type Choose = (action: Action, deposit: Deposit) => void;
/** The actions that the user may do. */
export type Offered = { assign: boolean; refund: boolean };

export function inboxColumns(choose: Choose, offered: Offered): Column<Deposit>[] {
  return [
    { title: 'Deposit', cell: (deposit) => <What deposit={deposit} /> },
    {
      title: 'From',
      width: 140,
      visibleFrom: 'md',
      cell: ({ source_account }) => (
        <Text size="sm" className="mono" title={source_account}>
          {shortened(source_account)}
        </Text>
      ),
    },
    { title: 'When', width: 190, visibleFrom: 'md', cell: ({ created_at }) => <DateTime at={created_at} /> },
    {
      title: offered.assign || offered.refund ? 'Action' : 'Refund',
      width: { base: 112, sm: 210 },
      cell: (deposit) => <Actions {...{ deposit, choose, offered }} />,
    },
  ];
}

function What({ deposit }: { deposit: Deposit }) {
  const { id, wallet_id, amount_stroops, created_at } = deposit;
  return (
    <>
      <Link
        className="row-link"
        to="/wallets/$walletId/deposits/$depositId"
        params={{ walletId: wallet_id, depositId: id }}
      >
        <Amount stroops={amount_stroops} asset={deposit} fw={600} />
      </Link>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {whyUnattributed(deposit)}
      </Text>
      <Text c="dimmed" size="xs" hiddenFrom="md">
        <DateTime at={created_at} />
      </Text>
    </>
  );
}

type ActionsProps = { deposit: Deposit; choose: Choose; offered: Offered };

function Actions({ deposit, choose, offered }: ActionsProps) {
  const { wallet_id, refund_withdrawal_id, amount_stroops, source_account } = deposit;
  if (refund_withdrawal_id !== null) {
    return (
      <TextLink
        className="above-row-link"
        to="/wallets/$walletId/withdrawals/$withdrawalId"
        params={{ walletId: wallet_id, withdrawalId: refund_withdrawal_id }}
      >
        Refunded
      </TextLink>
    );
  }
  const which = `${plainUnits(amount_stroops)} ${assetName(deposit)} from ${shortened(source_account)}`;
  return (
    <Group gap="xs" className="above-row-link">
      {offered.assign && (
        <Button
          size="xs"
          variant="light"
          onClick={() => choose('assign', deposit)}
          aria-label={`Assign ${which}`}
        >
          Assign
        </Button>
      )}
      {offered.refund && (
        <Button
          size="xs"
          variant="default"
          onClick={() => choose('refund', deposit)}
          aria-label={`Refund ${which}`}
        >
          Refund
        </Button>
      )}
    </Group>
  );
}
