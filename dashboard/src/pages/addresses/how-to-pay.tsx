import { Alert, Anchor, Card, Divider, Group, Stack, Text, Title } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import type { DepositAddress } from '../../api/contract.ts';
import { CopyButton } from '../../components/copy.tsx';
import { type AssetFields, unitOf } from '../../text/asset.ts';

type Props = {
  address: DepositAddress;
  asset: AssetFields;
  /** It asks for the asset. */
  link: string;
};

/** How to pay the address: muxed address, account with memo id, or payment link. */
export function HowToPay({ address: { address, account, memo_id }, asset, link }: Props) {
  return (
    <Card withBorder padding="lg">
      <Stack gap="md">
        <Title order={2} size="h4">
          How to pay
        </Title>
        <Whole name="Muxed address" value={address} />
        <Divider label="or, if M… addresses are not supported" labelPosition="left" />
        <Whole name="Account" value={account} />
        <Whole name="Memo id" value={String(memo_id)} />
        <Alert color="yellow" variant="light" icon={<IconInfoCircle />} p="sm">
          <Text size="sm">
            The memo id is required. A payment without it goes to the inbox until you assign it.
          </Text>
        </Alert>
        <Divider label="or, with a wallet app on this device" labelPosition="left" />
        <Group gap="xs" wrap="nowrap">
          <Anchor href={link} size="sm">
            Open the payment link for {unitOf(asset)}
          </Anchor>
          <CopyButton value={link} what="payment link" />
          <Text size="xs" c="dimmed">
            SEP-7
          </Text>
        </Group>
      </Stack>
    </Card>
  );
}

function Whole({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <Text size="sm" c="dimmed">
        {name}
      </Text>
      <Group gap={4} wrap="nowrap" align="flex-start">
        <Text className="mono" style={{ wordBreak: 'break-all' }}>
          {value}
        </Text>
        <CopyButton value={value} what={name.toLowerCase()} />
      </Group>
    </div>
  );
}
