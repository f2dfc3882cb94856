import { strict as assert } from 'node:assert';
import { z } from 'zod';
import { idsBetween, type PageRequest, type Span } from '../db/newest-first.ts';
import { EMAIL_MAX, parseEmail } from '../lib/email.ts';
import { AppError } from '../lib/errors.ts';
import type { IdPrefix } from '../lib/ids.ts';
import { faultOfReference, MOST_REFERENCE_CHARS, REFERENCE_PATTERN } from '../lib/reference.ts';
import { INT64_MAX } from '../lib/stroops.ts';
import { type AssetFields, isAssetCode, isIssuer, NATIVE, parseAsset } from '../stellar/asset.ts';
import { unlessAbsent } from './issues.ts';
import { JsonSyntaxError, type NestedValue, RawJson } from './read-json.ts';

const UINT64_MAX = 2n ** 64n - 1n;
const METADATA_MAX_BYTES = 16 * 1024;

/** 1 … 2^63−1, the whole range of a Stellar amount (int64). Accepts only an integer literal: not 1.0, 1e7 or "1". */
export const Stroops = z
  .bigint({
    error: unlessAbsent('must be an integer number of stroops, written without point, exponent or quotes'),
  })
  .min(1n, 'must be greater than 0')
  .max(INT64_MAX, `must be at most ${INT64_MAX}`)
  .meta({ id: 'Stroops', description: 'Stroops; 10,000,000 are one unit of the native asset.' });

/** An amount that may be 0, like a balance. */
export const StroopsOrZero = z.bigint().min(0n).max(INT64_MAX);

/** What several payments come to, which may be more than one payment can be. */
export const SumOfStroops = z.bigint().min(0n);

/** 0 … 2^64−1, the whole range of a memo id or muxed id (uint64). */
export const MemoId = z
  .bigint({ error: unlessAbsent('must be an integer, written without point, exponent or quotes') })
  .min(0n, 'must be at least 0')
  .max(UINT64_MAX, `must be at most ${UINT64_MAX}`)
  .meta({ id: 'MemoId', description: 'Unsigned 64-bit integer; may exceed 2^53.' });

/** 1–12 characters; `native` without an issuer is the native asset. */
export const AssetCode = z.string().refine(isAssetCode, 'must have 1 to 12 characters A–Z a–z 0–9').meta({
  id: 'AssetCode',
  description: '1–12 characters A–Z a–z 0–9; `native` without an issuer is the native asset.',
  pattern: '^[A-Za-z0-9]{1,12}$',
});

export const AssetIssuer = z.string().refine(isIssuer, 'must be the address of an issuer (G…)').meta({
  id: 'AssetIssuer',
  description: 'The G… account that issues the asset.',
  pattern: '^G[A-Z2-7]{55}$',
});

/** The fields of an asset in a body. Both or neither: `readAsset` checks that. */
export const assetInBody = { asset_code: AssetCode.optional(), asset_issuer: AssetIssuer.optional() };

/** The fields of an asset in a response. */
export const assetInResponse = {
  asset_code: z.string().meta({ description: 'The native asset is `native`' }),
  asset_issuer: z.string().nullable().meta({ description: 'Null for the native asset' }),
};

/** An amount of an asset in a body. */
export const GivenAssetAmount = z
  .strictObject({ ...assetInBody, amount_stroops: Stroops })
  .meta({ id: 'GivenAssetAmount' });

/** An amount of an asset in a response. */
export const AssetAmount = z
  .object({ ...assetInResponse, amount_stroops: StroopsOrZero })
  .meta({ id: 'AssetAmount' });

/** Why the network refused something, in a response. */
export const Failure = z
  .object({ code: z.string().meta({ description: 'The result code of the network' }), message: z.string() })
  .meta({ id: 'Failure' });

/** An asset in a path or a query: `native` or `CODE:ISSUER`. As in a body, an issued asset cannot have the code `native`. */
export const AssetText = z
  .string()
  .refine((text) => parseAsset(text) !== null && !text.startsWith('native:'), 'must be native or CODE:ISSUER')
  .transform((text) => parseAsset(text) ?? NATIVE)
  .meta({
    id: 'AssetText',
    description: '`native` or `CODE:ISSUER`',
    type: 'string',
    pattern: '^(?:native|(?!native:)[A-Za-z0-9]{1,12}:G[A-Z2-7]{55})$',
  });

/** The same where only an issued asset makes sense; the route refuses `native`. */
export const IssuedAssetText = AssetText.meta({
  id: 'IssuedAssetText',
  description: '`CODE:ISSUER`',
  type: 'string',
  pattern: '^(?!native:)[A-Za-z0-9]{1,12}:G[A-Z2-7]{55}$',
});

