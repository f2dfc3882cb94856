/** From a row of a body or a CSV to an order. Pure. Every mistake becomes a problem of the row. */
import type { z } from 'zod';
import { type Destination, isDestination, readDestination } from '../../http/destination.ts';
import { readAsset } from '../../http/schemas.ts';
import { AppError } from '../../lib/errors.ts';
import { faultOfReference } from '../../lib/reference.ts';
import { orderTo, type Payee } from '../../payees/payees.ts';
import { type AssetFields, isAssetCode, isIssuer } from '../../stellar/asset.ts';
import type { Payment } from '../assess/preflight.ts';
import { type CsvRow, MOST_ROWS } from './payout-csv.ts';
import type { Problem } from './problems.ts';
import { type AmountStyle, readAmount } from './read-amount.ts';
import { KEY_WORDS, PAYOUT_KEY, RowBody } from './row-body.ts';

const INT64_MAX = 2n ** 63n - 1n;
const UINT64_MAX = 2n ** 64n - 1n;

/** A row as the API takes it (`RowBody`), or as the CSV gave it. */
export type GivenRow = {
  idempotency_key: string;
  destination?: string | undefined;
  payee_id?: string | undefined;
  /** In a CSV: the name or the id of a payee, or an address. */
  payee?: string | undefined;
  amount_stroops: bigint;
  asset_code?: string | undefined;
  asset_issuer?: string | undefined;
  memo_id?: bigint | undefined;
  reference?: string | undefined;
};

/** A row whose text is right. `number`: from 1 on; `account`: whom it pays, G…. */
export type ReadRow = Payment & {
  number: number;
  line: number | null;
  idempotency_key: string;
  reference: string | null;
  address: Destination & { contract: null };
};

/** What is wrong with a field, as the end of a sentence that begins with it; null: with the row as a whole. */
type Fault = { field: string | null; message: string; code?: string };

/** How a text of a CSV was read that is not as the API writes it. Both are amounts in units. */
type Reading = { text: string; read_as: string };

/** A row by its form alone. `given`: its fields that have no fault. `reading`: of its amount. */
export type FormedRow = {
  number: number;
  line: number | null;
  given: Partial<GivenRow>;
  faults: Fault[];
  reading?: Reading | undefined;
};

/** Many more than a row has. Each that is not known would be a fault. */
const MOST_MEMBERS = 100;
const TOO_MANY_MEMBERS = { field: null, message: `has more than ${MOST_MEMBERS} fields` };

/** Reads the form of a row of a body. `value`: whatever the caller has sent as a row. */
export function rowOfBody(value: unknown, index: number): FormedRow {
  if (typeof value === 'object' && value !== null && Object.keys(value).length > MOST_MEMBERS)
    return { number: index + 1, line: null, given: {}, faults: [TOO_MANY_MEMBERS] };
  const { data, error } = RowBody.safeParse(value);
  const faults = (error?.issues ?? []).flatMap(faultsOf);
  return { number: index + 1, line: null, given: data ?? withoutFaulty(value as object, faults), faults };
}

function faultsOf(issue: z.core.$ZodIssue): Fault[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((field) => ({ field, message: 'is not a known field' }));
  const [field] = issue.path;
  return [{ field: field === undefined ? null : String(field), message: issue.message }];
}

/**
 * Returns the fields that have no fault. They are as their schemas want them, because these change no value. Of what is no
 * object nothing is left.
 */
function withoutFaulty(fields: object, faults: Fault[]): Partial<GivenRow> {
  const faulty = new Set(faults.map(({ field }) => field));
  if (faulty.has(null)) return {};
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !faulty.has(name)));
}

/** Makes a row of one that the service knows. Its key may be that of a retry, which no caller can choose. */
export function rowOfKnown(given: GivenRow, index: number): FormedRow {
  return { number: index + 1, line: null, given, faults: [] };
}

