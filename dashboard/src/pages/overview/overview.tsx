import { Button, Grid } from '@mantine/core';
import { IconArrowUpRight, IconAt } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { walletQuery } from '../../api/wallets.ts';
import { Page } from '../../components/page.tsx';
import { Balances } from './balances.tsx';
import { Flow } from './flow.tsx';
import { Health } from './health.tsx';
import { LatestActivity } from './latest-activity.tsx';
import { UnfundedNotice } from './unfunded-notice.tsx';
import { WalletSettings } from './wallet-settings.tsx';

export function Overview() {
  const { walletId } = useParams({ from: '/signed-in/wallets/$walletId/' });
  const { data: wallet } = useQuery(walletQuery(walletId));
  return (
    <Page
      title={wallet?.name ?? 'Overview'}
      actions={
        <>
          {wallet && <WalletSettings wallet={wallet} />}
          <Button
            variant="default"
            leftSection={<IconAt size={16} />}
            renderRoot={(props) => (
              <Link to="/wallets/$walletId/addresses" params={{ walletId }} {...props} />
            )}
          >
            Deposit addresses
          </Button>
          <Button
            leftSection={<IconArrowUpRight size={16} />}
            renderRoot={(props) => <Link to="/wallets/$walletId/withdraw" params={{ walletId }} {...props} />}
          >
            Withdraw
          </Button>
        </>
      }
    >
      {wallet?.status === 'unfunded' && <UnfundedNotice wallet={wallet} />}
      <Balances walletId={walletId} />
      <Flow walletId={walletId} />
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 7 }}>
          <LatestActivity key={walletId} walletId={walletId} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Health walletId={walletId} />
        </Grid.Col>
      </Grid>
    </Page>
  );
}
