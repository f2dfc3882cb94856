import { Card, SimpleGrid, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Balance } from '../../api/contract.ts';
import { balancesQuery } from '../../api/wallets.ts';
import { Figures } from '../../components/amount.tsx';
import { IssuedBy } from '../../components/issuer.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { type AssetFields, isSameAsset } from '../../text/asset.ts';
import { STATUS_WORDS } from '../assets/status-words.ts';
import { AssetBalances } from './asset-balances.tsx';

/** Also without new rows: a payment may have arrived that is not yet read as a deposit. */
const EVERY_MS = 10_000;

/** The balance of the chosen asset, and those of all assets if there are several. */
export function Balances({ walletId, asset }: { walletId: string; asset: AssetFields }) {
  const balances = useQuery({ ...balancesQuery(walletId), refetchInterval: EVERY_MS });
  return (
    <Loaded query={balances} lines={3}>
      {({ items }) => (
        <>
          <BalanceOf asset={asset} balance={items.find((each) => isSameAsset(each, asset))} />
          {(items.length > 1 || asset.asset_issuer !== null) && (
            <AssetBalances walletId={walletId} balances={items} chosen={asset} />
          )}
        </>
      )}
    </Loaded>
  );
}

/** `balance`: undefined if the wallet does not have the asset. */
function BalanceOf({ asset, balance }: { asset: AssetFields; balance: Balance | undefined }) {
  const { amount_stroops = 0n, available_stroops = 0n, status = 'active' } = balance ?? {};
  const isNative = asset.asset_issuer === null;
  const held_stroops = amount_stroops - available_stroops;
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
      <Figure name="Balance" value={<Figures stroops={amount_stroops} asset={asset} layout="large" />}>
        {isNative || !balance ? sayHeld(balance, isNative) : <IssuedBy asset={asset} />}
      </Figure>
      <Figure name="Available" value={<Figures stroops={available_stroops} asset={asset} layout="large" />}>
        {STATUS_WORDS[status].meaning ?? (
          <>
            {isNative || held_stroops > 0n ? <Figures stroops={held_stroops} asset={asset} /> : 'Nothing'} is{' '}
            {isNative && 'reserved or '}in pending withdrawals
          </>
        )}
      </Figure>
    </SimpleGrid>
  );
}

function sayHeld(balance: Balance | undefined, isNative: boolean): string {
  return balance || isNative ? 'on the ledger' : 'The wallet does not have this asset.';
}

function Figure({ name, value, children }: { name: string; value: ReactNode; children: ReactNode }) {
  return (
    <Card withBorder padding="lg">
      <Text size="sm" c="dimmed" fw={500}>
        {name}
      </Text>
      <Text fz={{ base: 22, xs: 26, lg: 32 }} fw={650} lh={1.3} className="whole">
        {value}
      </Text>
      <Text size="sm" c="dimmed" component="div">
        {children}
      </Text>
    </Card>
  );
}
