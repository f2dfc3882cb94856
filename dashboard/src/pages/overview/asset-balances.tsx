import './latest-activity.css';
import { Anchor, Button, Card, Group, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import type { Balance } from '../../api/contract.ts';
import { useKnownAssets } from '../../api/service.ts';
import { Figures } from '../../components/amount.tsx';
import { IssuedBy } from '../../components/issuer.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { type AssetFields, assetText, isSameAsset, unitOf } from '../../text/asset.ts';
import { inOrder } from '../../text/balance-order.ts';
import { STATUS_WORDS } from '../assets/status-words.ts';

/** Of more assets than this, the rest is shown on demand. */
const SHOWN = 6;

type Props = { walletId: string; balances: Balance[]; chosen: AssetFields };

/** Every asset of the wallet, the native one first. A click shows its figures and its chart. */
export function AssetBalances({ walletId, balances, chosen }: Props) {
  const [all, { toggle }] = useDisclosure();
  const ordered = inOrder(balances, useKnownAssets());
  const shown = all ? ordered : ordered.slice(0, SHOWN);
  return (
    <Card withBorder padding="lg">
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h4">
          Balances
        </Title>
        <TextLink to="/wallets/$walletId/assets" params={{ walletId }}>
          Assets and issuers
        </TextLink>
      </Group>
      <ul className="activity">
        {shown.map((balance) => (
          <li key={assetText(balance)}>
            <Row walletId={walletId} balance={balance} isChosen={isSameAsset(balance, chosen)} />
          </li>
        ))}
      </ul>
      {balances.length > SHOWN && (
        <Button variant="subtle" size="xs" mt="xs" onClick={toggle} aria-expanded={all}>
          {all ? 'Show fewer' : `Show all ${balances.length}`}
        </Button>
      )}
    </Card>
  );
}

function Row({ walletId, balance, isChosen }: { walletId: string; balance: Balance; isChosen: boolean }) {
  const { status, amount_stroops, available_stroops, asset_issuer } = balance;
  return (
    <Group wrap="nowrap" gap="sm" align="flex-start" justify="space-between">
      <div style={{ minWidth: 0 }}>
        <Group gap="xs">
          <Anchor
            size="sm"
            fw={isChosen ? 700 : 550}
            c="inherit"
            title="Show its figures and its chart"
            aria-current={isChosen ? 'true' : undefined}
            renderRoot={(props) => (
              <Link
                to="/wallets/$walletId"
                params={{ walletId }}
                search={asset_issuer === null ? {} : { asset: assetText(balance) }}
                resetScroll={false}
                {...props}
              />
            )}
          >
            {unitOf(balance)}
          </Anchor>
          {status !== 'active' && <StatusBadge status={status} label={STATUS_WORDS[status].label} />}
        </Group>
        <Text size="xs" c="dimmed" component="div">
          {asset_issuer === null ? 'the native asset' : <IssuedBy asset={balance} />}
        </Text>
      </div>
      <div style={{ textAlign: 'right' }} className="whole">
        <Text size="sm" fw={600}>
          <Figures stroops={amount_stroops} asset={balance} />
        </Text>
        {available_stroops !== amount_stroops && (
          <Text size="xs" c="dimmed">
            <Figures stroops={available_stroops} asset={balance} /> available
          </Text>
        )}
      </div>
    </Group>
  );
}
