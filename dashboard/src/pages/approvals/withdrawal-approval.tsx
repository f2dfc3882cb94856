import { Alert, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { approvalPreviewQuery } from '../../api/approvals.ts';
import type { Withdrawal } from '../../api/contract.ts';
import { useMay } from '../../api/me.ts';
import { Loaded } from '../../components/loaded.tsx';
import { PaymentSumTable } from '../withdraw/payment-sum-table.tsx';
import { Problems } from '../withdraw/preview.tsx';
import { AwaitsApprovals } from './awaits-approvals.tsx';
import { withdrawalRequest } from './withdrawal-request.tsx';

/** On the page of a withdrawal that awaits approvals: what it would do now, and what its card has. */
export function WithdrawalApproval({ withdrawal }: { withdrawal: Withdrawal }) {
  const may = useMay();
  return (
    <AwaitsApprovals
      request={withdrawalRequest(withdrawal)}
      words="Nothing is signed. The payment is sent with the last approval."
      mb="lg"
    >
      {may('previewApproval') && <Foreseen withdrawal={withdrawal} />}
    </AwaitsApprovals>
  );
}

function Foreseen({ withdrawal }: { withdrawal: Withdrawal }) {
  const { id, wallet_id } = withdrawal;
  const query = useQuery(approvalPreviewQuery(wallet_id, id));
  return (
    <Loaded query={query} only_now>
      {(preview) => (
        <Stack gap="sm">
          {preview.problems.length === 0 ? (
            <Alert color="teal" variant="light" title="It can be paid now" />
          ) : (
            <Problems
              walletId={wallet_id}
              request={{ destination: withdrawal.destination, amount_stroops: withdrawal.amount_stroops }}
              preview={preview}
              can_send={preview.would_send}
            />
          )}
          <PaymentSumTable request={withdrawal} preview={preview} />
        </Stack>
      )}
    </Loaded>
  );
}
