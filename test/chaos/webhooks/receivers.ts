/** Receivers as there are, good and bad, on one port: the path tells how each behaves. All keep receipts. */
import type { ServerResponse } from 'node:http';
import { type Receipt, receiptOf } from '../../oracle/receipt.ts';
import type { Random } from '../../support/random.ts';
import { startReceiver } from '../../support/receiver.ts';

export const BEHAVIOURS = [
  'good',
  'slow',
  'flapping',
  'limiting',
  'dropping',
  'late',
  'refusing',
  'hanging',
] as const;
export type Behaviour = (typeof BEHAVIOURS)[number];

export type Receivers = {
  url: string;
  receipts: Receipt[];
  /** `faultless`: all of them answer 200. `mostly_good`: all but those that refuse everything or never answer. */
  set(mode: 'faultless' | 'faulty' | 'mostly_good'): void;
  close(): Promise<void>;
};

/** What a 429 asks for: longer than the schedule's first steps with their jitter may be. */
export const RETRY_AFTER_SECONDS = 1;
/** Longer than an attempt may take (src/outgoing/post.ts). */
const LATE_MS = 16_000;
const SLOW_MS = { min: 50, max: 800 };
const FLAPPING = { every_ms: 5_000, down_ms: 2_000 };

type Answer = { status: number; after_ms?: number; headers?: Record<string, string> };

export async function startReceivers(random: Random): Promise<Receivers> {
  const receipts: Receipt[] = [];
  /** Most bodies come several times. */
  const bodies = new Map<string, string>();
  let mode: Parameters<Receivers['set']>[0] = 'faultless';

  function answerOf(behaviour: Behaviour): Answer | 'drop' | 'hang' {
    if (mode === 'faultless') return { status: 200 };
    if (behaviour === 'hanging') return 'hang';
    if (behaviour === 'refusing') return { status: 500 };
    return mode === 'mostly_good' ? { status: 200 } : faultyAnswer(behaviour, random);
  }

  const receiver = await startReceiver((response, request) => {
    receiver.requests.pop(); // the receipt is enough of so many
    const receipt = receiptOf(receiver.url, request);
    receipt.body = bodies.get(receipt.body) ?? receipt.body;
    bodies.set(receipt.body, receipt.body);
    receipts.push(receipt);
    const answer = answerOf(behaviourAt(request.path));
    if (answer === 'drop') response.destroy();
    else if (answer !== 'hang') send(response, receipt, answer);
  });
  return {
    url: receiver.url,
    receipts,
    set(next) {
      mode = next;
    },
    close: receiver.close,
  };
}

function faultyAnswer(behaviour: Behaviour, random: Random): Answer | 'drop' {
  switch (behaviour) {
    case 'slow':
      return { status: 200, after_ms: random.integer(SLOW_MS.min, SLOW_MS.max) };
    case 'flapping':
      return { status: Date.now() % FLAPPING.every_ms < FLAPPING.down_ms ? 503 : 200 };
    case 'limiting':
      return random.chance(0.3)
        ? { status: 429, headers: { 'retry-after': `${RETRY_AFTER_SECONDS}` } }
        : { status: 200 };
    case 'dropping':
      return random.chance(0.2) ? 'drop' : { status: 200 };
    case 'late':
      return random.chance(0.01) ? { status: 200, after_ms: LATE_MS } : { status: 200 };
    default:
      return { status: 200 };
  }
}

function send(response: ServerResponse, receipt: Receipt, { status, after_ms, headers = {} }: Answer): void {
  const answer = () => {
    receipt.answered = status;
    response.writeHead(status, headers).end();
  };
  if (after_ms === undefined) answer();
  else setTimeout(answer, after_ms).unref();
}

/** `/…/good`, say. */
function behaviourAt(path: string): Behaviour {
  const name = path.split('/').at(-1);
  const found = BEHAVIOURS.find((behaviour) => behaviour === name);
  if (!found) throw new Error(`a request to ${path}, where nobody is`);
  return found;
}
