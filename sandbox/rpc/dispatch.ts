import type { Log } from '../log.ts';
import type { RpcContext, RpcMethod } from './context.ts';
import { INTERNAL_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, PARSE_ERROR, RpcError } from './errors.ts';
import { getEvents } from './events.ts';
import { getFeeStats } from './fee-stats.ts';
import { getLedgerEntries } from './ledger-entries.ts';
import { getHealth, getLatestLedger, getLedgers, getNetwork, getVersionInfo } from './ledgers.ts';
import { sendTransaction } from './send-transaction.ts';
import { simulateTransaction } from './simulate-transaction.ts';
import { getTransaction, getTransactions } from './transactions.ts';
import { answerAt, checkParamsAt } from './versions.ts';

const BY_NAME = {
  getEvents,
  getFeeStats,
  getHealth,
  getLatestLedger,
  getLedgerEntries,
  getLedgers,
  getNetwork,
  getTransaction,
  getTransactions,
  getVersionInfo,
  sendTransaction,
  simulateTransaction,
} satisfies Record<string, RpcMethod>;

export const RPC_METHODS = Object.keys(BY_NAME) as (keyof typeof BY_NAME)[];

const METHODS = new Map<string, RpcMethod>(Object.entries(BY_NAME));

const MAX_BATCH = 100;

/**
 * Answers a JSON-RPC 2.0 body, single or batch. Notifications are executed without an answer.
 * @returns the answer to send as JSON, or undefined when there is none
 * @throws RpcError -32700 when the body is not JSON
 */
export function answer(body: string, context: RpcContext, log: Log): unknown {
  let request: unknown;
  try {
    request = JSON.parse(body);
  } catch {
    throw new RpcError(PARSE_ERROR, 'invalid request value');
  }
  if (!Array.isArray(request)) return answerOne(request, context, log);
  if (request.length === 0) return failure(null, new RpcError(INVALID_REQUEST, 'empty request batch'));
  if (request.length > MAX_BATCH) return failure(null, new RpcError(INVALID_REQUEST, 'batch too large'));
  const answers = request.map((one) => answerOne(one, context, log)).filter((one) => one !== undefined);
  return answers.length > 0 ? answers : undefined;
}

function answerOne(request: unknown, context: RpcContext, log: Log): unknown {
  const { jsonrpc, id, method, params } = fieldsOf(request);
  const validId = id === null || typeof id === 'string' || typeof id === 'number';
  const answerId = validId ? id : null;
  if (jsonrpc !== '2.0') return failure(answerId, new RpcError(INVALID_REQUEST, 'invalid version marker'));
  if (typeof method !== 'string' || (id !== undefined && !validId)) {
    return failure(answerId, new RpcError(INVALID_REQUEST, 'invalid request'));
  }
  try {
    const run = METHODS.get(method);
    if (run === undefined) throw new RpcError(METHOD_NOT_FOUND, 'method not found', method);
    const version = context.node.rpcVersion;
    checkParamsAt(version, method, params);
    const result = answerAt(version, method, run(params, context));
    return id === undefined ? undefined : { jsonrpc: '2.0', id, result };
  } catch (error) {
    return id === undefined ? undefined : failure(answerId, asRpcError(error, method, log));
  }
}

function fieldsOf(request: unknown): { jsonrpc?: unknown; id?: unknown; method?: unknown; params?: unknown } {
  return typeof request === 'object' && request !== null ? request : {};
}

function asRpcError(error: unknown, method: string, log: Log): RpcError {
  if (error instanceof RpcError) return error;
  log.error({ err: error, method }, 'sandbox RPC method failed');
  return new RpcError(INTERNAL_ERROR, 'internal error');
}

function failure(id: string | number | null, { code, message, data }: RpcError) {
  return { jsonrpc: '2.0', id, error: { code, message, ...(data === undefined ? {} : { data }) } };
}
