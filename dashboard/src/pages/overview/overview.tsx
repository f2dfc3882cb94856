import { Button, Grid } from '@mantine/core';
import { IconArrowUpRight, IconAt } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useMay } from '../../api/me.ts';
import { walletQuery } from '../../api/wallets.ts';
import { Page } from '../../components/page.tsx';
import { parseAssetText } from '../../text/asset.ts';
import { Balances } from './balances.tsx';
import { DepositMinimums } from './deposit-minimums.tsx';
import { Flow } from './flow.tsx';
import { Health } from './health.tsx';
import { LatestActivity } from './latest-activity.tsx';
import { UnfundedNotice } from './unfunded-notice.tsx';
import { WalletSettings } from './wallet-settings.tsx';

const ROUTE = '/signed-in/wallets/$walletId/';

export function Overview() {
  const { walletId } = useParams({ from: ROUTE });
  const { asset: chosen = 'native' } = useSearch({ from: ROUTE });
  const navigate = useNavigate({ from: '/wallets/$walletId' });
  const { data: wallet } = useQuery(walletQuery(walletId));
  const asset = parseAssetText(chosen);
  const may = useMay();

  function choose(text: string) {
    void navigate({ to: '.', search: text === 'native' ? {} : { asset: text }, resetScroll: false });
  }

  return (
    <Page
      title={wallet?.name ?? 'Overview'}
      actions={
        <>
          {wallet && may('changeWallet') && <WalletSettings wallet={wallet} />}
          <Button
            variant="default"
            leftSection={<IconAt size={16} />}
            renderRoot={(props) => (
              <Link to="/wallets/$walletId/addresses" params={{ walletId }} {...props} />
            )}
          >
            Deposit addresses
          </Button>
          {may('createWithdrawal') && (
            <Button
              leftSection={<IconArrowUpRight size={16} />}
              renderRoot={(props) => (
                <Link to="/wallets/$walletId/withdraw" params={{ walletId }} {...props} />
              )}
            >
              Withdraw
            </Button>
          )}
        </>
      }
    >
      {wallet?.status === 'unfunded' && <UnfundedNotice wallet={wallet} />}
      <Balances walletId={walletId} asset={asset} />
      <Flow walletId={walletId} asset={asset} onChoose={choose} />
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 7 }}>
          <LatestActivity key={walletId} walletId={walletId} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Health walletId={walletId} />
        </Grid.Col>
      </Grid>
      <DepositMinimums key={walletId} walletId={walletId} />
    </Page>
  );
}
