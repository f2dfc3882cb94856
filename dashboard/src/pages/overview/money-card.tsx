import { Anchor, Card, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Balance } from '../../api/contract.ts';
import { Figures } from '../../components/amount.tsx';
import { IssuedBy } from '../../components/issuer.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { assetText, unitOf } from '../../text/asset.ts';
import { STATUS_WORDS } from '../assets/status-words.ts';
import { keptParts } from './kept-parts.ts';

type Props = {
  walletId: string;
  balance: Balance;
  /** Null: there is nothing to choose, and the name is no link. */
  choice: { isChosen: boolean } | null;
};

/** What the wallet has of an asset: the balance, what of it is available, and what keeps the rest. */
export function MoneyCard({ walletId, balance, choice }: Props) {
  const { status, amount_stroops, available_stroops, asset_issuer } = balance;
  const { label, meaning } = STATUS_WORDS[status];
  return (
    <Card withBorder padding="lg">
      <Group gap="xs">
        {choice ? (
          <AssetLink {...{ walletId, balance, ...choice }} />
        ) : (
          <Text fw={550}>{unitOf(balance)}</Text>
        )}
        {status !== 'active' && <StatusBadge status={status} label={label} />}
      </Group>
      <Text size="xs" c="dimmed" component="div">
        {asset_issuer === null ? 'the native asset' : <IssuedBy asset={balance} />}
      </Text>
      <Text fz={{ base: 22, xs: 26 }} fw={650} lh={1.3} mt="xs" className="whole">
        <Figures stroops={amount_stroops} asset={balance} layout="large" />
      </Text>
      <Text size="sm" component="div" className="whole">
        <Figures stroops={available_stroops} asset={balance} /> available
      </Text>
      {keptParts(balance).map(({ stroops, words }) => (
        <Text key={words} size="sm" c="dimmed" className="whole">
          <Figures stroops={stroops} asset={balance} /> {words}
        </Text>
      ))}
      {meaning && (
        <Text size="sm" c="dimmed">
          {meaning}
        </Text>
      )}
    </Card>
  );
}

function AssetLink({
  walletId,
  balance,
  isChosen,
}: Pick<Props, 'walletId' | 'balance'> & { isChosen: boolean }) {
  return (
    <Anchor
      fw={isChosen ? 700 : 550}
      c="inherit"
      title="Show its chart"
      aria-current={isChosen ? 'true' : undefined}
      renderRoot={(props) => (
        <Link
          to="/wallets/$walletId"
          params={{ walletId }}
          search={balance.asset_issuer === null ? {} : { asset: assetText(balance) }}
          resetScroll={false}
          {...props}
        />
      )}
    >
      {unitOf(balance)}
    </Anchor>
  );
}
