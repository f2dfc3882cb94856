import { Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type { WalletAsset } from '../../api/contract.ts';
import { Amount } from '../../components/amount.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { assetText } from '../../text/asset.ts';

type Props = {
  walletId: string;
  asset: WalletAsset;
  /** Null while it is not known. */
  balance_stroops: bigint | null;
  onClose: () => void;
};

export function RemoveAsset({ walletId, asset, balance_stroops, onClose }: Props) {
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: () => api('removeAsset', { id: walletId, asset: assetText(asset) }),
    // Also after an error: the change may continue without this request.
    onSettled: () => client.invalidateQueries({ queryKey: ['wallet', walletId] }),
    onSuccess: onClose,
  });
  const isEmpty = balance_stroops === null || balance_stroops === 0n;
  return (
    <ConfirmDialog
      title={`Remove ${asset.asset_code}?`}
      action={`Remove ${asset.asset_code}`}
      danger
      pending={remove.isPending}
      locked={remove.isPending}
      disabled={!isEmpty}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      {isEmpty ? (
        <Text size="sm">
          Payments of {asset.asset_code} to this wallet fail from then on. You can add it again. The removal
          frees the reserve of its trust line and costs a network fee.
        </Text>
      ) : (
        <Text size="sm">
          The wallet holds <Amount stroops={balance_stroops} asset={asset.asset_code} />. Withdraw it first.
        </Text>
      )}
    </ConfirmDialog>
  );
}
