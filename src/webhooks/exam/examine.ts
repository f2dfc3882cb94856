/** Runs an exam: sends its cases to a receiver, one request after the other, and reports the answers. */
import { Readable } from 'node:stream';
import type { Clock } from '../../lib/clock.ts';
import { isAcknowledged, type Poster } from '../../outgoing/post.ts';
import { CASES, type ExamRequest, isToBeHandled, type Signer } from './cases.ts';
import { type Asked, lookUp } from './look-up.ts';
import { type ExamAnswer, type Examined, type ExamReport, reportOf } from './report.ts';

/** No request begins later. The last one may take ATTEMPT_TIMEOUT_MS more. */
export const EXAM_MS = 30_000;
/** Long enough for a receiver to read the first piece of a body alone. */
const PAUSE_MS = 250;

/** `place`: the `webhook-sequence` of the last delivery; those of the exam follow it. */
export type Examiner = Omit<Signer, 'nextSequence'> & { place: bigint };

/**
 * Examines the receiver at `url`; returns null when the poster is closed before the end. Without an answer to the first
 * request nothing else is sent: a receiver that hangs would take the whole time.
 */
export async function examine(
  { clock, poster }: { clock: Clock; poster: Poster },
  url: string,
  { place, ...examiner }: Examiner,
): Promise<ExamReport | null> {
  let sequence = place;
  const signer: Signer = { ...examiner, nextSequence: () => ++sequence };
  const ends_at_ms = clock.now().getTime() + EXAM_MS;
  const isOver = () => clock.now().getTime() >= ends_at_ms;
  const examined: Examined[] = [];
  for (const of of CASES) {
    const answers: ExamAnswer[] = [];
    const is_over = isOver() || isSilent(examined);
    for (const request of is_over ? [] : of.requests(signer, clock.now())) {
      const answer = await send(clock, poster, url, request);
      if (!answer) return null;
      answers.push(answer);
    }
    examined.push({ of, answers });
  }
  const asked = isSilent(examined) ? [] : examined.flatMap(eventsOf);
  const handled = await lookUp({ clock, poster }, url, asked, isOver);
  return handled && reportOf(examined, handled);
}

const isSilent = ([first]: Examined[]) => first?.answers[0]?.status_code === null;

/** Returns the events of a case. The receiver must have handled those that it has acknowledged. */
function eventsOf({ of, answers }: Examined): Asked[] {
  const events = new Map<string, Asked>();
  for (const { event_id, status_code } of answers) {
    const is_acknowledged = status_code !== null && isAcknowledged(status_code);
    events.set(event_id, { event_id, expected: is_acknowledged && isToBeHandled(of) });
  }
  return [...events.values()];
}

async function send(
  clock: Clock,
  poster: Poster,
  url: string,
  { event_id, headers, body, in_pieces }: ExamRequest,
): Promise<ExamAnswer | null> {
  const began_ms = clock.now().getTime();
  const result = await poster.post(
    in_pieces
      ? {
          url,
          headers: { ...headers, 'Content-Length': String(body.length) },
          body: Readable.from(pieces(clock, body)),
        }
      : { url, headers, body },
  );
  if ('abandoned' in result) return null;
  const duration_ms = clock.now().getTime() - began_ms;
  if ('error' in result)
    return { event_id, status_code: null, error: result.error, duration_ms, response_body: null };
  const { status_code, response_body } = result;
  return { event_id, status_code, error: null, duration_ms, response_body };
}

async function* pieces(clock: Clock, body: Buffer): AsyncGenerator<Buffer> {
  const middle = Math.floor(body.length / 2);
  yield body.subarray(0, middle);
  await clock.sleep(PAUSE_MS);
  yield body.subarray(middle);
}
