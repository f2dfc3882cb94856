import { z } from 'zod';
import { arrayOf } from '../../http/schemas.ts';
import { parseBlock } from '../../lib/client-address.ts';

const MAX_BLOCKS = 100;

const Block = z
  .string()
  .max(50)
  .refine((text) => parseBlock(text) !== null, 'must be an address or a CIDR block, like 203.0.113.0/24');

/** The addresses that a credential may be used from, in a body. */
export const AllowedIps = arrayOf(
  z
    .array(Block, 'must be an array of addresses or CIDR blocks')
    .min(1, 'must name at least one address')
    .max(MAX_BLOCKS, `must have at most ${MAX_BLOCKS} entries`),
);

/** The addresses that a credential may be used from, in a response. */
export const ShownAllowedIps = z
  .array(z.string())
  .nullable()
  .meta({ description: 'Addresses and CIDR blocks that it may be used from; null for every address' });
