import { goJson } from '../../horizon/json.ts';
import { Problem } from '../../horizon/problem.ts';
import type { Answer } from '../behaviour.ts';

export type Status = 429 | 500 | 502 | 503 | 504;

const TITLES: Record<Status, string> = {
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Temporarily Unavailable',
  504: 'Gateway Time-out',
};

/**
 * A proxy between a client and a node often answers instead of the node, and not in JSON. This is the page of
 * nginx.
 */
export function gatewayPage(status: Status): Answer {
  const title = `${status} ${TITLES[status]}`;
  const head = `<head><title>${title}</title></head>`;
  const body = `<html>\r\n${head}\r\n<body>\r\n<center><h1>${title}</h1></center>\r\n</body>\r\n</html>\r\n`;
  return { status, type: 'text/html', body };
}

export function answerOf(problem: Problem): Answer {
  const type = 'application/problem+json; charset=utf-8';
  return { status: problem.status, type, body: goJson(problem.body(), 2) };
}

// Problems of a real Horizon that the sandbox never has a reason to give.

export const rateLimitExceeded = () =>
  new Problem({
    type: 'rate_limit_exceeded',
    title: 'Rate Limit Exceeded',
    status: 429,
    detail:
      "The rate limit for the requesting IP address is over its alloted limit.  The allowed limit and requests left per time period are communicated to clients via the http response headers 'X-RateLimit-*' headers.",
  });

export const staleHistory = () =>
  new Problem({
    type: 'stale_history',
    title: 'Historical DB Is Too Stale',
    status: 503,
    detail:
      'This horizon instance is configured to reject client requests when it can determine that the history database is lagging too far behind the connected instance of stellar-core.  If you operate this server, please ensure that the ingestion system is properly running.',
  });

export const timeout = () =>
  new Problem({
    type: 'timeout',
    title: 'Timeout',
    status: 504,
    detail:
      'Your request timed out before completing.  Please try your request again. If you are submitting a transaction make sure you are sending exactly the same transaction (with the same sequence number).',
  });

export const invalidStatus = (envelopeXdr: string) =>
  new Problem(
    {
      type: 'transaction_submission_invalid_status',
      title: 'Transaction Submission Invalid Status',
      status: 500,
      detail:
        'Received invalid status from stellar-core.The `extras.error` field on this response contains further details.  Descriptions of each code can be found at: https://developers.stellar.org/api/errors/http-status-codes/horizon-specific/transaction-submission-async/transaction_submission_invalid_status',
    },
    { envelope_xdr: envelopeXdr, error: '' },
  );
