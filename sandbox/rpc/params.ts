import { z } from 'zod';
import type { LedgerRange } from '../store/history-query.ts';
import { invalidParams, invalidRequest } from './errors.ts';

/** Answers have base64 XDR only; stellar-rpc can also give JSON. */
const xdrFormat = z.enum(['', 'base64'], 'only base64 is supported as xdrFormat').optional();

const uint32 = z.int().min(0).max(0xffffffff);

/** An absent text is an empty one, as in Go. */
const text = z.string().default('');

export const sendTransactionParams = z.object({ transaction: text, xdrFormat });
export const simulateTransactionParams = z.object({
  transaction: z.string(),
  authMode: z.enum(['', 'enforce', 'record', 'record_allow_nonroot']).optional(),
  resourceConfig: z.object({ instructionLeeway: uint32.optional() }).nullish(),
  xdrFormat,
});
export const getTransactionParams = z.object({ hash: text, xdrFormat });
export const getLedgerEntriesParams = z.object({ keys: z.array(z.string()), xdrFormat });
const pagination = z.object({ cursor: z.string().nullish(), limit: uint32.nullish() }).nullish();
/** Parameters of getTransactions and getLedgers. */
export const pagedParams = z.object({ startLedger: uint32.nullish(), pagination, xdrFormat });
export const getEventsParams = z.object({
  startLedger: uint32.nullish(),
  endLedger: uint32.nullish(),
  filters: z
    .array(
      z.object({
        type: z.string().nullish(),
        contractIds: z.array(z.string()).nullish(),
        topics: z.array(z.array(z.string())).nullish(),
      }),
    )
    .nullish(),
  pagination,
  xdrFormat,
});

/** @throws RpcError -32600 as ValidatePagination of stellar-rpc: cursor, start ledger or limit out of range */
export function checkPage(
  page: { startLedger: number; cursor: string; limit: number; maxLimit: number },
  { oldest, latest }: LedgerRange,
): void {
  if (page.cursor !== '' && page.startLedger !== 0) {
    throw invalidRequest(`startLedger (${page.startLedger}) and cursor (${page.cursor}) cannot both be set`);
  }
  if (page.cursor === '' && (page.startLedger < oldest || page.startLedger > latest)) {
    const range = `the oldest ledger: ${oldest} and the latest ledger: ${latest}`;
    throw invalidRequest(`start ledger (${page.startLedger}) must be between ${range} for this rpc instance`);
  }
  if (page.limit > page.maxLimit) throw invalidRequest(`limit must not exceed ${page.maxLimit}`);
}

/** @throws RpcError -32602 naming the first field that is wrong */
export function parseParams<T>(schema: z.ZodType<T>, params: unknown): T {
  const parsed = schema.safeParse(params ?? {});
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw invalidParams(`invalid parameters: ${issue?.path.join('.') || 'params'}: ${issue?.message}`);
}
