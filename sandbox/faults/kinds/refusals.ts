import { serverError, submissionTimeout } from '../../horizon/problem.ts';
import { INTERNAL_ERROR } from '../../rpc/errors.ts';
import type { Answer, Behaviour, Incident } from '../behaviour.ts';
import { isHorizon, isRpcCall, isSubmission } from '../request-kind.ts';
import { onceInEffect } from './connection.ts';
import type { Status } from './problems.ts';
import {
  answerOf,
  gatewayPage,
  invalidStatus,
  rateLimitExceeded,
  staleHistory,
  timeout,
} from './problems.ts';
import { hashOfEnvelope } from './submission.ts';

/** Horizon's own problem where Horizon has one, else the page of a gateway, which is not JSON. */
export function status(code: Status, effect: 'before' | 'never', retryAfterSeconds: number): Behaviour {
  const refuse = (incident: Incident): Answer => {
    const answer = isHorizon(incident.kind) ? answerOfHorizon(code, incident) : gatewayPage(code);
    return code === 429 ? { ...answer, headers: rateLimitHeaders(retryAfterSeconds) } : answer;
  };
  if (effect === 'before') return { ...onceInEffect(refuse), final: true };
  return { final: true, on: () => true, before: refuse };
}

/** stellar-core answers FILTERED, a status that neither RPC nor Horizon knows (Q14). Nothing is queued. */
export function filtered(): Behaviour {
  return {
    final: true,
    on: isSubmission,
    before: (incident) => {
      if (incident.kind === 'sendTransaction') {
        return rpcFailure(incident, INTERNAL_ERROR, 'invalid status from stellar-core');
      }
      if (incident.kind === 'horizon:submit') return answerOf(serverError());
      return answerOf(invalidStatus(incident.envelope));
    },
  };
}

/** The call has no effect. The answer is this JSON-RPC error. */
export function rpcError(code: number, message: string): Behaviour {
  return { final: true, on: isRpcCall, before: (incident) => rpcFailure(incident, code, message) };
}

/** After each ledger the first requests for entries find stellar-core busy. The node calls itself healthy. */
export function coreBusy(requests: number): Behaviour {
  let ledger = 0;
  let left = 0;
  return {
    final: true,
    on: (kind) => kind === 'getLedgerEntries',
    ready: ({ node }) => {
      const { ledgerSeq } = node.latest.header;
      if (ledgerSeq !== ledger) [ledger, left] = [ledgerSeq, requests];
      return left > 0;
    },
    before: (incident) => {
      left--;
      return rpcFailure(incident, INTERNAL_ERROR, 'could not query captive core');
    },
  };
}

function rpcFailure({ call }: Incident, code: number, message: string): Answer {
  const body = JSON.stringify({ jsonrpc: '2.0', id: call?.id ?? null, error: { code, message } });
  return { status: 200, type: 'application/json; charset=utf-8', body };
}

function answerOfHorizon(code: Status, incident: Incident): Answer {
  if (code === 429) return answerOf(rateLimitExceeded());
  if (code === 500) return answerOf(serverError());
  if (code === 503) return answerOf(staleHistory());
  if (code === 502) return gatewayPage(code);
  const hash = incident.kind === 'horizon:submit' ? hashOfEnvelope(incident) : undefined;
  if (hash === undefined) return answerOf(timeout());
  return answerOf(submissionTimeout({ hash, envelope_xdr: incident.envelope }));
}

/** Horizon's rate limiter counts the requests of an hour and says how long to wait. */
function rateLimitHeaders(retryAfterSeconds: number): Record<string, string> {
  const seconds = retryAfterSeconds.toString();
  return {
    'retry-after': seconds,
    'x-ratelimit-limit': '3600',
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': seconds,
  };
}
