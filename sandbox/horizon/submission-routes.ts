import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { HorizonContext } from './answer.ts';
import { requestOf, sendHal } from './answer.ts';
import { invalidField, unsupportedMediaType } from './problem.ts';
import { submitAndWait, submitAsync } from './submission.ts';

/** Horizon's MaxHTTPRequestSize. */
const MAX_BODY_BYTES = 200 * 1024;

const FORM = 'application/x-www-form-urlencoded';

/** The two routes that submit a transaction, from `tx` of a form or of the query. */
export function registerSubmission(server: FastifyInstance, context: HorizonContext): void {
  server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));

    scope.post('/transactions', { bodyLimit: MAX_BODY_BYTES }, async (request, reply) => {
      const { node, links } = requestOf(request, context);
      const record = await submitAndWait(
        envelopeOf(request, context),
        { ...context, node, links },
        disconnected(reply),
      );
      return sendHal(reply, 200, record);
    });

    scope.post('/transactions_async', { bodyLimit: MAX_BODY_BYTES }, async (request, reply) => {
      const { status_code, body } = submitAsync(
        envelopeOf(request, context),
        requestOf(request, context).node,
      );
      return sendHal(reply, status_code, body);
    });
  });
}

/** Base64 as the client sent it; '' when there is none. */
function envelopeOf(request: FastifyRequest, context: HorizonContext): string {
  const type = request.headers['content-type'];
  const isForm = type?.split(';')[0]?.trim().toLowerCase() === FORM;
  if (type !== undefined && !isForm) throw unsupportedMediaType();
  const form = new URLSearchParams(isForm && typeof request.body === 'string' ? request.body : '');
  const raw = form.get('tx') || requestOf(request, context).url.searchParams.get('tx') || '';
  if (raw.includes('\ufffd')) throw invalidField('tx', 'invalid value');
  return raw;
}

/** Aborts when the client closes the connection before it has its answer. */
function disconnected(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => controller.abort());
  return controller.signal;
}
