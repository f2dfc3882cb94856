/**
 * Traces: the whole way of a payment is one trace, over loops, processes and a restart; the collector gets no secret, and its
 * faults are nobody else's.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import type { Sandbox } from '../../sandbox/launch.ts';
import { type Collector, type SentSpan, startCollector } from '../support/collector.ts';
import { eventually } from '../support/eventually.ts';
import { closingLedgers, startNetwork } from '../support/in-process-service.ts';
import { type Ledger, openLedger } from '../support/ledger.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { startService, type TestService, temporaryDirectory } from '../support/service.ts';

const CALLER = { trace_id: '4bf92f3577b34da6a3ce929d0e0e4736', span_id: '00f067aa0ba902b7' };
const TRACEPARENT = `00-${CALLER.trace_id}-${CALLER.span_id}-01`;

let collector: Collector;
let sandbox: Sandbox;
let ledger: Ledger;
let receiver: Receiver;
let storage: Awaited<ReturnType<typeof createTestDatabase>>;
let env: Record<string, string>;
let service: TestService;
let token: string;
let wallet: { id: string; api_key: string };
let signing_secret: string;
let payee: string;

before(async () => {
  collector = await startCollector();
  sandbox = await startNetwork();
  storage = await createTestDatabase();
  receiver = await startReceiver();
  env = {
    DATABASE_URL: storage.url,
    MASTER_KEY: randomBytes(32).toString('base64'),
    STELLAR_RPC_URL: `${sandbox.rpc_url}?key=rpc-secret`,
    WEBHOOK_ALLOWED_HOSTS: '127.0.0.1',
    LOG_LEVEL: 'info',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-key=a%20key',
    OTEL_SERVICE_NAME: 'payments',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
  };
  service = await start();
  token = await service.login();
  ledger = await openLedger(sandbox.rpc_url);
  const made = await closing(service.api('POST', '/v1/wallets', { token, body: { name: 'Traced' } }));
  wallet = made.body.data;
  payee = (await closing(ledger.fund())).publicKey();
  const url = `${receiver.url}/hooks/path-secret?token=query-secret`;
  const events = ['deposit.created', 'withdrawal.confirmed'];
  const hook = await service.api('POST', path('webhooks'), { token, body: { url, events } });
  signing_secret = hook.body.data.signing_secret;
});
after(async () => {
  await service?.stop();
  await receiver?.close();
  await collector?.close();
  await sandbox?.stop();
  await storage?.drop();
});

const data_dir = temporaryDirectory();
const start = () => startService({ data_dir, env });
const closing = <T>(work: Promise<T>) => closingLedgers(sandbox, work);
const path = (rest: string) => `/v1/wallets/${wallet.id}/${rest}`;
const withdraw = (key: string, headers: Record<string, string> = {}) =>
  service.api('POST', path('withdraw'), {
    token,
    body: { destination: payee, amount_stroops: 1_000_000 },
    headers: { 'idempotency-key': key, ...headers },
  });

/** The spans of a trace once there is one that `isLast` knows. A span leaves the service after five seconds at most. */
const traceWith = (what: string, isLast: (span: SentSpan) => boolean) =>
  eventually(what, () => {
    const last = collector.spans().find(isLast);
    return last ? collector.spans().filter(({ trace_id }) => trace_id === last.trace_id) : null;
  });

/** One span begins the trace, and every other span has another one of it as its parent. */
function assertConnected(spans: SentSpan[], root_parent: string | null): void {
  const ids = new Set(spans.map(({ span_id }) => span_id));
  const roots = spans.filter(({ parent_span_id }) => !ids.has(parent_span_id ?? ''));
  assert.deepEqual(
    roots.map(({ parent_span_id }) => parent_span_id),
    [root_parent],
    JSON.stringify(spans, null, 1),
  );
}

const names = (spans: SentSpan[]) => spans.map(({ name }) => name).sort();

const WAY_OF_A_WITHDRAWAL = [
  'POST /v1/wallets/:id/withdraw',
  'POST webhook',
  'claim withdrawal',
  'record outcome',
  'send transaction',
  'sign withdrawal',
].sort();

const isDelivered = (id: string) => (span: SentSpan) => span.name === 'POST webhook' && isIn(id, span);
/** The event of a withdrawal has no attribute with its id: the body of the webhook tells which one it was. */
const isIn = (id: string, { trace_id }: SentSpan) =>
  collector.spans().some((span) => span.trace_id === trace_id && span.attributes.withdrawal_id === id);

