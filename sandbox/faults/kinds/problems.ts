import type { Answer } from '../behaviour.ts';

export type Status = 429 | 500 | 502 | 503 | 504;

const TITLES: Record<Status, string> = {
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Temporarily Unavailable',
  504: 'Gateway Time-out',
};

/** What stands between a client and a node often answers in its place, and not in JSON. This is nginx's page. */
export function gatewayPage(status: Status): Answer {
  const title = `${status} ${TITLES[status]}`;
  const head = `<head><title>${title}</title></head>`;
  const body = `<html>\r\n${head}\r\n<body>\r\n<center><h1>${title}</h1></center>\r\n</body>\r\n</html>\r\n`;
  return { status, type: 'text/html', body };
}

/** A problem of Horizon (RFC 7807) with Horizon's types, titles and details (render/problem/problem.go). */
export function horizonProblem(
  status: number,
  [type, title, detail]: readonly [type: string, title: string, detail: string],
  extras?: Record<string, unknown>,
): Answer {
  const body = { type: `https://stellar.org/horizon-errors/${type}`, title, status, detail, extras };
  return { status, type: 'application/problem+json; charset=utf-8', body: JSON.stringify(body) };
}

export const RATE_LIMIT_EXCEEDED = [
  'rate_limit_exceeded',
  'Rate Limit Exceeded',
  "The rate limit for the requesting IP address is over its alloted limit.  The allowed limit and requests left per time period are communicated to clients via the http response headers 'X-RateLimit-*' headers.",
] as const;

export const SERVER_ERROR = [
  'server_error',
  'Internal Server Error',
  'An error occurred while processing this request.  This is usually due to a bug within the server software.  Trying this request again may succeed if the bug is transient. Otherwise, please contact the system administrator.',
] as const;

export const STALE_HISTORY = [
  'stale_history',
  'Historical DB Is Too Stale',
  'This horizon instance is configured to reject client requests when it can determine that the history database is lagging too far behind the connected instance of stellar-core.  If you operate this server, please ensure that the ingestion system is properly running.',
] as const;

export const TIMEOUT = [
  'timeout',
  'Timeout',
  'Your request timed out before completing.  Please try your request again. If you are submitting a transaction make sure you are sending exactly the same transaction (with the same sequence number).',
] as const;

export const SUBMISSION_TIMEOUT = [
  'transaction_submission_timeout',
  'Transaction Submission Timeout',
  'Your transaction submission request has timed out. This does not necessarily mean the submission has failed. Before resubmitting, please use the transaction hash provided in `extras.hash` to poll the GET /transactions endpoint for sometime and check if it was included in a ledger.',
] as const;

export const INVALID_STATUS = [
  'transaction_submission_invalid_status',
  'Transaction Submission Invalid Status',
  'Received invalid status from stellar-core.The `extras.error` field on this response contains further details.  Descriptions of each code can be found at: https://developers.stellar.org/api/errors/http-status-codes/horizon-specific/transaction-submission-async/transaction_submission_invalid_status',
] as const;