/**
 * Reads the asset that a body names; neither field means the native asset. `at`: the JSON pointer of the object that has the
 * fields.
 * @throws AppError `invalid_request` when one of the fields is missing, or the native asset has an issuer
 */
export function readAsset(
  { asset_code, asset_issuer }: { asset_code?: string | undefined; asset_issuer?: string | undefined },
  at = '',
): AssetFields {
  if (asset_issuer === undefined && (asset_code === undefined || asset_code === NATIVE.asset_code))
    return NATIVE;
  if (asset_code === NATIVE.asset_code)
    throw new AppError('invalid_request', 'The native asset has no issuer.', {
      details: [{ path: `${at}/asset_issuer`, message: 'must be absent for the native asset' }],
    });
  if (asset_code !== undefined && asset_issuer !== undefined) return { asset_code, asset_issuer };
  const path = `${at}/${asset_code === undefined ? 'asset_code' : 'asset_issuer'}`;
  throw new AppError('invalid_request', 'An issued asset has a code and an issuer.', {
    details: [{ path, message: 'is required: asset_code and asset_issuer come together' }],
  });
}

export const Time = z.iso.datetime({ offset: true });
/** A time in a query. */
export const Instant = Time.transform((text) => new Date(text));

/** Any JSON object. Responses give it back unchanged. */
export const Metadata = z
  .custom<RawJson>((value) => value instanceof RawJson && value.kind === 'object', 'must be a JSON object')
  .refine((raw) => Buffer.byteLength(raw.text) <= METADATA_MAX_BYTES, 'must be at most 16 KiB')
  .meta({ id: 'Metadata', description: 'Any JSON object (≤ 16 KiB); returned exactly as given.' });

/** Returns the schema of an array in a body, which the body parser leaves as its source text. */
export function arrayOf<T extends z.ZodType>(schema: T) {
  const most = mostItems(schema);
  // Of an array that is too long, one item too many is looked at: a body of 64 KiB can have tens of thousands.
  return nested('array', schema, (value) => (Array.isArray(value) ? value.slice(0, most + 1) : value));
}

/** Returns the greatest length that the schema of an array, or of an array that is transformed, allows. */
function mostItems({ _zod: { def } }: z.core.$ZodType): number {
  const { in: given, checks = [] } = def as { in?: z.core.$ZodType; checks?: z.core.$ZodCheck[] };
  if (given) return mostItems(given);
  const lengths = checks.map((check) => (check._zod.def as { maximum?: number }).maximum);
  const most = lengths.find((length) => length !== undefined);
  assert(most !== undefined, 'an array in a body has a greatest length');
  return most;
}

/** Returns the schema of an object in a body, which the body parser leaves as its source text. */
export function objectOf<T extends z.ZodType>(schema: T) {
  return nested('object', schema, (value) => value);
}

function nested<T extends z.ZodType>(
  kind: RawJson['kind'],
  schema: T,
  shorten: (value: NestedValue) => NestedValue,
) {
  return z.preprocess((value, context) => {
    if (!(value instanceof RawJson) || value.kind !== kind) return value;
    try {
      return shorten(value.read());
    } catch (error) {
      if (!(error instanceof JsonSyntaxError)) throw error;
      context.addIssue({ code: 'custom', message: error.message });
      return z.NEVER;
    }
  }, schema);
}

export const Id = z.string().max(64);

/** What the document says of a text that must not be blank. No text has a zero character. */
export const NOT_BLANK = '^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$';

/** Returns the schema of a secret that only the first answer has: what is kept for repeats has null in its place. */
export function shownOnce(description: string) {
  const words = `${description}. Shown only here: null in a repeat with the same Idempotency-Key`;
  return z.string().nullable().meta({ description: words });
}

/** Of a wallet, a team or a person. */
export const Name = z.string().trim().min(1, 'must not be empty').max(100).meta({ pattern: NOT_BLANK });

/** What the customer calls a payment, in a body. An empty text means no reference: whoever stores it makes null of it. */
export const Reference = z
  .string()
  .superRefine((text, context) => {
    const message = faultOfReference(text);
    if (message !== null) context.addIssue({ code: 'custom', message });
  })
  .meta({ maxLength: MOST_REFERENCE_CHARS, pattern: REFERENCE_PATTERN });

/** An e-mail address as it was typed, without the space around it. */
export const Email = z
  .string()
  .trim()
  .normalize('NFC')
  .max(EMAIL_MAX)
  .refine((text) => parseEmail(text) !== null, 'must be an e-mail address')
  .meta({ pattern: '^[^\\s@]+@[^\\s@]+$' });