describe('the way of a payment', () => {
  it('a withdrawal is one trace, from the request to the webhook', async () => {
    const { body, status, headers } = await closing(withdraw('traced-1'));
    assert.equal(status, 201);
    const { id } = body.data;
    const spans = await traceWith('the webhook', isDelivered(id));
    assert.deepEqual(names(spans), WAY_OF_A_WITHDRAWAL);
    assertConnected(spans, null);
    for (const { attributes, name } of spans.filter((span) => span.name !== 'POST webhook'))
      assert.deepEqual([attributes.withdrawal_id, attributes.wallet_id], [id, wallet.id], name);
    const outcome = spans.find(({ name }) => name === 'record outcome');
    assert.equal(`${outcome?.attributes.ledger}`, `${body.data.ledger}`);
    const [reading] = collector.spans().filter(({ trace_id }) => outcome?.linked_traces.includes(trace_id));
    assert.equal(reading?.name, 'process ledgers');
    assert.equal(outcome?.resource['service.name'], 'payments');
    assert.equal(outcome?.resource['deployment.environment.name'], 'test');
    assert.ok(spans.every(({ is_error }) => !is_error));
    // The log comes through a pipe, and may come later than the answer.
    const [confirmed] = await eventually('the line of the outcome', () => {
      const lines = linesOf((line) => line.withdrawal_id === id && line.msg === 'withdrawal confirmed');
      return lines.length > 0 && lines;
    });
    assert.equal(confirmed.trace_id, outcome?.trace_id);
    const lines = await eventually('a line of the request', () => {
      const lines = linesOf(({ request_id }) => request_id === headers.get('x-request-id'));
      return lines.length > 0 && lines;
    });
    assert.ok(lines.every(({ trace_id }) => trace_id === outcome?.trace_id));
  });

  it('a deposit and its webhook are one trace, which links to the reading of its ledger', async () => {
    const { body } = await service.api('POST', path('addresses'), { token, body: {} });
    const payer = await closing(ledger.fund());
    const { hash } = await closing(ledger.pay(payer, body.data.address, 5_000_000n));
    const spans = await traceWith(
      'the webhook',
      ({ name, trace_id }) =>
        name === 'POST webhook' &&
        collector
          .spans()
          .some((span) => span.trace_id === trace_id && span.attributes.stellar_tx_hash === hash),
    );
    assert.deepEqual(names(spans), ['POST webhook', 'record deposit']);
    assertConnected(spans, null);
    const [deposit] = spans.filter(({ name }) => name === 'record deposit');
    assert.equal(deposit?.attributes.wallet_id, wallet.id);
    assert.ok(
      collector
        .spans()
        .some(({ name, trace_id }) => name === 'read ledgers' && deposit?.linked_traces.includes(trace_id)),
    );
  });

  it('the trace of a caller goes on over a restart between the answer 202 and the outcome', async () => {
    const { status, body } = await withdraw('traced-2', {
      prefer: 'respond-async',
      traceparent: TRACEPARENT,
    });
    assert.equal(status, 202);
    await eventually('the signature', async () => {
      const { rows } = await query('select status from withdrawals where id = $1', [body.data.id]);
      return rows[0].status === 'signed';
    });
    assert.equal(await service.stop(), 0);
    const before_restart = names(collector.spans().filter(({ trace_id }) => trace_id === CALLER.trace_id));
    assert.ok(before_restart.includes('send transaction') && !before_restart.includes('record outcome'));
    service = await start();
    await closing(eventually('the outcome', () => receivedOf(body.data.id)));
    const spans = await traceWith('the webhook', isDelivered(body.data.id));
    assert.deepEqual([...new Set(names(spans))], WAY_OF_A_WITHDRAWAL);
    assert.equal(spans[0]?.trace_id, CALLER.trace_id);
    assertConnected(spans, CALLER.span_id);
  });

  it('an invalid traceparent is ignored: the request is traced by an id of its own', async () => {
    const hostile = [
      '00-0-0-01',
      TRACEPARENT.toUpperCase(),
      `${TRACEPARENT},${TRACEPARENT}`,
      'a'.repeat(4_000),
    ];
    const zeros = `00-${'0'.repeat(32)}-${CALLER.span_id}-01`;
    const asked = [];
    for (const traceparent of [...hostile, zeros]) {
      const { headers, status } = await service.api('GET', `/v1/wallets/${wallet.id}`, {
        token,
        headers: { traceparent },
      });
      assert.equal(status, 200);
      asked.push(headers.get('x-request-id'));
    }
    for (const request_id of asked) {
      const [span] = await traceWith('the span', ({ attributes }) => attributes.request_id === request_id);
      assert.equal(span?.parent_span_id, null);
      assert.notEqual(span?.trace_id, CALLER.trace_id);
    }
  });

  it('a caller who does not want the trace to be sampled gets none', async () => {
    const traceparent = `00-${'a'.repeat(32)}-${CALLER.span_id}-00`;
    const { body } = await closing(withdraw('traced-3', { traceparent }));
    assert.equal(body.data.status, 'confirmed');
    await eventually('the webhook', () => receivedOf(body.data.id));
    assert.equal(await service.stop(), 0);
    service = await start();
    assert.ok(collector.spans().every(({ trace_id }) => trace_id !== 'a'.repeat(32)));
  });
});

