/** What the TypeScript client sends: clients/cases/requests.json. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { stringifyExact } from '../../clients/typescript/src/exact-json.ts';
import { type Hooks, TellerClient } from '../../clients/typescript/src/index.ts';
import { camelCase, givenValue, readCases } from './cases.ts';

const { version } = JSON.parse(
  readFileSync(join(import.meta.dirname, '..', '..', 'clients', 'typescript', 'package.json'), 'utf8'),
);

type Sent = { method: string; path: string; query: Record<string, string>; idempotency_key: string | null };
type Case = {
  name: string;
  call: string;
  wallet: string;
  given: unknown;
  answers: unknown[];
  another?: true;
  sent: Sent[];
};

suite('what a client sends', { concurrency: true }, () => {
  const { cases, user_agent } = readCases<{ cases: Case[]; user_agent: string }>('requests');
  for (const { name, call, wallet, given, answers, another, sent } of cases)
    test(name, async () => {
      const seen: Sent[] = [];
      const hooked = { sent: 0, received: 0, again: 0 };
      const client = new TellerClient({
        token: 't',
        hooks: {
          onRequest: () => hooked.sent++,
          onResponse({ status, headers }) {
            assert.deepEqual([status, headers.get('x-from')], [200, 'table']);
            hooked.received++;
            throw new Error('what a hook throws is dropped');
          },
          onRetry: () => hooked.again++,
        },
        fetch: async (input, init) => {
          const request = new Request(input, init);
          assert.equal(request.headers.get('user-agent'), `${user_agent}${version} (TypeScript)`);
          seen.push(sentOf(request));
          return answerOf(answers[seen.length - 1]);
        },
      });
      const [group = '', method = ''] = camelCase(call).split('.');
      const methods = (client as unknown as Record<string, Record<string, Method>>)[group];
      const asked = firstOf(methods?.[method]?.(wallet, givenValue(given)));
      if (another) await assert.rejects(asked, /UnexpectedAnswerError: .* is another request's answer/);
      else await asked;
      const made = seen.map(({ idempotency_key: key }) => key).filter((key) => key?.startsWith('auto_'));
      assert.ok(new Set(made).size <= 1, 'a call has one key');
      const shown = seen.map((one) =>
        made.includes(one.idempotency_key) ? { ...one, idempotency_key: 'auto' } : one,
      );
      assert.deepEqual(shown, sent);
      const lost = answers.filter((answer) => answer === null).length;
      assert.deepEqual(hooked, { sent: sent.length, received: sent.length - lost, again: lost });
    });
});

test('a call has hooks of its own, and a logger gets a line for each response and retry', async () => {
  const lines: string[] = [];
  const log = (message: string) => void lines.push(message.replace(/\d+ ms/g, '… ms'));
  const answers = [null, { items: [], next_cursor: null }];
  const client = new TellerClient({
    token: 't',
    logger: { debug: log, warn: log },
    fetch: async () => answerOf(answers.shift()),
  });
  const statuses: number[] = [];
  const hooks: Hooks = { onResponse: ({ status }) => statuses.push(status) };
  await client.withdrawals.list('wal_1', {}, { hooks }).first();
  assert.deepEqual(statuses, [200]);
  assert.deepEqual(
    lines.map((line) => line.replace(/:.*(Again|200)/, ': … $1')),
    [
      'GET /v1/wallets/wal_1/withdrawals: … Again in … ms.',
      'GET /v1/wallets/wal_1/withdrawals: … 200 in … ms (request req_1)',
    ],
  );
});

test('a payment does not depend on a hook that rejects, nor on a logger that throws', async () => {
  let sent = 0;
  const fails = () => {
    throw new Error('the log is closed');
  };
  const client = new TellerClient({
    token: 't',
    logger: { debug: fails, warn: fails },
    hooks: { onRequest: async () => fails(), onResponse: async () => fails() },
    fetch: async () => {
      sent++;
      return answerOf({ id: 'wd_1', wallet_id: 'wal_1', idempotency_key: 'k', status: 'confirmed' });
    },
  });
  const order = { destination: 'G', amount_stroops: 1n, idempotency_key: 'k' };
  const { status } = await client.withdrawals.withdraw('wal_1', order);
  assert.deepEqual([status, sent], ['confirmed', 1]);
});

type Method = (wallet: string, given: unknown) => Result;
type Result = Promise<unknown> | AsyncGenerator | { first(): Promise<unknown> } | undefined;

/** A list is asked for when it is read. */
async function firstOf(result: Result): Promise<void> {
  assert.ok(result);
  if ('first' in result) await result.first();
  else if ('next' in result) await result.next();
  else await result;
}

function sentOf({ method, url, headers }: Request): Sent {
  const { pathname: path, searchParams } = new URL(url);
  const query = Object.fromEntries(searchParams);
  return { method, path, query, idempotency_key: headers.get('idempotency-key') };
}

function answerOf(data: unknown): Response {
  if (data === null) throw new TypeError('the connection has ended');
  const headers = { 'x-from': 'table', 'x-request-id': 'req_1' };
  return new Response(stringifyExact({ statusCode: 200, message: 'm', data }), { headers });
}
