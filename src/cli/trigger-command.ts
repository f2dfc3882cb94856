/** `teller trigger`: sends a test event to an endpoint and says how the receiver answered. It needs the API of a service only. */
import { Argument, type Command } from 'commander';
import { readClientConfig } from '../config.ts';
import { systemClock } from '../lib/clock.ts';
import { OperatorError } from '../lib/errors.ts';
import { isAcknowledged } from '../outgoing/post.ts';
import {
  createServiceApi,
  endpointPath,
  RefusedByService,
  requireData,
  requireOwnWallet,
  type ServiceApi,
} from '../webhooks/events/service-api.ts';
import { TEST_EVENTS, type TestEvent } from '../webhooks/store/event-types.ts';

/** An attempt takes 15 s at most, and an endpoint may have others to finish first. */
const PATIENCE_MS = 30_000;
const POLL_MS = 250;

type Options = { wallet: string; endpoint: string };
type Sent = {
  id: string;
  attempt_log: { status_code: number | null; error: string | null; duration_ms: number }[];
};

export function triggerCommand(program: Command): void {
  program
    .command('trigger')
    .description(
      'send a test event to a webhook endpoint, as the service sends its events, and say how the receiver answered; needs ' +
        'the API key in API_KEY or API_KEY_FILE; the service is at API_URL (default: http://127.0.0.1:PORT)',
    )
    .addArgument(new Argument('<event>', 'which test event').choices(TEST_EVENTS))
    .requiredOption('--wallet <id>', 'id of the wallet of the API key, wal_…')
    .requiredOption('--endpoint <id>', 'id of the webhook endpoint, whe_…')
    .action(async (event: TestEvent, options: Options) => {
      const api = createServiceApi(readClientConfig(process.env));
      try {
        await requireOwnWallet(api, options.wallet);
        const { id } = await queue(api, options, event);
        const sent = await attempted(api, options, id);
        process.stdout.write(`${event} ${id} → ${outcomeOf(sent)}\n`);
        if (!isAcknowledgedBy(sent)) process.exitCode = 1;
      } finally {
        await api.close();
      }
    });
}

/** @throws OperatorError */
async function queue(api: ServiceApi, options: Options, event: TestEvent): Promise<Sent> {
  const path = endpointPath(options, '/test');
  return requireData<Sent>(api, { method: 'POST', path, body: { event } }).catch((error) => {
    if (!(error instanceof RefusedByService) || error.code !== 'endpoint_disabled') throw error;
    throw new OperatorError(
      `The endpoint ${options.endpoint} is disabled: it gets no events and no test events; its events wait. ` +
        'Enable it in the dashboard, or with a login: PATCH …/webhooks/:webhook_id {"enabled": true}.',
    );
  });
}

/** Waits until the delivery had an attempt, for 30 s at most. Returns the delivery, without an attempt when the time is over. */
async function attempted(api: ServiceApi, options: Options, delivery_id: string): Promise<Sent> {
  const path = endpointPath(options, `/deliveries/${delivery_id}`);
  const until_ms = systemClock.now().getTime() + PATIENCE_MS;
  for (;;) {
    const sent = await requireData<Sent>(api, { method: 'GET', path });
    if (sent.attempt_log.length > 0 || systemClock.now().getTime() >= until_ms) return sent;
    await systemClock.sleep(POLL_MS);
  }
}

function outcomeOf({ attempt_log }: Sent): string {
  const [attempt] = attempt_log;
  if (!attempt) return `not sent within ${PATIENCE_MS / 1000} s; see the deliveries of the endpoint`;
  const { status_code, error, duration_ms } = attempt;
  const came = error ?? `${status_code} in ${duration_ms} ms`;
  return isAcknowledged(status_code ?? 0) ? came : `${came}; the service tries again`;
}

function isAcknowledgedBy({ attempt_log: [attempt] }: Sent): boolean {
  return isAcknowledged(attempt?.status_code ?? 0);
}
