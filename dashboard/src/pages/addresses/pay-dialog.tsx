import { Alert, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { assetsQuery } from '../../api/assets.ts';
import { ApiError, api } from '../../api/client.ts';
import type { DepositAddress } from '../../api/contract.ts';
import { serviceQuery } from '../../api/service.ts';
import { Copyable } from '../../components/copy.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { FormButtons } from '../../components/form-buttons.tsx';
import {
  type AssetFields,
  assetName,
  assetText,
  isSameAsset,
  NATIVE,
  parseAssetText,
  unitOf,
} from '../../text/asset.ts';
import { parseUnits } from '../../text/money.ts';

type Props = {
  address: DepositAddress;
  /** The asset that the page's payment link asks for. */
  asked: AssetFields;
  onClose: () => void;
};

/** Pays the address from a test account of the sandbox. */
export function PayDialog({ address, asked, onClose }: Props) {
  const client = useQueryClient();
  const [typed, setTyped] = useState('25');
  const payable = usePayable(address.wallet_id);
  const [chosen, setAsset] = useState(asked);
  // The sandbox can pay test assets only.
  const asset = payable.some((each) => isSameAsset(each, chosen)) ? chosen : NATIVE;
  const [tried, setTried] = useState(false);
  const amount = parseUnits(typed, undefined, unitOf(asset));
  const pay = useMutation({
    mutationFn: (amount_stroops: bigint) =>
      api('payOnSandbox', { body: { destination: address.address, amount_stroops, ...issuedFields(asset) } }),
    onSettled: () => client.invalidateQueries({ queryKey: ['wallet', address.wallet_id] }),
  });
  const refused = pay.error instanceof ApiError ? pay.error.fieldMessage('amount_stroops') : null;
  const problem = 'problem' in amount ? (tried ? `The amount ${amount.problem}.` : null) : refused;

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    setTried(true);
    if ('stroops' in amount) pay.mutate(amount.stroops);
  }

  return (
    <Dialog onClose={onClose} title="Pay this address">
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm">
            A test account of the sandbox pays this address, as a customer would. The deposit appears within
            seconds.
          </Text>
          <PaidAsset
            payable={payable}
            asset={asset}
            onChoose={(chosen) => {
              setAsset(chosen);
              pay.reset();
            }}
          />
          <TextInput
            label="Amount"
            rightSection={<Text size="sm">{unitOf(asset)}</Text>}
            rightSectionWidth={96}
            inputMode="decimal"
            autoComplete="off"
            required
            data-autofocus
            value={typed}
            onChange={(event) => {
              setTyped(event.currentTarget.value);
              pay.reset();
            }}
            error={problem}
          />
          {pay.error && !refused && <ErrorAlert error={pay.error} />}
          {pay.data && (
            <Alert color="teal" title="Paid" role="status">
              <Text size="sm" component="div">
                Transaction <Copyable value={pay.data.stellar_tx_hash} what="transaction hash" />
              </Text>
            </Alert>
          )}
          <FormButtons
            action={pay.data ? 'Pay again' : 'Pay'}
            pending={pay.isPending}
            close="Close"
            onClose={onClose}
          />
        </Stack>
      </form>
    </Dialog>
  );
}

/** A request names an issued asset in two fields, and the native one in none. */
function issuedFields({ asset_code, asset_issuer }: AssetFields) {
  return asset_issuer === null ? {} : { asset_code, asset_issuer };
}

/** XLM and the test assets that the wallet has. */
function usePayable(walletId: string): AssetFields[] {
  const { data: service } = useQuery(serviceQuery);
  const { data: assets } = useQuery(assetsQuery(walletId));
  const held = new Set(assets?.items.map(assetText));
  return [NATIVE, ...(service?.test_assets.filter((each) => held.has(assetText(each))) ?? [])];
}

type PaidAssetProps = { payable: AssetFields[]; asset: AssetFields; onChoose: (asset: AssetFields) => void };

/** Not there while the wallet has no test asset. */
function PaidAsset({ payable, asset, onChoose }: PaidAssetProps) {
  if (payable.length < 2) return null;
  return (
    <NativeSelect
      label="Asset"
      value={assetText(asset)}
      onChange={({ currentTarget }) => onChoose(parseAssetText(currentTarget.value))}
      data={payable.map((each) => ({ value: assetText(each), label: assetName(each) }))}
    />
  );
}
