/** How clients of a service that is killed all the time behave: they wait until it is back, and ask the same again. */
import { setTimeout } from 'node:timers/promises';
import type { Answer, Call } from '../support/api.ts';
import type { UnreliableService } from './killable-service.ts';

const PAUSE_MS = 40;
/** More than any outage of a test takes; what fails this often is broken, not down. */
const TRIES = 3_000;

export const pause = (): Promise<void> => setTimeout(PAUSE_MS);

/** The first result of `work` that is not undefined. An exception is an outage. */
export async function persist<T>(service: UnreliableService, work: () => Promise<T | undefined>): Promise<T> {
  let last: unknown = 'no result';
  for (let tries = 0; tries < TRIES; tries++) {
    await service.up();
    try {
      const result = await work();
      if (result !== undefined) return result;
    } catch (error) {
      last = error;
    }
    await pause();
  }
  throw new Error('not even after all those tries', { cause: last });
}

/** An answer, whatever it says, 503 excepted. A call that is not idempotent may take effect more than once. */
export function ask(
  service: UnreliableService,
  method: string,
  path: string,
  options: Call = {},
): Promise<Answer> {
  return persist(service, async () => {
    const answer = await service.api(method, path, options);
    return answer.status === 503 ? undefined : answer;
  });
}

/** `data` of a successful answer. */
export async function have(
  service: UnreliableService,
  method: string,
  path: string,
  options: Call = {},
): Promise<any> {
  const answer = await ask(service, method, path, options);
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return answer.body.data;
}

/** Every item of a list, page after page. */
export async function listAll(service: UnreliableService, path: string, token: string): Promise<any[]> {
  const items: any[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await have(service, 'GET', `${path}?limit=200${cursor && `&cursor=${cursor}`}`, { token });
    items.push(...page.items);
    cursor = page.next_cursor;
  }
  return items;
}
