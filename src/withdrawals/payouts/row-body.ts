/** The form of a row of a payout, as JSON. */
import { z } from 'zod';
import { withOneRecipient } from '../../http/destination.ts';
import { assetInBody, Id, MemoId, Reference, Stroops } from '../../http/schemas.ts';

/** Shorter than any key may be: the key of a retry has a suffix. A spreadsheet must not take the key for a formula. */
export const PAYOUT_KEY = /^(?![=+\-@' ])[\x20-\x7e]{1,240}$/;
export const KEY_WORDS =
  "must be 1 to 240 printable ASCII characters, and not begin with = + - @ ' or a space";

export const RowBody = withOneRecipient(
  z.strictObject({
    idempotency_key: z.string().regex(PAYOUT_KEY, KEY_WORDS).meta({
      description: 'The Idempotency-Key of the withdrawal that pays the row: unique in the team, for ever',
    }),
    destination: z
      .string()
      .max(100)
      .optional()
      .meta({ description: 'G… or M… address; required without `payee_id`' }),
    payee_id: Id.optional().meta({
      description:
        'In place of the destination: a payee of the team, with its memo and its asset where it has them',
    }),
    amount_stroops: Stroops,
    ...assetInBody,
    memo_id: MemoId.optional(),
    reference: Reference.optional().meta({
      description: 'Your own name for the row; its withdrawal and the result have it',
    }),
  }),
).meta({ id: 'PayoutRowBody' });

/**
 * Any value in the place of a row. The document describes it as `RowBody`, and read-rows.ts holds it to that: so the faults of all rows
 * are in the report of the payout, beside everything else that is wrong with it. `Input`: the form that bodies have
 * (http/named-schemas.ts).
 */
export const UnreadRow = z.unknown().meta({ $ref: '#/components/schemas/PayoutRowBodyInput' });
