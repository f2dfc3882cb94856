import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api } from '../../api/client.ts';
import { stringifyExact } from '../../api/exact-json.ts';
import type { WithdrawalRequest } from './withdrawal-input.ts';

const AFTER_TYPING_MS = 300;

/** Previews a withdrawal. `data` belongs to the current input, `latest` possibly to the previous one. */
export function usePreview(walletId: string, request: WithdrawalRequest | null) {
  const text = request ? stringifyExact(request) : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text is the order
  const same = useMemo(() => request, [text]);
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
  const current = asked === same && !query.isPlaceholderData;
  return {
    data: current && !query.isError ? query.data : undefined,
    latest: query.data,
    error: current ? query.error : null,
    retry: () => void query.refetch(),
  };
}
