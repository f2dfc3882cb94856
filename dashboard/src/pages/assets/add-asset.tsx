import { Button, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { assetQuery } from '../../api/assets.ts';
import { api } from '../../api/client.ts';
import { serviceQuery, useKnownAssets } from '../../api/service.ts';
import { Dialog } from '../../components/dialog.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { assetName, assetText, lookAlikeOf, readAsset } from '../../text/asset.ts';
import { AssetOutcome } from './asset-outcome.tsx';
import { IssuerFacts } from './issuer-facts.tsx';
import { useAssetChange } from './use-asset-change.ts';

type Typed = { code: string; issuer: string };
type Props = { walletId: string; initial?: Typed; onClose: () => void };

const NOTHING: Typed = { code: '', issuer: '' };

/** Chooses an asset, shows what its issuer can do, then adds it. */
export function AddAsset({ walletId, initial = NOTHING, onClose }: Props) {
  const [typed, setTyped] = useState(initial);
  const [tried, setTried] = useState(false);
  const { asset, problems } = readAsset(typed.code, typed.issuer);
  const isValid = problems.code === null && problems.issuer === null;
  const facts = useQuery({ ...assetQuery(walletId, assetText(asset)), enabled: isValid });
  const order = () => api('addAsset', { id: walletId, body: asset });
  const { change, followed, error } = useAssetChange(walletId, asset, order);
  const alike = lookAlikeOf(asset, useKnownAssets());
  const isDoubtful = facts.data?.warning != null || alike !== null;

  const type = (part: Partial<Typed>) => {
    setTyped({ ...typed, ...part });
    change.reset();
  };

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    setTried(true);
    if (isValid && facts.data) change.mutate(undefined, { onSuccess: onClose });
  }

  return (
    <Dialog
      onClose={() => !change.isPending && onClose()}
      withCloseButton={!change.isPending}
      title="Add an asset"
      size="lg"
    >
      <form onSubmit={submit} noValidate>
        <Stack>
          <Suggestions onChoose={type} />
          <AssetInputs typed={typed} tried={tried} problems={problems} onType={type} />
          {isValid && facts.isPending && <Skeleton height={90} role="status" aria-label="Loading" />}
          {isValid && facts.error && <ErrorAlert error={facts.error} retry={() => void facts.refetch()} />}
          {isValid && facts.data && <IssuerFacts asset={facts.data} />}
          <Text size="sm" c="dimmed">
            The trust line of an asset keeps back 0.5 XLM of the wallet, and its transaction has a network
            fee.
          </Text>
          {followed && <AssetOutcome asset={followed} />}
          {error && <ErrorAlert error={error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose} disabled={change.isPending}>
              {followed ? 'Close' : 'Cancel'}
            </Button>
            {(!followed || followed.status === 'failed' || followed.status === 'absent') && (
              <Button
                type="submit"
                loading={change.isPending}
                disabled={isValid && !facts.data}
                {...(isDoubtful ? { color: 'red' } : {})}
              >
                {isDoubtful ? 'Add it anyway' : 'Add asset'}
              </Button>
            )}
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

type InputsProps = {
  typed: Typed;
  tried: boolean;
  problems: ReturnType<typeof readAsset>['problems'];
  onType: (part: Partial<Typed>) => void;
};

/** A problem is shown at once if more typing cannot solve it. */
function AssetInputs({ typed, tried, problems, onType }: InputsProps) {
  return (
    <>
      <TextInput
        label="Code"
        description="1 to 12 letters or digits, such as USDC"
        required
        data-autofocus
        autoComplete="off"
        spellCheck={false}
        value={typed.code}
        onChange={({ currentTarget }) => onType({ code: currentTarget.value })}
        error={(tried || typed.code.trim().length > 12) && problems.code}
      />
      <TextInput
        label="Issuer"
        description="The account (G…) that issues the asset. Copy it from the issuer’s own pages."
        required
        autoComplete="off"
        spellCheck={false}
        classNames={{ input: 'mono' }}
        value={typed.issuer}
        onChange={({ currentTarget }) => onType({ issuer: currentTarget.value })}
        error={(tried || typed.issuer.trim().length >= 56) && problems.issuer}
      />
    </>
  );
}

/** The assets that the service knows on this network, and the sandbox's test assets: nobody has to type their issuers. */
function Suggestions({ onChoose }: { onChoose: (typed: Typed) => void }) {
  const { data } = useQuery(serviceQuery);
  const suggested = data
    ? [...data.known_assets.map((each) => ({ ...each, note: 'known' })), ...data.test_assets]
    : [];
  if (suggested.length === 0) return null;
  return (
    <Stack gap={6} role="group" aria-label="Suggestions">
      {suggested.map(({ note, ...asset }) => (
        <Group key={assetText(asset)} gap="xs" wrap="nowrap">
          <Button
            variant="light"
            size="xs"
            miw="max-content"
            onClick={() => onChoose({ code: asset.asset_code, issuer: asset.asset_issuer })}
          >
            {assetName(asset)}
          </Button>
          <Text size="xs" c="dimmed">
            {note}
          </Text>
        </Group>
      ))}
    </Stack>
  );
}
