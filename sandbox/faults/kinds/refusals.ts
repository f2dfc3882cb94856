import { INTERNAL_ERROR } from '../../rpc/errors.ts';
import type { Answer, Behaviour, Incident } from '../behaviour.ts';
import { isHorizon, isRpcCall, isSubmission } from '../request-kind.ts';
import { onceInEffect } from './connection.ts';
import {
  gatewayPage,
  horizonProblem,
  INVALID_STATUS,
  RATE_LIMIT_EXCEEDED,
  SERVER_ERROR,
  STALE_HISTORY,
  type Status,
  SUBMISSION_TIMEOUT,
  TIMEOUT,
} from './problems.ts';
import { hashOfEnvelope } from './submission.ts';

/** Horizon's own problem where Horizon has one; anywhere else the page of a gateway, which is not JSON. */
export function status(code: Status, effect: 'before' | 'never', retryAfterSeconds: number): Behaviour {
  const refuse = (incident: Incident): Answer => {
    const answer = isHorizon(incident.kind) ? answerOfHorizon(code, incident) : gatewayPage(code);
    return code === 429 ? { ...answer, headers: rateLimitHeaders(retryAfterSeconds) } : answer;
  };
  if (effect === 'before') return { ...onceInEffect(refuse), final: true };
  return { final: true, on: () => true, before: refuse };
}

/** stellar-core answers FILTERED, which neither RPC nor Horizon knows (Q14). Nothing is queued. */
export function filtered(): Behaviour {
  return {
    final: true,
    on: isSubmission,
    before: (incident) => {
      if (incident.kind === 'sendTransaction') {
        return rpcFailure(incident, INTERNAL_ERROR, 'invalid status from stellar-core');
      }
      if (incident.kind === 'horizon:submit') return horizonProblem(500, SERVER_ERROR);
      const extras = { envelope_xdr: incident.envelope, error: '' };
      return horizonProblem(500, INVALID_STATUS, extras);
    },
  };
}

/** The call has no effect and is answered with this error of JSON-RPC. */
export function rpcError(code: number, message: string): Behaviour {
  return { final: true, on: isRpcCall, before: (incident) => rpcFailure(incident, code, message) };
}

function rpcFailure({ call }: Incident, code: number, message: string): Answer {
  const body = JSON.stringify({ jsonrpc: '2.0', id: call?.id ?? null, error: { code, message } });
  return { status: 200, type: 'application/json; charset=utf-8', body };
}

function answerOfHorizon(code: Status, incident: Incident): Answer {
  if (code === 429) return horizonProblem(code, RATE_LIMIT_EXCEEDED);
  if (code === 500) return horizonProblem(code, SERVER_ERROR);
  if (code === 503) return horizonProblem(code, STALE_HISTORY);
  if (code === 502) return gatewayPage(code);
  if (incident.kind !== 'horizon:submit') return horizonProblem(code, TIMEOUT);
  const extras = { hash: hashOfEnvelope(incident), envelope_xdr: incident.envelope };
  return horizonProblem(code, SUBMISSION_TIMEOUT, extras);
}

/** Horizon's limiter counts an hour's requests and says how long to wait. */
function rateLimitHeaders(retryAfterSeconds: number): Record<string, string> {
  const seconds = retryAfterSeconds.toString();
  return {
    'retry-after': seconds,
    'x-ratelimit-limit': '3600',
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': seconds,
  };
}
