import { Alert, Checkbox } from '@mantine/core';
import { IconFlame } from '@tabler/icons-react';
import { type AssetFields, unitOf } from '../../text/asset.ts';
import type { ParsedInput } from './withdrawal-input.ts';

type Props = {
  asset: AssetFields;
  address: ParsedInput['address'];
  /** The issuer for which it is ticked. */
  ticked: string | undefined;
  onTick: (issuer: string | undefined) => void;
};

/** Where the destination is the issuer of the asset: what is paid to it is destroyed, which has to be meant. */
export function DestroyTick({ asset, address, ticked, onTick }: Props) {
  const { asset_issuer } = asset;
  if (asset_issuer === null || address?.account !== asset_issuer) return null;
  const unit = unitOf(asset);
  return (
    <Alert color="red" variant="light" icon={<IconFlame />} title={`This account issues ${unit}`}>
      <Checkbox
        label="Destroy this payment: what is paid to the issuer ceases to exist and reaches nobody’s balance"
        checked={ticked === asset_issuer}
        onChange={({ currentTarget }) => onTick(currentTarget.checked ? asset_issuer : undefined)}
      />
    </Alert>
  );
}
