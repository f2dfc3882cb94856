/** How the API writes payouts. */
import { z } from 'zod';
import { approvalsInResponse, showApprovals } from '../../approvals/approval-schema.ts';
import {
  arrayOf,
  assetInResponse,
  Failure,
  Flag,
  Id,
  ListQuery,
  MemoId,
  Name,
  Stroops,
  Time,
} from '../../http/schemas.ts';
import { NO_HASH, SAMPLE_STROOPS, type SampleFor } from '../../http/test-samples.ts';
import { ApprovalsCause } from '../policies/approval-rules-schema.ts';
import { CSV_COLUMNS } from './csv-header.ts';
import { MOST_ROWS } from './payout-csv.ts';
import type { LargestRow, PayoutReport } from './payout-report.ts';
import { type Counted, ROW_STATUSES, type RowStatus, type ShownRow } from './payout-row-store.ts';
import type { Payout } from './payout-store.ts';
import { UnreadRow } from './row-body.ts';

/** Of one field; a file of 10,000 rows with all of them is smaller than the limit of the route. */
const MOST_CSV_CHARS = 8 * 1024 * 1024;

/** Of a CSV. */
const Decimal = z.enum(['point', 'comma']);
/** More than a line of a CSV can have. */
const MOST_COLUMNS = 4_096;
const GivenColumn = z.strictObject({
  name: z.string().max(MOST_COLUMNS).meta({ description: 'The name of the column in the header of the CSV' }),
  column: z.enum(CSV_COLUMNS).optional().meta({ description: 'What it is; null: it is left out' }),
});
const MAKES_KEYS =
  'True: a CSV without a column of keys gets them, of the name of the payout and the numbers of the rows. A payment of the ' +
  'last 31 days, or a planned one, must be confirmed then';

export const PayoutBody = z.strictObject({
  name: Name.optional().meta({ description: 'Required, here or in the query' }),
  rows: arrayOf(
    z.array(UnreadRow).min(1, 'must not be empty').max(MOST_ROWS, `must have at most ${MOST_ROWS} rows`),
  )
    .optional()
    .meta({ description: 'The rows, or `csv`' }),
  csv: z
    .string()
    .max(MOST_CSV_CHARS)
    .optional()
    .meta({
      description:
        'The rows as CSV with the header `idempotency_key,destination,amount_stroops,asset_code,asset_issuer,memo_id,reference` (`payee` may stand in the place of `destination`), or ' +
        '`amount` (in units) in the place of `amount_stroops`. A body with `Content-Type: text/csv` is the same',
    }),
  decimal: Decimal.optional().meta({
    description:
      'What the amounts of the CSV have before their decimals. Without it, an amount that can be read in two ways is refused',
  }),
  columns: arrayOf(z.array(GivenColumn).max(MOST_COLUMNS)).optional().meta({
    description: 'What the columns of the CSV are whose names the service does not know',
  }),
  makes_keys: z.boolean().optional().meta({ description: MAKES_KEYS }),
  expected_count: z.bigint().min(0n).max(BigInt(MOST_ROWS)).optional().meta({
    description: 'How many rows there should be: finds a file that was cut',
  }),
  expected_total_stroops: z.bigint().min(0n).optional().meta({
    description: 'The sum of all amounts, whatever their assets: of several assets it may be above 2^63',
  }),
  confirm_duplicates: z.boolean().optional().meta({
    description: 'True: rows that pay the same amount to the same payee, or what was paid before, are meant',
  }),
});

export const PayoutQuery = z.strictObject({
  preview: Flag.optional().meta({ description: '`true`: only the report, and nothing is kept' }),
  name: Name.optional().meta({ description: 'Of a CSV, as in a JSON body' }),
  expected_count: z
    .string()
    .regex(/^[0-9]{1,5}$/, 'must be an integer')
    .transform(BigInt)
    .optional()
    .meta({ description: 'Of a CSV, as in a JSON body' }),
  expected_total_stroops: z
    .string()
    .regex(/^[0-9]{1,20}$/, 'must be an integer')
    .transform(BigInt)
    .optional()
    .meta({ description: 'Of a CSV, as in a JSON body' }),
  decimal: Decimal.optional().meta({ description: 'Of a CSV, as in a JSON body' }),
  makes_keys: Flag.optional().meta({ description: 'Of a CSV, as in a JSON body' }),
  confirm_duplicates: Flag.optional().meta({ description: 'Of a CSV, as in a JSON body' }),
});

export const RowsQuery = ListQuery.omit({ cursor: true }).extend({
  cursor: z.string().max(100).optional().meta({ description: '`next_cursor` of the page before' }),
  status: z.enum(ROW_STATUSES).optional(),
});

const ProblemResource = z
  .object({
    row: z.int().nullable().meta({ description: 'From 1 on; null where the file as a whole is concerned' }),
    line: z.int().nullable().meta({ description: 'Of the CSV' }),
    field: z.string().nullable(),
    code: z.string(),
    message: z.string(),
  })
  .meta({ id: 'PayoutProblem' });

