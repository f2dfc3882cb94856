import { Box, Card, Center, SegmentedControl, Stack, Text, Title } from '@mantine/core';
import { QRCodeSVG } from 'qrcode.react';
import { useState } from 'react';
import type { DepositAddress } from '../../api/contract.ts';
import { type AssetFields, unitOf } from '../../text/asset.ts';

const CONTENTS = {
  link: {
    label: 'Payment link',
    hint: (unit: string) =>
      `Asks for ${unit}, with the account and memo id. For wallet apps that support SEP-7 links.`,
  },
  address: {
    label: 'Muxed address',
    hint: (unit: string) =>
      `Contains the M… address only: the payer must choose ${unit}. For wallet apps that scan addresses.`,
  },
} as const;
type Content = keyof typeof CONTENTS;

type Props = {
  address: DepositAddress;
  asset: AssetFields;
  /** It asks for the asset. */
  link: string;
};

export function PaymentQr({ address: { address }, asset, link }: Props) {
  const [content, setContent] = useState<Content>('link');
  const { label, hint } = CONTENTS[content];
  return (
    <Card withBorder padding="lg">
      <Stack align="center" gap="md" h="100%">
        <Title order={2} size="h4" style={{ alignSelf: 'flex-start' }}>
          QR code
        </Title>
        <SegmentedControl
          aria-label="Content of the QR code"
          value={content}
          onChange={(value) => setContent(value as Content)}
          data={Object.entries(CONTENTS).map(([value, { label }]) => ({ value, label }))}
        />
        <Center flex={1}>
          {/* Black on white in dark mode too, for cameras. */}
          <Box bg="white" p="md" bdrs="md" lh={0}>
            <QRCodeSVG
              value={{ link, address }[content]}
              size={232}
              marginSize={1}
              title={`QR code of the ${label.toLowerCase()}`}
              style={{ maxWidth: '100%', height: 'auto' }}
            />
          </Box>
        </Center>
        <Text size="sm" c="dimmed" ta="center">
          {hint(unitOf(asset))}
        </Text>
      </Stack>
    </Card>
  );
}
