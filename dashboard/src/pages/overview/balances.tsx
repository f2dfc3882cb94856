import { Button, Group, SimpleGrid, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { Balance } from '../../api/contract.ts';
import { useKnownAssets } from '../../api/service.ts';
import { balancesQuery } from '../../api/wallets.ts';
import { Loaded } from '../../components/loaded.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { type AssetFields, assetText, isSameAsset, unitOf } from '../../text/asset.ts';
import { inOrder } from '../../text/balance-order.ts';
import { MoneyCard } from './money-card.tsx';

/** Also without new rows: a payment may have arrived that is not yet read as a deposit. */
const EVERY_MS = 10_000;

/** Of more assets than this, the rest is shown on demand. */
const SHOWN = 6;

/** A card for each asset of the wallet, the native one first. The card of the chosen asset is always there, if the wallet has it. */
export function Balances({ walletId, asset }: { walletId: string; asset: AssetFields }) {
  const balances = useQuery({ ...balancesQuery(walletId), refetchInterval: EVERY_MS });
  return (
    <section aria-labelledby="balances">
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h4" id="balances">
          Balances
        </Title>
        <TextLink to="/wallets/$walletId/assets" params={{ walletId }}>
          Assets and issuers
        </TextLink>
      </Group>
      <Loaded query={balances} lines={4}>
        {({ items }) => <MoneyCards walletId={walletId} balances={items} chosen={asset} />}
      </Loaded>
    </section>
  );
}

type CardsProps = { walletId: string; balances: Balance[]; chosen: AssetFields };

function MoneyCards({ walletId, balances, chosen }: CardsProps) {
  const [all, { toggle }] = useDisclosure();
  const ordered = inOrder(balances, useKnownAssets());
  const shown = ordered.filter((each, index) => all || index < SHOWN || isSameAsset(each, chosen));
  const isHeld = balances.some((each) => isSameAsset(each, chosen));
  return (
    <>
      <SimpleGrid
        cols={{ base: 1, sm: Math.min(2, shown.length), xl: Math.min(3, shown.length) }}
        spacing="md"
      >
        {shown.map((balance) => (
          <MoneyCard
            key={assetText(balance)}
            walletId={walletId}
            balance={balance}
            choice={balances.length > 1 || !isHeld ? { isChosen: isSameAsset(balance, chosen) } : null}
          />
        ))}
      </SimpleGrid>
      {!isHeld && (
        <Text size="sm" c="dimmed" mt="sm">
          The wallet does not have {unitOf(chosen)}, whose chart is below.
        </Text>
      )}
      {balances.length > SHOWN && (
        <Button variant="subtle" size="xs" mt="xs" onClick={toggle} aria-expanded={all}>
          {all ? 'Show fewer' : `Show all ${balances.length}`}
        </Button>
      )}
    </>
  );
}
