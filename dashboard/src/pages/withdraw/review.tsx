import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { WithdrawalPreview } from '../../api/contract.ts';
import { Amount, Figures } from '../../components/amount.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Details } from '../../components/details.tsx';
import { PayeeName } from '../../components/payee-name.tsx';
import { unitOf } from '../../text/asset.ts';
import { isolated } from '../../text/isolate.ts';
import { formatUnits } from '../../text/money.ts';
import { readAddress } from '../../text/strkey.ts';
import { WithdrawalApprovalsNotice } from './approvals-notice.tsx';
import { DuplicateWarning } from './duplicate-warning.tsx';
import { isImpossible } from './impossible.ts';
import { PaymentSumTable } from './payment-sum-table.tsx';
import { FullAddress, FullIssuer } from './payment-summary.tsx';
import { PAID_BY_TREASURY, Problems } from './preview.tsx';
import { SelfPaymentWarning } from './self-payment-warning.tsx';
import { assetOf, type WithdrawalRequest } from './withdrawal-input.ts';

type Props = {
  walletId: string;
  request: WithdrawalRequest;
  /** Null while it loads. */
  preview: WithdrawalPreview | null;
  /** Why it could not be loaded. */
  error: Error | null;
  onPay: (request: WithdrawalRequest) => void;
  onClose: () => void;
};

/** The confirmation before the withdrawal is sent. */
export function Review({ walletId, request, preview, error, onPay, onClose }: Props) {
  const { destination, amount_stroops, memo_id, allow_issuer, reference } = request;
  const asset = assetOf(request);
  const address = readAddress(destination);
  const muxed_id = 'problem' in address ? null : address.muxed_id;
  const needs_approvals = preview !== null && preview.approvals_required > 0;
  const { title, action, danger, end } = wordsOf(request, preview);
  return (
    <ConfirmDialog
      title={title}
      action={action}
      danger={danger}
      pending={preview === null}
      disabled={preview !== null && isImpossible(preview)}
      error={error}
      onConfirm={() => onPay(request)}
      onClose={onClose}
    >
      <Stack gap="sm">
        {needs_approvals && <WithdrawalApprovalsNotice walletId={walletId} preview={preview} />}
        {preview && (
          <Problems
            walletId={walletId}
            request={request}
            preview={preview}
            can_send={!isImpossible(preview)}
          />
        )}
        <SelfPaymentWarning walletId={walletId} request={request} />
        <DuplicateWarning walletId={walletId} request={request} />
        <div>
          To
          <PayeeName paid={request} />
          <FullAddress address={destination} />
        </div>
        <Details
          rows={[
            ...(muxed_id === null ? [] : [['Id in the address', String(muxed_id)] as [string, string]]),
            ['Memo id', memo_id === undefined ? 'None' : String(memo_id)],
            ['Reference', reference ? isolated(reference) : null],
            ['Amount', <Figures key="amount" stroops={amount_stroops} asset={asset} fw={650} />],
            ...(asset.asset_issuer
              ? [['Asset', <FullIssuer key="issuer" asset={asset} />] as [string, ReactNode]]
              : []),
            [
              'Network fee',
              preview?.fee_paid_by === 'treasury'
                ? PAID_BY_TREASURY
                : preview && (
                    <>
                      about <Amount stroops={preview.fee_stroops} />
                    </>
                  ),
            ],
          ]}
        />
        {preview && <PaymentSumTable request={request} preview={preview} />}
        {preview?.operation === 'create_account' && (
          <Text size="sm">
            This account does not exist yet. The payment creates it. Make sure that the recipient has its
            secret key.
          </Text>
        )}
        {allow_issuer && (
          <Text size="sm" fw={600}>
            The destination is the issuer of this asset: the amount is destroyed and reaches nobody’s balance.
          </Text>
        )}
        <Text size="sm">{end}</Text>
      </Stack>
    </ConfirmDialog>
  );
}

/** What the button would do now: pay, ask for approvals, or send what the network may reject. */
function wordsOf(request: WithdrawalRequest, preview: Props['preview']) {
  const allow_issuer = request.allow_issuer === true;
  const amount = `${formatUnits(request.amount_stroops)} ${unitOf(assetOf(request))}`;
  const pay = `${allow_issuer ? 'Destroy' : 'Pay'} ${amount}`;
  const doubtful = preview?.would_send === true && preview.problems.length > 0;
  const danger = doubtful || allow_issuer;
  if (preview && preview.approvals_required > 0)
    return {
      title: `Ask for approval of ${amount}?`,
      action: 'Ask for approval',
      danger,
      end: 'The payment is made once, as soon as it is approved.',
    };
  return {
    title: `${pay}?`,
    action: doubtful ? 'Send anyway' : pay,
    danger,
    end: 'The payment is made once and cannot be undone.',
  };
}
