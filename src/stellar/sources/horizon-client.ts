import { z } from 'zod';
import { ask, checked, NoAnswer, parseJson, UnusableAnswer, type Wire } from './answers.ts';
import type { HttpResponse } from './transport.ts';

/** What Horizon says of its own 404, unlike a gateway's of a path that leads nowhere. */
const NOT_FOUND = 'https://stellar.org/horizon-errors/not_found';
const Problem = z.object({ type: z.string() });

type Query = Record<string, string | number | boolean>;

export type HorizonClient = {
  /** @throws NoAnswer, also when Horizon has no such thing */
  get<T extends z.ZodType>(name: string, path: string, shape: T, query?: Query): Promise<z.output<T>>;
  /** Null when Horizon has no such thing. @throws NoAnswer */
  look<T extends z.ZodType>(name: string, path: string, shape: T): Promise<z.output<T> | null>;
  /** Posts a form; the answer is its status with it. @throws NoAnswer */
  post(name: string, path: string, form: Record<string, string>): Promise<HttpResponse>;
};

/** A Horizon server. Names of requests are for the metrics, as Horizon's objects are called. */
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

/** The base's own path and query stay: they may hold an access key. */
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
    if (error instanceof UnusableAnswer) return null; // whose 404 it is does not matter then
    throw error;
  }
}
