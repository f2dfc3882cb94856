import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCoins, IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { assetsQuery } from '../../api/assets.ts';
import type { WalletAsset } from '../../api/contract.ts';
import { useMay } from '../../api/me.ts';
import { balancesQuery } from '../../api/wallets.ts';
import { Figures } from '../../components/amount.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Page } from '../../components/page.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { readableMessage } from '../../text/api-message.ts';
import { assetName, assetText, isSameAsset, sharesCode, unitOf } from '../../text/asset.ts';
import { AddAsset } from './add-asset.tsx';
import { IssuerFacts } from './issuer-facts.tsx';
import { RemoveAsset } from './remove-asset.tsx';
import { STATUS_WORDS } from './status-words.ts';

const EVERY_MS = 10_000;

export function Assets() {
  const { walletId } = useParams({ from: '/signed-in/wallets/$walletId/assets' });
  const assets = useQuery(assetsQuery(walletId));
  const [adding, add] = useDisclosure();
  const may = useMay();
  return (
    <Page
      title="Assets"
      description="What the wallet can hold beside XLM. Each asset has a code and an issuer: anybody can issue an asset with any code."
      actions={
        may('addAsset') && (
          <Button leftSection={<IconPlus size={16} />} onClick={add.open}>
            Add asset
          </Button>
        )
      }
    >
      <Loaded query={assets}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState icon={IconCoins} title="No issued assets yet">
              {may('addAsset')
                ? 'The wallet holds XLM only. Add an asset such as USDC before customers pay it: without its trust line their payments fail.'
                : 'The wallet holds XLM only. Owners and admins of the team add assets such as USDC.'}
            </EmptyState>
          ) : (
            <Stack component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
              {items.map((asset) => (
                <AssetCard
                  key={assetText(asset)}
                  walletId={walletId}
                  asset={asset}
                  sharesCode={sharesCode(asset, items)}
                />
              ))}
            </Stack>
          )
        }
      </Loaded>
      {adding && <AddAsset walletId={walletId} onClose={add.close} />}
    </Page>
  );
}

type CardProps = { walletId: string; asset: WalletAsset; sharesCode: boolean };

/** `sharesCode`: the wallet has another asset with the same code. */
function AssetCard({ walletId, asset, sharesCode }: CardProps) {
  const balances = useQuery({ ...balancesQuery(walletId), refetchInterval: EVERY_MS });
  const [removing, remove] = useDisclosure();
  const [addingAgain, again] = useDisclosure();
  const balance = balances.data?.items.find((each) => isSameAsset(each, asset));
  const may = useMay();
  const isChanging = asset.status === 'pending' || asset.status === 'removing';
  return (
    <Stack
      component="li"
      gap="sm"
      p="lg"
      style={{ border: '1px solid var(--mantine-color-default-border)', borderRadius: 8 }}
      aria-label={assetName(asset)}
    >
      <Group justify="space-between" gap="sm">
        <Group gap="sm">
          <Text fw={650} size="lg">
            {unitOf(asset)}
          </Text>
          <StatusBadge status={asset.status} label={STATUS_WORDS[asset.status].label} />
        </Group>
        <Group gap="md">
          {balance && <Figures stroops={balance.amount_stroops} asset={asset} fw={600} />}
          {asset.status === 'failed' && may('addAsset') && (
            <Button
              variant="default"
              size="xs"
              onClick={again.open}
              aria-label={`Add ${assetName(asset)} again`}
            >
              Add again
            </Button>
          )}
          {asset.status !== 'failed' && may('removeAsset') && (
            <Button
              variant="default"
              size="xs"
              leftSection={<IconTrash size={14} />}
              disabled={isChanging}
              onClick={remove.open}
              aria-label={`Remove ${assetName(asset)}`}
            >
              Remove
            </Button>
          )}
        </Group>
      </Group>
      {STATUS_WORDS[asset.status].meaning && <Text size="sm">{STATUS_WORDS[asset.status].meaning}</Text>}
      {asset.failure && (
        <Alert color="red" variant="light" title="The network refused it">
          {readableMessage(asset.failure.message)}
        </Alert>
      )}
      {sharesCode && (
        <Text size="sm" fw={550}>
          The wallet has another asset with this code: compare the issuers.
        </Text>
      )}
      <IssuerFacts asset={asset} />
      {addingAgain && (
        <AddAsset
          walletId={walletId}
          initial={{ code: asset.asset_code, issuer: asset.asset_issuer }}
          onClose={again.close}
        />
      )}
      {removing && (
        <RemoveAsset
          walletId={walletId}
          asset={asset}
          balance_stroops={balance?.amount_stroops ?? null}
          onClose={remove.close}
        />
      )}
    </Stack>
  );
}
