import { z } from 'zod';
import { ask, checked, NoAnswer, parseJson, UnusableAnswer, type Wire } from '../answers/answers.ts';
import type { HttpResponse } from '../answers/transport.ts';

/** The problem type of Horizon's own 404. The 404 of a gateway does not have it. */
const NOT_FOUND = 'https://stellar.org/horizon-errors/not_found';
const Problem = z.object({ type: z.string() });

type Query = Record<string, string | number | boolean>;

export type HorizonClient = {
  /** @throws NoAnswer, also for Horizon's 404 */
  get<T extends z.ZodType>(name: string, path: string, shape: T, query?: Query): Promise<z.output<T>>;
  /** Looks something up; null for Horizon's 404. @throws NoAnswer */
  look<T extends z.ZodType>(name: string, path: string, shape: T): Promise<z.output<T> | null>;
  /** Posts a form. Gives the answer whatever its status is. @throws NoAnswer */
  post(name: string, path: string, form: Record<string, string>): Promise<HttpResponse>;
};

/** Makes the client of a Horizon server. `name` is the label of a request in the metrics. */
export function horizonClient(base_url: string, wire: Wire): HorizonClient {
  async function look<T extends z.ZodType>(name: string, path: string, shape: T, query: Query = {}) {
    const url = urlOf(base_url, path, query);
    const { status, text } = await ask(wire, name, { url, method: 'GET' }, { paged: 'limit' in query });
    if (status === 200) return checked(name, parseJson(name, text), shape);
    if (status === 404 && problemType(name, text) === NOT_FOUND) return null;
    throw new NoAnswer(`${name}: HTTP ${status}`);
  }
  return {
    async get(name, path, shape, query) {
      const found = await look(name, path, shape, query);
      if (found === null) throw new NoAnswer(`${name}: not there`);
      return found;
    },
    look,
    post(name, path, form) {
      const body = { type: 'application/x-www-form-urlencoded', text: `${new URLSearchParams(form)}` };
      return ask(wire, name, { url: urlOf(base_url, path, {}), method: 'POST', body });
    },
  };
}

/** Keeps the path and query of the base URL: they may hold an access key. */
function urlOf(base_url: string, path: string, query: Query): string {
  const url = new URL(base_url);
  url.pathname = url.pathname.replace(/\/$/, '') + path;
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, `${value}`);
  return url.href;
}

function problemType(name: string, text: string): string | null {
  try {
    return checked(name, parseJson(name, text), Problem).type;
  } catch (error) {
    if (error instanceof UnusableAnswer) return null; // not Horizon's own answer
    throw error;
  }
}
