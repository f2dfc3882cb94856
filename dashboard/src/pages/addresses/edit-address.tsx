import { useMutation, useQueryClient } from '@tanstack/react-query';
import { addressQuery } from '../../api/addresses.ts';
import { api } from '../../api/client.ts';
import type { DepositAddress } from '../../api/contract.ts';
import { stringifyExact } from '../../api/exact-json.ts';
import type { BodyOf } from '../../api/operations.ts';
import { AddressForm } from './address-form.tsx';

type Shown = Pick<DepositAddress, 'id' | 'wallet_id' | 'label' | 'metadata'>;

/** Changes the label and metadata. Metadata that nobody touched is not sent: its text stays as it was given. */
export function EditAddress({ address, onClose }: { address: Shown; onClose: () => void }) {
  const { id, wallet_id } = address;
  const client = useQueryClient();
  const edit = useMutation({
    mutationFn: (body: BodyOf<'changeDepositAddress'>) =>
      api('changeDepositAddress', { id: wallet_id, address_id: id, body }),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: addressQuery(wallet_id, id).queryKey }),
        client.invalidateQueries({ queryKey: ['wallet', wallet_id, 'addresses'] }),
      ]),
    onSuccess: onClose,
  });
  return (
    <AddressForm
      title="Edit the deposit address"
      action="Save"
      label={address.label ?? ''}
      metadata={stringifyExact(address.metadata, 2)}
      note="Deposits from now on carry the new metadata. Earlier ones, and the events sent of them, keep theirs."
      sending={edit}
      onSubmit={({ label, metadata, metadata_typed }) =>
        edit.mutate({ label, ...(metadata_typed ? { metadata: metadata ?? {} } : {}) })
      }
      onClose={onClose}
    />
  );
}
