/** The report of an exam as the API shows it. */
import { z } from 'zod';
import { Id } from '../../http/schemas.ts';

const Answer = z
  .object({
    event_id: Id.meta({ description: 'Sent as webhook-id, unless the case leaves it out' }),
    status_code: z.int().nullable(),
    error: z.string().nullable().meta({ description: 'Why there was no answer; null if there was one' }),
    duration_ms: z.int(),
  })
  .meta({ id: 'WebhookExamAttempt' });

const Case = z
  .object({
    name: z.string(),
    outcome: z.enum(['passed', 'failed', 'unknown']).meta({
      description:
        'unknown: the case was not sent, or its answers do not show whether the receiver does it right',
    }),
    sent: z.string().meta({ description: 'What was sent, in a sentence' }),
    expected: z
      .enum(['accepted', 'refused'])
      .meta({ description: 'accepted: every answer has a 2xx status; refused: a 4xx status' }),
    answers: z.array(Answer).meta({ description: 'One for each request; none when nothing was sent' }),
    advice: z.string().nullable().meta({ description: 'What to change in the receiver' }),
  })
  .meta({ id: 'WebhookExamCase' });

export const ExamResource = z
  .object({
    passed: z
      .boolean()
      .meta({ description: 'True when every case has passed. `unseen` says what the cases could not show' }),
    cases: z.array(Case),
    unseen: z.array(z.string()).meta({
      description:
        'Typical faults that neither the answers nor a look-up of the receiver could show: look yourself. Empty when there are none',
    }),
  })
  .meta({ id: 'WebhookExam' });
