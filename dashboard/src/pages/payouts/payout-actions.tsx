import { Box, Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import type { Payout } from '../../api/contract.ts';
import { useMay } from '../../api/me.ts';
import { payoutQuery, resultFile } from '../../api/payouts.ts';
import { Amount } from '../../components/amount.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { SaveButton } from '../../components/save-button.tsx';
import { approvalsCauseText } from '../../text/approvals.ts';
import { assetText } from '../../text/asset.ts';
import { counted } from '../../text/counted.ts';
import { ApprovalsNotice } from '../withdraw/approvals-notice.tsx';

type Verb = 'startPayout' | 'pausePayout' | 'resumePayout' | 'cancelPayout' | 'retryPayout';

const FROM: Record<Verb, (payout: Payout) => boolean> = {
  startPayout: ({ status }) => status === 'draft',
  pausePayout: ({ status }) => status === 'running',
  resumePayout: ({ status }) => status === 'paused',
  cancelPayout: ({ status }) => status !== 'completed' && status !== 'cancelled',
  retryPayout: ({ status, counts }) =>
    (status === 'completed' || status === 'cancelled') && counts.failed > 0 && counts.pending === 0,
};

type Words = { label: string; title: string; text: string; keep?: string; danger?: boolean };

const WORDS: Record<Verb, Words> = {
  startPayout: {
    label: 'Start',
    title: 'Start this payout?',
    text: 'Its rows are paid, one after the other. What was paid cannot be taken back.',
  },
  pausePayout: {
    label: 'Pause',
    title: 'Pause this payout?',
    text: 'No further row begins. Rows that have begun go on to their outcomes.',
  },
  resumePayout: { label: 'Resume', title: 'Resume this payout?', text: 'The rows that wait are paid.' },
  cancelPayout: {
    label: 'Cancel payout',
    title: 'Cancel this payout?',
    text: 'Rows that have not begun are never paid. Rows that have begun go on to their outcomes.',
    keep: 'Keep payout',
    danger: true,
  },
  retryPayout: {
    label: 'Retry failed rows',
    title: 'Retry the failed rows?',
    text: 'They become another draft, with new keys. Nothing of them was paid.',
  },
};

const ASK: Words = {
  label: 'Ask for approval',
  title: 'Ask for approval of this payout?',
  text: 'Its rows are paid, one after the other, as soon as it is approved.',
};

/** What the button would do now: a start asks for approvals where the policy wants them. */
function wordsOf(verb: Verb, { approvals_required, counts }: Payout): Words {
  if (verb === 'startPayout' && approvals_required > 0) return ASK;
  if (verb !== 'retryPayout') return WORDS[verb];
  const rows = counted(counts.failed, 'failed row');
  return { ...WORDS.retryPayout, label: `Retry ${rows}`, title: `Retry ${rows}?` };
}

/** What most members come for in each state. */
const PRIMARY: Verb[] = ['startPayout', 'resumePayout', 'retryPayout'];

/** What the signed-in member may do with the payout now. */
export function PayoutActions({ payout }: { payout: Payout }) {
  const may = useMay();
  const [asking, setAsking] = useState<Verb | null>(null);
  const verbs = (Object.keys(WORDS) as Verb[]).filter((verb) => may(verb) && FROM[verb](payout));
  return (
    <>
      {verbs.map((verb) => (
        <Button
          key={verb}
          variant={PRIMARY.includes(verb) ? 'filled' : 'default'}
          onClick={() => setAsking(verb)}
        >
          {wordsOf(verb, payout).label}
        </Button>
      ))}
      <ResultButton payout={payout} />
      {asking && <Ask verb={asking} payout={payout} onClose={() => setAsking(null)} />}
    </>
  );
}

function Ask({ verb, payout, onClose }: { verb: Verb; payout: Payout; onClose: () => void }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { wallet_id, id } = payout;
  const action = useMutation({
    mutationFn: () => api(verb, { id: wallet_id, payout_id: id }) as Promise<Payout>,
    onSuccess: async (changed) => {
      client.setQueryData(payoutQuery(wallet_id, changed.id).queryKey, changed);
      onClose();
      if (changed.id !== id)
        await navigate({
          to: '/wallets/$walletId/payouts/$payoutId',
          params: { walletId: wallet_id, payoutId: changed.id },
        });
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['wallet', wallet_id, 'payout'] }),
  });
  const { title, label, text, keep, danger } = wordsOf(verb, payout);
  const needs_approvals = verb === 'startPayout' && payout.approvals_required > 0;
  return (
    <ConfirmDialog
      {...{ title, keep, danger: danger ?? false, onClose }}
      action={label}
      pending={action.isPending}
      error={action.error}
      onConfirm={() => action.mutate()}
    >
      {needs_approvals && (
        <Box mb="sm">
          <ApprovalsNotice
            walletId={wallet_id}
            required={payout.approvals_required}
            operation="approvePayout"
          >
            {approvalsCauseText(payout.approvals_cause)}
          </ApprovalsNotice>
        </Box>
      )}
      {text}
      {verb === 'startPayout' &&
        payout.totals.map((total) => (
          <div key={assetText(total)}>
            <b>
              <Amount stroops={total.amount_stroops} asset={total} />
            </b>{' '}
            in {counted(payout.row_count, 'row')}
          </div>
        ))}
    </ConfirmDialog>
  );
}

function ResultButton({ payout: { id, wallet_id } }: { payout: Payout }) {
  return (
    <SaveButton variant="default" name={`${id}.csv`} read={() => resultFile(wallet_id, id)}>
      Result as CSV
    </SaveButton>
  );
}
