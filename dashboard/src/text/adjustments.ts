/** Pure: what others did to a wallet without paying it, in words. */
import type { Adjustment } from '../api/contract.ts';

type Words = { title: string; message: string };

export const ADJUSTMENTS: Record<Adjustment['reason'], Words> = {
  clawback: {
    title: 'Clawback',
    message: 'The issuer, or the admin of the asset’s contract, has taken this amount out of the wallet.',
  },
  contract_transfer: {
    title: 'Transfer by a contract',
    message: 'A contract call of others has transferred this amount out of the wallet.',
  },
  contract_burn: {
    title: 'Burn by a contract',
    message: 'A contract call of others has destroyed this amount of the wallet.',
  },
  authorized: {
    title: 'Authorized',
    message: 'The wallet may take and pay the asset.',
  },
  maintain_liabilities: {
    title: 'Payments stopped',
    message: 'The wallet can neither take nor pay the asset. Its balance stays, and it may keep its offers.',
  },
  authorization_revoked: {
    title: 'Authorization revoked',
    message: 'The wallet can neither take nor pay the asset. Its balance stays.',
  },
};
