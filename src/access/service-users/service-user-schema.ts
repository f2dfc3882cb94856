/** Service users as the API takes and shows them. */
import { z } from 'zod';
import { AllowedIps, ShownAllowedIps } from '../../auth/credentials/allowed-ips-schema.ts';
import { algorithmOf, type PublicKey } from '../../auth/service-users/public-keys.ts';
import type { Secret } from '../../auth/service-users/service-user-store.ts';
import { ShownWalletIds, WalletIds } from '../../auth/teams/rights-schema.ts';
import { SERVICE_ROLES } from '../../auth/teams/roles.ts';
import { arrayOf, Id, Name, shownOnce, Time } from '../../http/schemas.ts';
import type { ServiceUserWithSecrets } from './service-users.ts';

const MAX_KEYS = 5;

const ServiceRole = z.enum(SERVICE_ROLES).meta({ id: 'ServiceRole' });

const Coordinate = z.string().max(100);
/** Members that libraries write beside the key itself are taken and not kept; a private key is refused. */
const GivenKey = z
  .strictObject({
    kty: z.enum(['OKP', 'EC']),
    crv: z.enum(['Ed25519', 'P-256']),
    x: Coordinate,
    y: Coordinate.optional(),
    kid: z.string().min(1, 'must not be empty').max(100).optional(),
    use: z.literal('sig').optional(),
    alg: z.enum(['EdDSA', 'ES256']).optional(),
    key_ops: z.array(z.literal('verify')).optional(),
    ext: z.boolean().optional(),
  })
  .meta({ id: 'GivenPublicKey' });
const PublicKeys = arrayOf(
  z
    .array(GivenKey, 'must be an array of public keys (JWK)')
    .max(MAX_KEYS, `must have at most ${MAX_KEYS} keys`),
).meta({ description: 'JSON Web Keys, Ed25519 or P-256: the `keys` of a JWKS. At most 5' });

const ShownKey = z
  .object({
    kid: z.string(),
    kty: z.enum(['OKP', 'EC']),
    crv: z.enum(['Ed25519', 'P-256']),
    alg: z.enum(['EdDSA', 'ES256']),
    x: z.string(),
    y: z.string().optional(),
  })
  .meta({ id: 'PublicKey' });

export const SecretResource = z
  .object({ id: Id, last_four: z.string(), created_at: Time, last_used_at: Time.nullable() })
  .meta({ id: 'ServiceUserSecret' });

export const ServiceUserResource = z
  .object({
    id: Id.meta({ description: 'The client id, too' }),
    kind: z.literal('service'),
    name: z.string(),
    role: ServiceRole,
    wallet_ids: ShownWalletIds,
    allowed_ips: ShownAllowedIps,
    public_keys: z.array(ShownKey),
    secrets: z.array(SecretResource),
    enabled: z.boolean(),
    disabled_by: z.enum(['team', 'operator']).nullable().meta({
      description: 'Who has disabled it. What the operator of the service has disabled, only they enable',
    }),
    created_by: Id.nullable().meta({ description: 'The user who made it; null for the operator' }),
    created_at: Time,
    last_used_at: Time.nullable().meta({ description: 'When it got a token the last time' }),
  })
  .meta({ id: 'ServiceUser' });

export const NewServiceUser = ServiceUserResource.extend({
  client_id: Id,
  client_secret: shownOnce('Its secret; null when it has public keys'),
}).meta({ id: 'NewServiceUser' });

export const NewSecret = SecretResource.extend({
  client_secret: shownOnce('The text of the secret'),
}).meta({ id: 'NewServiceUserSecret' });

export const CreateBody = z.strictObject({
  name: Name,
  role: ServiceRole,
  wallet_ids: WalletIds.optional().meta({ description: 'Absent: every wallet of the team' }),
  allowed_ips: AllowedIps.optional().meta({ description: 'Absent: every address' }),
  public_keys: PublicKeys.optional(),
});

export const ChangeBody = z.strictObject({
  name: Name.optional(),
  role: ServiceRole.optional(),
  wallet_ids: WalletIds.optional(),
  all_wallets: z.literal(true).optional().meta({ description: 'Every wallet, in place of some' }),
  allowed_ips: AllowedIps.optional(),
  all_addresses: z.literal(true).optional().meta({ description: 'Every address, in place of some' }),
  public_keys: PublicKeys.optional().meta({ description: 'All of them; an empty array removes all' }),
  enabled: z.boolean().optional(),
});

export function showServiceUser(row: ServiceUserWithSecrets): z.input<typeof ServiceUserResource> {
  const { id, name, role, wallet_ids, allowed_ips, disabled_by, created_by } = row;
  return {
    id,
    kind: 'service',
    name,
    role,
    wallet_ids,
    allowed_ips,
    public_keys: row.public_keys.map(showKey),
    secrets: row.secrets.map(showSecret),
    enabled: row.disabled_at === null,
    disabled_by,
    created_by,
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
  };
}

export function showSecret({ id, last_four, created_at, last_used_at }: Secret) {
  return {
    id,
    last_four,
    created_at: created_at.toISOString(),
    last_used_at: last_used_at?.toISOString() ?? null,
  };
}

function showKey({ thumbprint: _, ...key }: PublicKey) {
  return { ...key, alg: algorithmOf(key) };
}
