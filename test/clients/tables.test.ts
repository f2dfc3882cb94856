/** The TypeScript client and the tables of cases that it shares with the other clients. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { readAnswer } from '../../clients/typescript/src/answers.ts';
import { ApiError, UnexpectedAnswerError } from '../../clients/typescript/src/errors.ts';
import { parseExact, stringifyExact } from '../../clients/typescript/src/exact-json.ts';
import { EXACT_NAME } from '../../clients/typescript/src/exact-name.ts';
import {
  signTestDelivery,
  verifyWebhook,
  WebhookVerificationError,
} from '../../clients/typescript/src/webhooks/verify.ts';
import { at, givenValue, readCases } from './cases.ts';

type Expected = {
  refused?: string;
  id: string | null;
  event: string;
  sequence: string | null;
  sent_at: string | null;
  integers: Record<string, string>;
  metadata_text: Record<string, string | null>;
};
type SignatureCase = {
  name: string;
  headers: Record<string, unknown>;
  body?: string;
  body_base64?: string;
  secrets: string[];
  now: number;
  tolerance_seconds?: number;
  accept_without_time?: boolean;
  expected: Expected;
};

const bytesOf = ({ body, body_base64 }: SignatureCase) =>
  body_base64 === undefined ? Buffer.from(body ?? '') : Buffer.from(body_base64, 'base64');

suite('deliveries', () => {
  const { cases } = readCases<{ cases: SignatureCase[] }>('signatures');
  for (const entry of cases) {
    const { name, headers, secrets, expected, now, tolerance_seconds, accept_without_time } = entry;
    const options = {
      now: () => now * 1_000,
      ...(tolerance_seconds !== undefined && { tolerance_seconds }),
      ...(accept_without_time !== undefined && { accept_without_time }),
    };
    test(name, async () => {
      const verifying = verifyWebhook(headers, bytesOf(entry), secrets, options);
      if (expected.refused) {
        const error = await verifying.then(
          () => null,
          (reason) => reason,
        );
        assert.ok(error instanceof WebhookVerificationError, String(error));
        assert.equal(error.reason, expected.refused, error.message);
        return;
      }
      const delivery = await verifying;
      assert.equal(delivery.id, expected.id);
      assert.equal(delivery.event, expected.event);
      assert.equal(delivery.sequence, expected.sequence === null ? null : BigInt(expected.sequence));
      assert.equal(delivery.sent_at?.getTime() ?? null, expected.sent_at && Date.parse(expected.sent_at));
      assert.equal(delivery.text, bytesOf(entry).toString());
      checkValues(delivery, expected);
    });
  }

  test('a signed test delivery is what the service sends', async () => {
    const [entry] = cases;
    assert.ok(entry);
    const { headers, secrets, body = '' } = entry;
    const id = `${headers['webhook-id']}`;
    const sent_at = new Date(Number(headers['webhook-timestamp']) * 1_000);
    const sequence = BigInt(`${headers['webhook-sequence']}`);
    const signed = await signTestDelivery(body, `${secrets[0]}`, { id, sent_at, sequence });
    assert.deepEqual(signed, { headers: { 'content-type': 'application/json', ...headers }, body });
  });

  test('a receiver is tested with an event of one’s own', async () => {
    const secret = `${cases[0]?.secrets[0]}`;
    const event = { event: 'deposit.created', data: { amount_stroops: 2n ** 63n - 1n } };
    const { headers, body } = await signTestDelivery(event, secret);
    assert.deepEqual((await verifyWebhook(headers, body, secret)).data, event.data);
    await assert.rejects(signTestDelivery(event, 'whsec_'), TypeError);
  });

  test('the right ones are right for the reference library of Standard Webhooks too', (context) => {
    context.mock.timers.enable({ apis: ['Date'] });
    const [first, ...others] = cases.filter(
      ({ expected, headers, now }) =>
        !expected.refused &&
        headers['webhook-signature'] &&
        Math.abs(now - Number(headers['webhook-timestamp'])) < 300,
    );
    assert.ok(first && others.length > 10);
    for (const entry of [first, ...others]) {
      context.mock.timers.setTime(entry.now * 1_000);
      const verified = entry.secrets.some((secret) => {
        try {
          return new Webhook(secret).verify(
            bytesOf(entry).toString(),
            entry.headers as Record<string, string>,
          );
        } catch {
          return false;
        }
      });
      assert.ok(verified, entry.name);
    }
  });

  test('headers of the Fetch API are read, and a header object that throws refuses', async () => {
    const good = cases[0];
    assert.ok(good);
    const options = { now: () => good.now * 1_000 };
    const headers = new Headers(good.headers as Record<string, string>);
    const { id } = await verifyWebhook(headers, bytesOf(good), good.secrets, options);
    assert.equal(id, good.expected.id);
    const hostile = {
      get: () => {
        throw new RangeError('no');
      },
    };
    await assert.rejects(
      verifyWebhook(hostile, bytesOf(good), good.secrets, options),
      WebhookVerificationError,
    );
    await assert.rejects(verifyWebhook(null as never, bytesOf(good), good.secrets), WebhookVerificationError);
  });

  test('a signature header of a megabyte is refused in time that is proportional to its length', async () => {
    const good = cases[0];
    assert.ok(good);
    for (const signature of [
      `v1,${'A'.repeat(1e6)}`,
      'v1,A '.repeat(2e5),
      ','.repeat(1e6),
      ' '.repeat(1e6),
    ]) {
      const headers = { ...good.headers, 'webhook-signature': signature };
      const began_at = performance.now();
      const verifying = verifyWebhook(headers, bytesOf(good), good.secrets, { now: () => good.now * 1_000 });
      await assert.rejects(verifying, WebhookVerificationError);
      assert.ok(performance.now() - began_at < 60_000); // by the square of its length it would be longer
    }
  });

  test('a mistake of the receiver is a TypeError: no secret, one of another kind, a time that is no number, a parsed body', async () => {
    const good = cases[0];
    assert.ok(good);
    const { headers } = good;
    await assert.rejects(verifyWebhook(headers, bytesOf(good), []), TypeError);
    for (const secret of readCases<{ bad_secrets: string[] }>('signatures').bad_secrets)
      await assert.rejects(verifyWebhook(headers, bytesOf(good), secret), TypeError, secret);
    for (const options of [
      { tolerance_seconds: Number.NaN },
      { tolerance_seconds: -1 },
      { now: () => Number.NaN },
    ])
      await assert.rejects(verifyWebhook(headers, bytesOf(good), good.secrets, options), TypeError);
    await assert.rejects(verifyWebhook(headers, { event: 'ping' } as never, good.secrets), TypeError);
  });

  test('a delivery that is changed in any one bit of its signature is refused', async () => {
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const signature = createHmac('sha256', Buffer.alloc(32, 7)).update('evt_1.1000.{}').digest();
    for (let bit = 0; bit < 256; bit++) {
      const changed = Buffer.from(signature);
      changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      const headers = {
        'webhook-id': 'evt_1',
        'webhook-timestamp': '1000',
        'webhook-signature': `v1,${changed.toString('base64')}`,
      };
      const verifying = verifyWebhook(headers, '{}', secret, { now: () => 1_000_000 });
      await assert.rejects(verifying, { reason: 'wrong_signature' });
    }
  });
});

type Reading = {
  name: string;
  text: string;
  bad?: true;
  integers: Record<string, string>;
  metadata_text: Record<string, string | null>;
  exact?: string[];
  plain?: string[];
  nulls?: string[];
};

suite('integers', () => {
  const { exact_names, reading, writing } = readCases<{
    exact_names: string;
    reading: Reading[];
    writing: { name: string; value: unknown; text?: string; bad?: true }[];
  }>('integers');

  test('the names of exact integers are those of every client', () => {
    assert.equal(EXACT_NAME.source, exact_names);
  });
  for (const { name, text, bad, ...expected } of reading)
    test(`reading: ${name}`, () => {
      if (bad) return void assert.throws(() => parseExact(text), SyntaxError);
      const value = parseExact(text);
      checkValues(value, expected);
      for (const pointer of expected.exact ?? []) assert.equal(typeof at(value, pointer), 'bigint');
      for (const pointer of expected.plain ?? []) assert.equal(typeof at(value, pointer), 'number');
      for (const pointer of expected.nulls ?? []) assert.equal(at(value, pointer), null);
    });
  for (const { name, value, text, bad } of writing)
    test(`writing: ${name}`, () => {
      if (bad) assert.throws(() => stringifyExact(givenValue(value)), TypeError);
      else assert.equal(stringifyExact(givenValue(value)), text);
    });

  test('any other JSON is read as JSON.parse reads it, and metadata keeps any text', () => {
    const spaced = (value: unknown) => JSON.stringify(value, null, ' \t\n\r');
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        for (const text of [JSON.stringify(value), spaced(value)]) {
          const whole = `{"metadata":${text},"list":[${text}]}`;
          const read = parseExact(whole) as {
            metadata: unknown;
            metadata_text: string | null;
            list: unknown[];
          };
          assert.deepEqual(asNumbers(read.metadata), JSON.parse(text));
          assert.deepEqual(asNumbers(read.list), [JSON.parse(text)]);
          assert.equal(read.metadata_text, value === null ? null : text.trim());
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test('property: what was read is written again as it was read, with its exact metadata', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.bigInt(), (metadata, amount_stroops) => {
        const text = `{"amount_stroops":${amount_stroops},"metadata":${JSON.stringify(metadata, null, ' ')}}`;
        assert.equal(stringifyExact(parseExact(text)), text);
      }),
      { numRuns: 1_000 },
    );
  });

  test('a number that may have been rounded is never written', () => {
    assert.throws(() => stringifyExact({ amount_stroops: 2 ** 53 }), TypeError);
    assert.throws(() => stringifyExact({ metadata: { n: 1e21 } }), TypeError);
    assert.throws(() => stringifyExact({ n: Number.NaN }), TypeError);
    assert.throws(() => stringifyExact({ metadata_text: '[1]' }), TypeError);
  });
});

/** Bigints as JSON.parse would have rounded them. */
function asNumbers(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(asNumbers);
  if (typeof value !== 'object' || value === null) return value;
  const copy: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value))
    Object.defineProperty(copy, name, {
      value: asNumbers(member),
      enumerable: true,
      writable: true,
      configurable: true,
    });
  return copy;
}