const RowFields = {
  row: z.int().meta({ description: 'Its number in the file, from 1 on' }),
  idempotency_key: z.string(),
  destination: z.string(),
  ...assetInResponse,
  amount_stroops: Stroops,
  memo_id: MemoId.nullable(),
  reference: z.string().nullable(),
};

const TotalResource = z.object({
  ...assetInResponse,
  rows: z.int(),
  amount_stroops: z.bigint(),
  available_stroops: z.bigint().nullable().meta({ description: 'What the wallet could pay of it now' }),
  largest_row: z
    .object({
      row: RowFields.row,
      line: z.int().nullable(),
      destination: z.string(),
      amount_stroops: Stroops,
      reference: z.string().nullable(),
    })
    .meta({ id: 'PayoutLargestRow' })
    .meta({ description: 'The row with the largest amount, the first of several' }),
});

export const PayoutReportResource = z
  .object({
    rows: z.int(),
    totals: z.array(TotalResource.meta({ id: 'PayoutReportTotal' })),
    fee_stroops: z.bigint().meta({
      description:
        'The fees of all rows, each as from the account of the wallet itself. Through a channel account a row costs twice that, ' +
        'or the wallet nothing where channels pay their fees',
    }),
    fee_paid_by: z.enum(['wallet', 'treasury']),
    approvals_required: z.int(),
    approvals_cause: ApprovalsCause,
    errors: z.array(ProblemResource).meta({ description: 'What refuses the payout; the first 1,000' }),
    error_count: z.int(),
    warnings: z.array(ProblemResource).meta({ description: 'The first 1,000' }),
    warning_count: z.int(),
    new_payees: z.int().meta({ description: 'How many destinations the wallet has never paid' }),
    needs_confirmation: z.boolean().meta({ description: 'Send `confirm_duplicates: true`' }),
    readings: z
      .array(
        z
          .object({
            row: RowFields.row,
            line: z.int().nullable(),
            field: z.literal('amount'),
            text: z.string().meta({ description: 'As the file has it: `1.234,50`' }),
            read_as: z.string().meta({ description: 'The same amount as the API writes it: `1234.5`' }),
          })
          .meta({ id: 'PayoutReading' }),
      )
      .meta({
        description:
          'How amounts of a CSV were read that are written in another way than `12.5`; the first 1,000',
      }),
    reading_count: z.int(),
    columns: z
      .array(
        z
          .object({
            name: z.string().meta({ description: 'Its name in the header' }),
            column: z
              .enum(CSV_COLUMNS)
              .nullable()
              .meta({ description: 'What it was read as; null: it is left out, or its name is not known' }),
            example: z.string().nullable().meta({ description: 'The first text in it' }),
          })
          .meta({ id: 'PayoutColumn' }),
      )
      .meta({ description: 'The columns of a CSV' }),
    has_made_keys: z
      .boolean()
      .meta({ description: 'True: the keys are not in the file, but were made for it' }),
    sample: z
      .array(
        z
          .object({ ...RowFields, line: z.int().nullable(), new_payee: z.boolean() })
          .meta({ id: 'PayoutSampleRow' }),
      )
      .meta({ description: 'The first rows, as they were read' }),
  })
  .meta({ id: 'PayoutReport', description: 'What a payout would be, and what is wrong with it.' });

export function showReport(report: PayoutReport): z.input<typeof PayoutReportResource> {
  const { sample, totals, new_payees, ...rest } = report;
  return {
    ...rest,
    totals: totals.map(({ largest_row, ...total }) => ({ ...total, largest_row: showLargest(largest_row) })),
    new_payees: new_payees.size,
    sample: sample.map(({ number, line, address: _, memo_return: __, allow_issuer: ___, ...row }) => ({
      ...row,
      row: number,
      line,
      new_payee: new_payees.has(row.destination),
    })),
  };
}

function showLargest({ number, line, destination, amount_stroops, reference }: LargestRow) {
  return { row: number, line, destination, amount_stroops, reference };
}

