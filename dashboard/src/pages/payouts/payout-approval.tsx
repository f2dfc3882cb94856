import { Group, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type { Payout } from '../../api/contract.ts';
import { useMay, useMe } from '../../api/me.ts';
import { payoutQuery } from '../../api/payouts.ts';
import { Amount } from '../../components/amount.tsx';
import { assetText } from '../../text/asset.ts';
import { AwaitsApprovals } from '../approvals/awaits-approvals.tsx';
import { DecideButtons, Decisions, TakeBack, type Verdict } from '../approvals/decide.tsx';
import { useDeciding } from '../approvals/use-deciding.ts';

/** On the page of a payout that awaits approvals: who has decided, and the decision about the whole file. */
export function PayoutApproval({ payout }: { payout: Payout }) {
  const client = useQueryClient();
  const me = useMe();
  const may = useMay();
  const { id, wallet_id } = payout;
  const deciding = useDeciding(id);
  const decide = async ({ verb, body }: Verdict) => {
    const operation = verb === 'approve' ? 'approvePayout' : 'rejectPayout';
    const decided = await api(operation, { id: wallet_id, payout_id: id, body });
    client.setQueryData(payoutQuery(wallet_id, id).queryKey, decided);
  };
  const isOwn = me !== undefined && payout.requested_by === me?.id && may('rejectPayout');
  return (
    <AwaitsApprovals>
      <Text size="sm">
        Nothing of it is paid. The payout runs with the last approval, which is for all rows below.
      </Text>
      <Decisions asked={payout} />
      <DecideButtons
        asked={payout}
        deciding={deciding}
        what="this payout"
        summary={<Sums payout={payout} />}
        can_approve
        onDecide={decide}
      />
      {isOwn && (
        <Group>
          <TakeBack asked={payout} what="this payout" onDecide={decide} />
        </Group>
      )}
    </AwaitsApprovals>
  );
}

function Sums({ payout: { totals, row_count } }: { payout: Payout }) {
  return (
    <div>
      {totals.map((total) => (
        <Text key={assetText(total)} size="xl" fw={650} component="div">
          <Amount stroops={total.amount_stroops} asset={total} />
        </Text>
      ))}
      <Text size="sm">
        in {row_count} {row_count === 1 ? 'row' : 'rows'}
      </Text>
    </div>
  );
}
