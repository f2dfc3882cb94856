import type { xdr } from '@stellar/stellar-sdk/base';

/**
 * Instructions are not counted. These are fixed numbers, near those of the host, for a transfer and for each
 * signature of the operation.
 */
const TRANSFER = 300_000;
const SIGNED_ENTRY = 500_000;

export function instructionsOf(auth: xdr.SorobanAuthorizationEntryWire[]): number {
  return TRANSFER + auth.filter(({ credentials }) => credentials.type !== 0).length * SIGNED_ENTRY;
}
