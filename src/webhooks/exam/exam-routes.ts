import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { envelope, envelopeSchema } from '../../http/envelope.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { Id } from '../../http/schemas.ts';
import { requireRow } from '../../wallets/access.ts';
import type { SampleData } from '../events/send-test-event.ts';
import { ExamResource } from './exam-schema.ts';
import { createExams } from './exams.ts';

export function examRoutes(app: HttpApp, deps: Deps, sampleData: SampleData): void {
  const exams = createExams(deps, sampleData);
  app.addHook('preClose', async () => exams.stop());

  app.post(
    '/v1/wallets/:id/webhooks/:webhook_id/exam',
    {
      config: {
        access: 'key',
        roles: 'integrators',
        scopes: ['webhooks'],
        step_up: 'never',
        waits: true,
        awaits_outcome: true,
        errors: ['endpoint_disabled', 'exam_running'],
        client: { method: 'webhooks.examine', time_limit_seconds: 90 },
      },
      schema: {
        operationId: 'examineWebhook',
        tags: ['webhooks'],
        summary: 'Examine webhook receiver',
        description:
          'Sends right and wrong requests to the endpoint, one after the other, and reports the answers. Their events have ' +
          'types that end in `.test`, with ids and accounts that cannot exist. They are no deliveries: they use no sequence ' +
          'number and are not in the delivery log. The answer comes after at most 45 seconds. One exam of an endpoint runs ' +
          'at a time.',
        params: z.object({ id: Id, webhook_id: Id }),
        body: z.strictObject({}),
        response: {
          200: envelopeSchema(ExamResource),
        },
      },
    },
    async (request, reply) => {
      // `request.signal` may abort as soon as the body has been read.
      const gone = new AbortController();
      reply.raw.once('close', () => gone.abort());
      const examineIt = (id: string) => exams.examine(request, id, gone.signal);
      const report = await requireRow('webhook endpoint', request.params.webhook_id, examineIt);
      return reply.code(200).send(envelope(200, report));
    },
  );
}
