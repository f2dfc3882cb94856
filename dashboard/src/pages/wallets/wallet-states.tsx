import { Badge, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { healthQuery } from '../../api/wallets.ts';
import { capitalized } from '../../text/capitalized.ts';
import { isFrozen } from '../policies/target.ts';
import { usePolicy } from '../policies/use-policy.ts';

const EVERY_MS = 10_000;

/** What keeps a wallet from its work, in badges: nothing while all is well. `visible`: only then the service is asked. */
export function WalletStates({ walletId, visible }: { walletId: string; visible: boolean }) {
  const { data } = useQuery({ ...healthQuery(walletId), enabled: visible, refetchInterval: EVERY_MS });
  if (!data) return null;
  const { withdrawals, reconciliation, deposits } = data;
  if (withdrawals.ok && reconciliation.ok && deposits.ok) return null;
  return (
    <Group component="span" gap={6}>
      {!withdrawals.ok && <Stopped walletId={walletId} message={withdrawals.message} />}
      {!reconciliation.ok && <State label="Books differ" message={reconciliation.message} color="red" />}
      {!deposits.ok && <State label="Behind" message={deposits.message} color="yellow" />}
    </Group>
  );
}

function Stopped({ walletId, message }: { walletId: string; message: string }) {
  const { data: policy } = usePolicy(walletId);
  return <State label={policy && isFrozen(policy) ? 'Frozen' : 'Blocked'} message={message} color="red" />;
}

function State({ label, message, color }: { label: string; message: string; color: string }) {
  return (
    <Badge component="span" color={color} miw="max-content" title={capitalized(message)}>
      {label}
    </Badge>
  );
}
