import {
  fixedCredential,
  ServiceUserCredential,
  type ServiceUserKey,
  type ServiceUserSecret,
} from './credentials.ts';
import { Events } from './events.ts';
import type { Hooks, Logger } from './hooks.ts';
import { Operations } from './operations.ts';
import { Payouts } from './payouts.ts';
import { MAX_RETRIES } from './retries.ts';
import { type Credential, type Send, Transport } from './transport.ts';
import { Withdrawals } from './withdrawals.ts';

type Settings = {
  /** Where the service is: http://127.0.0.1:3000 when absent. */
  base_url?: string;
  /** How often a request that may be repeated is sent again: 3 when absent. */
  max_retries?: number;
  /** For each try: 30,000 when absent. Withdrawals, payouts and exams have longer ones of their own. */
  timeout_ms?: number;
  /** In place of the global one, for a proxy or a certificate of your own. */
  fetch?: typeof fetch;
  /** Called for each request, response and retry. */
  hooks?: Hooks;
  /** For example `console`. No line is written when absent. */
  logger?: Logger;
};

/**
 * At most one credential, and none for a login: `token` may be undefined, as in the answer to a login that needs a second factor.
 * An API key never withdraws. A service user or a login token may.
 */
type GivenCredential =
  | { api_key: string; token?: undefined; client_id?: undefined }
  | { token?: string | undefined; api_key?: undefined; client_id?: undefined }
  | (ServiceUserSecret & { api_key?: undefined; token?: undefined })
  | (ServiceUserKey & { api_key?: undefined; token?: undefined });

export type ClientOptions = Settings & GivenCredential;

const BASE_URL = 'http://127.0.0.1:3000';
const TIMEOUT_MS = 30_000;

/**
 * A client of the service. Fields are as on the wire (snake_case); amounts, memo ids and numbers of events are bigint.
 * Errors are in errors.ts.
 */
export class TellerClient extends Operations {
  override readonly events: Events;
  override readonly payouts: Payouts;
  override readonly withdrawals: Withdrawals;

  /** @throws TypeError for a `base_url` that is no http or https URL, for an invalid credential, and for more than one credential. */
  constructor(options: ClientOptions = {}) {
    const { base_url = BASE_URL, max_retries = MAX_RETRIES, timeout_ms = TIMEOUT_MS } = options;
    const { hooks, logger } = options;
    checkUrl(new URL(base_url));
    // A method that is taken off its object loses it.
    const fetching = options.fetch ?? ((input, init) => globalThis.fetch(input, init));
    const transport = new Transport({ base_url, max_retries, timeout_ms, fetch: fetching, hooks, logger });
    const credential = credentialOf(options, transport);
    const send: Send = (...request) => transport.send(credential, ...request);
    super(send);
    this.events = new Events(send);
    this.payouts = new Payouts(send);
    this.withdrawals = new Withdrawals(send);
  }
}

function checkUrl({ protocol, username, password, search, hash }: URL): void {
  if (!/^https?:$/.test(protocol)) throw new TypeError('base_url must be http or https');
  if (username || password) throw new TypeError('base_url must have no credential: give api_key or token');
  if (search || hash) throw new TypeError('base_url must have no ? and no #');
}

function credentialOf(options: ClientOptions, transport: Transport): Credential {
  const { api_key, token, client_id } = options;
  if ([api_key, token, client_id].filter((given) => given !== undefined).length > 1)
    throw new TypeError('give one credential: api_key, token, or client_id with its secret or key');
  if (client_id === undefined) return fixedCredential(api_key ?? token);
  return new ServiceUserCredential(transport, options as ServiceUserSecret | ServiceUserKey);
}
