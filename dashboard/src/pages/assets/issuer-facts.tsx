import { Alert, Badge, Group, List, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconRosetteDiscountCheck } from '@tabler/icons-react';
import type { WalletAsset } from '../../api/contract.ts';
import { useKnownAssets } from '../../api/service.ts';
import { Copyable } from '../../components/copy.tsx';
import { lookAlikeOf, lookAlikeWords } from '../../text/asset.ts';
import { homeDomainWords } from './home-domain-words.ts';
import { issuerPowers } from './issuer-powers.ts';

/** Who issues the asset, and what the issuer can do to the wallet. */
export function IssuerFacts({ asset }: { asset: WalletAsset }) {
  const { asset_code, asset_issuer, verified } = asset;
  const domain = homeDomainWords(asset);
  return (
    <Stack gap={6}>
      <LookAlikeWarning asset={asset} />
      <Group gap="xs">
        <Text size="sm" component="div">
          Issued by <Copyable value={asset_issuer} what={`issuer of ${asset_code}`} />
        </Text>
        {verified && (
          <Badge color="teal" leftSection={<IconRosetteDiscountCheck size={12} />}>
            known
          </Badge>
        )}
      </Group>
      {domain && (
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {domain}
        </Text>
      )}
      <List size="sm">
        {issuerPowers(asset).map((power) => (
          <List.Item key={power}>{power}</List.Item>
        ))}
      </List>
    </Stack>
  );
}

/** The service's warning, or that of the sandbox's test assets, which the service does not know by itself. */
function LookAlikeWarning({ asset }: { asset: WalletAsset }) {
  const alike = lookAlikeOf(asset, useKnownAssets());
  const warning = asset.warning ?? (alike && lookAlikeWords(alike));
  if (!warning) return null;
  return (
    <Alert color="orange" variant="light" icon={<IconAlertTriangle />} title="Looks like another asset">
      <span style={{ overflowWrap: 'anywhere' }}>{warning}</span>
    </Alert>
  );
}
