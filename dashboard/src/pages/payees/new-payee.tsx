import { NativeSelect, Stack, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { ApiError, api } from '../../api/client.ts';
import { payeesQuery } from '../../api/payees.ts';
import { serviceQuery } from '../../api/service.ts';
import { DecodedAddress } from '../../components/decoded-address.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { FormButtons } from '../../components/form-buttons.tsx';
import { type AssetFields, assetName, assetText, distinctAssets } from '../../text/asset.ts';
import { isSecretSeed } from '../../text/strkey.ts';
import { type PayeeInput, readPayeeInput } from './payee-input.ts';

type Props = {
  /** What is known already: of a payment that was made. */
  initial?: Partial<PayeeInput>;
  onClose: () => void;
};

/** Adds a payee, or asks for the approvals that this needs. */
export function NewPayee({ initial, onClose }: Props) {
  const [typed, setTyped] = useState<PayeeInput>({
    name: '',
    destination: '',
    memo_id: '',
    asset: '',
    note: '',
    ...initial,
  });
  const [tried, setTried] = useState(false);
  const client = useQueryClient();
  const { body, address, problems } = readPayeeInput(typed);
  const create = useMutation({
    mutationFn: (given: NonNullable<typeof body>) => api('createPayee', { body: given }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: payeesQuery.queryKey });
      onClose();
    },
  });

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    setTried(true);
    if (body) create.mutate(body);
  }
  const type = (part: Partial<PayeeInput>) => {
    setTyped({ ...typed, ...part });
    create.reset();
  };
  const refused = create.error instanceof ApiError ? create.error : null;
  const faultOf = (field: 'name' | 'destination' | 'memo_id' | 'note', at_once = false) => {
    const message = refused?.fieldMessage(field);
    return ((tried || at_once) && problems[field]) || (message ? `It ${message}.` : null);
  };
  const isShown = refused !== null && FIELDS.some((field) => refused.fieldMessage(field));
  return (
    <Dialog onClose={onClose} closeOnClickOutside={false} title="New payee" size="lg">
      <form onSubmit={submit} noValidate aria-label="New payee">
        <Stack>
          <TextInput
            label="Name"
            required
            data-autofocus
            autoComplete="off"
            value={typed.name}
            error={faultOf('name')}
            onChange={({ currentTarget }) => type({ name: currentTarget.value })}
          />
          <TextInput
            label="Address"
            description="G…, M…, C… or W…. It can never be changed: another address is another payee."
            required
            autoComplete="off"
            spellCheck={false}
            classNames={{ input: 'mono' }}
            value={typed.destination}
            error={faultOf(
              'destination',
              isSecretSeed(typed.destination) || typed.destination.trim().length >= 56,
            )}
            inputContainer={(children) => (
              <>
                {children}
                {address && <DecodedAddress address={address} />}
              </>
            )}
            onChange={({ currentTarget }) => type({ destination: currentTarget.value })}
          />
          <TextInput
            label="Memo id"
            description="The memo of every payment. Exchanges require one."
            inputMode="numeric"
            classNames={{ input: 'mono' }}
            value={typed.memo_id}
            error={faultOf('memo_id', address?.muxed_id != null)}
            onChange={({ currentTarget }) => type({ memo_id: currentTarget.value })}
          />
          <OnlyAsset value={typed.asset} onChoose={(asset) => type({ asset })} />
          <Textarea
            label="Note"
            description="For your team"
            autosize
            maxRows={5}
            maxLength={500}
            value={typed.note}
            error={faultOf('note')}
            onChange={({ currentTarget }) => type({ note: currentTarget.value })}
          />
          {create.error && !isShown && <ErrorAlert error={create.error} />}
          <FormButtons action="Add payee" pending={create.isPending} onClose={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}

const FIELDS = ['name', 'destination', 'memo_id', 'note'] as const;

/** The assets that the service knows; any asset where none is chosen. */
function OnlyAsset({ value, onChoose }: { value: string; onChoose: (asset: string) => void }) {
  const { data } = useQuery(serviceQuery);
  const known: AssetFields[] = data ? [...data.known_assets, ...data.test_assets] : [];
  const options = distinctAssets(known).map((asset) => ({
    value: assetText(asset),
    label: assetName(asset),
  }));
  return (
    <NativeSelect
      label="Asset"
      description="With an asset, payments that name the payee are in this asset only"
      data={[{ value: '', label: 'Any asset' }, { value: 'native', label: 'XLM' }, ...options]}
      value={value}
      onChange={({ currentTarget }) => onChoose(currentTarget.value)}
    />
  );
}
