import { Button, Group, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { balancesQuery } from '../../api/wallets.ts';
import { assetText, shortIssuer, unitOf } from '../../text/asset.ts';
import { editableUnits, formatUnits } from '../../text/money.ts';

/** What an account keeps for fees when all of its native balance is paid: the dearest that one withdrawal can be. */
const KEPT_FOR_FEE_STROOPS = 100_000n;

type Props = { walletId: string; asset: string };

/** Chooses among the assets that the wallet holds; not there while it holds the native one alone. */
export function AssetField({ walletId, asset, onChoose }: Props & { onChoose: (asset: string) => void }) {
  const { data } = useQuery(balancesQuery(walletId));
  const balances = data?.items ?? [];
  if (balances.length < 2 && asset === 'native') return null;
  const options = balances.map((balance) => ({
    value: assetText(balance),
    label: `${labelOf(balance)} · ${formatUnits(balance.available_stroops)} available`,
  }));
  const isKnown = options.some(({ value }) => value === asset);
  return (
    <NativeSelect
      label="Asset"
      value={asset}
      onChange={({ currentTarget }) => onChoose(currentTarget.value)}
      data={isKnown ? options : [...options, { value: asset, label: asset }]}
    />
  );
}

function labelOf(asset: { asset_code: string; asset_issuer: string | null }): string {
  return asset.asset_issuer === null ? 'XLM' : `${asset.asset_code} of ${shortIssuer(asset.asset_issuer)}`;
}

/** Fills in all that can be paid; of the native asset, all but a fee. */
export function MaxAmount({ walletId, asset, onChoose }: Props & { onChoose: (amount: string) => void }) {
  const { data } = useQuery(balancesQuery(walletId));
  const balance = data?.items.find((each) => assetText(each) === asset);
  if (!balance) return null;
  const kept = balance.asset_issuer === null ? KEPT_FOR_FEE_STROOPS : 0n;
  const most = balance.available_stroops - kept;
  if (most <= 0n) return null;
  return (
    <Group justify="flex-end" mt={-8}>
      <Button variant="subtle" size="compact-xs" onClick={() => onChoose(editableUnits(most))}>
        Max: {formatUnits(most)} {unitOf(balance)}
      </Button>
    </Group>
  );
}
