import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import type { BodyOf } from '../../api/operations.ts';
import { AddressForm } from './address-form.tsx';

/** Asks for a label and metadata, then opens the page of the new address. */
export function CreateAddress({ walletId, onClose }: { walletId: string; onClose: () => void }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const create = useMutation({
    mutationFn: (body: BodyOf<'createDepositAddress'>) => api('createDepositAddress', { id: walletId, body }),
    onSuccess: async ({ id }) => {
      void client.invalidateQueries({ queryKey: ['wallet', walletId, 'addresses'] });
      await navigate({ to: '/wallets/$walletId/addresses/$addressId', params: { walletId, addressId: id } });
    },
  });
  return (
    <AddressForm
      title="New deposit address"
      action="Create address"
      sending={create}
      onSubmit={({ label, metadata }) =>
        create.mutate({ ...(label === '' ? {} : { label }), ...(metadata ? { metadata } : {}) })
      }
      onClose={onClose}
    />
  );
}
