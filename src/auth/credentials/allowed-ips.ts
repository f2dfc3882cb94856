/** From which addresses a credential may be used. */
import { isInBlocks, parseBlock } from '../../lib/client-address.ts';
import { AppError } from '../../lib/errors.ts';

/** Returns true when the address is in one of the blocks; null allows every address. */
export function isAllowed(allowed_ips: readonly string[] | null, ip: string): boolean {
  return (
    allowed_ips === null ||
    isInBlocks(
      ip,
      allowed_ips.map(parseBlock).filter((block) => block !== null),
    )
  );
}

export function notAllowed(ip: string): AppError {
  return new AppError('address_not_allowed', `This credential may not be used from the address ${ip}.`);
}
