import { Text } from '@mantine/core';
import type { LoggedWebhookDelivery } from '../api/contract.ts';
import { deliveryWords } from '../text/delivery-words.ts';
import { useNow } from './date-time.tsx';

type Props = {
  delivery: LoggedWebhookDelivery;
  /** Whether its endpoint is. */
  enabled: boolean;
};

/** “503, retry in 4 min.”, which is true a minute later, too. */
export function DeliveryProgress({ delivery, enabled }: Props) {
  const now = useNow(delivery.status === 'pending');
  return (
    <Text span inherit style={{ overflowWrap: 'anywhere' }}>
      {deliveryWords(delivery, { now, enabled })}
    </Text>
  );
}
