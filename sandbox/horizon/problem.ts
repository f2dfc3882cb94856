/** An error answer of Horizon (RFC 7807), as an error to throw. */
export class Problem extends Error {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string | undefined;
  readonly extras: Record<string, unknown> | undefined;

  constructor(
    fields: { type: string; title: string; status: number; detail?: string },
    extras?: Record<string, unknown>,
  ) {
    super(`problem: ${fields.type}`);
    this.type = fields.type;
    this.title = fields.title;
    this.status = fields.status;
    this.detail = fields.detail;
    this.extras = extras;
  }

  body(): Record<string, unknown> {
    const { title, status, detail, extras } = this;
    return { type: `https://stellar.org/horizon-errors/${this.type}`, title, status, detail, extras };
  }
}

export const notFound = () =>
  new Problem({
    type: 'not_found',
    title: 'Resource Missing',
    status: 404,
    detail:
      'The resource at the url requested was not found.  This usually occurs for one of two reasons:  The url requested is not valid, or no data in our database could be found with the parameters provided.',
  });

/** A wrong parameter; `reason` is the explanation for developers. */
export const invalidField = (field: string, reason: string) =>
  new Problem(
    {
      type: 'bad_request',
      title: 'Bad Request',
      status: 400,
      detail: 'The request you sent was invalid in some way.',
    },
    { invalid_field: field, reason },
  );

export const beforeHistory = () =>
  new Problem({
    type: 'before_history',
    title: 'Data Requested Is Before Recorded History',
    status: 410,
    detail:
      "This horizon instance is configured to only track a portion of the stellar network's latest history. This request is asking for results prior to the recorded history known to this horizon instance.",
  });

export const notAcceptable = () =>
  new Problem({
    type: 'not_acceptable',
    title: 'An acceptable response content-type could not be provided for this request',
    status: 406,
  });

export const unsupportedMediaType = () =>
  new Problem({
    type: 'unsupported_media_type',
    title: 'Unsupported Media Type',
    status: 415,
    detail:
      'The request has an unsupported content type. Presently, the only supported content type is application/x-www-form-urlencoded.',
  });

export const serviceUnavailable = () =>
  new Problem({
    type: 'service_unavailable',
    title: 'Service Unavailable',
    status: 503,
    detail: 'The request cannot be serviced at this time.',
  });

export const serverError = () =>
  new Problem({
    type: 'server_error',
    title: 'Internal Server Error',
    status: 500,
    detail:
      'An error occurred while processing this request.  This is usually due to a bug within the server software.  Trying this request again may succeed if the bug is transient. Otherwise, please contact the system administrator.',
  });

/** `more`: POST /transactions_async has an empty `error` beside the envelope. */
export const transactionMalformed = (envelopeXdr: string, more: { error?: object; reason?: string } = {}) =>
  new Problem(
    {
      type: 'transaction_malformed',
      title: 'Transaction Malformed',
      status: 400,
      detail:
        'Horizon could not decode the transaction envelope in this request. A transaction should be an XDR TransactionEnvelope struct encoded using base64.  The envelope read from this request is echoed in the `extras.envelope_xdr` field of this response for your convenience.',
    },
    { envelope_xdr: envelopeXdr, ...more },
  );

export const transactionFailed = (extras: {
  envelope_xdr: string;
  result_codes: Record<string, unknown>;
  result_xdr: string;
}) =>
  new Problem(
    {
      type: 'transaction_failed',
      title: 'Transaction Failed',
      status: 400,
      detail:
        'The transaction failed when submitted to the stellar network. The `extras.result_codes` field on this response contains further details.  Descriptions of each code can be found at: https://developers.stellar.org/api/errors/http-status-codes/horizon-specific/transaction-failed/',
    },
    extras,
  );

export const submissionTimeout = (extras: { hash: string; envelope_xdr: string }) =>
  new Problem(
    {
      type: 'transaction_submission_timeout',
      title: 'Transaction Submission Timeout',
      status: 504,
      detail:
        'Your transaction submission request has timed out. This does not necessarily mean the submission has failed. Before resubmitting, please use the transaction hash provided in `extras.hash` to poll the GET /transactions endpoint for sometime and check if it was included in a ledger.',
    },
    extras,
  );
