import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { healthQuery } from '../api/wallets.ts';
import { TextLink } from '../components/text-link.tsx';
import { isFrozen } from '../pages/policies/target.ts';
import { usePolicy } from '../pages/policies/use-policy.ts';
import { capitalized } from '../text/capitalized.ts';
import { StoppedNotice } from './stopped-notice.tsx';

/** Says above every page of the wallet why it pays nothing now: before somebody fills in a withdrawal, not after. */
export function BlockedNotice({ walletId }: { walletId: string }) {
  const { data } = useQuery(healthQuery(walletId));
  if (!data || data.withdrawals.ok) return null;
  return <Blocked walletId={walletId} message={data.withdrawals.message} />;
}

function Blocked({ walletId, message }: { walletId: string; message: string }) {
  const { data: policy } = usePolicy(walletId);
  const frozen = policy ? isFrozen(policy) : false;
  return (
    <StoppedNotice title={frozen ? 'Withdrawals are frozen' : 'Withdrawals are blocked'}>
      <Text size="sm">
        {capitalized(message)}.{' '}
        {frozen && (
          <TextLink to="/wallets/$walletId/policies" params={{ walletId }} c="inherit" underline="always">
            See the policies
          </TextLink>
        )}
      </Text>
    </StoppedNotice>
  );
}
