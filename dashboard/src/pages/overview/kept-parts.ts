/** Pure: what keeps a part of a balance from being available, in words. */
import type { Balance } from '../../api/contract.ts';

type Kept = Pick<Balance, 'asset_issuer' | 'status' | 'reserved_stroops' | 'in_flight_stroops'>;

/** Returns each part that is kept. An asset that the issuer does not let the wallet use has no parts: its status says why. */
export function keptParts({ asset_issuer, status, reserved_stroops, in_flight_stroops }: Kept) {
  const reserved = asset_issuer === null ? 'reserved by the network' : 'in open offers';
  return [
    { stroops: status === 'active' ? reserved_stroops : 0n, words: reserved },
    { stroops: in_flight_stroops, words: 'in withdrawals without an outcome' },
  ].filter(({ stroops }) => stroops > 0n);
}
