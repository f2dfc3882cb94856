/**
 * The token endpoint of OAuth 2 clients. Both RFC 6749 and this API have a member `error` in the body of a refusal, one a
 * word and the other an object. The request decides: a form, which RFC 6749 asks for, is refused as RFC 6749 says; JSON is
 * refused as every other operation.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { clientOf } from '../../http/client-of.ts';
import { envelope, envelopeSchema } from '../../http/envelope.ts';
import { type HttpApp, invalidRequest } from '../../http/http-app.ts';
import { CLIENT_ID, CLIENT_SECRET } from '../../http/sample-values.ts';
import { AppError } from '../../lib/errors.ts';
import { type ClientCredential, exchangeCredential } from './exchange.ts';

const FORM = 'application/x-www-form-urlencoded';
const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

const Given = z.string().max(8_192).optional();
const TokenBody = z.strictObject({
  grant_type: z.string().max(100).meta({ description: '`client_credentials`' }),
  client_id: Given,
  client_secret: Given.meta({ description: 'Or by HTTP Basic, with the client id as the user name' }),
  client_assertion_type: Given.meta({ description: `With a public key: \`${ASSERTION_TYPE}\`` }),
  client_assertion: Given.meta({ description: 'With a public key: the signed JWT (RFC 7523)' }),
});
type TokenRequest = z.output<typeof TokenBody>;
const PARAMETERS = Object.keys(TokenBody.shape);

/** Of a request that was sent as a form (RFC 6749, 5.2). */
const OAuthError = z
  .object({
    error: z.string().meta({ description: 'A code, as `error.code` of other errors' }),
    error_description: z.string(),
    statusCode: z.int(),
    message: z.string(),
    request_id: z.string(),
  })
  .meta({ id: 'OAuthError' });
const OAUTH_ERRORS = Object.fromEntries(
  [400, 401, 403, 413, 415, 421, 429, 500, 503].map((status) => [status, OAuthError]),
);

const TokenGiven = envelopeSchema(z.object({ token: z.string(), expires_in: z.int() })).extend({
  access_token: z.string().meta({ description: '`data.token` again, where OAuth clients read it' }),
  token_type: z.literal('Bearer'),
  expires_in: z.int().meta({ description: 'Seconds' }),
});

/** Counts a request of the team and sets the headers of its quota. @throws AppError `rate_limited` */
type CountRequest = (team_id: string, reply: FastifyReply) => void;

/**
 * Adds the route of the token endpoint. It is public: the team is known, and its request counted, only once the credential has proven
 * right.
 */
export function tokenRoutes(app: HttpApp, deps: Deps, countRequest: CountRequest): void {
  // In a scope of its own: no other operation takes a form, which a page of another site could send.
  app.register(async (scope) => {
    scope.addContentTypeParser(FORM, { parseAs: 'string' }, async (_: FastifyRequest, text: string) =>
      readForm(text),
    );
    tokenRoute(scope as unknown as HttpApp, deps, countRequest);
  });
}

function tokenRoute(app: HttpApp, deps: Deps, countRequest: CountRequest): void {
  app.post(
    '/v1/auth/token',
    {
      config: {
        access: 'public',
        no_store: true,
        errors: [
          'unsupported_grant_type',
          'invalid_client',
          'address_not_allowed',
          'too_many_logins',
          'rate_limited',
        ],
        client: { method: 'auth.service_token', repeatable: true },
        examples: {
          body: {
            grant_type: 'client_credentials',
            client_id: CLIENT_ID,
            client_secret: CLIENT_SECRET,
          },
        },
      },
      onSend: async (request: FastifyRequest, reply: FastifyReply, payload: unknown) =>
        typeof payload === 'string' && reply.statusCode >= 400
          ? refusalFor(request, reply, payload)
          : payload,
      schema: {
        operationId: 'getServiceToken',
        tags: ['auth'],
        summary: 'Get token of service user',
        description:
          'Exchanges the credential of a service user for a login token of minutes (RFC 6749, 4.4): its secret, by HTTP Basic or ' +
          'in the body, or an assertion that its key has signed (`private_key_jwt`, RFC 7523; `aud` is PUBLIC_URL alone, `exp` is ' +
          'at most 300 seconds after `iat`, and each `jti` works once). Use one way only. Ask again when the token ends. A ' +
          'request in a form gets errors as RFC 6749 says: `error` is a word, `error_description` says more.',
        consumes: ['application/json', FORM],
        body: TokenBody,
        response: { 200: TokenGiven, ...OAUTH_ERRORS },
      },
    },
    async (request, reply) => {
      const shown = readCredential(request.body, request.headers.authorization);
      const { address: ip } = clientOf(request, deps.config.trusted_proxies);
      const given = await exchangeCredential(deps, shown, {
        ip,
        countRequest: (team_id) => countRequest(team_id, reply),
      });
      const { token: access_token, expires_in } = given;
      const oauth = { access_token, token_type: 'Bearer' as const, expires_in };
      return reply.code(200).send({ ...envelope(200, given), ...oauth });
    },
  );
}

