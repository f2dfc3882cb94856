/** From which addresses a credential may be used. */
import { AppError } from '../errors.ts';
import { isInBlocks, parseBlock } from '../lib/client-address.ts';

/** @throws AppError `address_not_allowed` unless the address is in one of the blocks; null allows every address */
export function requireAllowed(allowed_ips: readonly string[] | null, ip: string): void {
  if (allowed_ips === null) return;
  const blocks = allowed_ips.map(parseBlock).filter((block) => block !== null);
  if (isInBlocks(ip, blocks)) return;
  throw new AppError('address_not_allowed', `This credential may not be used from the address ${ip}.`);
}
