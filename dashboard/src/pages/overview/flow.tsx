import { Box, Card, Group, NativeSelect, SegmentedControl, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { balancesQuery, statisticsQuery } from '../../api/wallets.ts';
import { Figures } from '../../components/amount.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { type AssetFields, assetName, assetText, isSameAsset, unitOf } from '../../text/asset.ts';
import { formatInteger } from '../../text/money.ts';
import { FlowChart } from './flow-chart.tsx';
import { type CustomerDays, withoutOwnFunds } from './own-funds.ts';
import { DAYS } from './search.ts';

const SPANS = DAYS.map((days) => ({ value: days, label: `${days} days` }));

type Props = {
  walletId: string;
  asset: AssetFields;
  days: string;
  onChoose: (change: { asset?: string; days?: string }) => void;
};

/** Deposits from customers and withdrawals of an asset over time. */
export function Flow({ walletId, asset, days, onChoose }: Props) {
  const statistics = useQuery({
    ...statisticsQuery(walletId, days, assetText(asset)),
    // Amounts of another asset would stand under the name of this one.
    placeholderData: (shown, query) => (query?.queryKey.at(-1) === assetText(asset) ? shown : undefined),
    refetchInterval: 60_000,
  });
  return (
    <Card withBorder padding="lg">
      <Group justify="space-between" mb="md">
        <Title order={2} size="h4">
          Deposits and withdrawals
        </Title>
        <Group gap="sm">
          <ChartAsset {...{ walletId, asset, onChoose }} />
          <SegmentedControl
            aria-label="Time range"
            data={SPANS}
            value={days}
            onChange={(span) => onChoose({ days: span })}
          />
        </Group>
      </Group>
      <Loaded query={statistics} lines={9}>
        {(data) => (
          <Box opacity={statistics.isPlaceholderData ? 0.5 : 1} aria-busy={statistics.isPlaceholderData}>
            <FlowOf {...withoutOwnFunds(data.days)} asset={asset} />
          </Box>
        )}
      </Loaded>
    </Card>
  );
}

/** Chooses among the assets of the wallet; not there while it has the native one alone. */
function ChartAsset({ walletId, asset, onChoose }: Omit<Props, 'days'>) {
  const { data } = useQuery(balancesQuery(walletId));
  const held: AssetFields[] = data?.items ?? [];
  const choices = held.some((each) => isSameAsset(each, asset)) ? held : [...held, asset];
  if (choices.length < 2) return null;
  return (
    <NativeSelect
      aria-label="Asset of the chart"
      value={assetText(asset)}
      onChange={({ currentTarget }) => onChoose({ asset: currentTarget.value })}
      data={choices.map((each) => ({ value: assetText(each), label: assetName(each) }))}
    />
  );
}

function FlowOf({ days, own_funds_stroops, asset }: CustomerDays & { asset: AssetFields }) {
  const sum = (field: 'deposits_stroops' | 'withdrawals_stroops' | 'fees_stroops') =>
    days.reduce((total, day) => total + day[field], 0n);
  const count = (field: 'deposits_count' | 'withdrawals_count') =>
    formatInteger(days.reduce((total, day) => total + day[field], 0));
  return (
    <>
      <Group gap="xl" mb="lg">
        <Total name={`Deposits (${count('deposits_count')})`} colour="teal.6">
          <Figures stroops={sum('deposits_stroops')} asset={asset} />
        </Total>
        <Total name={`Withdrawals (${count('withdrawals_count')})`} colour="indigo.5">
          <Figures stroops={sum('withdrawals_stroops')} asset={asset} />
        </Total>
        {asset.asset_issuer === null && (
          <Total name="Fees">
            <Figures stroops={sum('fees_stroops')} />
          </Total>
        )}
      </Group>
      <FlowChart days={days} asset={asset} />
      <Text size="xs" c="dimmed" mt="xs">
        Confirmed {unitOf(asset)} payments by UTC day.
        {asset.asset_issuer !== null && ' Fees are paid in XLM.'}
      </Text>
      {own_funds_stroops > 0n && (
        <Text size="xs" c="dimmed">
          Not shown: <Figures stroops={own_funds_stroops} asset={asset} /> own funds, which created the
          account or came from a wallet of the team, without a memo.
        </Text>
      )}
    </>
  );
}

function Total({ name, colour, children }: { name: string; colour?: string; children: ReactNode }) {
  return (
    <div>
      <Group gap={6}>
        {colour && <Text component="span" w={10} h={10} bg={colour} bdrs={3} aria-hidden="true" />}
        <Text size="sm" c="dimmed">
          {name}
        </Text>
      </Group>
      <Text fw={600}>{children}</Text>
    </div>
  );
}
