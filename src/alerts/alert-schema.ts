import { z } from 'zod';
import { AssetAmount, arrayOf, GivenAssetAmount, readAsset, shownOnce, Time } from '../http/schemas.ts';
import { AppError } from '../lib/errors.ts';
import { assetText } from '../stellar/asset.ts';
import { ALERT_KINDS, KIND_NAMES } from './kinds.ts';
import type { Threshold } from './rules.ts';
import type { Settings, Wished } from './settings-store.ts';

const MAX_THRESHOLDS = 100;

const Kind = z.enum(KIND_NAMES).meta({
  id: 'AlertKind',
  description: Object.entries(ALERT_KINDS)
    .map(([kind, words]) => `\`${kind}\`: ${words}`)
    .join('. '),
});

export const AlertsBody = z.strictObject({
  url: z.string().max(2048).optional().meta({
    description: 'Public http(s) URL to which alerts are posted; absent: no webhook',
    pattern: '^https?://',
  }),
  kinds: arrayOf(z.array(Kind).max(KIND_NAMES.length))
    .optional()
    .meta({
      description:
        'Of these kinds the webhook, owners and admins are alerted; absent: of every kind, also of those of later versions. ' +
        'Users get the mails about their own sign-in in any case.',
    }),
  large_payments: arrayOf(z.array(GivenAssetAmount).max(MAX_THRESHOLDS))
    .optional()
    .meta({ description: 'A withdrawal of more than this amount makes an alert; absent: none does' }),
});

const LastFailure = z.object({ at: Time, reason: z.string() }).meta({ id: 'FailedAlert' });

export const AlertsResource = z
  .object({
    url: z.string().nullable(),
    disabled_reason: z.string().nullable().meta({
      description: 'Why nothing is sent to the URL any more; ends when the settings are saved again',
    }),
    failing_since: Time.nullable().meta({ description: 'Null: the last alert was acknowledged' }),
    last_failure: LastFailure.nullable(),
    kinds: z.array(z.string()).nullable().meta({ description: 'Null: every kind' }),
    large_payments: z.array(AssetAmount),
    mails: z.boolean().meta({ description: 'Whether this service sends mails' }),
  })
  .meta({ id: 'Alerts' });

export const ChangedAlerts = AlertsResource.extend({
  signing_secret: shownOnce('A new one; null when the URL has not changed'),
}).meta({ id: 'ChangedAlerts' });

/** @throws AppError `invalid_request` for half an asset, or an asset that has two amounts */
export function readWished({ url, kinds, large_payments = [] }: z.output<typeof AlertsBody>): Wished {
  const thresholds = large_payments.map(({ amount_stroops, ...asset }, index): Threshold => {
    const { asset_code, asset_issuer } = readAsset(asset, `/large_payments/${index}`);
    return { asset_code, asset_issuer, amount_stroops };
  });
  const names = thresholds.map(assetText);
  const repeated = names.findIndex((name, index) => names.indexOf(name) < index);
  if (repeated >= 0)
    throw new AppError('invalid_request', 'Each asset has one amount.', {
      details: [{ path: `/large_payments/${repeated}`, message: 'names an asset that was named before' }],
    });
  return { url: url ?? null, kinds: kinds ? [...new Set(kinds)] : null, thresholds };
}

export function showAlerts(settings: Settings, mails: boolean): z.output<typeof AlertsResource> {
  const { url, disabled_reason, failing_since, last_failed_at, last_failure, kinds, thresholds } = settings;
  return {
    url,
    disabled_reason,
    kinds,
    mails,
    failing_since: failing_since?.toISOString() ?? null,
    last_failure: last_failed_at && { at: last_failed_at.toISOString(), reason: last_failure ?? '' },
    large_payments: thresholds,
  };
}