describe('what leaves the service', () => {
  it('is no secret, in any byte', () => {
    const sent = collector.everything();
    assert.ok(collector.spans().length > 20);
    assert.ok(sent.includes('/v1/traces'));
    assert.ok(sent.includes('a key'), 'the header of the operator is there');
    const secrets = [
      wallet.api_key,
      token,
      signing_secret,
      env.MASTER_KEY,
      'rpc-secret',
      'path-secret',
      'query-secret',
    ];
    for (const secret of [...secrets, 'traced-1', 'Bearer', 'correct horse', 'select ', 'AAAAA'])
      assert.ok(!sent.includes(secret ?? ''), secret);
  });

  it('is no traceparent for receivers of webhooks', () => {
    assert.ok(receiver.requests.length > 0);
    for (const { headers } of receiver.requests) {
      assert.equal(headers.traceparent, undefined);
      assert.equal(headers.tracestate, undefined);
    }
  });
});

describe('a collector that', () => {
  for (const [fault, answering] of [
    ['refuses everything', 500],
    ['never answers', () => {}],
  ] as const)
    it(`${fault} changes nothing, and what it has lost is counted`, async () => {
      const bad = await startCollector(answering);
      const lost = await startService({
        env: { ...env, OTEL_EXPORTER_OTLP_ENDPOINT: bad.url, OTEL_EXPORTER_OTLP_TIMEOUT: '300' },
      });
      try {
        await lost.api('GET', `/v1/wallets/${wallet.id}`, { token });
        await bad.received(1);
        await eventually('the count', async () =>
          /spans_dropped_total\{reason="not_accepted"\} [1-9]/.test(await lost.metrics()),
        );
        const { status } = await lost.api('GET', `/v1/wallets/${wallet.id}`, { token });
        assert.equal(status, 200);
      } finally {
        assert.equal(await lost.stop(), 0, lost.output());
        await bad.close();
      }
      const lines = lost.output().split('\n');
      assert.equal(lines.filter((line) => line.includes('Spans of traces are lost')).length, 1);
    });
});

it('without OTEL_EXPORTER_OTLP_ENDPOINT what sends spans is not loaded, and nothing is traced', async () => {
  const NODE_OPTIONS = `--import=${new URL('../support/tell-loaded.mjs', import.meta.url)}`;
  const loads = async (more: Record<string, string>) => {
    const other = await startService({ env: { ...env, NODE_OPTIONS, ...more } });
    const { status } = await other.api('GET', `/v1/wallets/${wallet.id}`, { token });
    assert.equal(status, 200);
    assert.equal(await other.stop(), 0, other.output());
    return other.output().includes('loads @opentelemetry/sdk-trace');
  };
  assert.equal(await loads({}), true, 'the test sees what is loaded');
  const sent = collector.requests.length;
  assert.equal(await loads({ OTEL_EXPORTER_OTLP_ENDPOINT: '' }), false);
  assert.equal(await loads({ OTEL_SDK_DISABLED: 'true' }), false);
  assert.equal(collector.requests.length, sent);
});

async function query(text: string, values: unknown[]) {
  const client = new pg.Client({ connectionString: storage.url });
  await client.connect();
  return client.query(text, values).finally(() => client.end());
}

const receivedOf = (id: string) => receiver.requests.some(({ body }) => body.includes(id));

function linesOf(wanted: (line: any) => boolean): any[] {
  const lines = service.output().split('\n');
  return lines
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line))
    .filter(wanted);
}
