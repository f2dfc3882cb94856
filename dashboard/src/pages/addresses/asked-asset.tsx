import { Alert, NativeSelect, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { assetsQuery } from '../../api/assets.ts';
import { IssuedBy } from '../../components/issuer.tsx';
import {
  type AssetFields,
  assetName,
  assetText,
  isSameAsset,
  NATIVE,
  parseAssetText,
} from '../../text/asset.ts';
import { STATUS_WORDS } from '../assets/status-words.ts';

type Props = { walletId: string; asset: AssetFields; onChoose: (asset: AssetFields) => void };

/** Chooses the asset that the payment link asks for; not there while the wallet has none beside XLM. */
export function AskedAsset({ walletId, asset, onChoose }: Props) {
  const { data } = useQuery(assetsQuery(walletId));
  const held = data?.items.filter(({ status }) => status !== 'failed') ?? [];
  if (held.length === 0) return null;
  const chosen = held.find((each) => isSameAsset(each, asset));
  return (
    <Stack gap="xs">
      <NativeSelect
        label="Asset"
        description="The payment link and its QR code ask for this asset."
        maw={420}
        value={assetText(asset)}
        onChange={({ currentTarget }) => onChoose(parseAssetText(currentTarget.value))}
        data={[NATIVE, ...held].map((each) => ({ value: assetText(each), label: assetName(each) }))}
      />
      {chosen && (
        <Text size="sm" c="dimmed" component="div">
          <IssuedBy asset={chosen} />
        </Text>
      )}
      {chosen && chosen.status !== 'active' && (
        <Alert color="orange" variant="light" icon={<IconAlertTriangle />} maw={720}>
          {STATUS_WORDS[chosen.status].meaning} Payments of it to this address fail until then.
        </Alert>
      )}
    </Stack>
  );
}
