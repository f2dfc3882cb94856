import { Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { LoggedWebhookDelivery } from '../../api/contract.ts';
import { deliveryWords } from '../../parts/delivery-words.ts';

/** “503, retry in 4 min.”, which is true a minute later, too. */
export function DeliveryState({ delivery }: { delivery: LoggedWebhookDelivery }) {
  const [now, setNow] = useState(Date.now);
  const pending = delivery.status === 'pending';
  useEffect(() => {
    if (!pending) return;
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [pending]);
  return (
    <Text span inherit style={{ overflowWrap: 'anywhere' }}>
      {deliveryWords(delivery, now)}
    </Text>
  );
}
