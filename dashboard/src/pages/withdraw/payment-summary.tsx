import { Text } from '@mantine/core';
import { Amount } from '../../components/amount.tsx';
import { parseInput, type WithdrawalInput } from './withdrawal-input.ts';

/** The typed payment: amount, destination and memo id. */
export function Payment({ typed }: { typed: WithdrawalInput }) {
  const { request } = parseInput(typed);
  if (!request) return null;
  return (
    <div>
      <Text size="xl" fw={650}>
        <Amount stroops={request.amount_stroops} asset={request.asset_code ?? 'native'} />
      </Text>
      {request.asset_issuer && (
        <Text size="sm" component="div">
          issued by <FullAddress address={request.asset_issuer} />
        </Text>
      )}
      <FullAddress address={request.destination} />
      {request.memo_id !== undefined && <Text size="sm">with memo id {String(request.memo_id)}</Text>}
    </div>
  );
}

/** Every character, because the user compares it before paying. */
export function FullAddress({ address }: { address: string }) {
  return (
    <Text size="sm" className="mono" style={{ overflowWrap: 'anywhere' }}>
      {address}
    </Text>
  );
}
