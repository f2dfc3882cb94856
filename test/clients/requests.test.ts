/** What the TypeScript client sends: clients/cases/requests.json. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { stringifyExact } from '../../clients/typescript/src/exact-json.ts';
import { TellerClient } from '../../clients/typescript/src/index.ts';
import { camelCase, givenValue, readCases } from './cases.ts';

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
  for (const { name, call, wallet, given, answers, another, sent } of readCases<{ cases: Case[] }>('requests')
    .cases)
    test(name, async () => {
      const seen: Sent[] = [];
      const client = new TellerClient({
        token: 't',
        fetch: async (input, init) => {
          seen.push(sentOf(new Request(input, init)));
          return answerOf(answers[seen.length - 1]);
        },
      });
      const [group = '', method = ''] = camelCase(call).split('.');
      const methods = (client as unknown as Record<string, Record<string, Method>>)[group];
      const asked = firstOf(methods?.[method]?.(wallet, givenValue(given)));
      if (another) await assert.rejects(asked, /UnexpectedAnswerError: .* is another request's answer/);
      else await asked;
      assert.deepEqual(seen, sent);
    });
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
  return new Response(stringifyExact({ statusCode: 200, message: 'm', data }));
}