function checkValues(
  value: unknown,
  { integers, metadata_text }: Pick<Reading, 'integers' | 'metadata_text'>,
) {
  for (const [pointer, digits] of Object.entries(integers))
    assert.equal(String(at(value, pointer)), digits, pointer);
  for (const [pointer, text] of Object.entries(metadata_text))
    assert.equal(at(value, `${pointer}/metadata_text`), text, pointer);
}

type ErrorCase = {
  name: string;
  status: number;
  headers: Record<string, string>;
  body: string;
  expected: {
    kind: string;
    code?: string;
    message?: string;
    request_id?: string;
    details?: unknown;
    retry_after_seconds?: number | null;
    data_integers?: Record<string, string>;
  };
};

suite('errors', () => {
  for (const { name, status, headers, body, expected } of readCases<{ cases: ErrorCase[] }>('errors').cases)
    test(name, () => {
      const answer = { status, headers: new Headers(headers), bytes: Buffer.from(body) };
      if (expected.data_integers && expected.code === 'idempotency_key_reused') {
        // A client that lost the first answer has it here.
        checkValues(readAnswer(answer).data, { integers: expected.data_integers, metadata_text: {} });
        return;
      }
      const error = caught(() => readAnswer(answer));
      assert.equal(error.constructor.name, expected.kind);
      assert.equal(error.name, expected.kind);
      if (error instanceof UnexpectedAnswerError) return void assert.equal(error.status, status);
      assert.ok(error instanceof ApiError);
      assert.deepEqual(
        { status: error.status, code: error.code, message: error.reason, request_id: error.request_id },
        { status, code: expected.code, message: expected.message, request_id: expected.request_id },
      );
      if (expected.details) assert.deepEqual(error.details, expected.details);
      for (const part of [`${status} ${expected.code}: `, expected.message, expected.request_id])
        assert.ok(error.message.includes(part ?? ''), error.message);
      assert.equal(JSON.parse(JSON.stringify(error)).code, expected.code);
      if (expected.retry_after_seconds !== undefined)
        assert.equal(error.retry_after_seconds, expected.retry_after_seconds);
      checkValues(error.data, { integers: expected.data_integers ?? {}, metadata_text: {} });
    });
});

function caught(work: () => unknown): Error {
  try {
    work();
  } catch (error) {
    assert.ok(error instanceof Error);
    return error;
  }
  throw new assert.AssertionError({ message: 'nothing was thrown' });
}
