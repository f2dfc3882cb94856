import { Alert, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { WithdrawalPreview } from '../../api/contract.ts';
import { balancesQuery } from '../../api/wallets.ts';
import { Amount } from '../../parts/amount.tsx';
import { apiWords } from '../../parts/api-words.ts';
import { Details } from '../../parts/details.tsx';
import { Failure } from '../../parts/failure.tsx';
import { readAddress } from '../../parts/strkey.ts';
import { TextLink } from '../../parts/text-link.tsx';
import { usePolicy } from '../policies/use-policy.ts';
import { LikeIt } from './like-it.tsx';
import type { Order } from './order.ts';
import { ToItself } from './to-itself.tsx';
import type { usePreview } from './use-preview.ts';

type Props = { walletId: string; order: Order | null; preview: ReturnType<typeof usePreview> };

/** Beside the form: what would happen, while it is typed. */
export function Preview({ walletId, order, preview: { data, latest, error, retry } }: Props) {
  return (
    <Paper withBorder p="lg" component="section" aria-labelledby="preview">
      <Title order={2} size="h4" mb="sm" id="preview">
        Preview
      </Title>
      {!order && <Available walletId={walletId} />}
      {order && error && <Failure error={error} retry={retry} />}
      {order && !error && !latest && <Skeleton height={180} role="status" aria-label="Loading" />}
      {order && !error && latest && (
        <Stack gap="sm" opacity={data ? 1 : 0.6} aria-busy={!data} aria-live="polite">
          <Problems walletId={walletId} order={order} preview={latest} />
          <ToItself walletId={walletId} order={order} />
          <LikeIt walletId={walletId} order={order} />
          <Details rows={rowsOf(order, latest)} />
        </Stack>
      )}
    </Paper>
  );
}

function Available({ walletId }: { walletId: string }) {
  const { data } = useQuery({ ...balancesQuery(walletId), refetchInterval: 5_000 });
  const { data: policy } = usePolicy(walletId);
  const native = data?.items.find(({ asset_code }) => asset_code === 'native');
  return (
    <Text size="sm">
      {policy?.frozen ? (
        <>
          The wallet is frozen: new withdrawals are rejected.{' '}
          <TextLink to="/wallets/$walletId/policies" params={{ walletId }}>
            See the policies
          </TextLink>
          .{' '}
        </>
      ) : (
        native && (
          <>
            <Amount stroops={native.available_stroops} fw={600} /> available, before the fee.{' '}
            {policy?.max_withdrawal_stroops != null && (
              <>
                {' '}
                At most <Amount stroops={policy.max_withdrawal_stroops} /> per withdrawal.{' '}
              </>
            )}
          </>
        )
      )}
      You see here what a withdrawal would do before you send it.
    </Text>
  );
}

type ProblemsProps = { walletId: string; order: Order; preview: WithdrawalPreview };

export function Problems({ walletId, order, preview }: ProblemsProps) {
  const { problems, would_send } = preview;
  if (problems.length === 0) return null;
  return (
    <Alert
      color="red"
      variant="light"
      icon={<IconAlertTriangle />}
      title={would_send ? 'The network would reject it' : 'It cannot be sent'}
    >
      {problems.map(({ code, message }) => (
        <Text size="sm" key={code}>
          {apiWords(message)}
        </Text>
      ))}
      {problems.some(({ code }) => code === 'op_no_destination') && <HowToCreate order={order} />}
      {problems.some(({ code }) => code.startsWith('policy_')) && (
        <TextLink to="/wallets/$walletId/policies" params={{ walletId }} c="inherit" underline="always">
          See the policies
        </TextLink>
      )}
      {would_send && (
        <Text size="sm" mt={4}>
          If you send it now, it fails: nothing is paid, but the fee may be charged.
        </Text>
      )}
    </Alert>
  );
}

function HowToCreate({ order: { destination } }: { order: Order }) {
  return (
    <Text size="sm" mt={4}>
      {destination.trim().startsWith('M')
        ? 'A payment to an M… address cannot create its account. Pay the account’s G… address first.'
        : 'A payment that creates an account must be at least two base reserves: 1 XLM on the public network.'}
    </Text>
  );
}

function rowsOf(order: Order, preview: WithdrawalPreview): [string, ReactNode][] {
  const { fee_stroops, fee_max_stroops, available_stroops, balance_after_stroops } = preview;
  return [
    ['Destination', destinationWords(preview)],
    ['Memo', memoWords(order, preview)],
    [
      'Network fee',
      <Text key="fee" size="sm" component="div">
        about <Amount stroops={fee_stroops} />
        <Text size="xs" c="dimmed">
          at most <Amount stroops={fee_max_stroops} />
        </Text>
      </Text>,
    ],
    ['Available', <Amount key="available" stroops={available_stroops} />],
    [
      'Balance after',
      balance_after_stroops === null ? null : <Amount key="after" stroops={balance_after_stroops} />,
    ],
  ];
}

function destinationWords({ destination_exists, operation }: WithdrawalPreview): string {
  if (destination_exists) return 'Exists';
  return operation === 'create_account' ? 'Does not exist yet: this payment creates it' : 'Does not exist';
}

function memoWords(
  { destination, memo_id }: Order,
  { memo_required, memo_satisfied }: WithdrawalPreview,
): string {
  if (!memo_satisfied) return 'Missing: the destination requires one';
  if (memo_id !== undefined) return `Id ${memo_id}`;
  const address = readAddress(destination);
  const muxed_id = 'problem' in address ? null : address.muxed_id;
  if (muxed_id !== null) return `None: the address contains id ${muxed_id}`;
  return memo_required ? 'Required' : 'None: the destination requires none';
}