/** A person or thing, by the name that it had then, in a response. */
export const IdAndName = z.object({ id: Id, name: z.string() }).meta({ id: 'IdAndName' });

/** A boolean in a query: `true` or `false`. */
export const Flag = z.enum(['true', 'false']).transform((text) => text === 'true');

/** Returns the schema of an integer in a query, which is text there: `min` to `max`, in digits. */
export function integerInQuery(min: number, max: number) {
  const isInRange = (text: string) =>
    /^[0-9]{1,15}$/.test(text) && Number(text) >= min && Number(text) <= max;
  return z
    .string()
    .refine(isInRange, `must be an integer from ${min} to ${max}`)
    .transform(Number)
    .meta({ type: 'integer', minimum: min, maximum: max });
}

/** An amount in a query, which is text there: in digits, and it may be 0. */
export const StroopsInQuery = z
  .string()
  .refine(
    (text) => /^[0-9]{1,19}$/.test(text) && BigInt(text) <= INT64_MAX,
    `must be an integer from 0 to ${INT64_MAX}`,
  )
  .transform(BigInt)
  .meta({ type: 'integer', format: 'int64', minimum: 0 });

/** The text of a search field. PostgreSQL cannot compare a text with a zero character. */
export const Search = z
  .string()
  .trim()
  .min(1, 'must have 1 to 100 characters')
  .max(100, 'must have 1 to 100 characters')
  .refine((text) => !text.includes('\0'), 'must not have a zero character');

/** Query parameters of every list. Lists are newest first. */
export const ListQuery = z.strictObject({
  limit: integerInQuery(1, 200).default(50).meta({ description: 'The most items of the page' }),
  cursor: z.string().max(100).optional().meta({
    description: 'The `next_cursor` of the page before; absent: the first page. Another text is refused',
  }),
});

/** Query parameters of a list that shows what was made in a span of time. */
export const createdBetween = {
  since: Instant.optional().meta({ description: 'Created at this time or later' }),
  until: Instant.optional().meta({ description: 'Created before this time' }),
};

/** @throws AppError `invalid_request` for a span that ends before it begins */
export function requireSpan({ since, until }: Span): void {
  if (since && until && since > until)
    throw new AppError('invalid_request', '`since` must not be after `until`.', {
      details: [{ path: 'since', message: 'must not be after `until`' }],
    });
}

/** Makes the cursor of a page: the sort key of its last item, in base64url, so that callers do not build their own. */
export function encodeCursor(sortKey: string): string {
  return Buffer.from(sortKey).toString('base64url');
}

/**
 * Reads the sort key after which the page begins: an id with this prefix, or with `null` an id without a prefix. Undefined
 * without a cursor.
 * @throws AppError `invalid_request` for a cursor that is not of such a list.
 */
export function decodeCursor(prefix: IdPrefix | null, cursor: string | undefined): string | undefined {
  return decodeSortKey(new RegExp(`^${prefix === null ? '' : `${prefix}_`}[0-9a-z]{26}$`), cursor);
}

/** Reads the sort key of a list with sort keys like `ours`. @throws AppError as `decodeCursor` */
export function decodeSortKey(ours: RegExp, cursor: string | undefined): string | undefined {
  if (cursor === undefined) return undefined;
  const sortKey = Buffer.from(cursor, 'base64url').toString();
  if (!ours.test(sortKey) || encodeCursor(sortKey) !== cursor) {
    throw new AppError('invalid_request', 'The cursor does not come from this list.', {
      details: [{ path: 'cursor', message: 'is not a cursor of this list' }],
    });
  }
  return sortKey;
}

/** Makes a page from up to `limit + 1` rows. The extra row only shows that there is a next page. */
export function pageOf<R, T>(rows: R[], limit: number, sortKey: (row: R) => string, show: (row: R) => T) {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    items: shown.map(show),
    next_cursor: rows.length > limit && last ? encodeCursor(sortKey(last)) : null,
  };
}

/**
 * Makes one page of the rows that `list` reads and that are sorted by their ids, which have this prefix.
 * @throws AppError `invalid_request` for a cursor that is not of such a list, or a span that ends before it begins
 */
export async function readPage<R extends { id: string }, T>(
  query: Span & { limit: number; cursor?: string | undefined },
  prefix: IdPrefix,
  list: (page: PageRequest) => Promise<R[]>,
  show: (row: R) => T,
) {
  const { limit, cursor } = query;
  requireSpan(query);
  const rows = await list({ limit: limit + 1, ...idsBetween(prefix, query, decodeCursor(prefix, cursor)) });
  return pageOf(rows, limit, (row) => row.id, show);
}