/** Reads the form of a row of a CSV, by the same rules, and with the words of a spreadsheet. */
export function rowOfCsv({ number, line, fields }: CsvRow, style: AmountStyle): FormedRow {
  const faults: Fault[] = [];
  const fault: NoteFault = (field, message, code) =>
    void faults.push({ field, message, ...(code !== undefined && { code }) });
  const { stroops, reading } = amountOf(fields, style, fault);
  const row = readFields(fields, stroops ?? undefined, fault);
  return { number, line, given: withoutFaulty(row, faults), faults, reading };
}

type NoteFault = (field: string, message: string, code?: string) => void;

function readFields(
  fields: CsvRow['fields'],
  amount_stroops: bigint | undefined,
  fault: NoteFault,
): Partial<GivenRow> {
  const { idempotency_key, destination, payee, asset_code, asset_issuer, reference } = fields;
  const memo_id =
    fields.memo_id === undefined ? undefined : (integerOf(fields.memo_id, 'memo_id', fault) ?? undefined);
  if (memo_id !== undefined && memo_id > UINT64_MAX) fault('memo_id', `must be at most ${UINT64_MAX}`);
  if (idempotency_key === undefined) fault('idempotency_key', 'is required');
  else if (!PAYOUT_KEY.test(idempotency_key)) fault('idempotency_key', KEY_WORDS);
  if (destination === undefined && payee === undefined) fault('destination', 'is required');
  if (destination !== undefined && payee !== undefined) fault('payee', 'must be empty beside a destination');
  if (asset_code !== undefined && !isAssetCode(asset_code))
    fault('asset_code', 'must have 1 to 12 characters A–Z a–z 0–9');
  if (asset_issuer !== undefined && !isIssuer(asset_issuer))
    fault('asset_issuer', 'must be the address of an issuer (G…)');
  const words = reference === undefined ? undefined : withoutGuard(reference);
  const wrong = words === undefined ? null : faultOfReference(words);
  if (wrong !== null) fault('reference', wrong);
  const order = { destination, payee, amount_stroops, asset_code, asset_issuer, memo_id };
  return { ...order, idempotency_key, reference: words } as Partial<GivenRow>;
}

/** Takes off the apostrophe that the result of a payout puts before what a spreadsheet would calculate (payout-result.ts). */
function withoutGuard(text: string): string {
  return /^'[=+\-@＝＋－＠\t\r\n]/.test(text) ? text.slice(1) : text;
}

type AmountOfRow = { stroops: bigint | null; reading?: Reading };

function amountOf(fields: CsvRow['fields'], style: AmountStyle, fault: NoteFault): AmountOfRow {
  const { amount_stroops } = fields;
  if (amount_stroops !== undefined)
    return {
      stroops: withinRange(integerOf(amount_stroops, 'amount_stroops', fault), 'amount_stroops', fault),
    };
  const text = fields.amount?.trim() ?? '';
  if (text === '') {
    fault('amount_stroops', 'is required');
    return { stroops: null };
  }
  const read = readAmount(text, style);
  if ('code' in read) {
    fault('amount', wordsFor(text, read.message), read.code);
    return { stroops: null };
  }
  const stroops = withinRange(read.stroops, 'amount', fault);
  return { stroops, ...(read.as !== null && { reading: { text, read_as: read.as } }) };
}

function withinRange(value: bigint | null, field: string, fault: NoteFault): bigint | null {
  if (value === null) return null;
  if (value < 1n) fault(field, 'must be greater than 0');
  if (value > INT64_MAX) fault(field, `must be at most ${INT64_MAX} stroops`);
  return value;
}

function integerOf(text: string, field: string, fault: NoteFault): bigint | null {
  if (/^(?:0|[1-9][0-9]{0,19})$/.test(text)) return BigInt(text);
  fault(field, wordsFor(text, 'must be a whole number, written in digits only'));
  return null;
}

function wordsFor(text: string, otherwise: string): string {
  return /e\+/i.test(text)
    ? 'was rounded by a spreadsheet (E+): format the column as text, and enter the number again'
    : otherwise;
}