const count = z.int();
export const PayoutResource = z
  .object({
    id: Id,
    wallet_id: Id,
    name: z.string(),
    status: z.enum(['draft', 'awaiting_approval', 'running', 'paused', 'completed', 'cancelled']),
    reason: z
      .object({ code: z.string(), message: z.string() })
      .meta({ id: 'PayoutReason' })
      .nullable()
      .meta({ description: 'Why it is paused or cancelled' }),
    retry_of: Id.nullable().meta({ description: 'The payout whose failed rows it pays again' }),
    row_count: z.int(),
    counts: z
      .object({ waiting: count, pending: count, confirmed: count, failed: count, cancelled: count })
      .meta({ id: 'PayoutCounts' }),
    totals: z.array(
      z
        .object({
          ...assetInResponse,
          amount_stroops: z.bigint(),
          confirmed_stroops: z.bigint(),
          failed_stroops: z.bigint(),
        })
        .meta({ id: 'PayoutTotal' }),
    ),
    rows_hash: z.string().meta({ description: 'SHA-256 of the rows, hex' }),
    created_by: Id,
    created_at: Time,
    requested_at: Time.nullable().meta({ description: 'When a member asked to start it; null before' }),
    started_at: Time.nullable(),
    settled_at: Time.nullable().meta({ description: 'When it was completed or cancelled' }),
    ...approvalsInResponse,
    approvals_required: z.int().meta({
      description:
        'How many members must approve it; 0 when it needs no approvals. Of a draft: how many a start would ask for now',
    }),
    approvals_cause: ApprovalsCause,
  })
  .meta({ id: 'Payout', description: 'Many payments of a wallet as one file.' });

export const PayoutRowResource = z
  .object({
    ...RowFields,
    status: z.enum(ROW_STATUSES),
    withdrawal_id: Id.nullable(),
    stellar_tx_hash: z.string().nullable(),
    failure: Failure.nullable(),
  })
  .meta({ id: 'PayoutRow' });

export type ShownPayout = z.input<typeof PayoutResource>;

/** Shows a payout as responses have it. `counted`: of this payout, or of several. */
export function showPayout(payout: Payout, counted: Counted[]): ShownPayout {
  const own = counted.filter(({ payout_id }) => payout_id === payout.id);
  const counts = { waiting: 0, pending: 0, confirmed: 0, failed: 0, cancelled: 0 };
  for (const { status, rows } of own) counts[status] += rows;
  return {
    id: payout.id,
    wallet_id: payout.wallet_id,
    name: payout.name,
    status: payout.status,
    reason: payout.reason_code === null ? null : { code: payout.reason_code, message: payout.reason ?? '' },
    retry_of: payout.retry_of,
    row_count: payout.row_count,
    counts,
    totals: totalsOf(own),
    rows_hash: payout.rows_hash,
    created_by: payout.created_by,
    created_at: payout.created_at.toISOString(),
    requested_at: payout.requested_at?.toISOString() ?? null,
    started_at: payout.started_at?.toISOString() ?? null,
    settled_at: payout.settled_at?.toISOString() ?? null,
    requested_by: payout.requested_by,
    approvals_required: payout.approvals_required,
    approvals_cause: payout.approvals_cause,
    approvals: showApprovals(payout.approvals),
    order_hash: payout.order_hash,
    approval_expires_at: payout.approval_expires_at?.toISOString() ?? null,
  };
}

function totalsOf(counted: Counted[]) {
  const by_asset = Map.groupBy(counted, ({ asset_code, asset_issuer }) => `${asset_code} ${asset_issuer}`);
  return [...by_asset.values()].map((same) => {
    const [{ asset_code, asset_issuer }] = same as [Counted];
    const sum = (...statuses: RowStatus[]) =>
      same
        .filter(({ status }) => statuses.length === 0 || statuses.includes(status))
        .reduce((total, { amount_stroops }) => total + amount_stroops, 0n);
    return {
      asset_code,
      asset_issuer,
      amount_stroops: sum(),
      confirmed_stroops: sum('confirmed'),
      failed_stroops: sum('failed'),
    };
  });
}

export function showRow(row: ShownRow): z.input<typeof PayoutRowResource> {
  const { number, idempotency_key, destination, asset_code, asset_issuer, amount_stroops, memo_id } = row;
  const { reference, status, withdrawal_id, stellar_tx_hash, failure_code, failure_message } = row;
  return {
    row: number,
    idempotency_key,
    destination,
    asset_code,
    asset_issuer,
    amount_stroops,
    memo_id,
    reference,
    status,
    withdrawal_id,
    stellar_tx_hash,
    failure: failure_code === null ? null : { code: failure_code, message: failure_message ?? '' },
  };
}

/** Makes the payout of a test event. */
export function samplePayout({ wallet_id, at }: SampleFor): z.input<typeof PayoutResource> {
  const paid = { confirmed_stroops: SAMPLE_STROOPS, failed_stroops: 0n };
  return {
    id: 'pay_sample',
    wallet_id,
    name: 'Sample',
    status: 'completed',
    reason: null,
    retry_of: null,
    row_count: 1,
    counts: { waiting: 0, pending: 0, confirmed: 1, failed: 0, cancelled: 0 },
    totals: [{ asset_code: 'native', asset_issuer: null, amount_stroops: SAMPLE_STROOPS, ...paid }],
    rows_hash: NO_HASH,
    created_by: 'usr_sample',
    created_at: at,
    requested_at: at,
    started_at: at,
    settled_at: at,
    requested_by: 'usr_sample',
    approvals_required: 0,
    approvals_cause: null,
    approvals: [],
    order_hash: null,
    approval_expires_at: null,
  };
}
