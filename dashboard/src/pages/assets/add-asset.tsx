import { Alert, Button, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { assetQuery } from '../../api/assets.ts';
import { ApiError, api } from '../../api/client.ts';
import { serviceQuery } from '../../api/service.ts';
import { Dialog } from '../../components/dialog.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { assetText, readAsset, shortIssuer } from '../../text/asset.ts';
import { IssuerFacts } from './issuer-facts.tsx';

type Props = { walletId: string; onClose: () => void };

/** Chooses an asset, shows what its issuer can do, then adds it. */
export function AddAsset({ walletId, onClose }: Props) {
  const client = useQueryClient();
  const [typed, setTyped] = useState({ code: '', issuer: '' });
  const [tried, setTried] = useState(false);
  const { asset, problems } = readAsset(typed.code, typed.issuer);
  const isValid = problems.code === null && problems.issuer === null;
  const facts = useQuery({ ...assetQuery(walletId, assetText(asset)), enabled: isValid });
  const add = useMutation({
    mutationFn: () => api('addAsset', { id: walletId, body: asset }),
    // Also after an error: the change may continue without this request.
    onSettled: () => client.invalidateQueries({ queryKey: ['wallet', walletId] }),
    onSuccess: onClose,
  });
  const type = (change: Partial<typeof typed>) => {
    setTyped({ ...typed, ...change });
    add.reset();
  };

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    setTried(true);
    if (isValid && facts.data) add.mutate();
  }

  return (
    <Dialog
      onClose={() => !add.isPending && onClose()}
      withCloseButton={!add.isPending}
      title="Add an asset"
      size="lg"
    >
      <form onSubmit={submit} noValidate>
        <Stack>
          <Suggestions onChoose={(code, issuer) => type({ code, issuer })} />
          <TextInput
            label="Code"
            description="1 to 12 letters or digits, such as USDC"
            required
            data-autofocus
            autoComplete="off"
            spellCheck={false}
            value={typed.code}
            onChange={({ currentTarget }) => type({ code: currentTarget.value })}
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
            onChange={({ currentTarget }) => type({ issuer: currentTarget.value })}
            error={(tried || typed.issuer.trim().length >= 56) && problems.issuer}
          />
          {isValid && facts.isPending && <Skeleton height={90} role="status" aria-label="Loading" />}
          {isValid && facts.error && <ErrorAlert error={facts.error} retry={() => void facts.refetch()} />}
          {isValid && facts.data && <IssuerFacts asset={facts.data} />}
          <Text size="sm" c="dimmed">
            The trust line of an asset keeps back 0.5 XLM of the wallet, and its transaction has a network
            fee.
          </Text>
          {add.error && <Failure error={add.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose} disabled={add.isPending}>
              Cancel
            </Button>
            <Button type="submit" loading={add.isPending} disabled={isValid && !facts.data}>
              Add asset
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

function Failure({ error }: { error: Error }) {
  if (error instanceof ApiError && error.code === 'outcome_pending')
    return (
      <Alert color="yellow" variant="light" title="It takes longer than usual">
        The asset is being added. The page shows when it is done. Adding it again is safe: it is added once.
      </Alert>
    );
  return <ErrorAlert error={error} />;
}

/** The assets that the service knows on this network, and the sandbox's test assets: nobody has to type their issuers. */
function Suggestions({ onChoose }: { onChoose: (code: string, issuer: string) => void }) {
  const { data } = useQuery(serviceQuery);
  const suggested = data ? [...data.known_assets, ...data.test_assets] : [];
  if (suggested.length === 0) return null;
  return (
    <Group gap="xs">
      {suggested.map(({ asset_code, asset_issuer }) => (
        <Button
          key={`${asset_code}:${asset_issuer}`}
          variant="light"
          size="xs"
          onClick={() => onChoose(asset_code, asset_issuer)}
        >
          {asset_code} of {shortIssuer(asset_issuer)}
        </Button>
      ))}
    </Group>
  );
}
