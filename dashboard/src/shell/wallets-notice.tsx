import { List, Text } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { healthQuery, useWallets } from '../api/wallets.ts';
import { TextLink } from '../components/text-link.tsx';
import { capitalized } from '../text/capitalized.ts';
import { isolated } from '../text/isolate.ts';
import { StoppedNotice } from './stopped-notice.tsx';

/** Each wallet is a request: the newest are asked. The cards of all wallets say the same of every one that is in sight. */
const MOST_ASKED = 20;
const EVERY_MS = 30_000;
/** More would push the page out of sight. */
const MOST_NAMED = 3;

/** Says above the pages of the team which wallets pay nothing now, and whose books differ from the ledger. */
export function WalletsNotice() {
  const wallets = useWallets().slice(0, MOST_ASKED);
  const healths = useQueries({
    queries: wallets.map(({ id }) => ({ ...healthQuery(id), refetchInterval: EVERY_MS })),
  });
  const stopped = wallets.flatMap(({ id, name }, index) => {
    const health = healths[index]?.data;
    if (!health) return [];
    const { withdrawals, reconciliation } = health;
    const messages = [withdrawals, reconciliation].filter(({ ok }) => !ok).map(({ message }) => message);
    return messages.length === 0 ? [] : [{ id, name, messages }];
  });
  if (stopped.length === 0) return null;
  const more = stopped.length - MOST_NAMED;
  return (
    <StoppedNotice
      title={stopped.length === 1 ? 'A wallet needs attention' : `${stopped.length} wallets need attention`}
    >
      <List size="sm" listStyleType="none">
        {stopped.slice(0, MOST_NAMED).map(({ id, name, messages }) => (
          <List.Item key={id} style={{ overflowWrap: 'anywhere' }}>
            <TextLink to="/wallets/$walletId" params={{ walletId: id }} c="inherit" underline="always">
              {isolated(name)}
            </TextLink>
            : {messages.map(capitalized).join('. ')}.
          </List.Item>
        ))}
      </List>
      {more > 0 && (
        <Text size="sm">
          And {more} more:{' '}
          <TextLink to="/wallets" c="inherit" underline="always">
            all wallets
          </TextLink>
        </Text>
      )}
    </StoppedNotice>
  );
}
