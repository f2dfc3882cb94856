import { Alert, Button, Group, Loader, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, api } from '../../api/client.ts';
import type { Deposit, Withdrawal } from '../../api/contract.ts';
import { Figures } from '../../components/amount.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Copyable } from '../../components/copy.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { IssuedBy } from '../../components/issuer.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { REFERENCE_WORDS, readReference } from '../../text/reference.ts';
import { failureWords } from '../withdraw/problem-words.ts';
import { refusalMeaning } from './refusals.ts';

type Props = { deposit: Deposit; onClose: () => void; onRefunded: () => void };

/** Refunds a deposit. A second request cannot pay twice: the service refunds a deposit once. */
export function RefundDialog({ deposit, onClose, onRefunded }: Props) {
  const [typed, setTyped] = useState('');
  const read = readReference(typed);
  const refund = useMutation({
    mutationFn: (reference: string | null) =>
      api('refundDeposit', { id: deposit.wallet_id, deposit_id: deposit.id, body: { reference } }),
    onSuccess: ({ status }) => status !== 'failed' && onRefunded(),
  });
  const outcome = refund.data ?? refundIn(refund.error);
  if (outcome || refund.isPending) {
    return (
      <Dialog onClose={onClose} title="Refund">
        {outcome ? <Outcome refund={outcome} /> : <UnderWay />}
        <Group justify="flex-end" mt="md">
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
        </Group>
      </Dialog>
    );
  }
  const meaning = refund.error && refusalMeaning(refund.error);
  return (
    <ConfirmDialog
      title="Refund this deposit?"
      action={refund.isError ? 'Try again' : 'Refund'}
      danger
      pending={false}
      disabled={'problem' in read}
      error={refund.error}
      onConfirm={() => 'problem' in read || refund.mutate(read.reference)}
      onClose={onClose}
    >
      <RefundSummary deposit={deposit} />
      <TextInput
        label="Reference"
        description={REFERENCE_WORDS}
        autoComplete="off"
        value={typed}
        error={'problem' in read && read.problem}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      {meaning && <Text size="sm">{meaning}</Text>}
    </ConfirmDialog>
  );
}

/** The refund in the body of a 409 or 504. */
function refundIn(error: Error | null): Withdrawal | null {
  const shows = error instanceof ApiError && ['deposit_refunded', 'outcome_pending'].includes(error.code);
  return shows ? ((error.data as Withdrawal | undefined) ?? null) : null;
}

function RefundSummary({ deposit }: { deposit: Deposit }) {
  const { kind, amount_stroops, asset_issuer, source_account, source_account_muxed, stellar_tx_hash } =
    deposit;
  return (
    <Stack gap="xs" mb="xs">
      <div>
        <Figures stroops={amount_stroops} asset={deposit} fw={650} /> will be sent back to the sender:
      </div>
      <Text size="sm" className="mono" style={{ overflowWrap: 'anywhere' }}>
        {source_account_muxed ?? source_account}
      </Text>
      {asset_issuer !== null && (
        <div>
          The asset is <IssuedBy asset={deposit} />.
        </div>
      )}
      <div>
        It is sent once. Its memo (MEMO_RETURN) is the hash of the sender’s transaction,{' '}
        <Copyable value={stellar_tx_hash} what="transaction hash" />. The wallet pays the network fee
        {asset_issuer !== null && ' in XLM'}. This cannot be undone.
      </div>
      {asset_issuer === source_account && (
        <div>
          <strong>The sender issues this asset.</strong> What is paid back to the issuer is destroyed.
        </div>
      )}
      {kind === 'create_account' && (
        <div>
          <strong>This deposit created the wallet’s account.</strong> The account’s reserve and fees come out
          of it unless the wallet has other funds.
        </div>
      )}
      <div>
        Exchanges often send from an account that many people share. Without a memo of its own, an exchange
        may not know whose money this is.
      </div>
    </Stack>
  );
}

function UnderWay() {
  return (
    <Group wrap="nowrap" role="status">
      <Loader size="sm" />
      <Text size="sm">
        The refund is signed once and sent. You can close this dialog; the refund continues.
      </Text>
    </Group>
  );
}

const OUTCOMES = {
  awaiting_approval: {
    color: 'yellow',
    title: 'Awaits approvals',
    text: 'Nothing is signed. Other members of the team must approve it first.',
  },
  confirmed: { color: 'teal', title: 'Refunded', text: 'It is in a closed ledger.' },
  pending: {
    color: 'yellow',
    title: 'Pending',
    text: 'The service continues with it. It is never paid twice.',
  },
  failed: { color: 'red', title: 'The refund failed', text: 'Nothing was paid. You can try again.' },
} as const;

function Outcome({ refund }: { refund: Withdrawal }) {
  const { id, wallet_id, status, failure } = refund;
  const { color, title, text } = OUTCOMES[status];
  return (
    <Alert color={color} variant="light" title={title} role="status">
      <Text size="sm">
        {failure && `${failureWords(failure, refund)} `}
        {text}
      </Text>
      <TextLink
        to="/wallets/$walletId/withdrawals/$withdrawalId"
        params={{ walletId: wallet_id, withdrawalId: id }}
        c="inherit"
        underline="always"
      >
        Open the withdrawal
      </TextLink>
    </Alert>
  );
}
