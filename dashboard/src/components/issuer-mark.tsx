import { Badge, Text } from '@mantine/core';
import { useKnownAssets } from '../api/service.ts';
import { type AssetFields, isSameAsset, lookAlikeOf, lookAlikeWords, shortIssuer } from '../text/asset.ts';

/** After an amount: the issuer of an asset that the service does not know by itself, with a warning if it looks like one. */
export function IssuerMark({ asset }: { asset: AssetFields }) {
  const known = useKnownAssets();
  const { asset_issuer } = asset;
  if (asset_issuer === null || known.some((each) => isSameAsset(each, asset))) return null;
  return (
    <>
      {' '}
      <Text
        span
        fz={12}
        fw={400}
        c="dimmed"
        className="mono"
        title={asset_issuer}
        style={{ whiteSpace: 'nowrap' }}
      >
        {shortIssuer(asset_issuer)}
      </Text>
      <LookAlikeBadge asset={asset} />
    </>
  );
}

/** Says that the asset only looks like a known one; nothing for any other. */
export function LookAlikeBadge({ asset }: { asset: AssetFields }) {
  const alike = lookAlikeOf(asset, useKnownAssets());
  if (!alike) return null;
  return (
    <>
      {' '}
      <Badge color="orange" size="sm" component="span" title={lookAlikeWords(alike)}>
        look-alike
      </Badge>
    </>
  );
}
