import { z } from 'zod';
import { invalidParams } from './errors.ts';

/** Answers in base64 XDR only; stellar-rpc can also give JSON. */
const xdrFormat = z.enum(['', 'base64'], 'only base64 is supported as xdrFormat').optional();

const uint32 = z.int().min(0).max(0xffffffff);

export const sendTransactionParams = z.object({ transaction: z.string(), xdrFormat });
export const getTransactionParams = z.object({ hash: z.string(), xdrFormat });
export const getLedgerEntriesParams = z.object({ keys: z.array(z.string()), xdrFormat });
export const getTransactionsParams = z.object({
  startLedger: uint32.nullish(),
  pagination: z.object({ cursor: z.string().nullish(), limit: uint32.nullish() }).nullish(),
  xdrFormat,
});

/** @throws RpcError -32602 naming the first field that is wrong */
export function parseParams<T>(schema: z.ZodType<T>, params: unknown): T {
  const parsed = schema.safeParse(params ?? {});
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw invalidParams(`invalid parameters: ${issue?.path.join('.') || 'params'}: ${issue?.message}`);
}
