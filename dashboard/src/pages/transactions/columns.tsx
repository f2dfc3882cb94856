import { Group, Text, ThemeIcon } from '@mantine/core';
import { IconArrowDownLeft, IconArrowUpRight } from '@tabler/icons-react';
import { Link, useParams } from '@tanstack/react-router';
import type { Transaction } from '../../api/contract.ts';
import { Amount } from '../../components/amount.tsx';
import { shortened } from '../../components/copy.tsx';
import { DateTime } from '../../components/date-time.tsx';
import type { Column } from '../../components/infinite-table.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';

export const TRANSACTION_COLUMNS: Column<Transaction>[] = [
  { title: 'Transaction', cell: (row) => <WhatLink {...row} /> },
  {
    title: 'Memo id',
    width: 210,
    visibleFrom: 'lg',
    cell: ({ memo_id }) =>
      memo_id === null ? <Text c="dimmed">—</Text> : <span className="figures">{String(memo_id)}</span>,
  },
  { title: 'Status', width: 130, visibleFrom: 'sm', cell: ({ status }) => <StatusBadge status={status} /> },
  { title: 'When', width: 190, visibleFrom: 'md', cell: ({ created_at }) => <DateTime at={created_at} /> },
  {
    title: 'Amount',
    width: { base: 148, sm: 180 },
    align: 'right',
    cell: (row) => <SignedAmount {...row} />,
  },
];

/** The kind of transaction, as a link to its page. */
function WhatLink({ type, id, counterparty, created_at }: Transaction) {
  const { walletId = '' } = useParams({ strict: false });
  const party = <span className="mono">{shortened(counterparty, 5)}</span>;
  const isDeposit = type === 'deposit';
  return (
    <Group gap="sm" wrap="nowrap" miw={0}>
      <ThemeIcon variant="light" color={isDeposit ? 'teal' : 'gray'} radius="xl" size={32} visibleFrom="xs">
        {isDeposit ? <IconArrowDownLeft size={18} /> : <IconArrowUpRight size={18} />}
      </ThemeIcon>
      <div style={{ minWidth: 0 }}>
        <Text truncate title={counterparty} size="sm">
          {isDeposit ? (
            <Link
              className="row-link"
              to="/wallets/$walletId/deposits/$depositId"
              params={{ walletId, depositId: id }}
            >
              Deposit from {party}
            </Link>
          ) : (
            <Link
              className="row-link"
              to="/wallets/$walletId/withdrawals/$withdrawalId"
              params={{ walletId, withdrawalId: id }}
            >
              Withdrawal to {party}
            </Link>
          )}
        </Text>
        <Text c="dimmed" size="xs" hiddenFrom="md">
          <DateTime at={created_at} />
        </Text>
      </div>
    </Group>
  );
}

/** Struck through for a failed withdrawal: nothing was paid. */
function SignedAmount(row: Transaction) {
  const { type, status, amount_stroops } = row;
  const failed = status === 'failed';
  const amount = type === 'withdrawal' ? -amount_stroops : amount_stroops;
  return (
    <>
      <Amount
        stroops={amount}
        asset={row}
        signed={type === 'deposit'}
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
