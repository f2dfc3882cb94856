import { Alert, Button, Group, Loader, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { ApiError, api } from '../../api/client.ts';
import type { Deposit, Withdrawal } from '../../api/contract.ts';
import { Amount } from '../../parts/amount.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { Code } from '../../parts/copy.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { TextLink } from '../../parts/text-link.tsx';
import { refusalMeaning } from './refusals.ts';

type Props = { deposit: Deposit; onClose: () => void; onRefunded: () => void };

/** Pays a deposit back. Asking twice cannot pay twice: the service refunds a deposit once (src/withdrawals/refunds/refund.ts). */
export function RefundDialog({ deposit, onClose, onRefunded }: Props) {
  const refund = useMutation({
    mutationFn: () => api('refundDeposit', { id: deposit.wallet_id, deposit_id: deposit.id }),
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
    <Confirm
      title="Pay this deposit back?"
      action={refund.isError ? 'Try again' : 'Refund'}
      danger
      pending={false}
      error={refund.error}
      onConfirm={() => refund.mutate()}
      onClose={onClose}
    >
      <Order deposit={deposit} />
      {meaning && <Text size="sm">{meaning}</Text>}
    </Confirm>
  );
}

/** The refund that a 409 or 504 shows. */
function refundIn(error: Error | null): Withdrawal | null {
  const shows = error instanceof ApiError && ['deposit_refunded', 'outcome_pending'].includes(error.code);
  return shows ? ((error.data as Withdrawal | undefined) ?? null) : null;
}

function Order({
  deposit: { kind, amount_stroops, asset_code, source_account, source_account_muxed, stellar_tx_hash },
}: {
  deposit: Deposit;
}) {
  return (
    <Stack gap="xs" mb="xs">
      <div>
        <Amount stroops={amount_stroops} asset={asset_code} fw={650} /> go back to the sender:
      </div>
      <Text size="sm" className="mono" style={{ overflowWrap: 'anywhere' }}>
        {source_account_muxed ?? source_account}
      </Text>
      <div>
        It is sent once, with MEMO_RETURN of the transaction{' '}
        <Code value={stellar_tx_hash} what="transaction hash" />, so that the sender can tell what it is. The
        wallet pays the network’s fee. It cannot be taken back.
      </div>
      {kind === 'create_account' && (
        <div>
          <strong>This deposit created the wallet’s account.</strong> Its reserve and its fees are paid out of
          it as long as nothing else is there.
        </div>
      )}
      <div>
        An exchange may send from an account that many people share: it may not know for whom the money is
        without a memo of its own.
      </div>
    </Stack>
  );
}

function UnderWay() {
  return (
    <Group wrap="nowrap" role="status">
      <Loader size="sm" />
      <Text size="sm">
        Signed once and sent; waiting for the ledger that proves it. You may close this: it goes on.
      </Text>
    </Group>
  );
}

const OUTCOMES = {
  confirmed: { color: 'teal', title: 'Paid back', text: 'The ledger proves it.' },
  pending: {
    color: 'yellow',
    title: 'On its way',
    text: 'The service goes on with it by itself. Nothing is sent twice.',
  },
  failed: { color: 'red', title: 'The refund failed', text: 'Nothing was paid. It can be tried again.' },
} as const;

function Outcome({ refund: { id, wallet_id, status, failure } }: { refund: Withdrawal }) {
  const { color, title, text } = OUTCOMES[status];
  return (
    <Alert color={color} variant="light" title={title} role="status">
      <Text size="sm">
        {failure && `${failure.message} `}
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
