import { Text } from '@mantine/core';
import { useInterval } from '@mantine/hooks';
import { useState } from 'react';
import type { LoggedWebhookDelivery } from '../../api/contract.ts';
import { deliveryWords } from '../../parts/delivery-words.ts';

/** “503, retry in 4 min.”, which is true a minute later, too. */
export function DeliveryState({ delivery }: { delivery: LoggedWebhookDelivery }) {
  const [now, setNow] = useState(Date.now);
  useInterval(() => setNow(Date.now()), 1_000, { autoInvoke: delivery.status === 'pending' });
  return (
    <Text span inherit style={{ overflowWrap: 'anywhere' }}>
      {deliveryWords(delivery, now)}
    </Text>
  );
}
