import { Text } from '@mantine/core';
import { Amount } from '../../components/amount.tsx';
import { parseInput, type WithdrawalInput } from './withdrawal-input.ts';

/** What was typed, as a sentence. */
export function Payment({ typed }: { typed: WithdrawalInput }) {
  const { request } = parseInput(typed);
  if (!request) return null;
  return (
    <div>
      <Text size="xl" fw={650}>
        <Amount stroops={request.amount_stroops} />
      </Text>
      <FullAddress address={request.destination} />
      {request.memo_id !== undefined && <Text size="sm">with memo id {String(request.memo_id)}</Text>}
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
