import type { xdr } from '@stellar/stellar-sdk/base';

/**
 * Instructions are not counted here, they are set: about what the host takes for a transfer, and for each signature
 * that comes with the operation.
 */
const TRANSFER = 300_000;
const SIGNED_ENTRY = 500_000;

export function instructionsOf(auth: xdr.SorobanAuthorizationEntryWire[]): number {
  return TRANSFER + auth.filter(({ credentials }) => credentials.type !== 0).length * SIGNED_ENTRY;
}
