import { Button, Card, Code, Grid, Group, Stack, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCoins, IconPencil } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { addressQuery } from '../../api/addresses.ts';
import { isNotFound } from '../../api/client.ts';
import type { DepositAddress } from '../../api/contract.ts';
import { stringifyExact } from '../../api/exact-json.ts';
import { useMay } from '../../api/me.ts';
import { walletQuery } from '../../api/wallets.ts';
import { DateTime } from '../../components/date-time.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { MissingInWallet } from '../../components/not-found.tsx';
import { Page } from '../../components/page.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { Trail } from '../../components/trail.tsx';
import { NATIVE } from '../../text/asset.ts';
import { paymentLink } from '../../text/payment-link.ts';
import { AskedAsset } from './asked-asset.tsx';
import { EditAddress } from './edit-address.tsx';
import { HowToPay } from './how-to-pay.tsx';
import { PayDialog } from './pay-dialog.tsx';
import { PaymentQr } from './payment-qr.tsx';
import { AddressDeposits, Received } from './received.tsx';

export function AddressPage() {
  const { walletId, addressId } = useParams({ from: '/signed-in/wallets/$walletId/addresses/$addressId' });
  const { data: wallet } = useQuery(walletQuery(walletId));
  const may = useMay();
  const [paying, pay] = useDisclosure();
  const [editing, edit] = useDisclosure();
  const [asset, setAsset] = useState(NATIVE);
  const address = useQuery({ ...addressQuery(walletId, addressId), refetchInterval: 2_000 });
  if (isNotFound(address.error))
    return <MissingInWallet walletId={walletId} what="deposit address" id={addressId} />;
  return (
    <Page
      title={address.data?.label || 'Deposit address'}
      trail={
        <Trail here="Address">
          <TextLink to="/wallets/$walletId/addresses" params={{ walletId }} activeOptions={{ exact: true }}>
            Deposit addresses
          </TextLink>
        </Trail>
      }
      description={address.data && <Since address={address.data} />}
      actions={
        <Group gap="sm">
          {may('changeDepositAddress') && (
            <Button
              variant="default"
              leftSection={<IconPencil size={16} />}
              onClick={edit.open}
              disabled={!address.data}
            >
              Edit
            </Button>
          )}
          {wallet?.network === 'sandbox' && may('payOnSandbox') && (
            <Button leftSection={<IconCoins size={16} />} onClick={pay.open} disabled={!address.data}>
              Pay this address
            </Button>
          )}
        </Group>
      }
    >
      <Loaded query={address} lines={8}>
        {(data) => (
          <>
            <Received address={data} />
            <Grid gap="lg">
              {/* A phone shows them after how to pay: of many deposits, nobody would reach what is below. */}
              <Grid.Col span={{ base: 12, md: 7 }} order={{ base: 2, md: 1 }}>
                <AddressDeposits address={data} />
              </Grid.Col>
              <Grid.Col span={{ base: 12, md: 5 }} order={{ base: 1, md: 2 }}>
                <Stack gap="lg">
                  <AskedAsset walletId={walletId} asset={asset} onChoose={setAsset} />
                  <HowToPay address={data} asset={asset} link={paymentLink(data.uri, asset)} />
                  <PaymentQr address={data} asset={asset} link={paymentLink(data.uri, asset)} />
                  {Object.keys(data.metadata).length > 0 && <Metadata metadata={data.metadata} />}
                </Stack>
              </Grid.Col>
            </Grid>
            {editing && <EditAddress address={data} onClose={edit.close} />}
            {paying && <PayDialog address={data} asked={asset} onClose={pay.close} />}
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Since({ address: { created_at } }: { address: DepositAddress }) {
  return (
    <>
      Deposit address, created <DateTime at={created_at} />
    </>
  );
}

function Metadata({ metadata }: { metadata: Record<string, unknown> }) {
  return (
    <Card withBorder padding="lg">
      <Title order={2} size="h4" mb="sm">
        Metadata
      </Title>
      <Code block tabIndex={0} aria-label="Metadata" mah={360} style={{ overflow: 'auto' }}>
        {stringifyExact(metadata, 2)}
      </Code>
    </Card>
  );
}
