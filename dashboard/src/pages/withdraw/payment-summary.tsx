import { Text } from '@mantine/core';
import { Figures } from '../../components/amount.tsx';
import { LookAlikeBadge } from '../../components/issuer-mark.tsx';
import { PayeeName } from '../../components/payee-name.tsx';
import type { AssetFields } from '../../text/asset.ts';
import { isolated } from '../../text/isolate.ts';
import { assetOf, parseInput, type WithdrawalInput } from './withdrawal-input.ts';

/** The typed payment: amount, destination, memo id and reference. */
export function Payment({ typed }: { typed: WithdrawalInput }) {
  const { request } = parseInput(typed);
  if (!request) return null;
  return (
    <div>
      <Text size="xl" fw={650}>
        <Figures stroops={request.amount_stroops} asset={assetOf(request)} />
      </Text>
      <FullIssuer asset={assetOf(request)} />
      <Text size="sm">to</Text>
      <PayeeName paid={request} />
      <FullAddress address={request.destination} />
      {request.memo_id !== undefined && <Text size="sm">with memo id {String(request.memo_id)}</Text>}
      <Reference reference={request.reference ?? null} />
    </div>
  );
}

/** What the payment is called in the books of the team; nothing where it has no reference. */
export function Reference({ reference }: { reference: string | null }) {
  if (reference === null) return null;
  return (
    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
      Reference: {isolated(reference)}
    </Text>
  );
}

/** Every character of the issuer, and the warning of a look-alike; nothing for the native asset. */
export function FullIssuer({ asset }: { asset: AssetFields }) {
  if (asset.asset_issuer === null) return null;
  return (
    <Text size="sm" component="div">
      issued by
      <LookAlikeBadge asset={asset} />
      <FullAddress address={asset.asset_issuer} />
    </Text>
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