/**
 * Reads the parameters of a form. Those that nobody knows are ignored, and empty ones are absent (RFC 6749, 3.2).
 * @throws AppError `invalid_request` for one that is given more than once
 */
function readForm(text: string): Record<string, string> {
  const fields = new URLSearchParams(text);
  const read: Record<string, string> = Object.create(null);
  for (const name of PARAMETERS) {
    const [value = '', ...others] = fields.getAll(name);
    if (others.length > 0) throw invalidRequest([{ path: `/${name}`, message: 'is given more than once' }]);
    if (value !== '') read[name] = value;
  }
  return read;
}

/** @throws AppError `unsupported_grant_type`, `invalid_request` for two ways at once, `invalid_client` for none */
function readCredential(body: TokenRequest, authorization: string | undefined): ClientCredential {
  const { grant_type, client_id, client_secret, client_assertion, client_assertion_type } = body;
  if (grant_type !== 'client_credentials')
    throw new AppError('unsupported_grant_type', 'The grant_type must be client_credentials.');
  const ways = [authorization, client_secret, client_assertion].filter((way) => way !== undefined);
  if (ways.length > 1)
    throw new AppError(
      'invalid_request',
      'Use one way only: HTTP Basic, a client_secret, or a client_assertion.',
    );
  if (authorization !== undefined) return readBasic(authorization, client_id);
  if (client_assertion !== undefined) {
    if (client_assertion_type !== ASSERTION_TYPE)
      throw invalidRequest([{ path: '/client_assertion_type', message: `must be ${ASSERTION_TYPE}` }]);
    return { kind: 'assertion', client_id: client_id ?? null, assertion: client_assertion };
  }
  if (client_id === undefined || client_secret === undefined)
    throw new AppError('invalid_client', 'Send client_id and client_secret, by HTTP Basic or in the body.');
  return { kind: 'secret', client_id, client_secret };
}

/**
 * Reads the credential of HTTP Basic. Both parts are encoded as in a form first (RFC 6749, 2.3.1).
 * @throws AppError `invalid_client`, `invalid_request`
 */
function readBasic(authorization: string, client_id: string | undefined): ClientCredential {
  const encoded = /^Basic +([A-Za-z0-9+/]+=*) *$/i.exec(authorization)?.[1];
  const pair = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded ?? '', 'base64').toString());
  const [id, client_secret] = [pair?.[1], pair?.[2]].map(decoded);
  if (!id || !client_secret)
    throw new AppError(
      'invalid_client',
      'The Authorization header must be Basic, with client id and secret.',
    );
  if (client_id !== undefined && client_id !== id)
    throw new AppError(
      'invalid_request',
      'The client_id of the body is not that of the Authorization header.',
    );
  return { kind: 'secret', client_id: id, client_secret };
}

function decoded(text: string | undefined): string | null {
  try {
    return decodeURIComponent((text ?? '').replaceAll('+', ' '));
  } catch {
    return null;
  }
}

/**
 * Returns the body of a refusal as the sender of the request reads it: for a form as RFC 6749 says, else unchanged. Sets the header
 * `WWW-Authenticate` of a 401 when the request had `Authorization`.
 */
function refusalFor(request: FastifyRequest, reply: FastifyReply, payload: string): string {
  if (reply.statusCode === 401 && request.headers.authorization !== undefined)
    reply.header('www-authenticate', 'Basic realm="Stellar Teller"');
  if (!request.headers['content-type']?.toLowerCase().startsWith(FORM)) return payload;
  const { statusCode, message, error } = JSON.parse(payload);
  const { code, request_id } = error;
  return JSON.stringify({ error: code, error_description: message, statusCode, message, request_id });
}
