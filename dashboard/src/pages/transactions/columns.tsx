import { Group, Text, ThemeIcon } from '@mantine/core';
import { IconArrowDownLeft, IconArrowUpRight, IconGavel } from '@tabler/icons-react';
import { Link, useParams } from '@tanstack/react-router';
import type { Payee, Transaction } from '../../api/contract.ts';
import { usePayeeOf } from '../../api/payees.ts';
import { Amount } from '../../components/amount.tsx';
import { shortened } from '../../components/copy.tsx';
import { DateTime } from '../../components/date-time.tsx';
import type { Column } from '../../components/infinite-table.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { ADJUSTMENTS } from '../../text/adjustments.ts';
import { isolated } from '../../text/isolate.ts';
import { memoOf } from '../../text/memo.ts';
import { bookedAs } from '../../text/reference.ts';

export const TRANSACTION_COLUMNS: Column<Transaction>[] = [
  { title: 'Transaction', cell: (row) => <WhatLink {...row} /> },
  { title: 'Status', width: 130, visibleFrom: 'sm', cell: ({ status }) => <StatusBadge status={status} /> },
  { title: 'When', width: 190, visibleFrom: 'md', cell: ({ created_at }) => <DateTime at={created_at} /> },
  {
    title: 'Amount',
    width: { base: 148, sm: 210 },
    align: 'right',
    cell: (row) => <SignedAmount {...row} />,
  },
];

/** The kind of transaction, as a link to its page. */
function WhatLink(row: Transaction) {
  const { icon, color } = LOOKS[row.type];
  const payee = usePayeeOf(row);
  return (
    <Group gap="sm" wrap="nowrap" miw={0}>
      <ThemeIcon variant="light" color={color} radius="xl" size={32} visibleFrom="xs">
        {icon}
      </ThemeIcon>
      <div style={{ minWidth: 0 }}>
        <Text truncate title={row.address_label ?? payee?.name ?? row.counterparty} size="sm">
          <RowLink row={row} payee={payee} />
        </Text>
        <Origin row={row} payee={payee} />
        <Text c="dimmed" size="xs" hiddenFrom="md">
          <DateTime at={row.created_at} />
        </Text>
      </div>
    </Group>
  );
}

type RowProps = { row: Transaction; payee: Payee | undefined };

/** What the first line leaves out: the payer behind a label, the address of a payee, the reference or the row of a payout, and the memo. */
function Origin({ row, payee }: RowProps) {
  const { counterparty, address_label } = row;
  const words = [bookedAs(row), memoOf(row)].filter((each) => each !== null).join(' · ');
  const named = address_label !== null || payee !== undefined;
  if (!named && words === '') return null;
  return (
    <Text c="dimmed" size="xs" style={{ overflowWrap: 'anywhere' }}>
      {named && (
        <>
          {payee ? 'Withdrawal to' : 'Deposit from'} <span className="mono">{shortened(counterparty)}</span>
        </>
      )}
      {named && words !== '' && ' · '}
      {words}
    </Text>
  );
}

const LOOKS = {
  deposit: { icon: <IconArrowDownLeft size={18} />, color: 'teal' },
  withdrawal: { icon: <IconArrowUpRight size={18} />, color: 'gray' },
  adjustment: { icon: <IconGavel size={18} />, color: 'orange' },
} as const;

function RowLink({ row, payee }: RowProps) {
  const { type, id, reason, counterparty, address_label } = row;
  const { walletId = '' } = useParams({ strict: false });
  const party = <span className="mono">{shortened(counterparty)}</span>;
  const className = 'row-link';
  switch (type) {
    case 'deposit': {
      const params = { walletId, depositId: id };
      return (
        <Link {...{ className, params }} to="/wallets/$walletId/deposits/$depositId">
          {address_label === null ? <>Deposit from {party}</> : isolated(address_label)}
        </Link>
      );
    }
    case 'withdrawal': {
      const params = { walletId, withdrawalId: id };
      return (
        <Link {...{ className, params }} to="/wallets/$walletId/withdrawals/$withdrawalId">
          {payee ? isolated(payee.name) : <>Withdrawal to {party}</>}
        </Link>
      );
    }
    case 'adjustment': {
      const params = { walletId, adjustmentId: id };
      return (
        <Link {...{ className, params }} to="/wallets/$walletId/adjustments/$adjustmentId">
          {reason ? ADJUSTMENTS[reason].title : 'Adjustment'} by {party}
        </Link>
      );
    }
  }
}

/** Struck through for a failed withdrawal: nothing was paid. A change of a trust line has no amount, only its asset. */
function SignedAmount(row: Transaction) {
  const { type, status, amount_stroops, asset_code } = row;
  const failed = status === 'failed';
  const amount = type === 'deposit' ? amount_stroops : -amount_stroops;
  if (type === 'adjustment' && amount_stroops === 0n)
    return (
      <Text c="dimmed" size="sm">
        {asset_code}
      </Text>
    );
  return (
    <>
      <Amount
        stroops={amount}
        asset={row}
        signed={type === 'deposit'}
        layout="column"
        fw={550}
        size="sm"
        style={{ whiteSpace: 'normal', overflowWrap: 'anywhere' }}
        {...(failed
          ? { c: 'dimmed', td: 'line-through' }
          : type === 'deposit'
            ? { c: 'var(--mantine-color-teal-light-color)' }
            : {})}
      />
      {status !== 'confirmed' && (
        <Text component="div" hiddenFrom="sm" size="xs">
          <StatusBadge status={status} />
        </Text>
      )}
    </>
  );
}
