/** When the TypeScript client asks again, and what it makes of a doubt: the rules of clients/cases/retries.json. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { suite, test } from 'node:test';
import { isUnanswered, outcomeOf } from '../../clients/typescript/src/answers.ts';
import {
  type ApiError,
  apiError,
  NotKnownYetError,
  TellerConnectionError,
  type TellerError,
  TellerUnreachableError,
  UnexpectedAnswerError,
} from '../../clients/typescript/src/errors.ts';
import { TellerClient } from '../../clients/typescript/src/index.ts';
import * as retries from '../../clients/typescript/src/retries.ts';
import { whyUnreachable } from '../../clients/typescript/src/unreachable.ts';
import { STATUS_OF_CODE } from '../../src/lib/errors.ts';
import { TEST_CERTIFICATE } from '../support/test-certificate.ts';
import { readCases } from './cases.ts';

type RetryRules = {
  base_delay_ms: number;
  max_delay_ms: number;
  max_retry_after_seconds: number;
  max_retries: number;
  table: {
    repeatable: boolean;
    status: number | null;
    code: string | null;
    retry: boolean;
    may_be_accepted: boolean;
  }[];
  waits: { failures: number; retry_after_seconds: number | null; random: number; wait_ms: number }[];
};

function errorOf(status: number | null, code: string | null): TellerError {
  if (status === null) return new TellerConnectionError('m');
  if (code === null) return new UnexpectedAnswerError('m', { status, text: '', request_id: null });
  const none = { details: [], request_id: null, data: null, retry_after_seconds: null };
  return apiError('m', { status, code, ...none });
}

function nodeError(code: string): Error {
  return new TypeError('fetch failed', { cause: Object.assign(new Error('m'), { code }) });
}

suite('retries', () => {
  const { rules } = readCases<{ rules: RetryRules }>('retries');
  for (const { repeatable, status, code, retry, may_be_accepted } of rules.table)
    test(`${status ?? 'no answer'} ${code ?? ''} ${repeatable ? 'of what is repeatable' : 'of anything else'}`, () => {
      assert.equal(retries.mayRepeat(repeatable, { status, code }), retry);
      assert.equal(isUnanswered(errorOf(status, code)), may_be_accepted);
    });
  test('the table decides about each 503 of the service', () => {
    const decided = rules.table.filter(({ status }) => status === 503).map(({ code }) => code);
    const given = Object.entries(STATUS_OF_CODE).filter(([, status]) => status === 503);
    assert.deepEqual(
      given.map(([code]) => code).filter((code) => !decided.includes(code)),
      [],
    );
  });

  for (const { wait_ms, ...row } of rules.waits)
    test(`a wait after ${JSON.stringify(row)}`, () =>
      assert.equal(retries.waitMs(row.failures, row.retry_after_seconds, row.random), wait_ms));

  test('pauses grow, have jitter, follow Retry-After, and end', () => {
    const { base_delay_ms, max_delay_ms, max_retry_after_seconds, max_retries } = rules;
    assert.equal(retries.MAX_RETRIES, max_retries);
    assert.equal(retries.pauseMs(1, null, 1), base_delay_ms);
    assert.equal(retries.pauseMs(1, null, 0), base_delay_ms / 2);
    assert.equal(retries.pauseMs(2, null, 1), base_delay_ms * 2);
    assert.equal(retries.pauseMs(60, null, 1), max_delay_ms);
    assert.ok((retries.pauseMs(1, max_retry_after_seconds, 0) ?? 0) >= max_retry_after_seconds * 1_000);
    assert.equal(retries.pauseMs(1, max_retry_after_seconds + 1, 0), null);
  });

  test('429 to the exchange of a token says nothing about a try before it that had no answer', async () => {
    const limited = { code: 'too_many_logins', request_id: 'r' };
    const answers = [
      { statusCode: 200, message: 'm', data: { token: 't', expires_in: 0 } },
      null,
      { statusCode: 429, message: 'm', error: limited },
    ];
    const fetch = async () => {
      const answer = answers.shift();
      if (!answer) throw new TypeError('the connection has ended');
      return Response.json(answer, { status: answer.statusCode, headers: { 'retry-after': '3600' } });
    };
    const client = new TellerClient({ client_id: 'usr_1', client_secret: 's', fetch });
    const order = { destination: 'G', amount_stroops: 1n, idempotency_key: 'key-1' };
    await assert.rejects(client.withdrawals.withdraw('wal_1', order), (error) => {
      assert.ok(error instanceof NotKnownYetError);
      assert.equal(error.idempotency_key, 'key-1');
      assert.equal((error.cause as ApiError).retry_after_seconds, 3600);
      return true;
    });
    assert.deepEqual(answers, []);
  });

  test('a certificate that nobody trusts ends a call at its first try, with the cause', async () => {
    const server = createServer(TEST_CERTIFICATE).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const client = new TellerClient({
      base_url: `https://127.0.0.1:${port}`,
      api_key: 'a',
      max_retries: 1_000,
    });
    await assert.rejects(client.auth.me(), (error) => {
      assert.ok(error instanceof TellerUnreachableError && error.is_lasting);
      assert.match(error.message, /^Nothing was sent to https:.*certificate/);
      return true;
    });
    server.close();
  });

  test('after a try without an answer, one that could not be sent is a doubt', async () => {
    const failures = [{ code: 'ECONNRESET' }, { code: 'ECONNREFUSED' }];
    const fetch = async () => {
      throw new TypeError('fetch failed', { cause: Object.assign(new Error('m'), failures.shift()) });
    };
    const client = new TellerClient({ token: 't', fetch });
    const order = { destination: 'G', amount_stroops: 1n, idempotency_key: 'key-1' };
    await assert.rejects(client.withdrawals.withdraw('wal_1', order), (error) => {
      assert.ok(error instanceof NotKnownYetError);
      assert.ok(error.cause instanceof TellerUnreachableError);
      return true;
    });
    assert.deepEqual(failures, []);
  });

  const failures: [string, Error, ReturnType<typeof whyUnreachable>][] = [
    ['Node, unknown name', nodeError('ENOTFOUND'), 'unknown name'],
    ['Node, a name server that is away', nodeError('EAI_AGAIN'), null],
    ['Node, refused connection', nodeError('ECONNREFUSED'), 'refused connection'],
    ['Node, cut connection', nodeError('ECONNRESET'), null],
    ['Node, certificate that has ended', nodeError('CERT_HAS_EXPIRED'), 'certificate'],
    ['Node, HTTP at the port', nodeError('ERR_SSL_WRONG_VERSION_NUMBER'), 'certificate'],
    [
      'Node, a port that no browser uses',
      new TypeError('fetch failed', { cause: new Error('bad port') }),
      'blocked port',
    ],
    [
      'Bun, refused connection',
      Object.assign(new Error('m'), { code: 'ConnectionRefused' }),
      'refused connection',
    ],
    [
      'Deno, refused connection',
      new TypeError('client error (Connect): tcp connect error: Connection refused (os error 111)'),
      'refused connection',
    ],
    [
      'Deno, certificate',
      new TypeError('client error (Connect): invalid peer certificate: UnknownIssuer'),
      'certificate',
    ],
  ];
  for (const [name, error, why] of failures)
    test(`whether anything was sent: ${name}`, () => assert.equal(whyUnreachable(error), why));

  test('an error that does not come from the service has no code', () => {
    assert.deepEqual(outcomeOf(new Error('x')), { status: null, code: null });
  });
});
