import { Box, Card, Center, SegmentedControl, Stack, Text, Title } from '@mantine/core';
import { QRCodeSVG } from 'qrcode.react';
import { useState } from 'react';
import type { DepositAddress } from '../../api/contract.ts';

const CONTENTS = {
  uri: {
    label: 'Payment link',
    hint: 'Contains the account and memo id. For wallet apps that support SEP-7 links.',
  },
  address: {
    label: 'Muxed address',
    hint: 'Contains the M… address only. For wallet apps that scan addresses.',
  },
} as const;
type Content = keyof typeof CONTENTS;

export function PaymentQr({ address }: { address: DepositAddress }) {
  const [content, setContent] = useState<Content>('uri');
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
              value={address[content]}
              size={232}
              marginSize={1}
              title={`QR code of the ${label.toLowerCase()}`}
              style={{ maxWidth: '100%', height: 'auto' }}
            />
          </Box>
        </Center>
        <Text size="sm" c="dimmed" ta="center">
          {hint}
        </Text>
      </Stack>
    </Card>
  );
}
