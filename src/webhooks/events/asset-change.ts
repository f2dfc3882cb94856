/** What an `asset.changed` tells. `GET …/assets/CODE:ISSUER` reads the ledger; a stored body cannot, so it tells the change. */
import { z } from 'zod';
import { Failure, Id, Time } from '../../http/schemas.ts';

export const AssetChange = z
  .object({
    wallet_id: Id,
    asset_code: z.string(),
    asset_issuer: z.string(),
    change: z
      .enum([
        'added',
        'addition_failed',
        'removed',
        'removal_failed',
        'authorized',
        'maintain_liabilities',
        'authorization_revoked',
      ])
      .meta({
        description:
          'The first four are outcomes of what the wallet’s team asked for; the others are what the issuer has done to the trust line',
      }),
    failure: Failure.nullable(),
    caused_by: z.string().nullable().meta({
      description: 'The account (G…) or contract (C…) of others that did it; null for a change by the team',
    }),
    stellar_tx_hash: z.string().nullable(),
    ledger: z.int().nullable(),
    created_at: Time.meta({ description: 'When the service recorded the change' }),
  })
  .meta({ id: 'AssetChange', description: 'A change of the trust line of a wallet' });

export type AssetChangeData = z.input<typeof AssetChange>;
