import { Text } from '@mantine/core';
import type { AssetFields } from '../text/asset.ts';
import { Copyable } from './copy.tsx';
import { LookAlikeBadge } from './issuer-mark.tsx';

/** `issued by GA5Z…KZVN` with a copy button, and a warning for a look-alike; nothing for the native asset. */
export function IssuedBy({ asset }: { asset: AssetFields }) {
  const { asset_code, asset_issuer } = asset;
  if (asset_issuer === null) return null;
  return (
    <Text span inherit>
      issued by <Copyable value={asset_issuer} what={`issuer of ${asset_code}`} ends={4} />
      <LookAlikeBadge asset={asset} />
    </Text>
  );
}
