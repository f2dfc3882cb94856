/** How the API writes what needs approvals. */
import { z } from 'zod';
import { AssetAmount, GivenAssetAmount, objectOf, readAsset } from '../../http/schemas.ts';
import { AppError } from '../../lib/errors.ts';
import { assetText } from '../../stellar/asset.ts';
import { APPROVED_KINDS, type Approvals, approvalsOf } from './approval-rules.ts';

const MAX_REQUIRED = 10n;
const MAX_ASSETS = 100;

const Kind = z.enum(APPROVED_KINDS, 'must be withdrawals, policies, destinations, members or api_keys').meta({
  description:
    '`withdrawals`: payments above an amount. `policies`: every looser policy. `destinations`: another address in the allow ' +
    'list. `members`: members, invitations and service users that may use the wallet. `api_keys`: API keys of the wallet',
});

export const ApprovalsBody = objectOf(
  z
    .strictObject(
      {
        required: z
          .bigint('must be an integer')
          .min(0n, 'must be at least 0')
          .max(MAX_REQUIRED, `must be at most ${MAX_REQUIRED}`)
          .meta({ description: 'How many members must approve, beside the requester; 0 ends the rule' }),
        above: z
          .array(GivenAssetAmount, 'must be an array of amounts')
          .max(MAX_ASSETS, `must have at most ${MAX_ASSETS} assets`)
          .optional()
          .meta({
            description:
              'A payment needs approvals when it and what the wallet has paid of the asset without approvals in the last 24 hours ' +
              'are above this amount. Payments of an asset that is not in the list always need them',
          }),
        for: z.array(Kind, 'must be an array').max(APPROVED_KINDS.length).optional(),
        without_factor: z.boolean('must be true or false').optional().meta({
          description:
            'True: members without a second factor may decide, with their password alone. Default false',
        }),
      },
      'must be an object with required, above, for and without_factor',
    )
    .meta({ id: 'GivenApprovalRule' }),
);

/** Of a payment, or of a payout, in its own resource. */
export const ApprovalsCause = z
  .enum(['amount', 'sum'])
  .nullable()
  .meta({
    description:
      'Why it needs approvals. `amount`: what it pays is above the amount of its asset, or its asset has none. `sum`: only with ' +
      'what the wallet has paid of the asset without approvals in 24 hours. Null when it needs none',
  });

export const ApprovalsResource = z
  .object({
    required: z.int(),
    above: z.array(AssetAmount),
    for: z.array(Kind),
    without_factor: z.boolean().meta({ description: 'Whether members without a second factor may decide' }),
  })
  .meta({ id: 'ApprovalRule' });

/**
 * Reads the rule that a body asks for; null when it asks for no approvals.
 * @throws AppError `invalid_request` for a part that would do nothing, and for an asset that is named twice
 */
export function approvalsFrom({
  required,
  above = [],
  for: kinds = [],
  without_factor = false,
}: z.output<typeof ApprovalsBody>): Approvals | null {
  if (required === 0n) {
    if (above.length > 0 || kinds.length > 0 || without_factor)
      throw fault('required', 'must be at least 1 with above, for or without_factor');
    return null;
  }
  if (kinds.length === 0) throw fault('for', 'must say what needs approvals');
  if (above.length > 0 && !kinds.includes('withdrawals'))
    throw fault('above', 'must be absent unless for has withdrawals');
  const seen = new Set<string>();
  const entries = above.map(({ amount_stroops, ...entry }, index) => {
    const asset = readAsset(entry, `/approvals/above/${index}`);
    if (seen.has(assetText(asset)))
      throw fault(`above/${index}/asset_code`, 'names an asset that is in the list already');
    seen.add(assetText(asset));
    return { ...asset, amount_stroops };
  });
  return approvalsOf({ required: Number(required), above: entries, for: kinds, without_factor });
}

function fault(path: string, message: string): AppError {
  return new AppError('invalid_request', 'The rule of approvals is not valid.', {
    details: [{ path: `/approvals/${path}`, message }],
  });
}
