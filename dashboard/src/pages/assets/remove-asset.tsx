import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type { WalletAsset } from '../../api/contract.ts';
import { Amount } from '../../components/amount.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { assetText, isSameAsset } from '../../text/asset.ts';
import { AssetOutcome } from './asset-outcome.tsx';
import { useAssetChange } from './use-asset-change.ts';

type Props = {
  walletId: string;
  asset: WalletAsset;
  /** Null while it is not known. */
  balance_stroops: bigint | null;
  onClose: () => void;
};

/** Removes an asset, or says why it cannot be removed: the wallet holds some, or pays some right now. */
export function RemoveAsset({ walletId, asset, balance_stroops, onClose }: Props) {
  const order = () => api('removeAsset', { id: walletId, asset: assetText(asset) });
  const { change, followed, error } = useAssetChange(walletId, asset, order);
  const open = useOpenWithdrawals(walletId, asset);
  const isEmpty = balance_stroops === null || balance_stroops === 0n;
  const isDone = followed !== null && followed.status === 'absent';
  return (
    <ConfirmDialog
      title={`Remove ${asset.asset_code}?`}
      action={`Remove ${asset.asset_code}`}
      danger
      pending={change.isPending}
      locked={change.isPending}
      disabled={!isEmpty || open > 0 || isDone || followed?.status === 'removing'}
      error={error}
      onConfirm={() => change.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    >
      {followed ? (
        <AssetOutcome asset={followed} />
      ) : open > 0 ? (
        <OpenWithdrawals walletId={walletId} asset={asset} count={open} />
      ) : isEmpty ? (
        <Text size="sm">
          Payments of {asset.asset_code} to this wallet fail from then on. You can add it again. The removal
          frees the reserve of its trust line and costs a network fee.
        </Text>
      ) : (
        <Text size="sm">
          It cannot be removed: the wallet holds <Amount stroops={balance_stroops} asset={asset} />. Withdraw
          all of it first.
        </Text>
      )}
    </ConfirmDialog>
  );
}

/** How many withdrawals of the asset have no outcome yet, of the newest 200 of any asset. */
function useOpenWithdrawals(walletId: string, asset: WalletAsset): number {
  const query = { type: 'withdrawal', status: 'pending', limit: 200 } as const;
  const { data } = useQuery({
    queryKey: ['wallet', walletId, 'withdrawals', 'open'],
    queryFn: ({ signal }) => api('listTransactions', { id: walletId, query, signal }),
    refetchInterval: 2_000,
  });
  return data?.items.filter((each) => isSameAsset(each, asset)).length ?? 0;
}

function OpenWithdrawals({
  walletId,
  asset,
  count,
}: {
  walletId: string;
  asset: WalletAsset;
  count: number;
}) {
  return (
    <Text size="sm">
      It cannot be removed now:{' '}
      <TextLink to="/wallets/$walletId/transactions" params={{ walletId }} search={{ status: 'pending' }}>
        {count === 1 ? 'one withdrawal' : `${count} withdrawals`}
      </TextLink>{' '}
      of {asset.asset_code} {count === 1 ? 'has' : 'have'} no outcome yet. Wait for it.
    </Text>
  );
}
