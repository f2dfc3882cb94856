import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type { Factor } from '../../api/contract.ts';
import { factorsQuery } from '../../api/factors.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { RenameDialog } from '../../components/rename-dialog.tsx';

export function RenameFactor({ factor, onClose }: { factor: Factor; onClose: () => void }) {
  const client = useQueryClient();
  const rename = useMutation({
    mutationFn: (name: string) => api('renameFactor', { factor_id: factor.id, body: { name } }),
    onSettled: () => client.invalidateQueries({ queryKey: factorsQuery.queryKey }),
    onSuccess: onClose,
  });
  return <RenameDialog title="Rename the factor" name={factor.name} rename={rename} onClose={onClose} />;
}

export function RemoveFactor({
  factor,
  isLast,
  onClose,
}: {
  factor: Factor;
  isLast: boolean;
  onClose: () => void;
}) {
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: () => api('removeFactor', { factor_id: factor.id }),
    onSettled: () => client.invalidateQueries({ queryKey: factorsQuery.queryKey }),
    onSuccess: onClose,
  });
  return (
    <ConfirmDialog
      title={`Remove ${factor.name}?`}
      action="Remove"
      danger
      pending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      {isLast
        ? 'It is your last second factor: from then on the password alone signs in as you. The recovery codes end too. '
        : 'It no longer signs in as you. '}
      All your other sessions end at once.
    </ConfirmDialog>
  );
}
