/** How the API writes policies. */
import { z } from 'zod';
import { DESTINATION_PATTERN, isDestination } from '../../http/destination.ts';
import {
  arrayOf,
  assetInBody,
  assetInResponse,
  Id,
  readAsset,
  Stroops,
  SumOfStroops,
  Time,
} from '../../http/schemas.ts';
import { AppError } from '../../lib/errors.ts';
import { PAYEE_ID, type Payee } from '../../payees/payees.ts';
import { type AssetFields, assetText, NATIVE } from '../../stellar/asset.ts';
import { entryOfPayee, shownEntry } from './allowed-destinations.ts';
import { ApprovalsBody, ApprovalsResource, approvalsFrom } from './approval-rules-schema.ts';
import { type AssetLimits, LIMIT_FIELDS, limitOf, limitsOf } from './asset-limits.ts';
import { PendingChangeResource, showChange } from './change-schema.ts';
import type { Policy } from './policies.ts';
import type { PolicyView } from './policy-changes.ts';

const MAX_DESTINATIONS = 500;
const MAX_LIMITS = 100;

const Destination = z
  .string()
  .refine(
    (text) => PAYEE_ID.test(text) || isDestination(text),
    'must be a Stellar account (G…), a muxed account (M…), a contract (C…), a muxed contract (W…), or the id of a payee (pye_…)',
  )
  .meta({ pattern: `${DESTINATION_PATTERN}|${PAYEE_ID.source}` });
const Destinations = arrayOf(
  z
    .array(Destination, 'must be an array of addresses')
    .max(MAX_DESTINATIONS, `must have at most ${MAX_DESTINATIONS} addresses`)
    .transform((list) => [...new Set(list)]),
);

const LimitEntry = z
  .strictObject({
    ...assetInBody,
    max_withdrawal_stroops: Stroops.optional(),
    max_rolling_24h_stroops: Stroops.optional(),
  })
  .meta({ id: 'GivenAssetLimits' });
const LimitEntries = arrayOf(
  z.array(LimitEntry, 'must be an array of limits').max(MAX_LIMITS, `must have at most ${MAX_LIMITS} assets`),
);

export const PolicyBody = z
  .strictObject({
    approvals: ApprovalsBody.exactOptional().meta({
      description:
        'What needs approvals of other members. A rule that asks for less always needs approvals by the rule before it.',
    }),
    frozen: z.boolean().exactOptional().meta({ description: 'True: new withdrawals are refused' }),
    max_withdrawal_stroops: Stroops.exactOptional().meta({ description: 'Of the native asset' }),
    max_rolling_24h_stroops: Stroops.exactOptional().meta({ description: 'Of the native asset' }),
    limits: LimitEntries.exactOptional().meta({
      description:
        'The limits of every asset, in place of all limits before; [] removes all. While one asset has a limit, an asset without a limit is refused.',
    }),
    destinations: Destinations.exactOptional().meta({
      description:
        'The only addresses that may be paid; [] forbids every payment. A G… address allows its account and every M… address of it, a C… address its contract and every W… address of it; an M… or W… address only itself. The id of a payee (pye_…) allows exactly that payee: its destination, with its memo and in its asset where it has them.',
    }),
  })
  .meta({ id: 'PolicyBody' });
export type GivenPolicy = z.output<typeof PolicyBody>;

/** Returns the ids of payees among the entries that a body has. */
export function payeeIdsOf(destinations: string[]): string[] {
  return destinations.filter((text) => PAYEE_ID.test(text));
}

/**
 * Makes the target that a body asks for of `before`: the target so far, or for PUT no limits. `limits` names all assets;
 * without it, the two native fields change the entry of the native asset.
 * `payees`: those that the body names.
 * @throws AppError `invalid_request` for entries that name no asset, one twice or no limit, for a contradiction, and for an id that is of
 * no payee
 */
export function targetFrom(
  body: GivenPolicy,
  before: Policy,
  payees: Map<string, Payee> = new Map(),
): Policy {
  const { frozen = before.frozen } = body;
  const destinations = body.destinations ? entriesOf(body.destinations, payees) : before.destinations;
  const approvals = body.approvals === undefined ? before.approvals : approvalsFrom(body.approvals);
  return { frozen, destinations, approvals, limits: targetLimits(body, before) };
}

function entriesOf(destinations: string[], payees: Map<string, Payee>): string[] {
  return destinations.map((text, index) => {
    if (!PAYEE_ID.test(text)) return text;
    const payee = payees.get(text);
    if (!payee || payee.deleted_at !== null)
      throw new AppError('invalid_request', 'The allow list names a payee that the team does not have.', {
        details: [{ path: `/destinations/${index}`, message: 'is not a payee of the team' }],
      });
    return entryOfPayee(payee);
  });
}

