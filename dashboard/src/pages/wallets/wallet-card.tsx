import { Anchor, Card, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useInViewport } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Balance, Wallet } from '../../api/contract.ts';
import { useKnownAssets } from '../../api/service.ts';
import { balancesQuery } from '../../api/wallets.ts';
import { Amount, Figures } from '../../components/amount.tsx';
import { Copyable } from '../../components/copy.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { IssuedBy } from '../../components/issuer.tsx';
import { NetworkBadge } from '../../components/network-badge.tsx';
import { ReadBefore } from '../../components/read-before.tsx';
import { useStandingError } from '../../components/standing-error.ts';
import { StatusBadge } from '../../components/status-badge.tsx';
import { assetText } from '../../text/asset.ts';
import { inOrder } from '../../text/balance-order.ts';
import { counted } from '../../text/counted.ts';
import { STATUS_WORDS } from '../assets/status-words.ts';
import { WalletStates } from './wallet-states.tsx';

/** Each balance is a request to the network, so only visible cards ask. */
const BALANCE_EVERY_MS = 10_000;

export function WalletCard({ wallet }: { wallet: Wallet }) {
  const { ref, inViewport } = useInViewport();
  return (
    <Card ref={ref} withBorder padding="lg" h="100%">
      <Stack gap="md" h="100%" justify="space-between">
        <Group justify="space-between" wrap="nowrap" align="flex-start">
          <Title order={2} size="h4" lineClamp={2} style={{ wordBreak: 'break-word' }}>
            <Anchor
              inherit
              renderRoot={(props) => (
                <Link to="/wallets/$walletId" params={{ walletId: wallet.id }} {...props} />
              )}
            >
              {wallet.name}
            </Anchor>
          </Title>
          <NetworkBadge network={wallet.network} />
        </Group>
        <WalletStates walletId={wallet.id} visible={inViewport} />
        <CardBalance wallet={wallet} visible={inViewport} />
        <Group justify="space-between" gap="xs">
          <Text size="sm" c="dimmed" component="div">
            <Copyable value={wallet.account} what={`account of ${wallet.name}`} />
          </Text>
          <Text size="sm" c="dimmed">
            created <DateTime at={wallet.created_at} />
          </Text>
        </Group>
      </Stack>
    </Card>
  );
}

function CardBalance({ wallet, visible }: { wallet: Wallet; visible: boolean }) {
  const balances = useQuery({
    ...balancesQuery(wallet.id),
    enabled: visible,
    refetchInterval: BALANCE_EVERY_MS,
  });
  const error = useStandingError(balances);
  const { data } = balances;
  if (error && !data) {
    return (
      <Text size="sm" c="dimmed" mih={52}>
        Balance: {error.message}
      </Text>
    );
  }
  if (!data) return <Skeleton height={52} role="status" aria-label="Loading the balance" />;
  const native = data.items.find(({ asset_issuer }) => asset_issuer === null);
  const issued = data.items.filter(({ asset_issuer }) => asset_issuer !== null);
  return (
    <div>
      <Group gap="xs">
        <Text fz={{ base: 22, xs: 26 }} fw={650} lh={1.2} className="whole">
          <Amount stroops={native?.amount_stroops ?? 0n} layout="large" />
        </Text>
        {wallet.status === 'unfunded' && <StatusBadge status="unfunded" label="not funded yet" />}
      </Group>
      <Text size="sm" c="dimmed">
        <Amount stroops={native?.available_stroops ?? 0n} /> available
      </Text>
      {issued.length > 0 && <Issued balances={issued} />}
      {error && (
        <ReadBefore error={error} at={balances.dataUpdatedAt} retry={() => void balances.refetch()} />
      )}
    </div>
  );
}

/** A card has room for so many; the wallet's overview has all of them. */
const SHOWN = 3;

function Issued({ balances }: { balances: Balance[] }) {
  const ordered = inOrder(balances, useKnownAssets());
  const more = balances.length - SHOWN;
  return (
    <Stack component="ul" gap={6} mt="sm" p={0} style={{ listStyle: 'none' }}>
      {ordered.slice(0, SHOWN).map((balance) => (
        <Text key={assetText(balance)} component="li" size="sm">
          <Figures stroops={balance.amount_stroops} asset={balance} fw={600} />{' '}
          <Text span size="xs" c="dimmed">
            <IssuedBy asset={balance} />
          </Text>
          {balance.status !== 'active' && (
            <>
              {' '}
              <StatusBadge status={balance.status} label={STATUS_WORDS[balance.status].label} />
            </>
          )}
        </Text>
      ))}
      {more > 0 && (
        <Text component="li" size="sm" c="dimmed">
          and {counted(more, 'more asset')}
        </Text>
      )}
    </Stack>
  );
}
