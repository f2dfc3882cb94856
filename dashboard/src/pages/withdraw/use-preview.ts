import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api, isUnreachable } from '../../api/client.ts';
import { stringifyExact } from '../../api/exact-json.ts';
import { useStandingError } from '../../components/standing-error.ts';
import type { WithdrawalRequest } from './withdrawal-input.ts';

const AFTER_TYPING_MS = 300;

/** Previews a withdrawal. `data` belongs to the current input, `latest` possibly to the previous one. */
export function usePreview(walletId: string, request: WithdrawalRequest | null) {
  const text = request ? stringifyExact(paymentOf(request)) : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text is the order
  const same = useMemo(() => request && paymentOf(request), [text]);
  const [asked] = useDebouncedValue(same, AFTER_TYPING_MS);
  const query = useQuery({
    queryKey: ['wallet', walletId, 'preview', asked && stringifyExact(asked)],
    queryFn:
      asked && request
        ? ({ signal }) => api('previewWithdrawal', { id: walletId, body: asked, signal })
        : skipToken,
    placeholderData: keepPreviousData,
    refetchInterval: 4_000,
  });
  // At once, also while it is asked again: a withdrawal is not reviewed by a preview that may be out of date.
  const failure = useStandingError(query) ?? query.failureReason;
  const error = asked === same || isUnreachable(failure) ? failure : null;
  const current = asked === same && !query.isPlaceholderData && !error;
  return {
    data: current ? query.data : undefined,
    latest: query.data,
    error,
    retry: () => void query.refetch(),
  };
}

/** The reference changes nothing of the preview, which is not asked for again while it is typed. */
function paymentOf({ reference: _, ...payment }: WithdrawalRequest): WithdrawalRequest {
  return payment;
}
