import { Anchor, Card, Group, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { healthQuery } from '../../api/wallets.ts';
import { Loaded } from '../../components/loaded.tsx';
import { capitalized } from '../../text/capitalized.ts';
import { formatInteger } from '../../text/money.ts';

const seconds = new Intl.NumberFormat('en', { style: 'unit', unit: 'second', unitDisplay: 'long' });

/** The state of each part that the wallet depends on, in a sentence. */
export function Health({ walletId }: { walletId: string }) {
  const health = useQuery(healthQuery(walletId));
  return (
    <Card withBorder padding="lg" h="100%">
      <Title order={2} size="h4" mb="sm">
        Health
      </Title>
      <Loaded query={health} lines={8} only_now>
        {({ deposits, withdrawals, webhooks, channels, reconciliation, protocol }) => (
          <Stack>
            <State name="Deposits" {...deposits}>
              {deposits.lag_seconds !== null && (
                <Text size="sm" c="dimmed">
                  {seconds.format(deposits.lag_seconds)} behind the ledger
                </Text>
              )}
            </State>
            <State name="Withdrawals" {...withdrawals} />
            <State name="Webhooks" {...webhooks}>
              <Anchor
                size="sm"
                renderRoot={(props) => (
                  <Link to="/wallets/$walletId/developers" params={{ walletId }} {...props} />
                )}
              >
                Endpoints
              </Anchor>
            </State>
            <State name="Channel accounts" {...channels} />
            <State name="Reconciliation" {...reconciliation}>
              {reconciliation.ledger !== null && (
                <Text size="sm" c="dimmed">
                  compared last at ledger {formatInteger(reconciliation.ledger)}
                </Text>
              )}
            </State>
            <State name="Protocol" {...protocol} />
          </Stack>
        )}
      </Loaded>
    </Card>
  );
}

type StateProps = { name: string; ok: boolean; message: string; children?: ReactNode };

function State({ name, ok, message, children }: StateProps) {
  return (
    <Group wrap="nowrap" align="flex-start" gap="sm">
      <ThemeIcon
        variant="light"
        radius="xl"
        color={ok ? 'teal' : 'red'}
        role="img"
        aria-label={ok ? 'OK' : 'Needs attention'}
      >
        {ok ? <IconCheck size={18} /> : <IconAlertTriangle size={18} />}
      </ThemeIcon>
      <div>
        <Text size="sm" fw={550}>
          {name}
        </Text>
        <Text size="sm" c={ok ? 'dimmed' : 'inherit'}>
          {capitalized(message)}
        </Text>
        {children}
      </div>
    </Group>
  );
}
