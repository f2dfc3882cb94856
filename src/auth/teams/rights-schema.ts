import { z } from 'zod';
import { arrayOf, Id } from '../../http/schemas.ts';
import { ROLES } from './roles.ts';

const MAX_WALLETS = 1_000;

export const RoleName = z.enum(ROLES).meta({ id: 'Role' });

/** The wallets that a member may use, in a body. */
export const WalletIds = arrayOf(
  z.array(Id, 'must be an array of wallet ids').min(1, 'must name at least one wallet').max(MAX_WALLETS),
);

/** The wallets that a member may use, in a response. */
export const ShownWalletIds = z
  .array(Id)
  .nullable()
  .meta({ description: 'The wallets that the member may use; null for every wallet of the team' });

/** The fields of a body that give a member their rights. */
export const RightsFields = {
  role: RoleName,
  wallet_ids: WalletIds.optional().meta({ description: 'Absent: every wallet of the team' }),
};
