import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { assetQuery } from '../../api/assets.ts';
import { ApiError, mayHaveTakenEffect } from '../../api/client.ts';
import { type AssetFields, assetText } from '../../text/asset.ts';

const FOLLOWED_EVERY_MS = 1_000;

/**
 * Adds or removes an asset. If the answer is a 504, or is lost, the change may continue: `followed` is then the asset as
 * it is now, read until its state is known. A change that is asked for again is made once.
 */
export function useAssetChange(walletId: string, asset: AssetFields, order: () => Promise<unknown>) {
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: order,
    // Also after an error: the change may continue without this request.
    onSettled: () => client.invalidateQueries({ queryKey: ['wallet', walletId] }),
  });
  const isOpen = change.error !== null && isOpenEnded(change.error);
  const query = useQuery({
    ...assetQuery(walletId, assetText(asset)),
    enabled: isOpen,
    refetchInterval: FOLLOWED_EVERY_MS,
  });
  // What was read before the order says nothing about it.
  const isRead = query.dataUpdatedAt > change.submittedAt;
  return {
    change,
    followed: isOpen && isRead ? (query.data ?? null) : null,
    /** Why the change was refused, or cannot be followed. */
    error: isOpen && isRead ? null : change.error,
  };
}

/** Whether the change may be made, or be under way. */
export function isOpenEnded(error: Error): boolean {
  return (error instanceof ApiError && error.code === 'outcome_pending') || mayHaveTakenEffect(error);
}