function targetLimits({ limits: entries, ...body }: GivenPolicy, before: Policy): Policy['limits'] {
  const named = LIMIT_FIELDS.filter((field) => body[field] !== undefined);
  if (!entries && named.length === 0) return before.limits;
  const listed = entries ? readEntries(entries) : (before.limits ?? []);
  const native: AssetLimits = { ...NO_NATIVE_LIMIT, ...limitOf(listed, NATIVE) };
  for (const field of named) {
    const limit = body[field] ?? null;
    if (entries && limitOf(listed, NATIVE) && native[field] !== limit)
      throw fault(`/${field}`, 'must be the limit of the native asset in limits');
    native[field] = limit;
  }
  return limitsOf([native, ...listed.filter(({ asset_issuer }) => asset_issuer !== null)]);
}

const NO_NATIVE_LIMIT = { ...NATIVE, max_withdrawal_stroops: null, max_rolling_24h_stroops: null };

function readEntries(entries: z.output<typeof LimitEntry>[]): AssetLimits[] {
  const seen = new Set<string>();
  return entries.map((entry, index) => {
    const at = `/limits/${index}`;
    const asset = readAsset(entry, at);
    if (seen.has(assetText(asset)))
      throw fault(`${at}/asset_code`, 'names an asset that is in the list already');
    seen.add(assetText(asset));
    const { max_withdrawal_stroops = null, max_rolling_24h_stroops = null } = entry;
    if (max_withdrawal_stroops === null && max_rolling_24h_stroops === null)
      throw fault(at, 'must have max_withdrawal_stroops, max_rolling_24h_stroops or both');
    return { ...asset, max_withdrawal_stroops, max_rolling_24h_stroops };
  });
}

function fault(path: string, message: string): AppError {
  return new AppError('invalid_request', 'The limits of the policy are not valid.', {
    details: [{ path, message }],
  });
}

// responses ------------------------------------------------------------------------------------------------

const limitsInResponse = {
  max_withdrawal_stroops: Stroops.nullable(),
  max_rolling_24h_stroops: Stroops.nullable(),
};
const Used = SumOfStroops.meta({
  description: 'Withdrawals of the asset in the last 24 hours that are not failed',
});

export const PolicyResource = z
  .object({
    wallet_id: Id,
    frozen: z.boolean().meta({ description: 'Whether the owner has frozen the wallet' }),
    operator_freeze: z.object({ frozen_at: Time, reason: z.string().nullable() }).nullable().meta({
      description:
        'Null unless the operator of the service has frozen the wallet: new withdrawals are refused, whatever `frozen` says. No login can undo that',
    }),
    ...limitsInResponse,
    used_rolling_24h_stroops: Used.meta({
      description: 'Withdrawals of the native asset in the last 24 hours that are not failed',
    }),
    limits: z
      .array(
        z
          .object({ ...assetInResponse, ...limitsInResponse, used_rolling_24h_stroops: Used })
          .meta({ id: 'AssetLimits' }),
      )
      .meta({ description: 'Every asset with a limit, the native one first' }),
    other_assets_allowed: z
      .boolean()
      .meta({ description: 'Whether an asset that `limits` does not have may be paid' }),
    destinations: z.array(z.string()).nullable().meta({ description: 'Addresses, and ids of payees' }),
    approvals: ApprovalsResource.nullable().meta({ description: 'What needs approvals; null is nothing' }),
    delay_seconds: z
      .int()
      .min(0)
      .meta({ description: 'How long after the request a looser policy takes effect' }),
    pending: z.array(PendingChangeResource),
  })
  .meta({
    id: 'Policy',
    description:
      'The policy that is in force now; null is no limit. The two max_… fields and the one for 24 hours are of the native asset.',
  });

export function showPolicy({ policy, pending, used_stroops, operator_freeze, ...view }: PolicyView) {
  const { frozen, limits, destinations, approvals } = policy;
  const usedOf = (asset: AssetFields) => used_stroops.get(assetText(asset)) ?? 0n;
  const { asset_code: _, asset_issuer: __, ...native } = limitOf(limits, NATIVE) ?? NO_NATIVE_LIMIT;
  return {
    ...view,
    frozen,
    operator_freeze: operator_freeze && {
      frozen_at: operator_freeze.frozen_at.toISOString(),
      reason: operator_freeze.reason,
    },
    ...native,
    used_rolling_24h_stroops: usedOf(NATIVE),
    limits: (limits ?? []).map((entry) => ({ ...entry, used_rolling_24h_stroops: usedOf(entry) })),
    other_assets_allowed: limits === null,
    destinations: destinations?.map(shownEntry) ?? null,
    approvals,
    pending: pending.map((change) => showChange(view.wallet_id, change)),
  };
}
