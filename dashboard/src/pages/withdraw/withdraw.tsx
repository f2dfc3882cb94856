import { Stack } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { useLayoutEffect } from 'react';
import { Page } from '../../components/page.tsx';
import { Permitted } from '../../components/permitted.tsx';
import { changeDraft, leaveShown } from './draft.ts';
import { LastOutcome } from './last-outcome.tsx';
import { useWithdrawal } from './use-withdrawal.ts';
import { LostResponse, Sending } from './waiting.tsx';
import { WithdrawForm } from './withdraw-form.tsx';
import { Outcome } from './withdrawal-outcome.tsx';

export function Withdraw() {
  const { walletId } = useParams({ from: '/signed-in/wallets/$walletId/withdraw' });
  return (
    <Page title="Withdraw" description="Send XLM or another asset from the wallet to a Stellar account.">
      {/* A separate form for each wallet. */}
      <OneWithdrawal key={walletId} walletId={walletId} />
    </Page>
  );
}

function OneWithdrawal({ walletId }: { walletId: string }) {
  // Before the first paint: a member who opens the page wants to withdraw, and has seen the last outcome.
  useLayoutEffect(() => leaveShown(walletId), [walletId]);
  const { draft, lookup, sending, refusal, forgetRefusal, pay } = useWithdrawal(walletId);
  if (lookup.data) return <Outcome withdrawal={lookup.data} typed={draft.typed} />;
  if (draft.state !== 'sent') {
    const form = (
      <Stack gap="md">
        {draft.last !== undefined && <LastOutcome walletId={walletId} id={draft.last} />}
        <WithdrawForm
          walletId={walletId}
          typed={draft.typed}
          refusal={refusal}
          lost={draft.lost}
          onType={(typed) => {
            forgetRefusal();
            changeDraft(walletId, { typed });
          }}
          onPay={pay}
        />
      </Stack>
    );
    // A lost response leaves an outcome open, and the form says so: also to a role that may no longer withdraw.
    if (draft.lost) return form;
    return (
      <Permitted operation="createWithdrawal" what="withdraw">
        {form}
      </Permitted>
    );
  }
  if (sending) return <Sending typed={draft.typed} />;
  return (
    <LostResponse
      typed={draft.typed}
      lookup={lookup}
      onSendAgain={pay}
      onChange={() => changeDraft(walletId, { state: 'reopened', lost: true })}
    />
  );
}
