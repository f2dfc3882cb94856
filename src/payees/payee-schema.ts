/** How the API writes payees. */
import { z } from 'zod';
import type { Membership } from '../auth/teams/team-store.ts';
import { DESTINATION_PATTERN } from '../http/destination.ts';
import {
  assetInBody,
  assetInResponse,
  Id,
  MemoId,
  Name,
  NOT_BLANK,
  readAsset,
  SumOfStroops,
  Time,
} from '../http/schemas.ts';
import { faultOfName, plainName } from './payee-name.ts';
import { type NewPayee, newUntil, type Payee } from './payees.ts';

const MOST_NOTE_CHARS = 500;

const Note = z.string().trim().max(MOST_NOTE_CHARS).meta({ description: 'For people' });
const PayeeName = Name.transform(plainName)
  .superRefine((name, context) => {
    const message = faultOfName(name);
    if (message !== null) context.addIssue({ code: 'custom', message });
  })
  .meta({ type: 'string', minLength: 1, maxLength: 100, pattern: NOT_BLANK });

export const CreateBody = z
  .strictObject({
    name: PayeeName.meta({ description: 'Unique in the team; lower and upper case are the same' }),
    destination: z
      .string()
      .max(100)
      .meta({ description: 'G…, M…, C… or W… address; it never changes', pattern: DESTINATION_PATTERN }),
    memo_id: MemoId.optional().meta({
      description: 'The memo of every payment; absent: each payment says its own, or has none',
    }),
    asset_code: assetInBody.asset_code.meta({
      description:
        'With its issuer, the only asset that is paid; `native` alone: the native asset; absent: any asset',
    }),
    asset_issuer: assetInBody.asset_issuer,
    note: Note.optional(),
  })
  .meta({ id: 'PayeeBody' });

export const ChangeBody = z
  .strictObject({
    name: PayeeName.exactOptional(),
    note: Note.exactOptional().meta({ description: 'An empty text removes the note' }),
  })
  .meta({ id: 'PayeeChangeBody' });

/** Reads what a body asks for. @throws AppError `invalid_request` */
export function readPayee(body: z.output<typeof CreateBody>): NewPayee {
  const { name, destination, memo_id = null, asset_code, asset_issuer, note } = body;
  const is_any = asset_code === undefined && asset_issuer === undefined;
  const asset = is_any ? { asset_code: null, asset_issuer: null } : readAsset(body);
  return { name, destination, memo_id, ...asset, note: note || null };
}

export const PayeeResource = z
  .object({
    id: Id,
    name: z.string(),
    destination: z.string(),
    memo_id: MemoId.nullable().meta({
      description: 'The memo of every payment; null: each payment says its own',
    }),
    asset_code: assetInResponse.asset_code.nullable().meta({
      description: 'The only asset that is paid, `native` for the native asset; null: any asset',
    }),
    asset_issuer: assetInResponse.asset_issuer,
    note: z.string().nullable().meta({ description: 'For people' }),
    created_by: Id.meta({ description: 'The user or service user' }),
    created_at: Time,
    new_until: Time.meta({
      description: 'Until then it is marked as new: one day from its creation, or since it has its name',
    }),
    last_paid_at: Time.nullable().meta({
      description: 'When it was last paid, also before it was a payee; null: never',
    }),
  })
  .meta({ id: 'Payee', description: 'Whom the team pays, by name.' });

const Paid = z
  .object({ ...assetInResponse, amount_stroops: SumOfStroops })
  .meta({ id: 'PaidAmount', description: 'What was paid of an asset' });

export const PayeeWithPaid = PayeeResource.extend({
  paid: z.array(Paid).meta({
    description:
      'What confirmed withdrawals have paid since it is a payee, by asset; of the wallets that you may use',
  }),
}).meta({ id: 'PayeeWithPaid' });

/**
 * Shows a payee to a member. `last`: when wallets of the member last paid it since it is a payee. A limited member learns nothing of
 * other wallets.
 */
export function showPayee(
  payee: Payee,
  last: Date | undefined,
  { wallet_ids }: Pick<Membership, 'wallet_ids'>,
): z.input<typeof PayeeResource> {
  const { team_id: _, named_at: __, deleted_at: ___, paid_before, created_at, ...shown } = payee;
  const last_paid_at = last ?? (wallet_ids === null ? paid_before : null);
  return {
    ...shown,
    created_at: created_at.toISOString(),
    new_until: newUntil(payee).toISOString(),
    last_paid_at: last_paid_at?.toISOString() ?? null,
  };
}
