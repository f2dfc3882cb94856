import { Text } from '@mantine/core';
import type { LoggedWebhookDelivery } from '../api/contract.ts';
import { deliveryWords } from '../text/delivery-words.ts';
import { useNow } from './date-time.tsx';

type Props = {
  delivery: LoggedWebhookDelivery;
  /** Whether the delivery's endpoint is enabled. */
  enabled: boolean;
};

/** For example “503, retry in 4 min.”; updates as time passes. */
export function DeliveryProgress({ delivery, enabled }: Props) {
  const now = useNow(delivery.status === 'pending');
  return (
    <Text span inherit style={{ overflowWrap: 'anywhere' }}>
      {deliveryWords(delivery, { now, enabled })}
    </Text>
  );
}
