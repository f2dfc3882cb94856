import { z } from 'zod';
import { AssetCode, AssetIssuer, Failure, Time } from '../../http/schemas.ts';
import { NO_ACCOUNT, type SampleFor } from '../../http/test-samples.ts';
import type { WalletAsset } from './assets.ts';

export const AssetBody = z.strictObject({ asset_code: AssetCode, asset_issuer: AssetIssuer });

export const AssetResource = z
  .object({
    asset_code: z.string(),
    asset_issuer: z.string(),
    status: z
      .enum(['pending', 'active', 'unauthorized', 'maintain_liabilities', 'removing', 'failed', 'absent'])
      .meta({
        description:
          'unauthorized: the issuer must approve the wallet, or has withdrawn its approval. maintain_liabilities: the wallet keeps ' +
          'its balance, and can neither take nor pay. absent: the wallet does not have the asset; no list shows it.',
      }),
    failure: Failure.nullable().meta({ description: 'Why the network refused to add it' }),
    issuer_flags: z
      .object({ auth_required: z.boolean(), auth_revocable: z.boolean(), clawback_enabled: z.boolean() })
      .nullable()
      .meta({
        description:
          'What the issuer can do to new trust lines; null when it is no account any more, or when an event could not read it',
      }),
    clawback_enabled: z
      .boolean()
      .meta({ description: 'Whether the issuer can take the balance of this wallet back' }),
    home_domain: z.string().nullable().meta({
      description: 'What the issuer’s account names. Anybody can name any domain: it proves nothing',
    }),
    home_domain_check: z
      .enum(['confirmed', 'not_confirmed', 'unreachable'])
      .nullable()
      .meta({
        description:
          'Whether the stellar.toml of the domain names this asset (SEP-1). unreachable: the service could not read it within 5 seconds. ' +
          'Null: the operator allows no look-ups, there is no domain, or this answers or tells of a change of the asset',
      }),
    verified: z.boolean().meta({ description: 'True for the assets that the service knows by itself' }),
    warning: z
      .string()
      .nullable()
      .meta({ description: 'Show it: the asset looks like another one that is known' }),
    created_at: Time.nullable().meta({ description: 'When it was last asked for' }),
  })
  .meta({ id: 'WalletAsset' });

export function showAsset(asset: WalletAsset): z.input<typeof AssetResource> {
  const { issuer_flags, created_at } = asset;
  return {
    ...asset,
    issuer_flags: issuer_flags && {
      auth_required: issuer_flags.auth_required,
      auth_revocable: issuer_flags.auth_revocable,
      clawback_enabled: issuer_flags.clawback_enabled,
    },
    created_at: created_at?.toISOString() ?? null,
  };
}

/** Makes the asset of a test event. */
export function sampleAsset({ at }: SampleFor): z.input<typeof AssetResource> {
  return {
    asset_code: 'SAMPLE',
    asset_issuer: NO_ACCOUNT,
    status: 'active',
    failure: null,
    issuer_flags: { auth_required: false, auth_revocable: false, clawback_enabled: false },
    clawback_enabled: false,
    home_domain: null,
    home_domain_check: null,
    verified: false,
    warning: null,
    created_at: at,
  };
}
