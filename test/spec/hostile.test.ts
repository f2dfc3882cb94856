/** Whatever is sent, the service answers with a documented refusal, never with 5xx, and no money moves. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import fc from 'fast-check';
import { rawCall } from '../support/raw-http.ts';
import { joinService, unique } from '../support/running-service.ts';

const SEED = 20_260_726;

const world = await joinService();
after(() => world.stop());
const wallet = await world.newWallet();
const payee = (await world.ledger.fund()).publicKey();

describe('an id that cannot be one gives 400 or 404', () => {
  const ids: Record<string, string> = {
    NUL: '%00',
    'NUL within': 'wal_%00x',
    dots: '..',
    'dots, escaped': '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
    'a slash, escaped': 'a%2fb',
    'half an escape': '%',
    'an escape of nothing': '%zz',
    'broken UTF-8': '%ff%fe',
    'an overlong dot': '%c0%ae',
    'half a surrogate pair': '%ed%a0%80',
    SQL: `'%20or%201=1--`,
    'a quote': '%22',
    'a property of objects': '__proto__',
    'a method of objects': 'constructor',
    'an emoji': '%F0%9F%92%A9',
    'a line break': 'x%0d%0aset-cookie:%20a=b',
    'a space': '%20',
    'a percent sign': '%25',
    'an id of another kind': 'usr_00000000000000000000000000',
    '1,000 characters': 'x'.repeat(1000),
    '12,000 characters': 'x'.repeat(12_000),
    '12,000 escapes': '%F0'.repeat(4000),
  };
  for (const [name, id] of Object.entries(ids)) {
    it(name, async () => {
      const own = `/v1/wallets/${wallet.id}`;
      const targets: [string, string][] = [
        ['GET', `/v1/wallets/${id}`],
        ['GET', `/v1/wallets/${id}/deposits`],
        ['POST', `/v1/wallets/${id}/withdraw`],
        ['POST', `/v1/wallets/${id}/addresses`],
        ['GET', `${own}/addresses/${id}`],
        ['GET', `${own}/deposits/${id}`],
        ['GET', `${own}/withdrawals/${id}`],
        ['GET', `${own}/webhooks/${id}`],
        ['DELETE', `${own}/webhooks/${id}`],
        ['GET', `${own}/webhooks/${id}/deliveries`],
        ['GET', `${own}/webhooks/${id}/deliveries/${id}`],
        ['DELETE', `${own}/api-keys/${id}`],
        ['DELETE', `/v1/auth/sessions/${id}`],
        ['DELETE', `/v1/auth/factors/${id}`],
        ['DELETE', `/v1/team/members/${id}`],
        ['DELETE', `/v1/team/invitations/${id}`],
        ['GET', `/v1/team/service-users/${id}`],
        ['POST', `/v1/team/service-users/${id}/secrets`],
        ['GET', `/v1/team/access-changes/${id}`],
        ['GET', `${own}/deposits?address_id=${id}`],
        ['GET', `${own}/withdrawals?idempotency_key=${id}`],
      ];
      for (const [method, path] of targets) {
        const headers = { authorization: `Bearer ${world.token}`, 'idempotency-key': unique('hostile') };
        const { status, text, body } = await rawCall(world.service.url, method, path, { headers });
        const listed = status === 200 && path.includes('?') && body.data.items.length === 0;
        assert.ok(
          listed || [400, 404, 414, 431].includes(status),
          `${method} ${path.slice(0, 80)}: ${status} ${text}`,
        );
      }
    });
  }
});

describe('invalid HTTP', () => {
  it('headers beyond all measure: 4xx, and the service lives on', async () => {
    const answer = await rawCall(world.service.url, 'GET', '/healthz', {
      headers: { 'x-large': 'x'.repeat(100_000) },
    });
    assert.ok(answer.status >= 400 && answer.status < 500);
    assert.equal((await world.api('GET', '/healthz')).status, 200);
  });

  it('an idempotency_key filter of any text is answered', async () => {
    for (const key of ['', '\u0000', 'é', 'x'.repeat(300), '%']) {
      const query = new URLSearchParams({ idempotency_key: key });
      const path = `/v1/wallets/${wallet.id}/withdrawals?${query}`;
      const { status, text } = await world.api('GET', path, { token: world.token });
      assert.ok(status === 200 || status === 400, `${JSON.stringify(key)}: ${text}`);
    }
  });
});

describe('an integer of more than 20 digits is 400 before it becomes a number', () => {
  const digits = '9'.repeat(8_000_000);
  const bodies: Record<string, [string, number, string]> = {
    'in a withdrawal': [
      `{"destination":"${payee}","amount_stroops":${digits.slice(0, 60_000)}}`,
      400,
      'withdraw',
    ],
    'in a payout': [`{"name":"x","expected_total_stroops":${digits}}`, 400, 'payouts'],
    'in a row of a payout': [
      `{"name":"x","rows":[{"amount_stroops":${digits.slice(0, 21)}}]}`,
      400,
      'payouts',
    ],
    'in metadata it is a text like any other': [
      `{"metadata":{"a":${digits.slice(0, 10_000)}}}`,
      201,
      'addresses',
    ],
  };
  for (const [name, [body, expected, operation]] of Object.entries(bodies))
    it(name, async () => {
      const headers = {
        authorization: `Bearer ${world.token}`,
        'content-type': 'application/json',
        'idempotency-key': unique('digits'),
      };
      const path = `/v1/wallets/${wallet.id}/${operation}`;
      const { status, text } = await rawCall(world.service.url, 'POST', path, { headers, body });
      assert.equal(status, expected, text);
      if (expected === 400) assert.match(text, /of more than (?:20 digits|16384 characters)/);
    });
});

describe('300 random bodies never give 5xx, nor a row without its 201', () => {
  const literal = fc.constantFrom(
    '0', '1', '-1', '1.0', '1e3', '9223372036854775807', '9223372036854775808', '18446744073709551615', '1e999', '-0',
    'null', 'true', '""', '"1"', '"\\u0000"', '"\\ud800"', '[]', '{}', '[[[]]]', '{"a":{"b":[]}}', 'NaN', '',
  ); // biome-ignore format: a table
  const value = fc.oneof(
    literal,
    fc.json({ maxDepth: 3 }),
    fc.string().map((text) => JSON.stringify(text)),
  );
  const bodyOf = (names: string[], good: () => Record<string, string>) =>
    fc.oneof(
      { weight: 1, arbitrary: fc.json() },
      { weight: 1, arbitrary: fc.string({ maxLength: 200 }) },
      {
        weight: 4,
        arbitrary: fc
          .array(fc.tuple(fc.constantFrom(...names), fc.option(value)), { maxLength: 5 })
          .map((members) =>
            members.map(([name, text]) => `${JSON.stringify(name)}:${text ?? good()[name] ?? 'null'}`).join(),
          )
          .map((members) => `{${members}}`),
      },
    );

  const targets: Record<string, { table: string; body: () => fc.Arbitrary<string> }> = {
    withdraw: {
      table: 'withdrawals',
      body: () =>
        bodyOf(['destination', 'amount_stroops', 'memo_id', 'memoid'], () => ({
          destination: `"${payee}"`,
          amount_stroops: '3',
          memo_id: '18446744073709551615',
        })),
    },
    addresses: {
      table: 'deposit_addresses',
      body: () => bodyOf(['label', 'metadata', '__proto__'], () => ({ label: '"x"', metadata: '{"a":1}' })),
    },
    webhooks: {
      table: 'webhook_endpoints',
      body: () =>
        bodyOf(['url', 'description', 'enabled'], () => ({
          url: '"https://example.com/"',
          description: '"x"',
        })),
    },
  };

  for (const [operation, { table, body }] of Object.entries(targets)) {
    it(`to POST …/${operation}`, async () => {
      const bodies = fc.sample(body(), { numRuns: 100, seed: SEED });
      for (const text of bodies) {
        const before = await world.countOf(table);
        const answer = await world.api('POST', `/v1/wallets/${wallet.id}/${operation}`, {
          token: world.token,
          body: text,
          headers: { 'idempotency-key': unique('fuzz') },
        });
        assert.ok([201, 400, 422].includes(answer.status), `${answer.status} for ${text}: ${answer.text}`);
        const made = (await world.countOf(table)) - before;
        assert.equal(made, answer.status === 201 ? 1 : 0, `rows after ${answer.status} for ${text}`);
      }
    });
  }
});
