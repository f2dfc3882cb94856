import { Alert, Badge, Group, List, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconRosetteDiscountCheck } from '@tabler/icons-react';
import type { WalletAsset } from '../../api/contract.ts';
import { Copyable } from '../../components/copy.tsx';
import { readableMessage } from '../../text/api-message.ts';
import { homeDomainWords } from './home-domain-words.ts';

/** Who issues the asset, and what the issuer can do to the wallet. */
export function IssuerFacts({ asset }: { asset: WalletAsset }) {
  const { asset_code, asset_issuer, verified, warning } = asset;
  const domain = homeDomainWords(asset);
  return (
    <Stack gap={6}>
      {warning && (
        <Alert color="orange" variant="light" icon={<IconAlertTriangle />} title="Looks like another asset">
          <span style={{ overflowWrap: 'anywhere' }}>{readableMessage(warning)}</span>
        </Alert>
      )}
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
        {powersOf(asset).map((power) => (
          <List.Item key={power}>{power}</List.Item>
        ))}
      </List>
    </Stack>
  );
}

function powersOf({ issuer_flags, clawback_enabled }: WalletAsset): string[] {
  const powers = [
    ...(clawback_enabled ? ['The issuer can take back what the wallet holds (clawback).'] : []),
    ...(issuer_flags?.auth_required ? ['The issuer must approve each holder first.'] : []),
    ...(issuer_flags?.auth_revocable
      ? ['The issuer can withdraw its approval: the balance is then stuck.']
      : []),
    ...(issuer_flags === null ? ['The issuer is no account of this network.'] : []),
  ];
  return powers.length > 0 ? powers : ['The issuer can neither block nor take back what the wallet holds.'];
}
