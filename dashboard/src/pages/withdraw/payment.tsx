import { Text } from '@mantine/core';
import { Amount } from '../../parts/amount.tsx';
import { readTyped, type Typed } from './order.ts';

/** What was typed, as a sentence. */
export function Payment({ typed }: { typed: Typed }) {
  const { order } = readTyped(typed);
  if (!order) return null;
  return (
    <div>
      <Text size="xl" fw={650}>
        <Amount stroops={order.amount_stroops} />
      </Text>
      <FullAddress address={order.destination} />
      {order.memo_id !== undefined && <Text size="sm">with memo id {String(order.memo_id)}</Text>}
    </div>
  );
}

/** Every character: somebody compares it before money goes there. */
export function FullAddress({ address }: { address: string }) {
  return (
    <Text size="sm" className="mono" style={{ overflowWrap: 'anywhere' }}>
      {address}
    </Text>
  );
}
