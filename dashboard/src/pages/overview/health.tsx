import { Anchor, Card, Group, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconMinus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { WalletHealth } from '../../api/contract.ts';
import { healthQuery } from '../../api/wallets.ts';
import { RelativeTime } from '../../components/date-time.tsx';
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
            <State name="Webhooks" {...webhooks} unset={webhooks.total === 0 && 'not set up'}>
              <Anchor
                size="sm"
                renderRoot={(props) => (
                  <Link to="/wallets/$walletId/developers" params={{ walletId }} {...props} />
                )}
              >
                Endpoints
              </Anchor>
            </State>
            <State name="Channel accounts" {...channels} unset={channels.total === 0 && 'not set up'} />
            <Books {...reconciliation} />
            <State name="Protocol" {...protocol} />
          </Stack>
        )}
      </Loaded>
    </Card>
  );
}

/** The last comparison of the books with the ledger: where and when it was. */
function Books({ ok, message, ledger, checked_at }: WalletHealth['reconciliation']) {
  if (ledger === null || checked_at === null)
    return <State name="Reconciliation" ok={ok} message={message} unset="not known yet" />;
  const number = formatInteger(ledger);
  const when = <RelativeTime at={checked_at} />;
  if (!ok)
    return (
      <State name="Reconciliation" ok={ok} message={message}>
        <Text size="sm" c="dimmed">
          compared last at ledger {number}, {when}
        </Text>
      </State>
    );
  return (
    <State
      name="Reconciliation"
      ok={ok}
      message={
        <>
          The books agreed at ledger {number}, {when}
        </>
      }
    />
  );
}

type StateProps = {
  name: string;
  ok: boolean;
  message: ReactNode;
  /** Why the part is neither well nor ill. */
  unset?: 'not set up' | 'not known yet' | false;
  children?: ReactNode;
};

function lookOf({ ok, unset }: Pick<StateProps, 'ok' | 'unset'>) {
  if (!ok) return { label: 'Needs attention', color: 'red', Icon: IconAlertTriangle };
  if (unset) return { label: capitalized(unset), color: 'gray', Icon: IconMinus };
  return { label: 'OK', color: 'teal', Icon: IconCheck };
}

function State({ name, ok, message, unset = false, children }: StateProps) {
  const { label, color, Icon } = lookOf({ ok, unset });
  return (
    <Group wrap="nowrap" align="flex-start" gap="sm">
      <ThemeIcon variant="light" radius="xl" color={color} role="img" aria-label={label}>
        <Icon size={18} />
      </ThemeIcon>
      <div>
        <Text size="sm" fw={550}>
          {name}
          {ok && unset && (
            <Text span size="sm" fw={400} c="dimmed">
              {' '}
              · {unset}
            </Text>
          )}
        </Text>
        <Text size="sm" c={ok ? 'dimmed' : 'inherit'}>
          {typeof message === 'string' ? capitalized(message) : message}
        </Text>
        {children}
      </div>
    </Group>
  );
}
