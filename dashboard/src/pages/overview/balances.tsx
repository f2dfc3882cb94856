import { Card, SimpleGrid, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Balance } from '../../api/contract.ts';
import { balancesQuery } from '../../api/wallets.ts';
import { Amount } from '../../components/amount.tsx';
import { Copyable } from '../../components/copy.tsx';
import { Loaded } from '../../components/loaded.tsx';

/** Also without new rows: a payment may have arrived that is not yet read as a deposit. */
const EVERY_MS = 10_000;
const NOTHING = { amount_stroops: 0n, available_stroops: 0n };

export function Balances({ walletId }: { walletId: string }) {
  const balances = useQuery({ ...balancesQuery(walletId), refetchInterval: EVERY_MS });
  return (
    <Loaded query={balances} lines={3}>
      {({ items }) => {
        const native = items.find(({ asset_code }) => asset_code === 'native') ?? NOTHING;
        const others = items.filter(({ asset_code }) => asset_code !== 'native');
        const held_stroops = native.amount_stroops - native.available_stroops;
        return (
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
            <Figure name="Balance" value={<Amount stroops={native.amount_stroops} />}>
              {others.length === 0 ? 'on the ledger' : others.map(sayBalance)}
            </Figure>
            <Figure name="Available" value={<Amount stroops={native.available_stroops} />}>
              <Amount stroops={held_stroops} /> is reserved or in pending withdrawals
            </Figure>
          </SimpleGrid>
        );
      }}
    </Loaded>
  );
}

function sayBalance({ asset_code, asset_issuer, amount_stroops }: Balance) {
  return (
    <div key={`${asset_code} ${asset_issuer}`}>
      <Amount stroops={amount_stroops} asset={asset_code} />
      {asset_issuer && (
        <>
          {' '}
          issued by <Copyable value={asset_issuer} what={`issuer of ${asset_code}`} />
        </>
      )}
    </div>
  );
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
