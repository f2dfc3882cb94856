import { setImmediate as turnOfEventLoop } from 'node:timers/promises';
import { withLogContext } from './log-context.ts';

/** Each answer lets a caller continue at once. A thousand answers in one turn would block the event loop. */
const ANSWERED_PER_TURN = 25;

/**
 * Turns many calls into one: questions of one turn of the event loop, or that come while `parallel` runs are under way, go
 * into the next `run`, at most `max` together. `run` returns one value per question, in order. When it throws, every
 * caller of that batch gets the error.
 */
export function batched<Question, Value>(options: {
  max: number;
  parallel?: number;
  run: (questions: Question[]) => Promise<Value[]>;
}): (question: Question) => Promise<Value> {
  const { max, parallel = 1, run } = options;
  let waiting: Waiting<Question, Value>[] = [];
  let running = 0;
  let scheduled = false;

  function schedule(): void {
    if (scheduled || running >= parallel || waiting.length === 0) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      void flush();
    });
  }

  async function flush(): Promise<void> {
    const batch = waiting.slice(0, max);
    waiting = waiting.slice(max);
    running++;
    schedule();
    try {
      const questions = batch.map(({ question }) => question);
      const values = await withLogContext(undefined, () => run(questions));
      for (const [index, { resolve }] of batch.entries()) {
        if (index > 0 && index % ANSWERED_PER_TURN === 0) await turnOfEventLoop();
        resolve(values[index] as Value);
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    running--;
    schedule();
  }

  return (question) =>
    new Promise((resolve, reject) => {
      waiting.push({ question, resolve, reject });
      schedule();
    });
}

type Waiting<Question, Value> = {
  question: Question;
  resolve: (value: Value) => void;
  reject: (error: unknown) => void;
};