/**
 * Reads the order, or everything that is wrong with the row: a field with a fault does not keep the others from being read.
 * Keys and payees that come twice are found in check-payout.ts.
 */
export function readRow(
  { number, line, given, faults }: FormedRow,
  findPayee: FindPayee,
): {
  row: ReadRow | null;
  problems: Problem[];
} {
  const problems: Problem[] = faults.map(({ field, message, code = 'invalid_request' }) => ({
    row: number,
    line,
    field,
    code,
    message,
  }));
  const unlessRefused = <T>(read: () => T): T | null => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      problems.push(problemOf(error, number, line));
      return null;
    }
  };
  const isFaulty = faults.some(({ field }) => field === 'asset_code' || field === 'asset_issuer');
  const asset = isFaulty ? null : unlessRefused(() => readAsset(given));
  const paid = unlessRefused(() => recipientOf(given, asset, findPayee));
  const address = paid && unlessRefused(() => readAccount(paid));
  const { idempotency_key, amount_stroops, reference } = given as GivenRow;
  if (problems.length > 0 || !asset || !paid || !address) return { row: null, problems };
  const order = { ...asset, ...paid, amount_stroops, memo_return: null, allow_issuer: false };
  return {
    row: { ...order, idempotency_key, number, line, reference: reference || null, address },
    problems,
  };
}

/** Finds a payee of the team by its id, or in a CSV by its name too; undefined for an unknown one. */
export type FindPayee = (named: { payee_id: string } | { payee: string }) => Payee | undefined;

/**
 * Returns whom a row pays; null when it does not say so, or names a payee and an asset that cannot be read.
 * @throws AppError `invalid_request` for an unknown payee and an asset that is not the payee’s, `ambiguous_destination`
 */
function recipientOf(
  { destination, payee_id, payee, ...given }: Partial<GivenRow>,
  asset: AssetFields | null,
  findPayee: FindPayee,
): { destination: string; memo_id: bigint | null } | null {
  const memo_id = given.memo_id ?? null;
  if (destination !== undefined) return { destination, memo_id };
  if (payee !== undefined && isDestination(payee)) return { destination: payee, memo_id };
  const named = payee_id !== undefined ? { payee_id } : payee !== undefined ? { payee } : null;
  if (named === null) return null;
  const known = findPayee(named);
  if (!known)
    throw new AppError('invalid_request', 'The team has no such payee.', {
      details: [
        'payee' in named
          ? { path: '/payee', message: 'is neither a payee of the team nor an address' }
          : { path: '/payee_id', message: 'is not a payee of the team' },
      ],
    });
  return asset && orderTo(known, { ...asset, memo_id });
}

function problemOf({ details, code, message }: AppError, number: number, line: number | null): Problem {
  const [detail] = details ?? [];
  const field = detail?.path.replace(/^\//, '') ?? null;
  return { row: number, line, field, code, message: detail?.message ?? message };
}

/**
 * Reads the account of a row. A memo that cannot be read is no reason to let a wrong address pass.
 * @throws AppError as `readDestination`; `destination_not_supported` for a contract
 */
function readAccount(paid: { destination: string; memo_id: bigint | null }): ReadRow['address'] {
  const address = readDestination(paid);
  if (address.contract === null) return address;
  throw new AppError('destination_not_supported', 'A payout pays accounts only.', {
    details: [
      {
        path: '/destination',
        message:
          'is a contract (C… or W…), and a payout pays only G… and M… addresses: pay this one by a withdrawal, outside of the payout',
      },
    ],
  });
}

/** Returns a problem when there are more rows than a payout may have, or no rows. */
export function countProblems(count: number): Problem[] {
  const wrong = (message: string) => [
    { row: null, line: null, field: null, code: 'invalid_request', message },
  ];
  if (count === 0) return wrong('there are no rows');
  return count > MOST_ROWS ? wrong(`a payout has at most ${MOST_ROWS} rows`) : [];
}
