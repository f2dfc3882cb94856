import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useMay, useMe } from '../../api/me.ts';
import { depositMinimumsQuery } from '../../api/wallets.ts';
import { Figures } from '../../components/amount.tsx';
import { Details } from '../../components/details.tsx';
import { IssuedBy } from '../../components/issuer.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { assetName } from '../../text/asset.ts';
import { Section } from '../developers/section.tsx';
import { MinimumsDialog } from './minimums-dialog.tsx';

/** Which deposits are too small for an event. */
export function DepositMinimums({ walletId }: { walletId: string }) {
  const query = useQuery(depositMinimumsQuery(walletId));
  const [changing, change] = useDisclosure();
  const may = useMay();
  const isKnown = useMe() !== undefined;
  const mayChange = may('replaceDepositMinimums');
  return (
    <Section
      title="Deposit minimums"
      description="A smaller deposit is recorded and listed like any other, but no event announces it: your backend gets no webhook for it."
      actions={
        mayChange &&
        query.data && (
          <Button variant="default" onClick={change.open}>
            Change the minimums
          </Button>
        )
      }
    >
      <Loaded query={query} lines={1}>
        {({ items }) =>
          items.length === 0 ? (
            <Text fw={600}>None: every deposit to an address is announced</Text>
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
      {isKnown && !mayChange && (
        <Text size="sm" c="dimmed" mt="sm">
          Owners and admins of the team change the minimums.
        </Text>
      )}
      {changing && query.data && (
        <MinimumsDialog walletId={walletId} minimums={query.data.items} onClose={change.close} />
      )}
    </Section>
  );
}
