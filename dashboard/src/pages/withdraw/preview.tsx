import { Alert, Group, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { WithdrawalPreview } from '../../api/contract.ts';
import { balancesQuery } from '../../api/wallets.ts';
import { Amount, Figures } from '../../components/amount.tsx';
import { Details } from '../../components/details.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { ReadBefore } from '../../components/read-before.tsx';
import { useStandingError } from '../../components/standing-error.ts';
import { TextLink } from '../../components/text-link.tsx';
import { type AssetFields, isSameAsset } from '../../text/asset.ts';
import { readAddress } from '../../text/strkey.ts';
import { isFrozen } from '../policies/target.ts';
import { usePolicy } from '../policies/use-policy.ts';
import { WithdrawalApprovalsNotice } from './approvals-notice.tsx';
import { DuplicateWarning } from './duplicate-warning.tsx';
import { isImpossible } from './impossible.ts';
import { PaymentSumTable } from './payment-sum-table.tsx';
import { problemWords } from './problem-words.ts';
import { SelfPaymentWarning } from './self-payment-warning.tsx';
import type { usePreview } from './use-preview.ts';
import type { WithdrawalRequest } from './withdrawal-input.ts';

type Props = {
  walletId: string;
  /** The chosen asset, also before there is a request. */
  asset: AssetFields;
  request: WithdrawalRequest | null;
  preview: ReturnType<typeof usePreview>;
};

/** Beside the form: what the withdrawal would do, updated while it is typed. */
export function Preview({ walletId, asset, request, preview: { data, latest, error, retry } }: Props) {
  return (
    <Paper withBorder p="lg" component="section" aria-labelledby="preview">
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h4" id="preview">
          Preview
        </Title>
        {request && !error && latest && !data && <Text size="sm">of the input before</Text>}
      </Group>
      {!request && <Available walletId={walletId} asset={asset} />}
      {request && error && (
        <ErrorAlert error={error} retry={retry}>
          The preview cannot be worked out now, so the withdrawal cannot be reviewed. Your input stays here.
        </ErrorAlert>
      )}
      {request && !error && !latest && <Skeleton height={180} role="status" aria-label="Loading" />}
      {request && !error && latest && (
        <Stack gap="sm" opacity={data ? 1 : 0.6} aria-busy={!data} aria-live="polite">
          {latest.approvals_required > 0 && (
            <WithdrawalApprovalsNotice walletId={walletId} preview={latest} />
          )}
          <Problems
            id={PROBLEMS_ID}
            walletId={walletId}
            request={request}
            preview={latest}
            can_send={!isImpossible(latest)}
          />
          <SelfPaymentWarning walletId={walletId} request={request} />
          <DuplicateWarning walletId={walletId} request={request} />
          <Details rows={rowsOf(request, latest)} />
          <PaymentSumTable request={request} preview={latest} />
        </Stack>
      )}
    </Paper>
  );
}

function Available({ walletId, asset }: { walletId: string; asset: AssetFields }) {
  const balances = useQuery({ ...balancesQuery(walletId), refetchInterval: 5_000 });
  const { data: policy } = usePolicy(walletId);
  const error = useStandingError(balances);
  const balance = balances.data?.items.find((each) => isSameAsset(each, asset));
  const limit = policy?.limits.find((each) => isSameAsset(each, asset));
  const isNative = asset.asset_issuer === null;
  return (
    <Text size="sm" component="div">
      {balance && !(policy && isFrozen(policy)) && (
        <>
          <Amount stroops={balance.available_stroops} asset={asset} fw={600} /> available
          {isNative ? ', before the fee' : '. The fee is paid in XLM'}.{' '}
          {limit?.max_withdrawal_stroops != null && (
            <>
              {' '}
              At most <Figures stroops={limit.max_withdrawal_stroops} asset={asset} /> per withdrawal.{' '}
            </>
          )}
          {policy && !limit && !policy.other_assets_allowed && 'The policy does not allow this asset. '}
        </>
      )}
      You see here what a withdrawal would do before you send it.
      {balance && error && (
        <ReadBefore error={error} at={balances.dataUpdatedAt} retry={() => void balances.refetch()} />
      )}
    </Text>
  );
}

/** Describes the button that they disable. */
export const PROBLEMS_ID = 'withdrawal-problems';

type ProblemsProps = {
  id?: string;
  walletId: string;
  request: WithdrawalRequest;
  preview: WithdrawalPreview;
  /** Whether it may be sent all the same. */
  can_send: boolean;
};

export function Problems({ id, walletId, request, preview, can_send }: ProblemsProps) {
  const { problems } = preview;
  const isNative = preview.asset_issuer === null;
  if (problems.length === 0) return null;
  return (
    <Alert
      id={id}
      color="red"
      variant="light"
      icon={<IconAlertTriangle />}
      title={can_send ? 'The network would reject it' : 'It cannot be sent'}
    >
      {problems.map((problem) => (
        <Text size="sm" key={problem.code}>
          {problemWords(problem, preview)}
        </Text>
      ))}
      {isNative && problems.some(({ code }) => code === 'op_no_destination') && (
        <HowToCreate request={request} />
      )}
      {problems.some(({ code }) => code.startsWith('policy_')) && (
        <TextLink to="/wallets/$walletId/policies" params={{ walletId }} c="inherit" underline="always">
          See the policies
        </TextLink>
      )}
      {can_send && (
        <Text size="sm" mt={4}>
          If you send it now, it fails: nothing is paid, but the fee may be charged.
        </Text>
      )}
    </Alert>
  );
}

function HowToCreate({ request: { destination } }: { request: WithdrawalRequest }) {
  return (
    <Text size="sm" mt={4}>
      {destination.trim().startsWith('M')
        ? 'A payment to an M… address cannot create its account. Pay the account’s G… address first.'
        : 'A payment that creates an account must be at least two base reserves: 1 XLM on the public network.'}
    </Text>
  );
}

type Row = [name: string, value: ReactNode];

function rowsOf(request: WithdrawalRequest, preview: WithdrawalPreview): Row[] {
  const isIssued = preview.asset_issuer !== null;
  return [
    ['Destination', destinationWords(preview)],
    ['Memo', memoWords(request, preview)],
    ['Network fee', feeWords(preview)],
    ...(isIssued && preview.fee_paid_by === 'wallet'
      ? [['XLM for the fee', <Amount key="xlm" stroops={preview.fee_available_stroops} />] as Row]
      : []),
    ...(preview.room_stroops === null ? [] : [['Room', roomWords(request, preview)] as Row]),
  ];
}

function feeWords(preview: WithdrawalPreview): ReactNode {
  const { fee_stroops, fee_max_stroops, contract_fee } = preview;
  if (preview.fee_paid_by === 'treasury') return PAID_BY_TREASURY;
  const isTransfer = preview.operation === 'contract_transfer';
  if (isTransfer && contract_fee === null)
    return 'Not known, because the network cannot try the transfer now';
  const expected_stroops = contract_fee?.expected_stroops ?? null;
  return (
    <Text size="sm" component="div">
      {isTransfer ? (
        <>
          {expected_stroops !== null && (
            <>
              about <Amount stroops={expected_stroops} />:{' '}
            </>
          )}
          <Amount stroops={fee_stroops} /> is set aside, and what is not charged comes back
        </>
      ) : (
        <>
          about <Amount stroops={fee_stroops} />
        </>
      )}
      <Text size="xs" c="dimmed">
        at most <Amount stroops={fee_max_stroops} />
      </Text>
    </Text>
  );
}

/** The operator of the service pays for all wallets. */
export const PAID_BY_TREASURY = 'Paid by the treasury';

/** How much more of the asset the destination can hold, where that matters. */
function roomWords({ amount_stroops }: WithdrawalRequest, preview: WithdrawalPreview): ReactNode {
  const room = preview.room_stroops ?? 0n;
  if (room >= amount_stroops) return 'Enough at the destination';
  return (
    <>
      Only <Figures stroops={room} asset={preview} /> at the destination
    </>
  );
}

function destinationWords({ destination_exists, operation }: WithdrawalPreview): string {
  if (operation === 'contract_transfer')
    return destination_exists ? 'A contract: the contract of the asset pays it' : 'No contract to pay';
  if (destination_exists) return 'Exists';
  return operation === 'create_account' ? 'Does not exist yet: this payment creates it' : 'Does not exist';
}

function memoWords(
  { destination, memo_id }: WithdrawalRequest,
  { memo_required, memo_satisfied }: WithdrawalPreview,
): string {
  if (!memo_satisfied) return 'Missing: the destination requires one';
  const address = readAddress(destination);
  const isContract = !('problem' in address) && address.kind === 'contract';
  if (memo_id !== undefined) return isContract ? `Id ${memo_id} of the muxed contract` : `Id ${memo_id}`;
  const muxed_id = 'problem' in address ? null : address.muxed_id;
  if (muxed_id !== null) return `None: the address contains id ${muxed_id}`;
  if (isContract) return 'None: a contract needs none';
  return memo_required ? 'Required' : 'None: the destination requires none';
}
