/** From the rows of a body or a CSV to orders, one by one. Pure. Every mistake becomes a problem of its row. */
import { AppError } from '../../errors.ts';
import { readAsset } from '../../http/schemas.ts';
import { isAssetCode, isIssuer } from '../../stellar/asset.ts';
import { type Destination, type Payee, readDestination } from '../preflight.ts';
import { type CsvRow, MOST_ROWS } from './payout-csv.ts';
import type { Problem } from './problems.ts';

const INT64_MAX = 2n ** 63n - 1n;
const UINT64_MAX = 2n ** 64n - 1n;
const STROOPS_DIGITS = 7;
/** Shorter than any key may be: the key of a retry has a suffix. The first character is none that a spreadsheet calculates with. */
export const PAYOUT_KEY = /^(?![=+\-@' ])[\x20-\x7e]{1,240}$/;
export const KEY_WORDS =
  "must be 1 to 240 printable ASCII characters, and not begin with = + - @ ' or a space";
export const MOST_REFERENCE_CHARS = 100;

/** A row as the API takes it, or as the CSV gave it. */
export type GivenRow = {
  idempotency_key: string;
  destination: string;
  amount_stroops: bigint;
  asset_code?: string | undefined;
  asset_issuer?: string | undefined;
  memo_id?: bigint | undefined;
  reference?: string | undefined;
};

/** A row whose text is right. `number`: from 1 on; `account`: whom it pays, G…. */
export type ReadRow = Payee & {
  number: number;
  line: number | null;
  idempotency_key: string;
  reference: string | null;
  address: Destination & { contract: null };
};

export type Placed = { number: number; line: number | null; row: GivenRow };

/** The rows of a CSV with the form of a body. */
export function givenRows(csv: CsvRow[]): { placed: Placed[]; problems: Problem[] } {
  const placed: Placed[] = [];
  const problems: Problem[] = [];
  for (const { number, line, fields } of csv) {
    const wrong: Problem[] = [];
    const fault = (field: string, message: string) =>
      void wrong.push({ row: number, line, field, code: 'invalid_request', message });
    const row = rowOf(fields, fault);
    if (row && wrong.length === 0) placed.push({ number, line, row });
    problems.push(...wrong);
  }
  return { placed, problems };
}

type Fault = (field: string, message: string) => void;

function rowOf(fields: CsvRow['fields'], fault: Fault): GivenRow | null {
  const { idempotency_key, destination, asset_code, asset_issuer, reference } = fields;
  const amount_stroops = amountOf(fields, fault);
  const memo_id = fields.memo_id === undefined ? undefined : integerOf(fields.memo_id, 'memo_id', fault);
  if (memo_id !== undefined && memo_id !== null && memo_id > UINT64_MAX)
    fault('memo_id', `must be at most ${UINT64_MAX}`);
  if (idempotency_key === undefined) fault('idempotency_key', 'is required');
  else if (!PAYOUT_KEY.test(idempotency_key)) fault('idempotency_key', KEY_WORDS);
  if (destination === undefined) fault('destination', 'is required');
  if (asset_code !== undefined && !isAssetCode(asset_code))
    fault('asset_code', 'must have 1 to 12 characters A–Z a–z 0–9');
  if (asset_issuer !== undefined && !isIssuer(asset_issuer))
    fault('asset_issuer', 'must be the address of an issuer (G…)');
  const words = reference === undefined ? undefined : withoutGuard(reference);
  if (words !== undefined && words.length > MOST_REFERENCE_CHARS)
    fault('reference', `must have at most ${MOST_REFERENCE_CHARS} characters`);
  if (words?.includes('\0')) fault('reference', 'must not have a zero character');
  if (idempotency_key === undefined || destination === undefined) return null;
  if (amount_stroops === null || memo_id === null) return null;
  return {
    idempotency_key,
    destination,
    amount_stroops,
    asset_code,
    asset_issuer,
    memo_id,
    reference: words,
  };
}

/** The result of a payout puts an apostrophe before what a spreadsheet would calculate (payout-result.ts). */
function withoutGuard(text: string): string {
  return /^'[=+\-@＝＋－＠\t\r\n]/.test(text) ? text.slice(1) : text;
}

function amountOf({ amount, amount_stroops }: CsvRow['fields'], fault: Fault): bigint | null {
  if (amount_stroops !== undefined)
    return withinRange(integerOf(amount_stroops, 'amount_stroops', fault), 'amount_stroops', fault);
  if (amount === undefined) {
    fault('amount_stroops', 'is required');
    return null;
  }
  const [, whole, part = ''] = /^(0|[1-9][0-9]*)(?:\.([0-9]{1,7}))?$/.exec(amount) ?? [];
  if (whole === undefined) {
    fault(
      'amount',
      wordsFor(amount, 'must be a number of units like 12 or 12.5, with a point and at most 7 decimals'),
    );
    return null;
  }
  return withinRange(BigInt(whole + part.padEnd(STROOPS_DIGITS, '0')), 'amount', fault);
}

function withinRange(value: bigint | null, field: string, fault: Fault): bigint | null {
  if (value === null) return null;
  if (value < 1n) fault(field, 'must be greater than 0');
  if (value > INT64_MAX) fault(field, `must be at most ${INT64_MAX} stroops`);
  return value;
}

function integerOf(text: string, field: string, fault: Fault): bigint | null {
  if (/^(?:0|[1-9][0-9]{0,19})$/.test(text)) return BigInt(text);
  fault(field, wordsFor(text, 'must be a whole number, written in digits only'));
  return null;
}

function wordsFor(text: string, otherwise: string): string {
  return /e\+/i.test(text)
    ? 'was rounded by a spreadsheet (E+): format the column as text, and enter the number again'
    : otherwise;
}

/** The orders, and what is wrong with the others. Keys and payees that come twice are found in check-payout.ts. */
export function readRows(placed: Placed[]): { rows: ReadRow[]; problems: Problem[] } {
  const rows: ReadRow[] = [];
  const problems: Problem[] = [];
  for (const { number, line, row } of placed) {
    try {
      rows.push(readOne(row, number, line));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const [detail] = error.details ?? [];
      const field = detail?.path.replace(/^\//, '') ?? null;
      const message = detail?.message ?? error.message;
      problems.push({ row: number, line, field, code: error.code, message });
    }
  }
  return { rows, problems };
}

/** @throws AppError as `readAsset` and `readDestination`; `destination_not_supported` for a contract */
function readOne(row: GivenRow, number: number, line: number | null): ReadRow {
  const { destination, amount_stroops, memo_id = null, reference = null, idempotency_key } = row;
  const payee = {
    ...readAsset(row),
    ...{ destination, amount_stroops, memo_id, memo_return: null, allow_issuer: false },
  };
  const address = readDestination(payee);
  if (address.contract !== null)
    throw new AppError('destination_not_supported', 'A payout pays accounts only.', {
      details: [{ path: '/destination', message: 'is a contract (C…): pay it by a withdrawal' }],
    });
  return { ...payee, number, line, idempotency_key, reference, address };
}

/** More rows than a payout may have, or none. */
export function countProblems(count: number): Problem[] {
  const wrong = (message: string) => [
    { row: null, line: null, field: null, code: 'invalid_request', message },
  ];
  if (count === 0) return wrong('there are no rows');
  return count > MOST_ROWS ? wrong(`a payout has at most ${MOST_ROWS} rows`) : [];
}
