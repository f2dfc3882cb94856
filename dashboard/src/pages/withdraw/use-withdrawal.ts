import { useIsMutating, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ApiError, api } from '../../api/client.ts';
import type { Withdrawal } from '../../api/contract.ts';
import { changeDraft, draftOf, useDraft } from './draft.ts';
import { isRefusal } from './refusals.ts';
import type { WithdrawalRequest } from './withdrawal-input.ts';

type KeyedRequest = { key: string; request: WithdrawalRequest };

/** The wallet's draft, and the withdrawal with its key once the service has it. */
export function useWithdrawal(walletId: string) {
  const client = useQueryClient();
  const draft = useDraft(walletId);
  const lookupKey = (key: string) => ['wallet', walletId, 'withdrawal-with-key', key];

  const lookup = useQuery({
    queryKey: lookupKey(draft.key),
    queryFn: async ({ signal }) => {
      const query = { idempotency_key: draft.key };
      const { items } = await api('listWithdrawals', { id: walletId, query, signal });
      return items[0] ?? null;
    },
    enabled: draft.state !== 'new',
    // An outcome never changes.
    refetchInterval: ({ state: { data } }) => (data?.settled_at ? false : 1_000),
    retry: false,
  });

  async function found(key: string, withdrawal: Withdrawal) {
    // A lookup in progress may return older data.
    await client.cancelQueries({ queryKey: lookupKey(key) });
    client.setQueryData(lookupKey(key), withdrawal);
  }

  const mutationKey = ['withdraw', draft.key];
  const send = useMutation({
    mutationKey,
    mutationFn: ({ key, request }: KeyedRequest) =>
      api('createWithdrawal', { id: walletId, headers: { 'idempotency-key': key }, body: request }),
    onSuccess: (withdrawal, { key }) => found(key, withdrawal),
    onError: (error, { key }) => {
      const holder = holderIn(error);
      if (holder) return found(key, holder);
      if (isRefusal(error) && draftOf(walletId).key === key) changeDraft(walletId, { state: 'reopened' });
    },
  });

  return {
    draft,
    lookup,
    /** Also after the page was left and opened again. */
    sending: useIsMutating({ mutationKey }) > 0,
    refusal: send.error && isRefusal(send.error) ? send.error : null,
    forgetRefusal: send.reset,
    /** Uses the same key each time: repeated calls pay once. */
    pay(request: WithdrawalRequest) {
      if (client.isMutating({ mutationKey }) > 0) return;
      // Sent a second time: the outcome of the first is not known.
      changeDraft(walletId, { state: 'sent', lost: draft.lost || draft.state === 'sent' });
      send.mutate({ key: draft.key, request });
    },
  };
}

/** The withdrawal with the key, in the body of a 409 or 504. */
function holderIn(error: Error): Withdrawal | null {
  const shows = error instanceof ApiError && (error.status === 409 || error.status === 504);
  return shows ? ((error.data as Withdrawal | undefined) ?? null) : null;
}
