import { Button, Group, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMay } from '../../api/me.ts';
import { depositMinimumsQuery } from '../../api/wallets.ts';
import { Figures } from '../../components/amount.tsx';
import { Details } from '../../components/details.tsx';
import { IssuedBy } from '../../components/issuer.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { assetName } from '../../text/asset.ts';
import { MinimumsDialog } from './minimums-dialog.tsx';

type Props = { walletId: string; changing: boolean; onChange: (changing: boolean) => void };

/** Which deposits are too small for an event. */
export function DepositMinimums({ walletId, changing, onChange }: Props) {
  const query = useQuery(depositMinimumsQuery(walletId));
  const mayChange = useMay()('replaceDepositMinimums');
  return (
    <section aria-label="Deposit minimums">
      <Title order={3} size="h5">
        Deposit minimums
      </Title>
      <Text size="sm" c="dimmed" mt={4} mb="sm">
        A smaller deposit is recorded and listed like any other, but no event announces it: your backend gets
        no webhook for it.
      </Text>
      <Loaded query={query} lines={1}>
        {({ items }) =>
          items.length === 0 ? (
            <Text fw={600} size="sm">
              None: every deposit to an address is announced
            </Text>
          ) : (
            <Details
              rows={items.map((minimum) => [
                assetName(minimum),
                <>
                  <Figures stroops={minimum.amount_stroops} asset={minimum} fw={600} />{' '}
                  <IssuedBy asset={minimum} />
                </>,
              ])}
            />
          )
        }
      </Loaded>
      {mayChange && query.data && (
        <Group justify="flex-end" mt="sm">
          <Button variant="default" onClick={() => onChange(true)}>
            Change the minimums
          </Button>
        </Group>
      )}
      {changing && query.data && (
        <MinimumsDialog walletId={walletId} minimums={query.data.items} onClose={() => onChange(false)} />
      )}
    </section>
  );
}
