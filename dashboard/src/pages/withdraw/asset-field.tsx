import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Balance } from '../../api/contract.ts';
import { useKnownAssets } from '../../api/service.ts';
import { balancesQuery } from '../../api/wallets.ts';
import { IssuedBy } from '../../components/issuer.tsx';
import {
  type AssetFields,
  assetName,
  assetText,
  isSameAsset,
  lookAlikeOf,
  lookAlikeWords,
  parseAssetText,
  unitOf,
} from '../../text/asset.ts';
import { editableUnits, formatUnits } from '../../text/money.ts';
import { STATUS_WORDS } from '../assets/status-words.ts';
import { mostPayable } from './most-payable.ts';

type Props = { walletId: string; asset: string };

/** Chooses among the assets that the wallet holds. It is there before they are read, so that nothing moves then. */
export function AssetField({ walletId, asset, onChoose }: Props & { onChoose: (asset: string) => void }) {
  const { data } = useQuery(balancesQuery(walletId));
  const known = useKnownAssets();
  const balances = data?.items ?? [];
  const options = balances.map((balance) => ({
    value: assetText(balance),
    label: optionLabel(balance, lookAlikeOf(balance, known) !== null),
  }));
  const isHeld = options.some(({ value }) => value === asset);
  return (
    <Stack gap={4}>
      <NativeSelect
        label="Asset"
        value={asset}
        onChange={({ currentTarget }) => onChoose(currentTarget.value)}
        data={isHeld ? options : [...options, { value: asset, label: assetName(parseAssetText(asset)) }]}
      />
      <Chosen asset={parseAssetText(asset)} balance={balances.find((each) => assetText(each) === asset)} />
    </Stack>
  );
}

function optionLabel(balance: Balance, isAlike: boolean): string {
  const { status, available_stroops } = balance;
  const state =
    status === 'active' ? `${formatUnits(available_stroops)} available` : STATUS_WORDS[status].label;
  return `${assetName(balance)}${isAlike ? ' (look-alike)' : ''} · ${state}`;
}

/** The whole issuer of an issued asset, and why it may not be what it seems, or cannot be paid. */
function Chosen({ asset, balance }: { asset: AssetFields; balance: Balance | undefined }) {
  const alike = lookAlikeOf(asset, useKnownAssets());
  if (asset.asset_issuer === null) return null;
  const meaning = balance && STATUS_WORDS[balance.status].meaning;
  return (
    <Text size="xs" c="dimmed" component="div" style={{ overflowWrap: 'anywhere' }}>
      <IssuedBy asset={asset} />
      {alike && <div>{lookAlikeWords(alike)}</div>}
      {meaning && <div>{meaning}</div>}
    </Text>
  );
}

type MaxProps = Props & {
  /** The dearest that the withdrawal's fee can be, once a preview has said so. */
  fee_max_stroops: bigint | undefined;
  onChoose: (amount: string) => void;
};

/** Fills in all that can be paid; of the native asset, all but a fee. Its place is kept until that is known. */
export function MaxAmount({ walletId, asset, fee_max_stroops, onChoose }: MaxProps) {
  const { data } = useQuery(balancesQuery(walletId));
  const chosen = parseAssetText(asset);
  const balance = data?.items.find((each) => isSameAsset(each, chosen));
  const most = balance ? mostPayable(balance, fee_max_stroops) : 0n;
  return (
    <Group justify="flex-end" mt={-8} mih={22}>
      {most > 0n && (
        <Button variant="subtle" size="compact-xs" onClick={() => onChoose(editableUnits(most))}>
          Max: {formatUnits(most)} {unitOf(chosen)}
        </Button>
      )}
    </Group>
  );
}
