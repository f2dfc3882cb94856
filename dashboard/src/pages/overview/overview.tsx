import { Button, Grid } from '@mantine/core';
import { IconArrowUpRight, IconAt } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useMay } from '../../api/me.ts';
import { DAYS_AT_FIRST, healthQuery, walletQuery } from '../../api/wallets.ts';
import { Page } from '../../components/page.tsx';
import { parseAssetText } from '../../text/asset.ts';
import { capitalized } from '../../text/capitalized.ts';
import { Balances } from './balances.tsx';
import { FirstSteps } from './first-steps-card.tsx';
import { Flow } from './flow.tsx';
import { Health } from './health.tsx';
import { LatestActivity } from './latest-activity.tsx';
import { readOverviewSearch } from './search.ts';
import { ToDoList } from './to-do-list.tsx';
import { UnfundedNotice } from './unfunded-notice.tsx';
import { WalletSettings } from './wallet-settings.tsx';

const ROUTE = '/signed-in/wallets/$walletId/';

export function Overview() {
  const { walletId } = useParams({ from: ROUTE });
  const { asset: chosen = 'native', days = DAYS_AT_FIRST } = useSearch({ from: ROUTE });
  const navigate = useNavigate({ from: '/wallets/$walletId' });
  const { data: wallet } = useQuery(walletQuery(walletId));
  const asset = parseAssetText(chosen);
  const may = useMay();
  const { data: health } = useQuery(healthQuery(walletId));
  const stopped = health && !health.withdrawals.ok ? health.withdrawals.message : null;

  function choose(change: { asset?: string; days?: string }) {
    const { asset, days: span } = { asset: chosen, days, ...change };
    const search = readOverviewSearch({ asset, days: span === DAYS_AT_FIRST ? undefined : span });
    void navigate({ to: '.', search, resetScroll: false, replace: true });
  }

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
          {may('createWithdrawal') && (
            <Button
              {...(stopped ? { variant: 'default', title: capitalized(stopped) } : {})}
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
      <ToDoList walletId={walletId} />
      <FirstSteps walletId={walletId} />
      <Balances walletId={walletId} asset={asset} />
      <Flow walletId={walletId} asset={asset} days={days} onChoose={choose} />
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
